"""The layout of every screen: the navigation rail, and the choice of page or fragment."""

from dataclasses import dataclass
from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.functional import SimpleLazyObject

from instances.access import Request
from instances.models import Instance, InstanceRole, MembershipInvitation
from memoryapp.models import may_spend

#: Entries of the rail: section, label, icon, URL name, and whether it is under "More" on a phone.
SECTIONS = [
    ("memory", "Memory", "bookmark", "memories", False),
    ("palace", "Palace", "landmark", "palace", False),
    ("graph", "Graph", "waypoints", "graph", True),
    ("conversations", "Conversations", "message-square", "conversations", False),
    ("chat", "Chat", "message-circle", "chat", False),
    ("health", "Health", "heart-pulse", "health", True),
    ("activity", "Activity", "history", "activity", True),
    ("usage", "Usage", "chart-column", "usage", True),
]


@dataclass(frozen=True)
class RailEntry:
    """An entry of the rail."""

    section: str
    label: str
    icon: str
    path: str
    #: The number of rows, where it is shown.
    number: int | None = None
    seldom: bool = False


def frame(request: HttpRequest) -> dict[str, Any]:
    """Context processor of the rail: the current instance, the others, and the user's role; and
    whether background work waits because the instance has reached its monthly cap.
    """
    # A request may be refused before authentication.
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return {}
    instance = getattr(request, "instance", None)
    known = getattr(request, "role", None)
    role = cache(lambda: known or (instance.role_of(user) if instance else None))
    may_manage = SimpleLazyObject(lambda: role() == InstanceRole.MANAGER)
    return {
        "instance": instance,
        "instances": SimpleLazyObject(lambda: list(Instance.objects.visible_to(user))),
        "invited": SimpleLazyObject(MembershipInvitation.objects.open_for(user).count),
        "may_edit": SimpleLazyObject(lambda: role() in InstanceRole.MEMBER.and_above),
        "may_manage": may_manage,
        "capped": SimpleLazyObject(lambda: instance is not None and not may_spend(instance)),
        "places": SimpleLazyObject(lambda: _places(instance, may_manage=bool(may_manage))),
    }


def show(
    request: Request,
    page: str,
    fragment: str,
    context: dict[str, Any],
    *,
    status: int = 200,
) -> HttpResponse:
    """Render the whole *page*, or for htmx the *fragment* that the page includes."""
    template = fragment if request.htmx else page
    response = render(request, template, context, status=status)
    # One URL has two responses, so a cache must keep them apart.
    patch_vary_headers(response, ["HX-Request"])
    return response


def _places(instance: Instance | None, *, may_manage: bool) -> list[RailEntry]:
    of_instance = f"?instance={instance.slug}" if instance else ""
    settings = reverse("instances")
    if instance and may_manage:
        settings = reverse("instance_settings", args=[instance.slug])
    counts = {
        "memory": instance.memories.count() if instance else None,
        "conversations": instance.conversations.count() if instance else None,
    }
    entries = [
        RailEntry(section, label, icon, reverse(url) + of_instance, counts.get(section), seldom)
        for section, label, icon, url, seldom in SECTIONS
    ]
    return [*entries, RailEntry("settings", "Settings", "settings", settings, seldom=True)]
