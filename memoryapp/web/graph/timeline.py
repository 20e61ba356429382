"""Layout of a timeline: spans of time as bars on an axis with dates. Pure.

The page of an entity draws its relations, the profile of a person the values of their facts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from memoryapp.language.shortening import shortened

ROW, AXIS, BAR, LABEL = 34, 22, 8, 14
#: Characters of a label, by the width of a picture.
CHARACTER_WIDTH = 6.6


@dataclass(frozen=True)
class TimelineSpan:
    """A fact with its beginning and end; None: an unknown beginning, or no end."""

    words: str
    begin: date | None
    end: date | None
    when: str = ""


@dataclass(frozen=True)
class Strip:
    """A span in the picture."""

    span: TimelineSpan
    label: str
    x: float
    width: float
    top: int

    @property
    def baseline(self) -> int:
        return self.top + LABEL

    @property
    def bar_top(self) -> int:
        return self.top + LABEL + 5

    @property
    def bar_height(self) -> int:
        return BAR


@dataclass(frozen=True)
class Tick:
    """A date on the axis."""

    x: float
    day: date
    #: True if it stands for its month, and not for its year.
    is_month: bool


@dataclass(frozen=True)
class Timeline:
    """The laid-out timeline."""

    width: int
    height: int
    strips: list[Strip]
    ticks: list[Tick]
    #: The position of the day that the screen shows.
    now: float

    @property
    def bottom(self) -> int:
        return self.height - AXIS

    @property
    def baseline(self) -> int:
        return self.height - 6


def lay_out(spans: Sequence[TimelineSpan], *, today: date, width: int) -> Timeline | None:
    """Lay *spans* out in a picture of that *width*; None without any. *today* has a line."""
    if not spans:
        return None
    days = [today, *(day for span in spans for day in (span.begin, span.end) if day)]
    first, last = min(days), max(days)
    # Room on both sides, for what begins earlier or continues.
    spare = timedelta(max(30, (last - first).days // 20))
    first, last = first - min(spare, first - date.min), last + spare
    whole = (last - first).days

    def at(day: date) -> float:
        return round((day - first).days / whole * width, 1)

    strips = []
    for number, span in enumerate(spans):
        begin, end = at(span.begin or first), at(span.end or last)
        label = shortened(span.words, int(width / CHARACTER_WIDTH))
        strips.append(Strip(span, label, begin, max(3.0, round(end - begin, 1)), ROW * number))
    ticks = [Tick(at(day), day, is_month) for day, is_month in _ticks(first, last, width)]
    return Timeline(width, ROW * len(spans) + AXIS, strips, ticks, at(today))


def _ticks(first: date, last: date, width: int) -> list[tuple[date, bool]]:
    """Return round dates, as many as fit; with whether they stand for months."""
    room = max(2, width // 90)
    months = (last.year - first.year) * 12 + last.month - first.month
    step = next(s for s in (1, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 12000) if months / s <= room)
    ticks = []
    for month in range(first.year * 12, last.year * 12 + 12, step if step < 12 else 12):
        year, of_year = divmod(month, 12)
        if not date.min.year <= year <= date.max.year or (step > 12 and year % (step // 12)):
            continue
        day = date(year, of_year + 1, 1)
        if first <= day <= last:
            ticks.append((day, step < 12))
    return ticks
