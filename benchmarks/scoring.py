"""Scores of the answers to many questions: means, and tables of them. Pure functions.

A result is scored at two levels: the messages found, and their sessions, ranked by their first
message.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks import metrics
from benchmarks.query_runner import Answer

Metric = Callable[[int, Sequence[str], Sequence[str]], float]


@dataclass(frozen=True)
class Measure:
    """One figure: its key in the JSON, its column's heading, and what it says of one answer. None
    where it says nothing, which leaves the answer out of the mean.
    """

    key: str
    of: Callable[[Answer], float | None]
    #: Empty: it stands in the JSON only.
    heading: str = ""


def turns(metric: Metric, k: int) -> Callable[[Answer], float | None]:
    """Return what *metric* at *k* says of the turns that were found."""
    return lambda a: metric(k, a.found, a.evidence) if a.evidence else None


def sessions(metric: Metric, k: int) -> Callable[[Answer], float | None]:
    """Return what *metric* at *k* says of the sessions that were found."""
    return lambda a: (
        metric(k, a.found_sessions, a.evidence_sessions) if a.evidence_sessions else None
    )


def turns_of_user(metric: Metric, k: int) -> Callable[[Answer], float | None]:
    """Return what *metric* at *k* says of the user's turns, as if there were no others."""

    def of(answer: Answer) -> float | None:
        others = set(answer.of_assistant)
        found = [turn for turn in answer.found if turn not in others]
        evidence = [turn for turn in answer.evidence if turn not in others]
        return metric(k, found, evidence) if evidence else None

    return of


#: What LoCoMo and its like are measured by.
EVIDENCE = (
    Measure("turn_recall_at_5", turns(metrics.recall_at, 5), "turn R@5"),
    Measure("turn_recall_at_10", turns(metrics.recall_at, 10), "turn R@10"),
    Measure("ndcg_at_10", turns(metrics.ndcg_at, 10), "nDCG@10"),
    Measure("session_recall_at_5", sessions(metrics.recall_at, 5), "sess. R@5"),
    Measure("session_recall_at_10", sessions(metrics.recall_at, 10), "sess. R@10"),
    # As far as ten turns name them: what was measured before turns were ranked deeper for it.
    Measure(
        "session_recall_of_10_turns",
        lambda a: metrics.recall_at(10, a.sessions_of_found, a.evidence_sessions),
    ),
)

#: How deep LongMemEval's evaluation looks.
DEPTHS = (1, 3, 5, 10, 30, 50)
_SHOWN = {
    "session_recall_any_at_5": "s. any@5",
    "session_recall_all_at_5": "s. all@5",
    "session_ndcg_at_5": "s. nDCG@5",
    "turn_recall_any_at_10": "t. any@10",
    "turn_recall_all_at_10": "t. all@10",
    "turn_ndcg_at_10": "t. nDCG@10",
}
#: What LongMemEval is measured by.
HAYSTACK = tuple(
    Measure(key, of(metric, k), _SHOWN.get(key, ""))
    for level, of in (("session", sessions), ("turn", turns), ("user_turn", turns_of_user))
    for name, metric in (
        ("recall_any", metrics.recall_any_at),
        ("recall_all", metrics.recall_all_at),
        ("ndcg", metrics.lenient_ndcg_at),
    )
    for k in DEPTHS
    for key in (f"{level}_{name}_at_{k}",)
)


def scores(answers: Sequence[Answer], measures: Sequence[Measure] = EVIDENCE) -> dict[str, Any]:
    """Return the means over *answers*, of which there must be at least one, and their times."""
    times = [answer.milliseconds for answer in answers]
    return {
        "questions": len(answers),
        **{measure.key: _mean(measure, answers) for measure in measures},
        "p50_ms": round(metrics.percentile(times, 0.50), 2),
        "p95_ms": round(metrics.percentile(times, 0.95), 2),
    }


def headings(measures: Sequence[Measure] = EVIDENCE) -> list[str]:
    """Return the headings of the columns that `row` fills."""
    shown = [measure.heading for measure in measures if measure.heading]
    return ["questions", *shown, "p50 ms", "p95 ms"]


def row(answers: Sequence[Answer], measures: Sequence[Measure] = EVIDENCE) -> list[str]:
    """Return the means over *answers* as the cells of a table."""
    shown = [measure for measure in measures if measure.heading]
    means = scores(answers, shown)
    figures = ["–" if means[one.key] is None else f"{means[one.key]:.3f}" for one in shown]
    return [f"{means['questions']:,}", *figures, f"{means['p50_ms']:.1f}", f"{means['p95_ms']:.1f}"]


def table(rows: Mapping[str, Sequence[Answer]], measures: Sequence[Measure] = EVIDENCE) -> str:
    """Return the scores as text, a line for each of *rows* that has answers."""
    width = max([20, *(len(label) + 2 for label in rows)])
    lines = {"": headings(measures)}
    lines |= {label: row(answers, measures) for label, answers in rows.items() if answers}
    return "\n".join(
        f"{label:<{width}}" + "".join(f"{cell:>12}" for cell in cells)
        for label, cells in lines.items()
    )


def _mean(measure: Measure, answers: Sequence[Answer]) -> float | None:
    values = [value for answer in answers if (value := measure.of(answer)) is not None]
    return round(sum(values) / len(values), 4) if values else None
