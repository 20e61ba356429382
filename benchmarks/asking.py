"""Asking an instance questions whose evidence is known, and scoring what comes back.

Every data set that measures recall goes through here, whatever its files look like: its reader
imports the conversations, names the turns that hold each answer, and says which turn a hit is.

A result is counted at two levels: the turns that were found, and the sessions they are of, ranked
by their first appearance. The first `LIMIT` results name fewer than ten sessions as a rule, so
session recall@10 is a lower bound.
"""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from benchmarks import metrics

if TYPE_CHECKING:
    from instances.models import Instance
    from memoryapp.recall import Hit

#: Results that a question asks for.
LIMIT = 10
#: Questions that are asked beforehand, and not timed.
WARM_UP = 5


@dataclass(frozen=True)
class Question:
    """A question, what kind of question it is, and the turns that hold its answer."""

    text: str
    category: str
    evidence: list[str]


@dataclass(frozen=True)
class Answer:
    """What a question brought back: ids of turns and of their sessions, best first."""

    category: str
    evidence: list[str]
    found: list[str]
    milliseconds: float
    #: Of the evidence, and of what was found.
    evidence_sessions: list[str] = field(default_factory=list)
    found_sessions: list[str] = field(default_factory=list)


#: A column's heading, its key in the JSON, and what it says of one answer.
MEASURES: list[tuple[str, str, Callable[[Answer], float]]] = [
    ("turn R@5", "turn_recall_at_5", lambda a: metrics.recall_at(5, a.found, a.evidence)),
    ("turn R@10", "turn_recall_at_10", lambda a: metrics.recall_at(10, a.found, a.evidence)),
    ("nDCG@10", "ndcg_at_10", lambda a: metrics.ndcg_at(10, a.found, a.evidence)),
    (
        "sess. R@5",
        "session_recall_at_5",
        lambda a: metrics.recall_at(5, a.found_sessions, a.evidence_sessions),
    ),
    (
        "sess. R@10",
        "session_recall_at_10",
        lambda a: metrics.recall_at(10, a.found_sessions, a.evidence_sessions),
    ),
]


def ask(
    instance: "Instance",
    questions: Sequence[Question],
    turns_of: "Callable[[Hit], Iterable[str]]",
    *,
    session_of: Callable[[str], str] = metrics.session_of,
    limit: int = LIMIT,
) -> list[Answer]:
    """Put *questions* to `recall()`. ``turns_of`` names the turns that a hit stands for, in the
    ids of the evidence, and ``session_of`` the session of such a turn.
    """
    from memoryapp.recall import recall

    def sessions(turns: Iterable[str]) -> list[str]:
        return list(dict.fromkeys(map(session_of, turns)))

    # Connects, loads the embedder, and warms PostgreSQL's cache.
    for question in questions[:WARM_UP]:
        recall(instance, question.text, limit=limit)
    answers = []
    for question in questions:
        begun = time.perf_counter()
        recalled = recall(instance, question.text, limit=limit)
        milliseconds = (time.perf_counter() - begun) * 1000
        found = list(dict.fromkeys(turn for hit in recalled.hits for turn in turns_of(hit)))
        answers.append(
            Answer(
                question.category,
                question.evidence,
                found,
                milliseconds,
                evidence_sessions=sessions(question.evidence),
                found_sessions=sessions(found),
            )
        )
    return answers


def scores(answers: Sequence[Answer]) -> dict[str, Any]:
    """Return the means over *answers*, of which there must be at least one, and their times."""
    times = [answer.milliseconds for answer in answers]
    return {
        "questions": len(answers),
        **{
            key: round(sum(map(measure_of, answers)) / len(answers), 4)
            for _, key, measure_of in MEASURES
        },
        "p50_ms": round(metrics.percentile(times, 0.50), 2),
        "p95_ms": round(metrics.percentile(times, 0.95), 2),
    }


def table(rows: Mapping[str, Sequence[Answer]]) -> str:
    """Return the scores as text, a line for each of *rows* that has answers."""
    width = max([20, *(len(label) + 2 for label in rows)])
    headings = ["questions", *(heading for heading, _, _ in MEASURES), "p50 ms", "p95 ms"]
    lines = [f"{'':<{width}}" + "".join(f"{heading:>12}" for heading in headings)]
    for label, answers in rows.items():
        if not answers:
            continue
        row = scores(answers)
        lines.append(
            f"{label:<{width}}{row['questions']:>12,}"
            + "".join(f"{row[key]:>12.3f}" for _, key, _ in MEASURES)
            + f"{row['p50_ms']:>12.1f}{row['p95_ms']:>12.1f}"
        )
    return "\n".join(lines)
