"""Filters and tags that write numbers, amounts and durations."""

from functools import cache
from typing import Any

from django import template
from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.formats import number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from memoryapp.web.amounts import price, tokens

register = template.Library()
register.filter(intcomma)
register.filter(price)
register.filter(tokens)


@register.filter
def times(count: int) -> str:
    """Write how often: once, twice, 3 times."""
    if count == 2:
        return _("twice")
    texts = ngettext("once", "%(number)s times", count)
    return texts % {"number": number_format(count, force_grouping=True)}


#: Beyond this, an estimate means nothing.
MAX_MINUTES_LEFT = 48 * 60


@register.filter
def time_left(seconds: float) -> str:
    """Write an estimate of how long a job still takes: about 5 min left."""
    minutes = round(seconds / 60)
    if minutes < 1:
        return _("less than a minute left")
    if minutes < 90:
        return _("about %(minutes)s min left") % {"minutes": minutes}
    if minutes > MAX_MINUTES_LEFT:
        return _("more than two days left")
    return _("about %(hours)s h left") % {"hours": number_format(round(minutes / 30) / 2, 1)}


@register.filter
def unlocalized(number: float) -> str:
    """Write *number* for SVG, independent of the language of the page."""
    return f"{number:g}"


@register.simple_tag
def importance(value: int) -> SafeString:
    """Draw the ten steps of *value*, with the number: dashes of two lines."""
    return _importance(value, get_language())


@cache
def _importance(value: int, language: str) -> SafeString:
    return format_html(
        '<div class="imp{}" title="{}"><svg viewBox="0 0 60 8" aria-hidden="true">'
        '<path d="M{} 4H60"/><path class="on" d="M0 4H{}"/></svg>'
        '<span class="visually-hidden">{} </span>{}</div>',
        " high" if value >= 8 else "",
        _("Importance %(value)s of 10") % {"value": value},
        6 * value,
        6 * value,
        _("Importance"),
        value,
    )


@register.filter
def row_count(page: Any) -> str:
    """The rows of all pages in number, such as "1,000+" where there are more than were counted."""
    more = "+" if getattr(page, "is_capped", False) else ""
    return f"{intcomma(page.paginator.count)}{more}"
