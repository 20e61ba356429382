"""The rule by which a new embedding model counts as good enough. Pure functions."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

#: A memory counts as found if it is among this many results.
COMPARED_RESULTS = 10
#: Questions that the new model may lose, as a share of those asked; and at least this many.
MAY_LOSE, MAY_LOSE_AT_LEAST = 0.05, 1


@dataclass(frozen=True)
class ComparisonVerdict:
    """How often each model found the memory of the question, and how similar their lists were."""

    asked: int
    before: int
    after: int
    #: The share of the present model's top ten that is in the new model's top ten, 0 to 1.
    agreement: float

    @property
    def is_good(self) -> bool:
        """True if the instance may switch to the new model without asking a person.

        Only found memories count. The agreement of the lists is shown but decides nothing: a better
        model disagrees with a worse one.
        """
        return self.before - self.after <= max(MAY_LOSE_AT_LEAST, int(MAY_LOSE * self.asked))


def judge(
    wanted: Sequence[Hashable],
    before: Sequence[Sequence[Hashable]],
    after: Sequence[Sequence[Hashable]],
) -> ComparisonVerdict:
    """Compare the lists of two models, one list for each question, best first. *wanted* is the item
    that each question was made from.
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
    return sum(item in best[:COMPARED_RESULTS] for item, best in zip(wanted, lists, strict=True))


def every_second_word(text: str) -> str:
    """Every second word of *text*, as a question for it; the whole text if it has few words."""
    words = text.split()
    return " ".join(words[::2]) if len(words) > 3 else text
