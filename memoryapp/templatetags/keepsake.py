"""Filters and tags of the templates."""

import json
import re
from collections.abc import Iterable
from dataclasses import asdict
from datetime import datetime
from decimal import Decimal
from functools import cache
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
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from instances.models import Instance
from instances.settings_pages import PAGES, card_url, pages_of
from memoryapp.models import Memory
from memoryapp.text.verbatim import PLACEHOLDERS, masked
from memoryapp.web.graph.graph_layout import Edge
from memoryapp.web.memory.listing import MemoryList
from memoryapp.web.navigation import in_instances
from memoryapp.web.palace.listing import PalaceListing
from memoryapp.web.recall.views import RecallRequest
from memoryapp.web.status import CAP_IN_SHORT
from memoryapp.web.usage.views import UsageView
from memoryapp.web.version_token import version_token

_PLACEHOLDER = re.compile(f"({'|'.join(map(re.escape, sorted(PLACEHOLDERS)))})")

#: The pages under Settings that belong to no instance: URL name, title, icon, and whether only
#: superadmins may open them.
OTHER_SETTINGS = [
    ("account", "Your account", "circle-user", False),
    ("instances", "Instances", "layers", False),
    ("people", "People", "user-cog", True),
    ("outgoing_connections", "Outgoing connections", "cable", True),
]

register = template.Library()
register.filter(intcomma)


@register.filter
def in_fours(text: str) -> str:
    """Format a code or secret in groups of four characters."""
    return " ".join(text[start : start + 4] for start in range(0, len(text), 4))


@register.filter
def is_local(url: str) -> bool:
    """Whether *url* leads to the machine on which it is opened."""
    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


@register.filter
def codes_left(recovery_codes: Authenticator) -> str:
    """Say how many recovery codes are not used yet. Needs no key, unlike showing them."""
    used: int = recovery_codes.data["used_mask"].bit_count()
    return f"{app_settings.RECOVERY_CODE_COUNT - used} of {app_settings.RECOVERY_CODE_COUNT} left"


@register.filter
def when(moment: datetime | None) -> SafeString | str:
    """Write *moment* relative to now, with the exact time on hover."""
    if moment is None:
        return "never"
    local = timezone.localtime(moment)
    return format_html(
        '<time datetime="{}" title="{}" data-ago>{}</time>',
        local.isoformat(timespec="seconds"),
        local.strftime("%-d %b %Y, %H:%M"),
        relative(local, timezone.localtime()),
    )


def relative(moment: datetime, now: datetime) -> str:
    """Say how long ago *moment* was, in as few words as make it clear."""
    seconds = (now - moment).total_seconds()
    if seconds < 60:
        return "just now" if seconds > -60 else moment.strftime("%-d %b %Y")
    if seconds < 3600:
        return f"{int(seconds // 60)} min ago"
    if seconds < 24 * 3600:
        return f"{int(seconds // 3600)} h ago"
    days = (now.date() - moment.date()).days
    if days < 7:
        return "yesterday" if days == 1 else f"{days} days ago"
    return moment.strftime("%-d %b" if moment.year == now.year else "%-d %b %Y")


@register.filter
def day(moment: datetime) -> str:
    """Write the day of *moment*: 3 Aug 2026."""
    return timezone.localtime(moment).strftime("%-d %b %Y")


@register.filter(name="masked")
def masked_for(text: str, instance: Instance) -> str:
    """Mask the secrets in a *text* that is stored word for word in *instance*."""
    return masked(text, instance.pii_policy)


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
def plainly(value: Any) -> str:
    """Write a value that a program has attached: text as it is, anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


@register.filter
def lost(part: float) -> float:
    """How much of a score a negative *part* takes away."""
    return -part


@register.filter
def times(count: int) -> str:
    """Write how often: once, twice, 3 times."""
    return {1: "once", 2: "twice"}.get(count, f"{count:,} times")


@register.filter
def tokens(count: int) -> str:
    """Write a number of tokens that is only an estimate: 850, 12,000, 1.4 million."""
    if count >= 1_000_000:
        return f"{count / 1_000_000:,.1f} million"
    return f"{round(count, -3) if count >= 10_000 else count:,}"


@register.filter
def price(amount: Decimal) -> str:
    """Write an amount of money without currency: 12.40, or with more digits if it is tiny."""
    return f"{amount:,.2f}" if amount >= Decimal("0.1") or not amount else f"{amount:.4f}"


@register.filter
def unlocalized(number: float) -> str:
    """Write *number* for SVG, independent of the language of the page."""
    return f"{number:g}"


@register.filter
def arrow(line: Edge) -> str:
    """Return the SVG path of the arrow head at the end of *line*."""
    return " ".join(f"{'L' if n else 'M'}{x:g},{y:g}" for n, (x, y) in enumerate(line.head))


@register.simple_tag
def amount(value: Decimal, of_money: bool) -> str:
    """Write a cost, or a number of tokens."""
    return price(value) if of_money else tokens(int(value))


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
    link = format_html('href="{0}" hx-get="{0}"', address)
    if not target:
        return link
    return format_html('{} hx-target="{}" hx-push-url="true"', link, target)


@register.simple_tag
def posts(view: str, *args: Any, target: str, query: str | None = None) -> SafeString:
    """The attributes of a form that posts to *view*, with *query* behind its address. Where there
    is JavaScript, the answer only goes into *target*.
    """
    url = reverse(view, args=args)
    address = url if query is None else f"{url}?{query}"
    attributes = 'method="post" action="{0}" hx-post="{0}" hx-target="{1}"'
    return format_html(attributes, address, target)


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
@cache
def importance(value: int) -> SafeString:
    """Draw the ten steps of *value*, with the number."""
    steps = format_html_join(
        "",
        '<rect x="{}" width="4.5" height="8" rx="1"{}/>',
        ((6 * i, SafeString(' class="on"') if i < value else "") for i in range(10)),
    )
    return format_html(
        '<div class="imp{}" title="Importance {} of 10"><svg viewBox="0 0 60 8" aria-hidden="true">'
        '{}</svg><span class="visually-hidden">Importance </span>{}</div>',
        " high" if value >= 8 else "",
        value,
        steps,
        value,
    )


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
def with_category(listing: Any, category: str) -> str:
    """The address of the list narrowed to *category*, from its first page."""
    return f"{listing.path}?{listing.query(category=category, page='')}"


@register.filter
def with_page(listing: Any, page: int) -> str:
    """The address of another page of the same list."""
    return f"{listing.path}?{listing.query(page=str(page))}"


@register.filter
def panel_url(opened: Any, listing: Any) -> str:
    """Return the address of what is *opened* next to *listing*."""
    return f"{opened.get_absolute_url()}?{listing.query()}"


@register.filter
def at(listing: PalaceListing, place: Model) -> str:
    """Return the address of a *place* in the palace, with the search and filters of *listing*."""
    return listing.at(place)


@register.filter
def edit_url(memory: Memory, listing: MemoryList) -> str:
    """Return the address of the form for *memory* next to *listing*."""
    return f"{reverse('memory_edit', args=[memory.pk])}?{listing.query()}"


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
        return f"waiting to be read: {CAP_IN_SHORT}"
    words = {"queued": "waiting to be read", "running": "being read", "failed": "could not be read"}
    return words.get(state or "", "read" if watermark else "not read yet")
