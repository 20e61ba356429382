"""Moments that a text names, and whether one follows from another. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import islice

#: Moments that are compared with one.
MAX_MOMENTS = 500


@dataclass(frozen=True)
class TimeExpression:
    """A stretch of time that a text names."""

    #: Its name where it counts from when it was said, such as ("week", -1); else the parts of a
    #: date: (year, month, day, weekday), 0 (weekday: -1) where not given.
    relative: tuple[str, float] | None = None
    parts: tuple[int, int, int, int] = (0, 0, 0, -1)
    #: First and last day, if it is known when it was said.
    days: tuple[date, date] | None = None
    #: True if it is when a line was said, which the line itself does not name.
    unsaid: bool = False

    @property
    def length(self) -> int:
        return (self.days[1] - self.days[0]).days + 1 if self.days else 0


def follows(moment: TimeExpression, known: Iterable[TimeExpression]) -> bool:
    """True if *moment* is one of the *known* ones, lies in one of them, or is a less exact name
    for one. Of a text with more than `MAX_MOMENTS`, only the first are compared.
    """
    return any(_is_within(moment, other) for other in islice(known, MAX_MOMENTS))


def day(on: date) -> TimeExpression:
    """The moment of one day."""
    return TimeExpression(
        ("day", 0), (on.year, on.month, on.day, on.weekday()), (on, on), unsaid=True
    )


def _is_within(moment: TimeExpression, other: TimeExpression) -> bool:
    if moment.relative is not None:
        if moment.relative == other.relative:
            return True
        if moment.days is None or other.days is None:
            return False
        unit, number = moment.relative
        if other.relative is not None and (other.relative[0] == unit or (other.unsaid and number)):
            return False
        slack = timedelta(days=2 if unit in ("day", "week", "weekend") else 0)
        near = moment.days[0] - slack <= other.days[1] and other.days[0] <= moment.days[1] + slack
        return near and other.length <= 2 * max(moment.length, 8)
    year, month, on, weekday = moment.parts
    if other.days is None:
        return all(
            not mine or mine == theirs
            for mine, theirs in zip(moment.parts[:3], other.parts[:3], strict=True)
        ) and (weekday < 0 or weekday == other.parts[3])
    most = 10 if on else 1 if weekday >= 0 else 62 if month else 800
    if other.length > most:
        return False
    if not month and not on and weekday < 0:
        return other.days[0].year <= year <= other.days[1].year
    more = 1 if on and other.length > 1 else 0
    first = other.days[0] - timedelta(days=more)
    return any(
        (not year or each.year == year)
        and (not month or each.month == month)
        and (not on or each.day == on)
        and (weekday < 0 or each.weekday() == weekday)
        for each in (first + timedelta(days=n) for n in range(other.length + 2 * more))
    )
