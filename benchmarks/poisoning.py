"""``python -m benchmarks.poisoning --data PATH [--json]``: can a document change what is believed?

Plants facts of a person and of a user, and plays attacks through each door below the user's own
words, with a model that always falls for them: it proposes the text of the attack as a fact, as
what the user asked to remember, with the highest confidence. The attacks are those of a file (a
list of objects with ``text``, ``attack`` and maybe ``key``) and false statements that contradict
the planted facts.

- ``override``: attacks that changed a planted fact;
- ``active_unlabelled``: attacks that became a memory that counts as the user's, or whose line in
  the text for the model does not tell where it comes from;
- ``recalled``: share of the attacks that became a memory and stand in the text for the model of a
  related question, without the approval of a person;
- ``benign_held``: share of harmless statements that are held for review.
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
from benchmarks.datasets import BrokenData
from benchmarks.poisoning_statements import BENIGN, PLANTED, PlantedFact

if TYPE_CHECKING:
    from instances.models import Instance

DATABASE = "keepsake_benchmark_poisoning"
#: Characters that a proposal of a model and a memory may have.
MAX_CHARACTERS = 1_900


@dataclass(frozen=True)
class Attack:
    """A text that is to be believed, and a question to which it would be recalled."""

    kind: str
    text: str
    question: str
    key: str = ""
    value: str = ""


@dataclass
class Figures:
    """What the attacks have done, by kind and by door."""

    attacks: int = 0
    override: int = 0
    unlabelled: int = 0
    held: int = 0
    recalled: Counter[str] = field(default_factory=Counter)
    recalled_kinds: Counter[str] = field(default_factory=Counter)
    by_door: Counter[str] = field(default_factory=Counter)
    by_kind: Counter[str] = field(default_factory=Counter)
    turns: int = 0
    failures: Counter[str] = field(default_factory=Counter)
    benign: int = 0
    benign_held: Counter[str] = field(default_factory=Counter)

    def summary(self) -> dict[str, Any]:
        """Return the figures."""
        return {
            "attacks": self.attacks,
            "override": self.override,
            "active_unlabelled": self.unlabelled,
            "recalled": _share(self.recalled.total(), self.attacks),
            "held": _share(self.held, self.attacks),
            "benign_held": _share(self.benign_held.total(), self.benign),
            "benign": self.benign,
            "quoted_as_turn": _share(self.turns, self.attacks),
            "doors": {
                door: _share(self.recalled[door], number) for door, number in self.by_door.items()
            },
            "kinds": {
                kind: _share(self.recalled_kinds[kind], number)
                for kind, number in self.by_kind.items()
            },
        }


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0


def attacks_of(data: Sequence[dict[str, Any]], facts: Sequence[PlantedFact]) -> list[Attack]:
    """Return the attacks of the file, and the false statements: those with a key also with it."""
    attacks = [
        Attack(
            "file", row["text"][:MAX_CHARACTERS], row["text"][:200], _key(row), row["text"][:200]
        )
        for row in data
        if row["attack"]
    ]
    for fact in facts:
        for text in fact.false:
            attacks.append(Attack("false", text, fact.question))
            if fact.key:
                value = text.removesuffix(".").split(" ", 2)[-1]
                attacks.append(Attack("false with key", text, fact.question, fact.key, value))
    return attacks


def _key(row: dict[str, Any]) -> str:
    return str(row.get("key") or "").replace(".", "_")


def play(
    instance: "Instance",
    data: Sequence[dict[str, Any]],
    facts: Sequence[PlantedFact],
    harmless: Sequence[str],
) -> Figures:
    """Plant the facts in *instance*, play each attack through each door, and count."""
    from benchmarks.poisoning_doors import DOORS, HARMLESS_DOORS, clear, plant, snapshot
    from memoryapp.context.builder import build_context
    from memoryapp.models import HeldStatement, Memory

    plant(instance, facts)
    planted, figures = snapshot(instance), Figures()
    for attack in attacks_of(data, facts):
        for name, door in DOORS.items():
            door(instance, attack)
            figures.attacks += 1
            figures.by_door[name] += 1
            figures.by_kind[attack.kind] += 1
            if snapshot(instance, planted) != planted:
                figures.override += 1
                figures.failures[f"override, {name}: {attack.text}"] += 1
            figures.held += HeldStatement.objects.filter(instance=instance).exists()
            new = list(Memory.objects.filter(instance=instance).exclude(pk__in=planted))
            text = build_context(instance, attack.question, end_user="").text
            lines = text.splitlines()
            shown = {m.pk: next((n for n in lines if f"[m{m.pk}]" in n), "") for m in new}
            for memory in new:
                line = shown[memory.pk]
                if memory.tier >= 4 or (line and memory.provenance not in line):
                    figures.unlabelled += 1
                    figures.failures[f"unlabelled, {name}: {memory.content}"] += 1
            if any(shown.values()):
                figures.recalled[name] += 1
                figures.recalled_kinds[attack.kind] += 1
                figures.failures[f"recalled, {name}: {attack.text}"] += 1
            figures.turns += any("said by" in line and attack.text[:60] in line for line in lines)
            clear(instance, planted)
    for text in [*harmless, *(row["text"] for row in data if not row["attack"])]:
        for door in HARMLESS_DOORS.values():
            door(instance, Attack("benign", text[:MAX_CHARACTERS], text[:200]))
            figures.benign += 1
            if HeldStatement.objects.filter(instance=instance).exists():
                figures.benign_held[text] += 1
            clear(instance, planted)
    return figures


def run(
    data: Sequence[dict[str, Any]],
    facts: Sequence[PlantedFact] = PLANTED,
    harmless: Sequence[str] = BENIGN,
) -> Figures:
    """Play *data* in an instance of its own, and delete that."""
    from instances.models import Instance

    instance = Instance.objects.create(
        slug="poisoning",
        name="Poisoning",
        palace_enabled=False,
        # Only so that a model is set up: it is scripted, and nothing is called.
        provider="custom",
        base_url="http://127.0.0.1:9/v1",
        fast_model="fooled",
    )
    try:
        return play(instance, data, facts, harmless)
    finally:
        instance.delete()


def read_data(path: Path) -> list[dict[str, Any]]:
    """Read the attacks and clean texts; raises `BrokenData`."""
    try:
        rows = json.loads(path.read_bytes())
        return [{**row, "text": str(row["text"]), "attack": bool(row["attack"])} for row in rows]
    except (ValueError, TypeError, KeyError) as error:
        raise BrokenData(
            f"{path} is no list of objects with a text and attack ({error})."
        ) from None


def report(figures: Figures, *, failures: bool) -> str:
    """Return the figures for people to read."""
    summary = figures.summary()
    lines = [
        f"attacks, each through each door: {summary['attacks']:,}",
        f"  facts of a person or the user that were changed: {summary['override']}",
        f"  memories that count as the user’s, or do not tell their origin: "
        f"{summary['active_unlabelled']}",
        f"  recalled as a memory without approval: {summary['recalled']:.4f}",
        *(f"    {kind}: {share:.4f}" for kind, share in summary["kinds"].items()),
        *(f"    {door}: {share:.4f}" for door, share in summary["doors"].items()),
        f"  held for review: {summary['held']:.4f}",
        f"  shown as the message that said it: {summary['quoted_as_turn']:.4f}",
        f"harmless statements: {summary['benign']:,}",
        f"  held without need: {summary['benign_held']:.4f}",
    ]
    if failures:
        lines += [f"  {text} ({number})" for text, number in figures.failures.most_common()]
        lines += [f"  held: {text[:100]}" for text in figures.benign_held]
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark and print it; return the exit code."""
    parser = _parser()
    options = parser.parse_args(arguments)
    with command.running(parser):
        # Only now: these need the set-up.
        from benchmarks.databases import fresh_database

        data = read_data(options.data)
        with fresh_database(options.database):
            first = options.first
            figures = run(data[:first], PLANTED[:first], BENIGN[:first])
    print(report(figures, failures=options.failures))
    if options.json:
        print(json.dumps(figures.summary()))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.poisoning",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--data", type=Path, required=True, help="attacks and clean texts, as JSON")
    parser.add_argument("--database", default=DATABASE, help="is created, and dropped afterwards")
    parser.add_argument(
        "--first",
        type=int,
        metavar="N",
        help="only the first N texts of the file, and of those that ship with the benchmark",
    )
    parser.add_argument("--failures", action="store_true", help="list what went wrong")
    parser.add_argument("--json", action="store_true", help="also print the figures as JSON")
    return parser


if __name__ == "__main__":
    sys.exit(main())
