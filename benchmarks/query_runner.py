"""Ask an instance questions whose evidence is known.

Used for every data set that measures recall, whatever its format: the reader of the format gives
the messages to import, and names those that contain each answer.
"""

import contextlib
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING
from unittest.mock import patch
from zoneinfo import ZoneInfo

if TYPE_CHECKING:
    from instances.models import Instance
    from memoryapp.recall import Hit, RecallResult

#: Results that a question asks for.
LIMIT = 10
#: Results that name the sessions: ten turns are of fewer than ten sessions as a rule.
MAX_RANK = 50
#: Questions that are asked beforehand, and not timed.
WARM_UP = 5


@dataclass(frozen=True)
class Question:
    """A question, what kind of question it is, and the turns that hold its answer."""

    text: str
    category: str
    evidence: list[str]
    #: Of its own in its sample.
    id: str = ""
    #: As a person would accept it; of a question that has none, why not.
    answer: str = ""
    unanswerable: bool = False
    asked_at: datetime | None = None
    #: The sessions that hold the answer, where the data says so apart from the turns.
    sessions: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Answer:
    """What a question brought back: ids of turns and of their sessions, best first."""

    category: str
    evidence: list[str]
    found: list[str]
    milliseconds: float
    #: Of the evidence, and of the first `MAX_RANK` results, each once.
    evidence_sessions: list[str] = field(default_factory=list)
    found_sessions: list[str] = field(default_factory=list)
    #: Of what was found.
    sessions_of_found: list[str] = field(default_factory=list)
    #: Those of the turns that an assistant said.
    of_assistant: list[str] = field(default_factory=list)


def ask(
    instance: "Instance",
    questions: Sequence[Question],
    turns_of: "Callable[[Hit], Iterable[str]]",
    *,
    session_of: Callable[[str], str],
    limit: int = LIMIT,
) -> Iterator[tuple[Question, Answer]]:
    """Put *questions* to `recall()`, one after the other. ``turns_of`` names the turns that a hit
    stands for, in the ids of the evidence, and ``session_of`` the session of such a turn.

    Timed is the question with *limit* results. For its sessions it is asked once more, deeper.
    """
    from memoryapp.recall import RecallOptions, recall

    def turns(recalled: "RecallResult") -> list[str]:
        return list(dict.fromkeys(turn for hit in recalled.hits for turn in turns_of(hit)))

    def sessions(turns: Iterable[str]) -> list[str]:
        return list(dict.fromkeys(map(session_of, turns)))

    # The ranking is measured: `benchmarks.silence` measures the floor of relevance.
    options = RecallOptions(limit=limit, only_relevant=False)
    # Connects, loads the embedder, and warms PostgreSQL's cache.
    for question in questions[:WARM_UP]:
        recall(instance, question.text, options)
    for question in questions:
        with on_the_day_of(question, instance):
            begun = time.perf_counter()
            recalled = recall(instance, question.text, options)
            milliseconds = (time.perf_counter() - begun) * 1000
            deep = (
                recalled
                if limit >= MAX_RANK
                else recall(instance, question.text, replace(options, limit=MAX_RANK))
            )
        found = turns(recalled)
        yield (
            question,
            Answer(
                question.category,
                question.evidence,
                found,
                milliseconds,
                evidence_sessions=question.sessions or sessions(question.evidence),
                found_sessions=sessions(turns(deep)),
                sessions_of_found=sessions(found),
            ),
        )


@contextlib.contextmanager
def on_the_day_of(question: Question, instance: "Instance") -> Iterator[None]:
    """Set the clock to when *question* is asked, if that is known: "last week" means another one
    a year later.
    """
    if question.asked_at is None:
        yield
        return
    moment = question.asked_at.replace(tzinfo=ZoneInfo(instance.time_zone))
    with patch("django.utils.timezone.now", return_value=moment):
        yield
