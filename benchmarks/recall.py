"""``python -m benchmarks.recall --data PATH [--json]``: does recall find what was said?

Imports LoCoMo-format conversations into a database of its own, one instance for each sample, asks
the questions that come with them through `recall()`, and compares the turns that come back with
those that hold the answer. Nothing is extracted: this measures search over what was said.

Everything is computed from the `LIMIT` results that a question brings back, at session level too:
those results name fewer than ten sessions as a rule, so session recall@10 is a lower bound.
"""

import argparse
import io
import json
import os
import sys
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import django

from benchmarks import metrics

if TYPE_CHECKING:
    from instances.models import Instance

#: Results that a question asks for.
LIMIT = 10
#: Questions of a sample that are asked beforehand, and not timed.
WARM_UP = 5
DATABASE = "keepsake_benchmark_recall"

CATEGORIES = {
    1: "several turns",
    2: "dates",
    3: "open domain",
    4: "a single turn",
    5: "wrong speaker",
}
#: The categories that count; the fifth asks for what nobody said, and is reported beside them.
HEADLINE = (1, 2, 3, 4)

#: A column's heading, its key in the JSON, and what it says of one answer.
MEASURES: list[tuple[str, str, Callable[["Answer"], float]]] = [
    ("turn R@5", "turn_recall_at_5", lambda a: metrics.recall_at(5, a.found, a.evidence)),
    ("turn R@10", "turn_recall_at_10", lambda a: metrics.recall_at(10, a.found, a.evidence)),
    ("nDCG@10", "ndcg_at_10", lambda a: metrics.ndcg_at(10, a.found, a.evidence)),
    ("sess. R@5", "session_recall_at_5", lambda a: a.session_recall(5)),
    ("sess. R@10", "session_recall_at_10", lambda a: a.session_recall(10)),
]


@dataclass(frozen=True)
class Question:
    """A question and the turns that hold its answer."""

    text: str
    category: int
    evidence: list[str]


@dataclass(frozen=True)
class Answer:
    """What a question brought back: turn ids, best first."""

    category: int
    evidence: list[str]
    found: list[str]
    milliseconds: float

    def session_recall(self, k: int) -> float:
        """Return the share of the evidence's sessions among the first *k* that were found."""
        return metrics.recall_at(k, metrics.sessions(self.found), metrics.sessions(self.evidence))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark and print it; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.recall", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="a LoCoMo-format JSON file")
    parser.add_argument("--json", action="store_true", help="end with one JSON object in a line")
    parser.add_argument(
        "--limit", type=int, metavar="N", help="ask only the first N questions of each sample"
    )
    parser.add_argument(
        "--database", default=DATABASE, help="dropped and made anew (default: %(default)s)"
    )
    options = parser.parse_args(arguments)
    if not options.data.is_file():
        parser.error(f"{options.data} is not a file")

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryapp.settings")
    django.setup()
    # Only now: these need the set-up.
    from django.db import OperationalError

    from benchmarks.databases import fresh_database
    from conversations.importers import BrokenFile, UnknownFormat
    from memoryapp.embedded.paths import ServerError

    try:
        with fresh_database(options.database):
            answers = measure(options.data, options.limit)
    except (UnknownFormat, BrokenFile, json.JSONDecodeError) as error:
        parser.error(f"{options.data}: {error}")
    except (OperationalError, ServerError) as error:
        parser.error(str(error))
    if not any(answer.category in HEADLINE for answer in answers):
        parser.error(f"{options.data} has no question of categories 1 to 4 with known evidence")
    print(table(answers))
    if options.json:
        print(json.dumps(summary(answers)))
    return 0


def measure(data: Path, questions_a_sample: int | None = None) -> list[Answer]:
    """Import *data* into the database in use, and ask its questions.

    Raises:
        UnknownFormat, BrokenFile, json.JSONDecodeError: *data* is not LoCoMo-format JSON.

    """
    from instances.models import Instance
    from memoryapp.recall import recall

    content = json.loads(data.read_bytes())
    answers: list[Answer] = []
    for number, sample in enumerate(content if isinstance(content, list) else [content], start=1):
        # Memory is off in a new instance, so that nothing is read for facts.
        instance = Instance.objects.create(slug=f"sample-{number}", name=f"Sample {number}")
        questions = list(_questions(sample, _import(instance, sample)))[:questions_a_sample]
        # Connects, loads the embedder, and warms PostgreSQL's cache.
        for question in questions[:WARM_UP]:
            recall(instance, question.text, limit=LIMIT)
        for question in questions:
            begun = time.perf_counter()
            recalled = recall(instance, question.text, limit=LIMIT)
            milliseconds = (time.perf_counter() - begun) * 1000
            said = " ".join(hit.message.external_id for hit in recalled.hits if hit.message)
            answers.append(
                Answer(question.category, question.evidence, metrics.turn_ids(said), milliseconds)
            )
    return answers


def summary(answers: Sequence[Answer]) -> dict[str, Any]:
    """Return the headline (categories 1 to 4), and each category by its number."""
    headline = [answer for answer in answers if answer.category in HEADLINE]
    by_category = {
        str(category): _scores([a for a in answers if a.category == category])
        for category in CATEGORIES
        if any(a.category == category for a in answers)
    }
    return _scores(headline) | {"categories": by_category}


def table(answers: Sequence[Answer]) -> str:
    """Return the scores as text: a line for each category, and one for 1 to 4 together."""
    headings = ["questions", *(heading for heading, _, _ in MEASURES), "p50 ms", "p95 ms"]
    lines = [f"{'':<20}" + "".join(f"{heading:>12}" for heading in headings)]
    rows = [
        (f"{category} {label}", [a for a in answers if a.category == category])
        for category, label in CATEGORIES.items()
    ]
    rows.insert(4, ("1-4 together", [a for a in answers if a.category in HEADLINE]))
    for label, of_row in rows:
        if not of_row:
            continue
        scores = _scores(of_row)
        lines.append(
            f"{label:<20}{scores['questions']:>12,}"
            + "".join(f"{scores[key]:>12.3f}" for _, key, _ in MEASURES)
            + f"{scores['p50_ms']:>12.1f}{scores['p95_ms']:>12.1f}"
        )
    return "\n".join(lines)


def _scores(answers: Sequence[Answer]) -> dict[str, Any]:
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


def _import(instance: "Instance", sample: Any) -> set[str]:
    """Import one sample, and return the ids of its turns."""
    from conversations.importers import import_stream
    from conversations.models import Message

    import_stream(instance, io.BytesIO(json.dumps(sample).encode()))
    ids = Message.objects.filter(instance=instance).values_list("external_id", flat=True)
    return set(metrics.turn_ids(" ".join(ids)))


def _questions(sample: Any, known: Collection[str]) -> Iterator[Question]:
    for raw in sample.get("qa", []):
        evidence = metrics.evidence(raw.get("evidence", []), known)
        if evidence and raw["category"] in CATEGORIES:
            yield Question(raw["question"], raw["category"], evidence)


if __name__ == "__main__":
    sys.exit(main())
