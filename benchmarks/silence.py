"""``python -m benchmarks.silence --data PATH --unrelated PATH [--json]``: does recall keep quiet?

Imports the conversations of a data set (LoCoMo and its like) as `benchmarks.recall` does, and asks
each of them two things:

- messages for which a memory has nothing to say: the share for which the model is shown nothing
  (``empty``);
- the questions that come with the data: the share of those that have an answer and lose evidence to
  the floor of relevance, among ten results (``lost``).

The unrelated messages are a JSON list of objects with a ``text`` and a ``kind``.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks import command
from benchmarks.dataset_runner import furnished
from benchmarks.datasets import BrokenData, Format, Sample, open_data
from benchmarks.query_runner import on_the_day_of

if TYPE_CHECKING:
    from instances.models import Instance

DATABASE = "keepsake_benchmark_silence"
PROFILES = ("default", "rrf")
RESULTS = 10


@dataclass
class Share:
    """How many of some cases are counted, with the texts of the failures."""

    cases: int = 0
    counted: int = 0
    failures: Counter[str] = field(default_factory=Counter)

    def add(self, text: str, *, counts: bool, is_failure: bool) -> None:
        """Add a case."""
        self.cases += 1
        self.counted += counts
        if is_failure:
            self.failures[text] += 1

    @property
    def share(self) -> float:
        return self.counted / self.cases if self.cases else 0.0


@dataclass
class Outcome:
    """What one profile did, by kind of message and by category of question."""

    empty: dict[str, Share] = field(default_factory=dict)
    lost: dict[str, Share] = field(default_factory=dict)

    def summary(self, aside: Sequence[str]) -> dict[str, Any]:
        """Return the two figures, and those of each kind; categories *aside* do not count."""
        counting = [share for name, share in self.lost.items() if name not in aside]
        return {
            "empty": _together(self.empty.values()),
            "lost": _together(counting),
            "messages": sum(share.cases for share in self.empty.values()),
            "questions": sum(share.cases for share in counting),
            "kinds": {name: round(share.share, 4) for name, share in sorted(self.empty.items())},
            "categories": {
                name: round(share.share, 4) for name, share in sorted(self.lost.items())
            },
        }


def _together(shares: Any) -> float:
    shares = list(shares)
    cases = sum(share.cases for share in shares)
    return round(sum(share.counted for share in shares) / cases, 4) if cases else 0.0


def measure(
    instance: "Instance", sample: Sample, messages: Sequence[dict[str, str]], outcome: Outcome
) -> None:
    """Ask *instance*, which holds *sample*, all of *messages* and all questions."""
    from memoryapp.context.builder import build_context
    from memoryapp.recall import RecallOptions, recall

    for message in messages:
        asked = RecallOptions(limit=instance.top_k, is_message=True)
        context = build_context(instance, message["text"], end_user="", options=asked)
        kinds = outcome.empty.setdefault(message["kind"], Share())
        kinds.add(message["text"], counts=not context.text, is_failure=bool(context.text))
    for question in sample.questions:
        if not question.evidence:
            continue
        with on_the_day_of(question, instance):
            shown, without_floor = (
                {
                    hit.message.external_id
                    for hit in recall(instance, question.text, options).hits
                    if hit.message
                }
                for options in (
                    RecallOptions(limit=RESULTS, is_message=True),
                    RecallOptions(limit=RESULTS, is_message=True, only_relevant=False),
                )
            )
        loses = bool(without_floor.intersection(question.evidence) - shown)
        categories = outcome.lost.setdefault(question.category, Share())
        categories.add(question.text, counts=loses, is_failure=loses)


def run(
    data: Path,
    messages: Sequence[dict[str, str]],
    *,
    profiles: Sequence[str] = PROFILES,
    samples: int | None = None,
) -> tuple[Format, dict[str, Outcome]]:
    """Measure each of *profiles* in an instance for each of the first *samples* of *data*."""
    format, opened = open_data(data)
    outcomes = {profile: Outcome() for profile in profiles}
    for number, (_, sample) in enumerate(opened, start=1):
        with furnished(sample) as instance:
            for profile, outcome in outcomes.items():
                instance.recall_profile = profile
                instance.save(update_fields=["recall_profile"])
                measure(instance, sample, messages, outcome)
        print(f"{sample.id}: asked", file=sys.stderr, flush=True)
        if number == samples:
            break
    return format, outcomes


def read_messages(path: Path) -> list[dict[str, str]]:
    """Read the unrelated messages; raises `BrokenData`."""
    try:
        rows = json.loads(path.read_bytes())
        return [{"text": str(row["text"]), "kind": str(row.get("kind", ""))} for row in rows]
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise BrokenData(f"{path} is no list of objects with a text ({error}).") from None


def report(profile: str, outcome: Outcome, aside: Sequence[str], *, failures: bool) -> str:
    """Return the figures of *profile* for people to read."""
    summary = outcome.summary(aside)
    lines = [
        f"Profile {profile}",
        f"  nothing shown for an unrelated message: {summary['empty']:.3f} of "
        f"{summary['messages']:,}",
        *(f"    {name or 'other'}: {share:.3f}" for name, share in summary["kinds"].items()),
        f"  questions that lose evidence to the floor: {summary['lost']:.4f} of "
        f"{summary['questions']:,}",
        *(
            f"    category {name}: {share:.4f}{', not counted' if name in aside else ''}"
            for name, share in summary["categories"].items()
        ),
    ]
    if failures:
        for shares in (outcome.empty, outcome.lost):
            for name, share in sorted(shares.items()):
                lines += [f"  {name}: {text} ({n})" for text, n in share.failures.most_common()]
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark and print it; return the exit code."""
    parser = _parser()
    options = parser.parse_args(arguments)
    with command.running(parser):
        command.use_embedder(options.embedder)
        # Only now: these need the set-up.
        from benchmarks.databases import fresh_database

        messages = read_messages(options.unrelated)
        with fresh_database(options.database):
            format, outcomes = run(options.data, messages, samples=options.samples)
    for profile, outcome in outcomes.items():
        print(report(profile, outcome, format.aside, failures=options.failures))
    if options.json:
        profiles = {name: outcome.summary(format.aside) for name, outcome in outcomes.items()}
        print(json.dumps({**profiles[PROFILES[0]], "profiles": profiles}))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.silence",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--data", type=Path, required=True, metavar="PATH", help="LoCoMo's file")
    parser.add_argument(
        "--unrelated", type=Path, required=True, metavar="PATH", help="the unrelated messages"
    )
    parser.add_argument("--samples", type=int, metavar="N", help="take only the first N samples")
    command.add_embedder(parser)
    parser.add_argument("--failures", action="store_true", help="list what went wrong")
    command.add_json(parser)
    command.add_database(parser, DATABASE)
    return parser


if __name__ == "__main__":
    sys.exit(main())
