"""Filters that write days and times, in the formats of the language of the page."""

from datetime import datetime

from django import template
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from memoryapp.web import day_formats
from memoryapp.web.day_formats import day, day_and_time, short_day

register = template.Library()

for _write in (
    day_formats.short_day,
    day_formats.day_and_month,
    day_formats.full_day,
    day_formats.moment,
    day_formats.weekday,
    day_formats.heading_day,
    day_formats.table_day,
    day_formats.month,
):
    register.filter(_write.__name__, _write, expects_localtime=True)
register.filter(day)
register.filter(day_and_time)


@register.filter
def when(moment: datetime | None) -> SafeString | str:
    """Write *moment* relative to now, with the exact time on hover."""
    if moment is None:
        return _("never")
    local = timezone.localtime(moment)
    return format_html(
        '<time datetime="{}" title="{}" data-ago>{}</time>',
        local.isoformat(timespec="seconds"),
        day_and_time(moment),
        relative(local, timezone.localtime()),
    )


def relative(moment: datetime, now: datetime) -> str:
    """Say how long ago *moment* was, in as few words as make it clear."""
    seconds = (now - moment).total_seconds()
    if seconds < 60:
        return _("just now") if seconds > -60 else day(moment)
    if seconds < 3600:
        return _("%(number)s min ago") % {"number": int(seconds // 60)}
    if seconds < 24 * 3600:
        return _("%(number)s h ago") % {"number": int(seconds // 3600)}
    days = (now.date() - moment.date()).days
    if days < 7:
        if days == 1:
            return _("yesterday")
        return ngettext("%(number)s day ago", "%(number)s days ago", days) % {"number": days}
    if moment.year == now.year:
        return short_day(moment)
    return day(moment)
