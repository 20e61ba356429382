"""``python -m benchmarks.recall --data PATH [--json]``: does recall find what was said?

Imports LoCoMo-format conversations into a database of its own, one instance for each sample, asks
the questions that come with them through `recall()`, and compares the turns that come back with
those that hold the answer. Nothing is extracted: this measures search over what was said.
"""

import argparse
import io
import json
import os
import sys
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import django

from benchmarks import asking, metrics
from benchmarks.asking import Answer, Question

if TYPE_CHECKING:
    from instances.models import Instance
    from memoryapp.recall import Hit

DATABASE = "keepsake_benchmark_recall"

CATEGORIES = {
    "1": "several turns",
    "2": "dates",
    "3": "open domain",
    "4": "a single turn",
    "5": "wrong speaker",
}
#: The categories that count; the fifth asks for what nobody said, and is reported beside them.
HEADLINE = ("1", "2", "3", "4")


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
    if not _headline(answers):
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

    content = json.loads(data.read_bytes())
    answers: list[Answer] = []
    for number, sample in enumerate(content if isinstance(content, list) else [content], start=1):
        # Memory is off in a new instance, so that nothing is read for facts.
        instance = Instance.objects.create(slug=f"sample-{number}", name=f"Sample {number}")
        questions = list(_questions(sample, _import(instance, sample)))[:questions_a_sample]
        answers += asking.ask(instance, questions, _turns)
    return answers


def summary(answers: Sequence[Answer]) -> dict[str, Any]:
    """Return the headline (categories 1 to 4), and each category by its number."""
    by_category = {
        category: asking.scores(of_category)
        for category in CATEGORIES
        if (of_category := [a for a in answers if a.category == category])
    }
    return asking.scores(_headline(answers)) | {"categories": by_category}


def table(answers: Sequence[Answer]) -> str:
    """Return the scores as text: a line for each category, and one for 1 to 4 together."""
    rows = {
        f"{category} {label}": [a for a in answers if a.category == category]
        for category, label in CATEGORIES.items()
    }
    wrong_speaker = rows.popitem()
    return asking.table(rows | {"1-4 together": _headline(answers)} | dict([wrong_speaker]))


def _headline(answers: Sequence[Answer]) -> list[Answer]:
    return [answer for answer in answers if answer.category in HEADLINE]


def _turns(hit: "Hit") -> list[str]:
    return metrics.turn_ids(hit.message.external_id) if hit.message else []


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
        if evidence and str(raw["category"]) in CATEGORIES:
            yield Question(raw["question"], str(raw["category"]), evidence)


if __name__ == "__main__":
    sys.exit(main())
