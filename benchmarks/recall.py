"""``python -m benchmarks.recall --data PATH [--json]``: does recall find what was said?

Imports the conversations of a public data set into a database of its own, an instance for each
sample, asks the questions that come with them through `recall()`, and compares the turns that come
back with those that hold the answer. Nothing is extracted: this measures search over what was said.

LoCoMo, REALTALK, BEAM and LongMemEval are told apart by what the file holds. With ``--outcomes``
each question's outcome is a line of that file, and a run that was stopped goes on from there.
"""

import argparse
import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import django

from benchmarks import scoring, tables
from benchmarks.asking import Answer
from benchmarks.datasets import FORMATS, BrokenData, Format, open_data
from benchmarks.outcomes import OtherRun, Outcomes, fingerprint
from benchmarks.tables import NoTable

DATABASE = "keepsake_benchmark_recall"
PROFILES = ("default", "rrf")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark and print it; return the exit code."""
    parser = _parser()
    options = parser.parse_args(arguments)
    profiles = list(dict.fromkeys(options.profiles.split(",")))
    if unknown := set(profiles) - set(PROFILES):
        parser.error(f"--profiles takes {', '.join(PROFILES)}, not {', '.join(sorted(unknown))}")

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryapp.settings")
    django.setup()
    # Only now: these need the set-up.
    from django.db import OperationalError

    from benchmarks import running
    from benchmarks.databases import fresh_database
    from memoryapp.embedded.paths import ServerError

    try:
        format, samples = open_data(options.data, options.format)
        plan = running.Plan(format, profiles, options.samples, options.limit)
        run = {"data": fingerprint(options.data), "format": format.name, "results": format.limit}
        with Outcomes(options.outcomes, run) as outcomes:
            with fresh_database(options.database):
                for _ in running.run(samples, plan, outcomes):
                    pass
            found = {profile: running.answers(outcomes, profile) for profile in profiles}
    except (BrokenData, OtherRun, OSError, ValueError) as error:
        parser.error(str(error))
    except (OperationalError, ServerError) as error:
        parser.error(str(error))
    if not any(_headline(format, answers) for answers in found.values()):
        parser.error(f"{options.data} has no question that counts, with known evidence")
    for profile, answers in found.items():
        print(f"{format.name}, profile {profile}\n\n{table(format, answers)}\n")
    if options.table:
        rows = {
            f"{options.name or format.name}, {profile}": scoring.row(headline, format.measures)
            for profile, answers in found.items()
            if (headline := _headline(format, answers))
        }
        try:
            tables.write(options.table, format.table, scoring.headings(format.measures), rows)
        except (NoTable, OSError) as error:
            parser.error(str(error))
    if options.json:
        print(json.dumps(summary(format, found)))
    return 0


def summary(format: Format, found: Mapping[str, Sequence[Answer]]) -> dict[str, Any]:
    """Return the headline and each category under the first profile, and all of each profile."""
    profiles = {
        profile: scoring.scores(_headline(format, answers), format.measures)
        | {
            "categories": {
                category: scoring.scores(of_category, format.measures)
                for category, of_category in _by_category(format, answers).items()
            }
        }
        for profile, answers in found.items()
    }
    first = next(iter(profiles.values()))
    return {"format": format.name, **first, "profiles": profiles}


def table(format: Format, answers: Sequence[Answer]) -> str:
    """Return the scores as text: a line for each category, and one for those that count."""
    rows = {
        f"{category} {format.categories.get(category, '')}".strip(): of_category
        for category, of_category in _by_category(format, answers).items()
        if category not in format.aside
    }
    rows["together"] = _headline(format, answers)
    rows |= {
        f"{category} {format.categories.get(category, '')}, not counted": of_category
        for category, of_category in _by_category(format, answers).items()
        if category in format.aside
    }
    return scoring.table(rows, format.measures)


def _headline(format: Format, answers: Sequence[Answer]) -> list[Answer]:
    return [answer for answer in answers if answer.category not in format.aside]


def _by_category(format: Format, answers: Sequence[Answer]) -> dict[str, list[Answer]]:
    return {
        category: [answer for answer in answers if answer.category == category]
        for category in sorted({answer.category for answer in answers})
    }


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.recall",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--data", type=Path, required=True, metavar="PATH", help="a file, or a folder of files"
    )
    parser.add_argument(
        "--format", choices=FORMATS, default="", help="if it cannot be told from the file"
    )
    parser.add_argument(
        "--profiles",
        default=",".join(PROFILES),
        metavar="NAMES",
        help="of recall, beside each other (default: %(default)s)",
    )
    parser.add_argument(
        "--limit", type=int, metavar="N", help="ask only the first N questions of each sample"
    )
    parser.add_argument("--samples", type=int, metavar="N", help="take only the first N samples")
    parser.add_argument(
        "--outcomes", type=Path, metavar="FILE", help="where each question's outcome is kept"
    )
    parser.add_argument(
        "--table", type=Path, metavar="FILE", help="put the figures into this Markdown page"
    )
    parser.add_argument("--name", default="", help="what the data is called in that table")
    parser.add_argument("--json", action="store_true", help="end with one JSON object in a line")
    parser.add_argument(
        "--database", default=DATABASE, help="dropped and made anew (default: %(default)s)"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
