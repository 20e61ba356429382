"""``python -m benchmarks.gate --data PATH [--json]``: does the gate tell true facts from corrupted?

Takes the facts ("observations") of a file of LoCoMo-format conversations, or what was written down
about those in a folder of BEAM or REALTALK (`benchmarks.gate_statements`). The source of each is
the 15 turns around the one that it cites. True facts ought to pass; facts that were corrupted by
fixed rules (`benchmarks.gate_cases`) ought to be refused:

- a number, a name, the person or a date is changed;
- it is a fact of another conversation, with the names of this one's speakers;
- it is a question of the conversation, or a command to an assistant;
- a negation is put in or taken out.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from textwrap import shorten

from benchmarks import command, gate_statements
from benchmarks.gate_cases import CORRUPTED, NEGATED, TRUE, Case, Conversation, Turn, cases, read
from memoryapp.policy.gate import Refusal, SaidLine, Source, refusal

DATA = "a LoCoMo-format JSON file, or a folder of BEAM or REALTALK"


@dataclass
class Score:
    """How many cases of a kind ended as they ought to."""

    cases: int = 0
    right: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    wrong: list[tuple[Case, Refusal | None]] = field(default_factory=list)

    @property
    def share(self) -> float:
        return self.right / self.cases if self.cases else 1.0


def judge(case: Case) -> Refusal | None:
    """Ask the gate about *case*."""
    return refusal(case.text, _source(tuple(case.window)), said_in=case.said_in)


@lru_cache(maxsize=1)
def _source(window: tuple[Turn, ...]) -> Source:
    return Source(
        [
            SaidLine(t.text, t.speaker if t.named else "", role=t.role, said_on=t.said_on)
            for t in window
        ]
    )


def score(all_cases: Iterable[Case]) -> dict[tuple[str, str], Score]:
    """Judge *all_cases*; return the score of each class and kind."""
    scores: dict[tuple[str, str], Score] = {}
    for case in all_cases:
        refused = judge(case)
        of_kind = scores.setdefault((case.of_class, case.kind), Score())
        of_kind.cases += 1
        right = case.ought_to_pass == (refused is None)
        of_kind.right += right
        of_kind.reasons[refused.reason if refused else "passed"] += 1
        if not right:
            of_kind.wrong.append((case, refused))
    return scores


def share(scores: dict[tuple[str, str], Score], of_class: str, kind: str = "") -> float:
    """The share of cases of *of_class*, and *kind* if given, that ended as they ought to."""
    chosen = [one for (c, k), one in scores.items() if c == of_class and kind in ("", k)]
    total = sum(one.cases for one in chosen)
    return sum(one.right for one in chosen) / total if total else 1.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark and print it; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.gate",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--data", type=Path, required=True, help=DATA)
    command.add_json(parser)
    parser.add_argument("--seed", type=int, default=0, help="of the corruptions (default: 0)")
    parser.add_argument("--wrong", metavar="KIND", help="list the wrong decisions of one kind")
    options = parser.parse_args(arguments)
    try:
        conversations = _read(options.data)
    except (OSError, ValueError, KeyError, TypeError) as error:
        parser.error(f"{options.data} cannot be read: {error}")
    if not conversations:
        parser.error(f"{options.data} holds no facts")

    with command.running(parser):
        _measured(conversations, options)
    return 0


def _read(path: Path) -> list[Conversation]:
    return gate_statements.read(path) if path.is_dir() else read(json.loads(path.read_bytes()))


def _measured(conversations: Sequence[Conversation], options: argparse.Namespace) -> None:
    scores = score(cases(conversations, options.seed))
    print(f"{'':10} {'kind':20} {'cases':>6} {'right':>6}")
    for (of_class, kind), one in sorted(scores.items(), reverse=True):
        print(f"{of_class:10} {kind:20} {one.cases:6} {one.share:6.3f}")
        if options.wrong == kind:
            for case, refused in one.wrong:
                print(f"    {refused.words if refused else 'passed'}: {case.text}")
                for turn in (case.window[place] for place in case.said_in):
                    print(f"        {turn.speaker}: {shorten(turn.text, 400)}")
    figures = {
        "kept": share(scores, TRUE, "fact"),
        "dated_kept": share(scores, TRUE, "dated fact"),
        "refused": share(scores, CORRUPTED),
        "negations_refused": share(scores, NEGATED),
    }
    print()
    for name, figure in figures.items():
        print(f"{name:18} {figure:.4f}")
    if options.json:
        kinds = {f"{c}: {k}": round(one.share, 4) for (c, k), one in scores.items()}
        print(json.dumps({name: round(f, 4) for name, f in figures.items()} | {"kinds": kinds}))


if __name__ == "__main__":
    raise SystemExit(main())
