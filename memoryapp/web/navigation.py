"""The navigation: its entries, and what every screen's frame shows."""

from dataclasses import dataclass
from functools import cache
from typing import Any

from django.db.models import Count, OuterRef, Subquery
from django.http import HttpRequest
from django.urls import ResolverMatch, reverse
from django.utils.functional import SimpleLazyObject

from conversations.models import Conversation
from instances.models import Instance, InstanceRole, MembershipInvitation, User
from instances.settings_pages import pages_of
from memoryapp.models import HeldStatement, may_read


@dataclass(frozen=True)
class _Screen:
    """A screen of the navigation."""

    #: What the screens under it name as their section.
    name: str
    label: str
    url_name: str
    #: Opens it, typed after "g".
    key: str


@dataclass(frozen=True)
class _Section:
    """An entry of the navigation, with one screen, or several in tabs."""

    label: str
    icon: str
    screens: list[_Screen]


SECTIONS = [
    _Section(
        "Memory",
        "bookmark",
        [
            _Screen("memory", "Memories", "memories", "m"),
            _Screen("ask", "Ask memory", "recall", "a"),
            _Screen("review", "Review", "review", "r"),
            _Screen("profile", "Profile", "profile", "o"),
        ],
    ),
    _Section("Palace", "landmark", [_Screen("palace", "Palace", "palace", "p")]),
    _Section("Graph", "waypoints", [_Screen("graph", "Graph", "graph", "g")]),
    _Section(
        "Conversations",
        "messages-square",
        [
            _Screen("conversations", "Conversations", "conversations", "c"),
            _Screen("chat", "Chat", "chat", "t"),
        ],
    ),
    _Section(
        "Activity",
        "activity",
        [
            _Screen("activity", "Activity", "activity", "l"),
            _Screen("usage", "Usage", "usage", "u"),
            _Screen("health", "Health", "health", "h"),
        ],
    ),
]


@dataclass(frozen=True)
class NavigationScreen:
    """A screen as the navigation shows it: a tab, unless it is the only one of its section."""

    name: str
    label: str
    path: str
    key: str
    #: The number of rows, where it is shown.
    number: int | None = None


@dataclass(frozen=True)
class NavigationEntry:
    """An entry of the navigation, which leads to its first screen."""

    label: str
    icon: str
    screens: list[NavigationScreen]

    @property
    def first(self) -> NavigationScreen:
        return self.screens[0]

    @property
    def names(self) -> list[str]:
        """The names of its screens."""
        return [screen.name for screen in self.screens]

    @property
    def waiting(self) -> int:
        """How many statements wait for a decision."""
        return sum(screen.number or 0 for screen in self.screens if screen.name == "review")


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
    return {
        "instance": instance,
        "instances": SimpleLazyObject(lambda: list(Instance.objects.visible_to(user))),
        "invited": SimpleLazyObject(MembershipInvitation.objects.open_for(user).count),
        "may_edit": SimpleLazyObject(lambda: role() in InstanceRole.MEMBER.and_above),
        "may_manage": SimpleLazyObject(lambda: role() == InstanceRole.MANAGER),
        "capped": SimpleLazyObject(lambda: instance is not None and not may_read(instance)),
        "navigation": SimpleLazyObject(lambda: entries(instance)),
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


def entries(instance: Instance | None) -> list[NavigationEntry]:
    """Return the navigation of *instance*."""
    of_instance = f"?instance={instance.slug}" if instance else ""
    counts = {
        "memory": instance.memories.count() if instance else None,
        **(_counts(instance) if instance else {}),
    }
    found = [
        NavigationEntry(
            section.label,
            section.icon,
            [
                NavigationScreen(
                    screen.name,
                    screen.label,
                    reverse(screen.url_name) + of_instance,
                    screen.key,
                    counts.get(screen.name),
                )
                for screen in section.screens
            ],
        )
        for section in SECTIONS
    ]
    settings = (
        reverse("instance_settings", args=[instance.slug]) if instance else reverse("instances")
    )
    screen = NavigationScreen("settings", "Settings", settings, "s")
    return [*found, NavigationEntry("Settings", "settings", [screen])]


def in_instances(
    user: User, instances: list[Instance], match: ResolverMatch | None, section: str = ""
) -> list[tuple[Instance, str]]:
    """Return each of *instances* with the path of the screen at *match* in it; of the first screen
    of the *section*, where that one is of one instance alone, such as a memory.
    """
    if match and match.kwargs.keys() <= {"slug", "name"} and match.kwargs:
        managed = set(Instance.objects.managed_by(user).values_list("pk", flat=True))
        return [(each, _settings_in(each, match, each.pk in managed)) for each in instances]
    names = {screen.name: screen.url_name for each in SECTIONS for screen in each.screens}
    name = match.view_name if match and not match.kwargs else names.get(section, "memories")
    return [(each, f"{reverse(name)}?instance={each.slug}") for each in instances]


def _settings_in(other: Instance, match: ResolverMatch, may_manage: bool) -> str:
    name = match.kwargs.get("name")
    if may_manage and (name is None or name in {page.name for page in pages_of(other)}):
        return reverse(match.view_name, kwargs=match.kwargs | {"slug": other.slug})
    return reverse("instance_settings", args=[other.slug])
