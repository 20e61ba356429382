"""`remember`: takes new facts through the stages of the write path."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from uuid import uuid4

from django.db import transaction

from instances.models import Instance
from memoryapp.embeddings import embedder
from memoryapp.embeddings.embedder import Vectors
from memoryapp.models import Summary
from memoryapp.pipeline import suppression
from memoryapp.pipeline.assessment import assess, filled_in
from memoryapp.pipeline.candidates import Candidate, Outcome, Writer, attributed
from memoryapp.pipeline.holding import held_back
from memoryapp.pipeline.llm_merge import judge
from memoryapp.pipeline.plan import Plan
from memoryapp.pipeline.storage import store
from memoryapp.pipeline.validation import Admitted, admitted
from memoryapp.policy.dedup import Action
from memoryapp.runs.locks import lock_for_write
from memoryapp.telemetry import traces


@dataclass(frozen=True)
class RememberOptions:
    """Options of `remember`."""

    #: False if only the similarity of the texts decides: for large files and dry runs.
    ask_model: bool = True
    #: True if the facts are assessed later, which saves one call to the model.
    assess_later: bool = False
    #: True if suppressed facts are allowed, and the rules for them deleted.
    lift_rules: bool = False


DEFAULT_OPTIONS = RememberOptions()


@traces.traced("remember")
def remember(
    instance: Instance,
    candidates: Sequence[Candidate | Admitted],
    writer: Writer,
    options: RememberOptions = DEFAULT_OPTIONS,
    *,
    in_same_transaction: Callable[[list[Outcome]], None] | None = None,
    before_changes: Callable[[list[int]], None] | None = None,
    vectors: Vectors | None = None,
) -> list[Outcome]:
    """Store *candidates*, merged with known memories, and return the outcome of each.

    Either all are stored and ``in_same_transaction`` has run, or nothing has changed.
    ``before_changes`` is as in `storage.store`. *vectors* are those of the texts, if the caller has
    them. Raises `Rejected` for an invalid candidate; `admit` sorts those out.
    """
    valid = [
        each.candidate if isinstance(each, Admitted) else admitted(instance, each)
        for each in candidates
    ]
    plans, problem = planned(instance, valid, writer, vectors)
    if options.ask_model:
        judge(instance, plans)
        if not options.assess_later:
            assess(instance, plans)
    with suppression.counting_hits(), transaction.atomic():
        lock_for_write(instance, *(plan.candidate.end_user for plan in plans))
        # What a race can change is decided again under the lock: while a model was called, a person
        # may have deleted the fact, and another writer may have stored or changed it.
        suppression.check(
            instance, [plan.candidate for plan in plans], writer, lift_rules=options.lift_rules
        )
        held = held_back(instance, plans, writer)
        passing = [plan for plan, outcome in zip(plans, held, strict=True) if outcome is None]
        stored = iter(store(instance, passing, writer, before_changes) if passing else ())
        outcomes = [replace(each or next(stored), problem=problem) for each in held]
        changed = [each for each in outcomes if each.action in (Action.STORED, Action.UPDATED)]
        if changed:
            Summary.objects.want(instance, [outcome.memory.end_user for outcome in changed])
        if in_same_transaction is not None:
            in_same_transaction(outcomes)
    return outcomes


def planned(
    instance: Instance,
    candidates: Sequence[Candidate],
    writer: Writer,
    vectors: Vectors | None = None,
) -> tuple[list[Plan], str]:
    """Return a plan for each admitted candidate with its vector, and why there are no vectors, in
    words.
    """
    batch = writer.batch or uuid4()
    attributed_ones = [
        filled_in(instance, attributed(candidate, writer)) for candidate in candidates
    ]
    made = vectors or embedder.embed(
        instance,
        [each.content for each in attributed_ones],
        about=[each.end_user for each in attributed_ones],
    )
    if made.vectors is None:
        return [Plan(candidate, batch) for candidate in attributed_ones], made.problem
    pairs = zip(attributed_ones, made.vectors, strict=True)
    return [Plan(candidate, batch, made.space, vector) for candidate, vector in pairs], made.problem
