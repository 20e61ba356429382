"""Run a data set: import each sample into its own instance, ask its questions, delete it."""

import contextlib
import io
import sys
import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

from benchmarks.answer_quality import Answering
from benchmarks.datasets import BrokenData, Format, Sample
from benchmarks.query_runner import Answer, Question, ask
from benchmarks.results import Outcomes

if TYPE_CHECKING:
    from instances.models import Instance
    from memoryapp.recall import Hit

#: What a line of the outcomes is: what recall brought back.
FOUND = "found"


@dataclass(frozen=True)
class Plan:
    """What is asked, and how."""

    format: Format
    profiles: Sequence[str]
    #: Maximum number of samples, and of questions per sample.
    samples: int | None = None
    questions: int | None = None
    #: The models that answer and judge, if any.
    answering: Answering | None = None


def run(samples: Iterable[tuple[float, Sample]], plan: Plan, outcomes: Outcomes) -> int:
    """Ask the questions that have no outcome yet, and store their outcomes; return how many
    questions were left out because nothing is known to hold their answer. Raises `BrokenData`, and
    `ProviderError` if a model does not answer.
    """
    left_out = 0
    for number, (share, sample) in enumerate(samples, start=1):
        left_out += sum(not _of_use(question) for question in sample.questions)
        left = {profile: _left(sample, profile, plan, outcomes) for profile in plan.profiles}
        if any(to_find or to_answer for to_find, to_answer in left.values()):
            begun = time.monotonic()
            with furnished(sample) as instance:
                ready = time.monotonic()
                for profile, (to_find, to_answer) in left.items():
                    instance.recall_profile = profile
                    instance.save(update_fields=["recall_profile"])
                    for question, answer in _asked(instance, sample, to_find, plan):
                        outcomes.add((FOUND, sample.id, question.id, profile), **asdict(answer))
                    if plan.answering:
                        plan.answering.answer(instance, sample, profile, to_answer)
            asked = sum(len(to_find) for to_find, _ in left.values())
            _tell(
                f"{share:4.0%}  {sample.id}: {len(sample.sessions):,} turns in "
                f"{ready - begun:.0f} s, {asked:,} questions in {time.monotonic() - ready:.0f} s"
            )
        if plan.answering:
            for profile in plan.profiles:
                plan.answering.mark(sample, profile, plan.questions)
        if number == plan.samples:
            break
    return left_out


def _left(
    sample: Sample, profile: str, plan: Plan, outcomes: Outcomes
) -> tuple[list[Question], list[Question]]:
    """The questions without a recall result, and those without an answer."""
    questions = list(filter(_of_use, sample.questions))[: plan.questions]
    to_find = [q for q in questions if (FOUND, sample.id, q.id, profile) not in outcomes]
    answering = plan.answering
    return to_find, answering.unanswered(sample, profile, plan.questions) if answering else []


def _of_use(question: Question) -> bool:
    return bool(question.evidence or question.sessions)


@contextlib.contextmanager
def furnished(sample: Sample) -> Iterator["Instance"]:
    """Make an instance that has imported and filed *sample*, and delete it afterwards."""
    from conversations.importers import UnknownFormat, import_stream
    from instances.models import Instance
    from memoryapp.mining.run import mine_here

    # Memory is off in a new instance, so that nothing is read for facts.
    instance = Instance.objects.create(slug="sample", name=sample.id[:100])
    try:
        try:
            report = import_stream(instance, io.BytesIO(sample.file))
        except UnknownFormat as error:
            raise BrokenData(f"{sample.id} cannot be imported: {error}") from None
        for skipped in report.skipped:
            _tell(f"{sample.id}: {skipped}")
        for conversation in instance.conversations.order_by("pk"):
            mine_here(conversation, with_model=False)
        yield instance
    finally:
        instance.delete()


def answers(outcomes: Outcomes, profile: str) -> list[Answer]:
    """Return what was found for each question under *profile*."""
    return [Answer(**line) for line in outcomes.of(FOUND, profile)]


def _asked(
    instance: "Instance", sample: Sample, questions: Sequence[Question], plan: Plan
) -> Iterator[tuple[Question, Answer]]:
    def turns_of(hit: "Hit") -> Collection[str]:
        id = hit.message.external_id if hit.message else ""
        return [id] if id in sample.sessions else []

    session_of, limit = sample.sessions.__getitem__, plan.format.limit
    for question, answer in ask(instance, questions, turns_of, session_of=session_of, limit=limit):
        spoken = dict.fromkeys([*answer.evidence, *answer.found])
        of_assistant = [turn for turn in spoken if turn in sample.of_assistant]
        yield question, replace(answer, of_assistant=of_assistant)


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
