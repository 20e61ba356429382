"""Whether a new model finds what the present one finds: the rule, apart from the asking."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

#: A memory counts as found when it is among so many.
COMPARED_RESULTS = 10
#: Questions that may be lost, as a share of those asked; and in any case so many.
MAY_LOSE, MAY_LOSE_AT_LEAST = 0.05, 1


@dataclass(frozen=True)
class ComparisonVerdict:
    """How often each model found the memory that the question was made from, and how alike the two
    lists were.
    """

    asked: int
    before: int
    after: int
    #: The share of the present model's first ten that the new one has among its own, 0 to 1.
    agreement: float

    @property
    def is_good(self) -> bool:
        """Whether the new model may take over without anybody being asked.

        Only what is found counts. How alike the lists are is shown and decides nothing: a better
        model disagrees with a worse one.
        """
        return self.before - self.after <= max(MAY_LOSE_AT_LEAST, int(MAY_LOSE * self.asked))


def judge(
    wanted: Sequence[Hashable],
    before: Sequence[Sequence[Hashable]],
    after: Sequence[Sequence[Hashable]],
) -> ComparisonVerdict:
    """Compare two models' lists, one for each question, best first; *wanted* is what each question
    was made from.
    """
    alike = 0.0
    for old, new in zip(before, after, strict=True):
        first = set(old[:COMPARED_RESULTS])
        alike += len(first & set(new[:COMPARED_RESULTS])) / len(first) if first else 1.0
    return ComparisonVerdict(
        asked=len(wanted),
        before=_found(wanted, before),
        after=_found(wanted, after),
        agreement=round(alike / len(wanted), 3) if wanted else 1.0,
    )


def _found(wanted: Sequence[Hashable], lists: Sequence[Sequence[Hashable]]) -> int:
    return sum(item in found[:COMPARED_RESULTS] for item, found in zip(wanted, lists, strict=True))


def every_second_word(text: str) -> str:
    """Every second word of *text*, as a question that it answers; all of a text of few words."""
    words = text.split()
    return " ".join(words[::2]) if len(words) > 3 else text
