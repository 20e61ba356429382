"""The navigation: its entries, and what every screen's frame shows."""

from dataclasses import dataclass
from functools import cache
from typing import Any

from django.db.models import Count, OuterRef, Subquery
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import SimpleLazyObject

from conversations.models import Conversation
from instances.models import Instance, InstanceRole, MembershipInvitation
from memoryapp.models import HeldStatement, may_read

#: Section, label, icon, URL name, and whether it is under "More" on a phone.
SECTIONS = [
    ("memory", "Memory", "bookmark", "memories", False),
    ("review", "Review", "shield-question-mark", "review", True),
    ("palace", "Palace", "landmark", "palace", False),
    ("graph", "Graph", "waypoints", "graph", True),
    ("conversations", "Conversations", "message-square", "conversations", False),
    ("chat", "Chat", "message-circle", "chat", False),
    ("health", "Health", "heart-pulse", "health", True),
    ("activity", "Activity", "history", "activity", True),
    ("usage", "Usage", "chart-column", "usage", True),
]


@dataclass(frozen=True)
class NavigationEntry:
    """An entry of the navigation."""

    section: str
    label: str
    icon: str
    path: str
    #: The number of rows, where it is shown.
    number: int | None = None
    seldom: bool = False


def frame(request: HttpRequest) -> dict[str, Any]:
    """Context processor of the frame: the current instance, the others, and the user's role; and
    whether conversations wait to be read because the instance has reached its monthly cap.
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
        "capped": SimpleLazyObject(lambda: instance is not None and not may_read(instance)),
        "navigation": SimpleLazyObject(lambda: _entries(instance, may_manage=bool(may_manage))),
    }


def _counts(instance: Instance) -> dict[str, int | None]:
    """The numbers of conversations and of statements that wait, in one query."""
    counted = Instance.objects.filter(pk=instance.pk).values_list(
        Subquery(_number_of(Conversation.objects)),
        Subquery(_number_of(HeldStatement.objects.waiting())),
    )
    conversations, held = counted.get()
    return {"conversations": conversations or 0, "review": held}


def _number_of(rows: Any) -> Any:
    of_instance = rows.filter(instance=OuterRef("pk")).order_by().values("instance")
    return of_instance.annotate(number=Count("pk")).values("number")


def _entries(instance: Instance | None, *, may_manage: bool) -> list[NavigationEntry]:
    of_instance = f"?instance={instance.slug}" if instance else ""
    settings = reverse("instances")
    if instance and may_manage:
        settings = reverse("instance_settings", args=[instance.slug])
    counts = {
        "memory": instance.memories.count() if instance else None,
        **(_counts(instance) if instance else {}),
    }
    entries = [
        NavigationEntry(
            section, label, icon, reverse(url) + of_instance, counts.get(section), seldom
        )
        for section, label, icon, url, seldom in SECTIONS
    ]
    return [*entries, NavigationEntry("settings", "Settings", "settings", settings, seldom=True)]
