"""Filters and tags of the templates."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import datetime
from functools import cache, lru_cache
from ipaddress import ip_address
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from allauth.mfa import app_settings
from allauth.mfa.models import Authenticator
from django import template
from django.contrib.humanize.templatetags.humanize import intcomma
from django.db.models import Model
from django.template import Context
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.html import format_html, format_html_join, json_script
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from conversations.models import Message
from instances.models import Instance
from instances.settings_pages import PAGES, card_url, pages_of
from instances.translatable import translated
from instances.url_state import URLState
from memoryapp.disclosure import Disclosed, disclosed, excerpt_of
from memoryapp.extraction.message_status import MessageStatus
from memoryapp.models import Drawer, Memory
from memoryapp.models.muted_messages import with_text
from memoryapp.recall import Hit
from memoryapp.text.excerpts import first_sentence
from memoryapp.text.verbatim import PLACEHOLDERS, masked
from memoryapp.web.amounts import price, tokens
from memoryapp.web.chat.markdown import render
from memoryapp.web.conversations.message_signs import MessageSign, sign_of
from memoryapp.web.day_formats import day, day_and_time, short_day
from memoryapp.web.graph.graph_layout import Edge
from memoryapp.web.memory import words
from memoryapp.web.memory.listing import MemoryList, filters_in_words
from memoryapp.web.navigation import in_instances
from memoryapp.web.palace.listing import PalaceListing
from memoryapp.web.reasons import against, label_of, reasons
from memoryapp.web.recall.listing import RecallRequest
from memoryapp.web.script_texts import SCRIPT_TEXTS
from memoryapp.web.status import CAP_IN_SHORT
from memoryapp.web.usage.views import UsageView
from memoryapp.web.version_token import version_token

_PLACEHOLDER = re.compile(f"({'|'.join(map(re.escape, sorted(PLACEHOLDERS)))})")

#: Characters of a message that is quoted.
MAX_EXCERPT_CHARACTERS = 1_000
#: Longer messages are rendered each time.
MAX_REMEMBERED_CHARACTERS = 8_000

#: The pages under Settings that belong to no instance: URL name, title, icon, and whether only
#: superadmins may open them.
OTHER_SETTINGS = [
    ("account", gettext_lazy("Your account"), "circle-user", False),
    ("instances", gettext_lazy("Instances"), "layers", False),
    ("people", gettext_lazy("People"), "user-cog", True),
    ("outgoing_connections", gettext_lazy("Outgoing connections"), "cable", True),
    ("admin:index", gettext_lazy("Admin"), "table-2", True),
]

register = template.Library()
register.filter(first_sentence)
register.filter(intcomma)
register.filter(price)
register.filter(tokens)
register.filter(translated)


@register.simple_tag
def script_texts() -> SafeString:
    """The texts that scripts show, in the language of the page."""
    return json_script(SCRIPT_TEXTS, "texts")


@register.filter
def in_fours(text: str) -> str:
    """Format a code or secret in groups of four characters."""
    return " ".join(text[start : start + 4] for start in range(0, len(text), 4))


@register.filter
def is_local(url: str) -> bool:
    """True if *url* leads to the machine on which it is opened."""
    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


@register.filter
def codes_left(recovery_codes: Authenticator) -> str:
    """Say how many recovery codes are not used yet. Needs no key, unlike showing them."""
    used: int = recovery_codes.data["used_mask"].bit_count()
    total = app_settings.RECOVERY_CODE_COUNT
    return _("%(number)s of %(total)s left") % {"number": total - used, "total": total}


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


register.filter(day)
register.filter(day_and_time)
register.filter(words.category_name)
register.filter(words.provenance)
register.filter(words.refused_because)
register.filter(words.valid_end)
register.filter(words.has_expired)


@register.filter(name="masked")
def masked_for(text: str, instance: Instance) -> str:
    """Mask the secrets in a *text* that is stored word for word in *instance*."""
    return masked(text, instance.pii_policy)


@register.filter
def said(row: Message | Drawer | Hit | None, instance: Instance) -> str:
    """The beginning of what others may read of a message, a drawer or a search hit."""
    if isinstance(row, Hit):
        return row.memory.content if row.memory else said(row.message or row.drawer, instance)
    return excerpt_of(instance, row, MAX_EXCERPT_CHARACTERS)


@register.filter
def whole(row: Message | Drawer, instance: Instance) -> Disclosed:
    """Text that people may read of a message, also if that is muted, or of a drawer."""
    return disclosed(instance, with_text(row) if isinstance(row, Message) else row)


@register.filter
def with_placeholders(text: str) -> SafeString:
    """Set the placeholders in a masked *text* apart from what was said."""
    parts = _PLACEHOLDER.split(text)
    return format_html_join(
        "",
        "{}",
        (
            (format_html('<span class="masked">{}</span>', part) if number % 2 else part,)
            for number, part in enumerate(parts)
        ),
    )


@register.filter
def markdown(text: str) -> SafeString:
    """Render Markdown, with long code folded."""
    short = len(text) <= MAX_REMEMBERED_CHARACTERS
    return (_rendered if short else _render)(text, get_language())


def _render(text: str, language: str) -> SafeString:
    return render(text, fold_code=True)


#: Transcripts are paged through, and polled while they are read.
_rendered = lru_cache(maxsize=500)(_render)


@register.simple_tag
def message_sign(
    message: Message, status: MessageStatus, memory_is_off: bool
) -> MessageSign | None:
    """Return the sign of a message in a transcript."""
    return sign_of(message, status, memory_is_off=memory_is_off)


@register.filter
def plainly(value: Any) -> str:
    """Write a value that a program has attached: text as it is, anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


