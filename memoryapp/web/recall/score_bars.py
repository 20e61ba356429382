"""The parts of a result's score as one stacked bar, in numbers that a template draws."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from django.utils.formats import number_format

from memoryapp.web.reasons import SIGNALS, label_of

#: Units of the picture.
WIDTH = 100


@dataclass(frozen=True)
class ScorePart:
    """A part of a score, with its place in the bar."""

    name: str
    amount: float
    #: The amount, with enough digits to distinguish it from others.
    written: str
    x: float
    width: float

    @property
    def label(self) -> str:
        return label_of(self.name)

    @property
    def is_loss(self) -> bool:
        return self.amount < 0


@dataclass(frozen=True)
class ScoreBar:
    """A bar. Losses are drawn over the end of the positive parts."""

    pieces: list[ScorePart]
    score: float
    written: str

    @property
    def in_words(self) -> str:
        """Text alternative for screen readers."""
        return ", ".join(f"{piece.label} {piece.written}" for piece in self.pieces)


def draw(parts: Mapping[str, float], longest: float) -> ScoreBar:
    """Stack *parts* in a bar whose whole width stands for *longest*."""
    order = {name: number for number, name in enumerate(SIGNALS)}
    ordered = sorted(parts.items(), key=lambda part: (part[1] < 0, order.get(part[0], len(order))))
    scale = WIDTH / longest if longest > 0 else 0.0
    # The sum of reciprocal ranks is tiny.
    digits = 4 if longest < 1 else 2
    pieces, end = [], 0.0
    for name, amount in ordered:
        if amount:
            width = amount * scale if amount > 0 else min(end, -amount * scale)
            x = end if amount > 0 else end - width
            end = end + width if amount > 0 else x
            pieces.append(
                ScorePart(name, amount, write(amount, digits), round(x, 2), round(width, 2))
            )
    score = sum(parts.values())
    return ScoreBar(pieces, score, write(score, digits))


def longest(of: Iterable[Mapping[str, float]]) -> float:
    """Return the score that fills the whole width: the highest one."""
    return max((sum(part for part in parts.values() if part > 0) for parts in of), default=0.0)


def write(amount: float, digits: int) -> str:
    """Format a score or a part of one."""
    return number_format(Decimal(f"{amount:.{digits}f}"), digits).replace("-", "−")
