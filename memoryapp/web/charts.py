"""Bar charts, as numbers and words that a template draws without a script."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Generic, TypeVar

from django.contrib.humanize.templatetags.humanize import intcomma

#: What a bar stands for, such as a day.
Label = TypeVar("Label")

#: Units of the picture: the width of each bar with its gap, and the height of the picture.
STEP, HEIGHT = 10, 100
GAP = 2
#: The least height of a part that is not zero, so that it can be seen beside much larger ones.
MIN_PART = 1.5


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
    #: Label and amount, as people read them.
    name: str
    value: str


@dataclass(frozen=True)
class Bars(Generic[Label]):
    """A bar chart."""

    bars: list[Bar[Label]]
    #: The amount of the full height; a round number.
    top: Decimal
    #: The full and the half height, as people read them.
    scale: tuple[str, str]

    @property
    def width(self) -> int:
        return STEP * len(self.bars)

    @property
    def bar_width(self) -> int:
        return STEP - GAP

    @property
    def highest(self) -> Bar[Label]:
        return max(self.bars, key=lambda bar: bar.amount)

    @property
    def first(self) -> Bar[Label]:
        return self.bars[0]

    @property
    def middle(self) -> Bar[Label]:
        return self.bars[len(self.bars) // 2]

    @property
    def last(self) -> Bar[Label]:
        return self.bars[-1]


def count_in_words(amount: Decimal) -> str:
    """Write a number of things."""
    return str(intcomma(int(amount)))


def draw(
    columns: Sequence[tuple[Label, Sequence[tuple[str, Decimal]]]],
    *,
    name: Callable[[Label], str] = str,
    value: Callable[[Decimal], str] = count_in_words,
) -> Bars[Label] | None:
    """Stack the named amounts of each column, the first one at the bottom; None without any. *name*
    and *value* write a label and an amount.
    """
    totals = (sum((amount for _, amount in parts), Decimal(0)) for _, parts in columns)
    top = round_up(max(totals, default=Decimal(0)))
    if not top:
        return None
    bars = []
    for number, (label, parts) in enumerate(columns):
        whole = sum((amount for _, amount in parts), Decimal(0))
        pieces = _stacked([(part, float(amount / top)) for part, amount in parts if amount])
        x = STEP * number + GAP // 2
        bars.append(Bar(label, x, whole, pieces, name(label), value(whole)))
    half = top / 2
    # Of one thing, there is no half.
    return Bars(bars, top, (value(top), "" if value(half) in ("0", value(top)) else value(half)))


def _stacked(parts: Sequence[tuple[str, float]]) -> list[BarPart]:
    """Place *parts*, each a share of the full height, on top of each other."""
    heights = [max(share * HEIGHT, MIN_PART) for _, share in parts]
    # What was added to the small ones must not push the large ones out of the picture.
    surplus = max(0.0, sum(heights) - HEIGHT)
    if surplus:
        heights[heights.index(max(heights))] -= surplus
    pieces, ground = [], float(HEIGHT)
    for (name, _), height in zip(parts, heights, strict=True):
        ground -= height
        pieces.append(BarPart(name, round(ground, 2), round(height, 2)))
    return pieces


def round_up(amount: Decimal) -> Decimal:
    """Return the next of 1, 2, 5, 10, 20, 50, … or of 0.5, 0.2, 0.1, …; 0 for 0."""
    if amount <= 0:
        return Decimal(0)
    power = Decimal(10) ** amount.adjusted()
    return next(power * step for step in (1, 2, 5, 10) if power * step >= amount)
