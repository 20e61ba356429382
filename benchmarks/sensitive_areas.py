"""``python -m benchmarks.sensitive_areas [--development]``: which sentences are recognised as about
a sensitive area, without a model, by area and by language.

The sentences are our own. Those of ``held_out.txt`` were written after the words by which areas are
recognised, and these are not fitted to them; those of ``development.txt`` are there to fit them to.
"""

import argparse
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from memoryapp.policy.sensitivity import LANGUAGES, SensitiveArea, areas_of

FOLDER = Path(__file__).parent / "datasets" / "sensitive_areas"
HELD_OUT, DEVELOPMENT = FOLDER / "held_out.txt", FOLDER / "development.txt"
#: The row for all sentences together.
ALL = "all"


@dataclass(frozen=True)
class Sentence:
    """A sentence with the areas that it is about."""

    text: str
    language: str
    areas: frozenset[SensitiveArea]


@dataclass
class Figures:
    """Numbers of findings by area, by language, and of all."""

    right: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)

    def precision(self, row: str = ALL) -> float:
        """The share of what was found that is right."""
        return self.right[row] / max(1, self.right[row] + self.wrong[row])

    def recall(self, row: str = ALL) -> float:
        """The share of what is there that was found."""
        return self.right[row] / max(1, self.right[row] + self.missed[row])


def sentences(path: Path) -> Iterator[Sentence]:
    """The sentences of a file, whose first lines say how it is written."""
    language = ""
    for line in path.read_text("utf-8").splitlines():
        labels, mark, text = line.partition(" | ")
        if line.startswith("["):
            language = line.strip("[]")
        elif mark:
            names = [name for name in labels.split() if name[0] not in "!-"]
            yield Sentence(text, language, frozenset(map(SensitiveArea, names)))


def measured(cases: Collection[Sentence]) -> Figures:
    """Compare what is found in *cases* with what is there."""
    figures = Figures()
    for case in cases:
        found = areas_of(case.text)
        for counter, areas in (
            (figures.right, found & case.areas),
            (figures.wrong, found - case.areas),
            (figures.missed, case.areas - found),
        ):
            for area in areas:
                counter.update([area.value, case.language, ALL])
    return figures


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the figures as a table."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.sensitive_areas", description=__doc__
    )
    parser.add_argument(
        "--development", action="store_true", help="measure the sentences to develop with"
    )
    chosen = DEVELOPMENT if parser.parse_args(arguments).development else HELD_OUT
    cases = list(sentences(chosen))
    figures = measured(cases)
    print(f"{len(cases)} sentences")
    print(f"{'':12}{'precision':>10}{'recall':>10}")
    for row in (*(area.value for area in SensitiveArea), *LANGUAGES, ALL):
        print(f"{row:12}{figures.precision(row):10.3f}{figures.recall(row):10.3f}")


if __name__ == "__main__":
    main()
