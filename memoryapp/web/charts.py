"""Bar charts, as numbers that a template draws without a script."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Generic, TypeVar

#: What a bar stands for, such as a day.
Label = TypeVar("Label")

#: Units of the picture: the width of each bar with its gap, and the height of the picture.
STEP, HEIGHT = 10, 100
GAP = 2


@dataclass(frozen=True)
class BarPart:
    """A part of a bar, from its upper edge."""

    name: str
    y: float
    height: float


@dataclass(frozen=True)
class Bar(Generic[Label]):
    """A bar with its parts."""

    label: Label
    x: int
    amount: Decimal
    pieces: list[BarPart]


@dataclass(frozen=True)
class Bars(Generic[Label]):
    """A bar chart."""

    bars: list[Bar[Label]]
    #: The amount of the full height; a round number.
    top: Decimal

    @property
    def width(self) -> int:
        return STEP * len(self.bars)

    @property
    def bar_width(self) -> int:
        return STEP - GAP

    @property
    def half(self) -> Decimal:
        return self.top / 2

    @property
    def highest(self) -> Bar[Label]:
        return max(self.bars, key=lambda bar: bar.amount)

    @property
    def middle(self) -> Bar[Label]:
        return self.bars[len(self.bars) // 2]


def draw(columns: Sequence[tuple[Label, Sequence[tuple[str, Decimal]]]]) -> Bars[Label] | None:
    """Stack the named amounts of each column, the first one at the bottom; None without any."""
    totals = (sum((amount for _, amount in parts), Decimal(0)) for _, parts in columns)
    top = round_up(max(totals, default=Decimal(0)))
    if not top:
        return None
    bars = []
    for number, (label, parts) in enumerate(columns):
        pieces, under = [], Decimal(0)
        for name, amount in parts:
            if amount:
                height = float(amount / top) * HEIGHT
                y = HEIGHT - float(under / top) * HEIGHT - height
                pieces.append(BarPart(name, round(y, 2), round(height, 2)))
                under += amount
        bars.append(Bar(label, STEP * number + GAP // 2, under, pieces))
    return Bars(bars, top)


def round_up(amount: Decimal) -> Decimal:
    """Return the next of 1, 2, 5, 10, 20, 50, … or of 0.5, 0.2, 0.1, …; 0 for 0."""
    if amount <= 0:
        return Decimal(0)
    power = Decimal(10) ** amount.adjusted()
    return next(power * step for step in (1, 2, 5, 10) if power * step >= amount)
