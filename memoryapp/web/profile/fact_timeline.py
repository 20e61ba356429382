"""The values of a person's facts in time, as a picture at the head of the profile."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from memoryapp.models import Memory, MemoryRevision
from memoryapp.web.graph.timeline import Timeline, TimelineSpan, lay_out
from memoryapp.web.memory.history import MemoryHistory

#: Widths in pixels: on a wide screen, and on a phone.
WIDE, NARROW = 680, 340
#: The latest spans are drawn; fewer than two are no timeline.
MOST, FEWEST = 10, 2


def draw_facts(facts: Iterable[tuple[Memory, MemoryHistory]]) -> list[Timeline]:
    """Draw the values of *facts*, present and past, for both widths; none if there are few."""
    spans = sorted(
        (span for memory, history in facts for span in _spans(memory, history)),
        key=lambda span: span.begin or date.min,
    )[-MOST:]
    if len(spans) < FEWEST:
        return []
    today = timezone.localdate()
    laid_out = (lay_out(spans, today=today, width=width) for width in (WIDE, NARROW))
    return [timeline for timeline in laid_out if timeline]


def _spans(memory: Memory, history: MemoryHistory) -> Iterator[TimelineSpan]:
    """One span for each value, the latest first; a version that only rewords it is no other."""
    key = memory.key.replace("_", " ")
    span = _span(key, memory, memory.valid_until)
    value = memory.value
    for version in history.versions:
        earlier = version.revision
        if earlier.key != memory.key:
            continue
        if earlier.value.casefold() == value.casefold():
            begin = min(span.begin or date.max, timezone.localdate(earlier.said_at))
            span = replace(span, begin=begin)
            continue
        yield _with_words(span)
        value, span = earlier.value, _span(key, earlier, span.begin)
    yield _with_words(span)


def _span(key: str, row: Memory | MemoryRevision, end: date | None) -> TimelineSpan:
    begin = timezone.localdate(row.said_at)
    return TimelineSpan(f"{key}: {row.value}", min(begin, end) if end else begin, end)


def _with_words(span: TimelineSpan) -> TimelineSpan:
    text = _("%(begin)s to %(end)s") if span.end else _("since %(begin)s")
    form = pgettext("format of a day", "j M Y")
    begin, end = (day and date_format(day, form) for day in (span.begin, span.end))
    return replace(span, when=text % {"begin": begin, "end": end})
