"""``python -m benchmarks.recall --data PATH [--json]``: does recall find what was said?

Imports the conversations of a public data set into a database of its own, an instance for each
sample, files their turns in the palace without a language model, asks the questions that come with
them through `recall()`, and compares the turns that come back with those that hold the answer.
Nothing is extracted: this measures search over what was said.

LoCoMo, REALTALK, BEAM and LongMemEval are told apart by what the file holds; ``--data languages``
takes handwritten chats in seven languages, which ship with the benchmark. With ``--outcomes`` each
question's outcome is a line of that file, and a run that was stopped goes on from there.

With ``--reader`` or ``--instance`` a language model answers the questions from what was recalled,
and another one, or the same, judges the answers.
"""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import command, dataset_runner
from benchmarks.answer_quality import Answering
from benchmarks.datasets import FORMATS, languages, open_data
from benchmarks.query_runner import MAX_RANK
from benchmarks.report import Report
from benchmarks.results import Outcomes, fingerprint

if TYPE_CHECKING:
    from instances.outgoing.policy import OutgoingPolicy
    from memoryapp.providers.endpoints import Endpoint

DATABASE = "keepsake_benchmark_recall"
PROFILES = ("default", "rrf")


class NoProvider(ValueError):
    """No language model can be called; the message says why."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark and print it; return the exit code."""
    parser = _parser()
    options = parser.parse_args(arguments)
    profiles = list(dict.fromkeys(options.profiles.split(",")))
    if unknown := set(profiles) - set(PROFILES):
        parser.error(f"--profiles takes {', '.join(PROFILES)}, not {', '.join(sorted(unknown))}")

    goes_on = "With the same --outcomes it goes on from here." if options.outcomes else ""
    with command.running(parser, when_stopped=goes_on):
        # Only now: these need the set-up.
        from benchmarks.databases import fresh_database

        embedder = command.use_embedder(options.embedder)

        format, samples = open_data(options.data, options.format)
        results = [format.limit, MAX_RANK]
        run = {
            "data": fingerprint(options.data),
            "format": format.name,
            "results": results,
            "embedder": embedder,
        }
        with Outcomes(options.outcomes, run) as outcomes:
            reader, policy = _reader(options)
            answering = None
            if reader:
                judge = replace(reader, model=options.judge or reader.model)
                answering = Answering(reader, judge, outcomes)
            plan = dataset_runner.Plan(format, profiles, options.samples, options.limit, answering)
            with fresh_database(options.database, policy=policy):
                left_out = dataset_runner.run(samples, plan, outcomes)
            report = Report.of(plan, outcomes, left_out)
        print(report.text())
        if options.table:
            report.write(options.table, options.name or format.name)
    if options.json:
        print(json.dumps(report.summary()))
    return 0


def _reader(options: argparse.Namespace) -> tuple["Endpoint | None", "OutgoingPolicy | None"]:
    """Return the model that answers, if any, and which servers may be called for it: those that the
    installation of ``--instance`` may call, or the one that ``--provider-url`` names. Raises
    `NoProvider`.
    """
    from benchmarks.databases import installation
    from instances.models import Instance
    from instances.outgoing.current_policy import stored_policy
    from instances.outgoing.policy import AllowEntry, OutgoingPolicy
    from memoryapp.providers.configured import assistant_endpoint
    from memoryapp.providers.endpoints import Endpoint

    if options.instance:
        with installation():
            instance = Instance.objects.filter(slug=options.instance).first()
            reader = assistant_endpoint(instance) if instance else None
            policy = stored_policy()
        if reader is None:
            raise NoProvider(f"There is no instance “{options.instance}” with a language model.")
        return replace(reader, model=options.reader or reader.model), policy
    if options.reader:
        key = os.environ.get("OPENAI_API_KEY", "")
        policy = OutgoingPolicy(entries=(AllowEntry.of_url(options.provider_url),))
        return Endpoint("custom", options.provider_url, key, options.reader), policy
    return None, None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.recall",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--data",
        type=_path,
        required=True,
        metavar="PATH",
        help="a file, or a folder of files; “languages”: the chats that ship with the benchmark",
    )
    parser.add_argument(
        "--format", choices=FORMATS, default="", help="if it cannot be told from the file"
    )
    parser.add_argument(
        "--profiles",
        default=",".join(PROFILES),
        metavar="NAMES",
        help="of recall, side by side (default: %(default)s)",
    )
    command.add_embedder(parser)
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
    parser.add_argument(
        "--instance", metavar="SLUG", help="have its language model answer the questions"
    )
    parser.add_argument(
        "--reader", default="", metavar="MODEL", help="the model that answers the questions"
    )
    parser.add_argument(
        "--judge", default="", metavar="MODEL", help="that judges (default: the one that answers)"
    )
    parser.add_argument(
        "--provider-url",
        default="https://api.openai.com/v1",
        metavar="URL",
        help="where they are, without --instance, also on this machine or in its network; "
        "OPENAI_API_KEY opens it (default: %(default)s)",
    )
    command.add_json(parser)
    command.add_database(parser, DATABASE)
    return parser


def _path(data: str) -> Path:
    """A folder of the same name as what ships is still reached, as ``./languages``."""
    return languages.FILE if data == "languages" else Path(data)


if __name__ == "__main__":
    sys.exit(main())