@register.filter
def without(values: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return *values* without that of *name*."""
    return {each: value for each, value in values.items() if each != name}


@register.filter
def lost(part: float) -> float:
    """How much of a score a negative *part* takes away."""
    return -part


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


@register.filter
def curve(line: Edge) -> str:
    """Return the SVG path of a *line* between two names."""
    begin, bend, end = (f"{x:g},{y:g}" for x, y in line.curve)
    return f"M{begin} Q{bend} {end}"


@register.filter
def arrow(line: Edge) -> str:
    """Return the SVG path of the arrow head at the end of *line*."""
    return " ".join(f"{'L' if n else 'M'}{x:g},{y:g}" for n, (x, y) in enumerate(line.head))


@register.simple_tag(takes_context=True)
def this_screen_in(context: Context, instances: list[Instance]) -> list[tuple[Instance, str]]:
    """Return each of *instances* with the path of the present screen in it."""
    request, section = context["request"], context.get("section") or ""
    # An error page belongs to no section: what it could not show is not offered elsewhere.
    match = request.resolver_match if section and request.method == "GET" else None
    return in_instances(request.user, instances, match, section)


@register.simple_tag
def opens(url: str, *, query: str | None = None, target: str = "") -> SafeString:
    """The attributes of a link to *url*, with *query* behind it. Where there is JavaScript, it only
    loads what stands in *target*, or in what the element around it names.
    """
    address = url if query is None else f"{url}?{query}"
    if not target:
        return format_html('href="{0}" hx-get="{0}"', address)
    attributes = 'href="{0}" hx-get="{0}" hx-target="{1}" hx-push-url="true"'
    return format_html(attributes, address, target)


@register.simple_tag
def posts(view: str, *args: Any, target: str, query: str | None = None) -> SafeString:
    """The attributes of a form that posts to *view*, with *query* behind its address. Where there
    is JavaScript, the answer only goes into *target*.
    """
    url = reverse(view, args=args)
    address = url if query is None else f"{url}?{query}"
    attributes = 'method="post" action="{0}" hx-post="{0}" hx-target="{1}"'
    return format_html(attributes, address, target)


@register.simple_tag(takes_context=True)
def narrows(context: Context, name: str, value: str) -> SafeString:
    """The attributes of a link to the memories whose filter *name* is *value*. In the memory list,
    it keeps the other filters, and only loads the list where there is JavaScript.
    """
    if context.get("section") == "memory" and isinstance(context.get("listing"), MemoryList):
        listing: MemoryList = context["listing"]
        changes = {name: value, "page": ""}
        return opens(listing.path, query=listing.query(**changes), target="#memories")
    alone = MemoryList(context["instance"], **{name: value})
    return format_html('href="{}?{}"', alone.path, alone.query())


@register.simple_tag
def settings_url(instance: Instance, card: str) -> str:
    """The address of a *card* in the settings of *instance*."""
    return card_url(instance.slug, card)


@register.inclusion_tag("instances/_settings_pages.html", takes_context=True)
def settings_pages(context: dict[str, Any], current: str) -> dict[str, Any]:
    """The list of all pages under Settings that the person may open, *current* among them: those
    of the instance on screen, if there is one, then their own and the server's.
    """
    request, instance = context["request"], context.get("instance")
    groups: list[tuple[str, list[dict[str, Any]]]] = []
    if instance:
        pages = pages_of(instance) if context["may_manage"] else PAGES[:1]
        of_instance = [{**asdict(page), "url": page.url(instance.slug)} for page in pages]
        groups.append((instance.name, of_instance))
    others = [
        {"name": name, "title": title, "icon": icon, "url": reverse(name)}
        for name, title, icon, for_superadmins in OTHER_SETTINGS
        if request.user.is_superuser or not for_superadmins
    ]
    groups.append(("Keepsake", others))
    return {"groups": groups, "current": current}


@register.filter
def listed(names: Iterable[Any]) -> SafeString:
    """Join *names* by commas, each in its own writing direction."""
    return format_html_join(", ", "<bdi>{}</bdi>", ((name,) for name in names))


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


@register.filter(name="reasons")
def reasons_of(hit: Hit, question: str) -> list[str]:
    """Say why *hit* was found for *question*."""
    return reasons(hit, question)


register.filter("signal", label_of)
register.filter(against)


@register.filter
def usage_query(view: UsageView, changes: str) -> str:
    """The query string of the usage screen with *changes*, written ``name=value``."""
    return view.query(**dict(parse_qsl(changes, keep_blank_values=True)))


@register.filter
def recall_query(view: RecallRequest, changes: str) -> str:
    """The query string of the recall screen with *changes*, without an explained memory."""
    return view.query(**{"why": "", **dict(parse_qsl(changes, keep_blank_values=True))})


@register.filter
def with_query(listing: Any, changes: str) -> str:
    """The address of the list with *changes*, written ``name=value&name=``."""
    pairs = dict(parse_qsl(changes, keep_blank_values=True))
    return f"{listing.path}?{listing.query(**pairs)}"


@register.filter
def filter_words(query: str) -> str:
    """Write the conditions of a saved filter in words, such as "search: boats, category: fact"."""
    return ", ".join(filters_in_words(dict(parse_qsl(query))).values())


@register.filter
def with_category(listing: Any, category: str) -> str:
    """The address of the list narrowed to *category*, from its first page."""
    return f"{listing.path}?{listing.query(category=category, page='')}"


@register.filter
def row_count(page: Any) -> str:
    """The rows of all pages in number, such as "1,000+" where there are more than were counted."""
    more = "+" if getattr(page, "is_capped", False) else ""
    return f"{intcomma(page.paginator.count)}{more}"


@register.filter
def with_page(listing: Any, page: int) -> str:
    """The address of another page of the same list."""
    return f"{listing.path}?{listing.query(page=str(page))}"


@register.filter
def panel_url(opened: Any, listing: Any) -> str:
    """Return the address of what is *opened* next to *listing*."""
    return f"{opened.get_absolute_url()}?{listing.beside}"


@register.filter
def at(listing: PalaceListing, place: Model) -> str:
    """Return the address of a *place* in the palace, with the search and filters of *listing*."""
    return listing.at(place)


@register.filter
def edit_url(memory: Memory, listing: URLState) -> str:
    """Return the address of the form for *memory* next to *listing*."""
    return f"{reverse('memory_edit', args=[memory.pk])}?{listing.beside}"


register.filter(version_token)


@register.filter
def key_in_words(key: str) -> str:
    """Write the key of a fact with spaces: home_city is "home city"."""
    return key.replace("_", " ")


@register.filter
def get(mapping: dict[Any, Any], key: Any) -> Any:
    """Look up *key*, which a template cannot do with a variable."""
    return mapping.get(key)


@register.simple_tag
def run_state(state: str | None, watermark: int, capped: bool = False) -> str:
    """Say how far the extraction of a conversation has come."""
    if state == "queued" and capped:
        return _("waiting to be read: %(reason)s") % {"reason": CAP_IN_SHORT}
    words = {
        "queued": _("waiting to be read"),
        "running": _("being read"),
        "failed": _("could not be read"),
    }
    return words.get(state or "", _("read") if watermark else _("not read yet"))
