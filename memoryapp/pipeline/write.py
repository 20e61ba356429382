"""The journey of new facts: candidates through the stages, one after the other."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from django.db import transaction

from instances.models import Instance
from memoryapp.embeddings import embedder
from memoryapp.models import Summary
from memoryapp.pipeline import suppression
from memoryapp.pipeline.assessment import assessed
from memoryapp.pipeline.candidates import Candidate, Outcome, Writer
from memoryapp.pipeline.llm_merge import MergeDecision, judgements_on
from memoryapp.pipeline.storage import store
from memoryapp.pipeline.validation import admitted
from memoryapp.policy.dedup import Action
from memoryapp.runs.locks import lock_for_write


def remember(
    instance: Instance,
    candidates: Sequence[Candidate],
    writer: Writer,
    *,
    ask_model: bool = True,
    assess_later: bool = False,
    in_same_transaction: Callable[[list[Outcome]], None] | None = None,
    lifting: bool = False,
) -> list[Outcome]:
    """Store *candidates*, merged with what is there, and say what became of each.

    All or none: either every candidate is stored and ``in_same_transaction`` has run, or nothing
    has changed. Without ``ask_model`` the similarity of the texts decides alone, whatever the
    instance wants: for files of thousands, and for whoever only wants to know. ``assess_later``
    is for whoever cannot wait for one more call. ``lifting`` is for what a person wants back that
    was not to be learned again. Raises `Rejected` for a candidate that is not fit; `admit` sorts
    those out before.
    """
    candidates = [admitted(instance, candidate) for candidate in candidates]
    vectors = embedder.embed(instance, [candidate.content for candidate in candidates])
    judgements: Sequence[MergeDecision | None] = [None] * len(candidates)
    if ask_model:
        judgements = judgements_on(instance, candidates, vectors)
        if not assess_later:
            candidates = assessed(instance, candidates, vectors)
    with suppression.noted(), transaction.atomic():
        for end_user in sorted({candidate.end_user for candidate in candidates}):
            lock_for_write(instance, end_user)
        # Under the lock: somebody may have deleted it while it was being embedded.
        suppression.check(instance, candidates, writer, lifting=lifting)
        outcomes = []
        for number, (candidate, judgement) in enumerate(zip(candidates, judgements, strict=True)):
            vector = None if vectors.vectors is None else vectors.vectors[number]
            stored = store(instance, candidate, writer, vectors.space, vector, judgement)
            outcomes.append(
                replace(stored, problem=vectors.problem, redactions=candidate.redactions)
            )
        changed = [outcome for outcome in outcomes if outcome.action is not Action.DUPLICATE]
        if changed:
            Summary.objects.want(instance, [outcome.memory.end_user for outcome in changed])
        if in_same_transaction is not None:
            in_same_transaction(outcomes)
    return outcomes
