"""Filters and tags that write addresses and the attributes of links and forms."""

from dataclasses import asdict
from typing import Any
from urllib.parse import parse_qsl

from django import template
from django.db.models import Model
from django.template import Context
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy

from instances.models import Instance
from instances.url_state import URLState
from memoryapp.models import Memory
from memoryapp.web.memory.listing import MemoryList
from memoryapp.web.navigation import in_instances
from memoryapp.web.palace.listing import PalaceListing
from memoryapp.web.recall.listing import WITHOUT_WHY, RecallRequest
from memoryapp.web.settings.pages import PAGES, card_url, pages_of
from memoryapp.web.usage.views import UsageView
from memoryapp.web.version_token import version_token

#: The pages under Settings that belong to no instance: URL name, title, icon, and whether only
#: superadmins may open them.
OTHER_SETTINGS = [
    ("account", gettext_lazy("Your account"), "circle-user", False),
    ("instances", gettext_lazy("Instances"), "layers", False),
    ("people", gettext_lazy("People"), "user-cog", True),
    ("outgoing_connections", gettext_lazy("Outgoing connections"), "cable", True),
    ("audit", gettext_lazy("Audit log"), "shield-check", True),
    ("admin:index", gettext_lazy("Admin"), "table-2", True),
]

register = template.Library()
register.filter(version_token)


@register.simple_tag(takes_context=True)
def this_screen_in(context: Context, instances: list[Instance]) -> list[tuple[Instance, str]]:
    """Return each of *instances* with the path of the present screen in it."""
    request, section = context["request"], context.get("section") or ""
    # An error page belongs to no section: what it could not show is not offered elsewhere. Nor is a
    # page that is of no instance.
    of_instance = section and context.get("instance")
    match = request.resolver_match if of_instance and request.method == "GET" else None
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


@register.inclusion_tag("settings/_settings_pages.html", takes_context=True)
def settings_pages(context: dict[str, Any], current: str) -> dict[str, Any]:
    """The list of all pages under Settings that the person may open, *current* among them: those
    of the instance that the frame names, if there is one, then their own and the server's.
    """
    request, instance = context["request"], context.get("framed")
    groups: list[tuple[str, list[dict[str, Any]]]] = []
    if instance:
        pages = pages_of(instance) if context["may_manage_framed"] else PAGES[:1]
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
def usage_query(view: UsageView, changes: str) -> str:
    """The query string of the usage screen with *changes*, written ``name=value``."""
    return view.query(**dict(parse_qsl(changes, keep_blank_values=True)))


@register.simple_tag
def both_lists(listing: MemoryList | RecallRequest) -> list[MemoryList | RecallRequest]:
    """The two lists of what is searched in *listing*, about the same person."""
    return [
        of(instance=listing.instance, q=listing.q, user=listing.user)
        for of in (MemoryList, RecallRequest)
    ]


@register.filter
def recall_query(view: RecallRequest, changes: str) -> str:
    """The query string of the results with *changes*, without an explained memory."""
    return view.query(**WITHOUT_WHY | dict(parse_qsl(changes, keep_blank_values=True)))


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
    return f"{opened.get_absolute_url()}?{listing.beside}"


@register.filter
def at(listing: PalaceListing, place: Model) -> str:
    """Return the address of a *place* in the palace, with the search and filters of *listing*."""
    return listing.at(place)


@register.filter
def edit_url(memory: Memory, listing: URLState) -> str:
    """Return the address of the form for *memory* next to *listing*."""
    return f"{reverse('memory_edit', args=[memory.pk])}?{listing.beside}"
