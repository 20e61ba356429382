"""The navigation: its entries, and what every screen's frame shows."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from django.db import connection
from django.db.models import Count, Q, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import ResolverMatch, reverse
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET

from conversations.models import Conversation, Import
from instances.access import Request, with_instance
from instances.models import Instance, InstanceRole, MembershipInvitation, User
from memoryapp.models import CountKind, EmbeddingJob, HeldStatement, MemoryCount, Run, may_read
from memoryapp.telemetry.heartbeat import worker_state
from memoryapp.web.settings.pages import pages_of

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

#: How many runs of a kind are a job worth a mark.
MIN_CONVERSATIONS = 5


@dataclass(frozen=True)
class _Screen:
    """A screen of the navigation."""

    #: What the screens under it name as their section.
    name: str
    label: "StrOrPromise"
    url_name: str
    #: Opens it, typed after "g".
    key: str


@dataclass(frozen=True)
class _Section:
    """An entry of the navigation, with one screen, or several in tabs."""

    label: "StrOrPromise"
    icon: str
    screens: list[_Screen]


SECTIONS = [
    _Section(
        _("Memory"),
        "bookmark",
        [
            _Screen("memory", _("Memories"), "memories", "m"),
            _Screen("ask", _("Ask memory"), "recall", "a"),
            _Screen("review", _("Review"), "review", "r"),
            _Screen("profile", _("Profile"), "profile", "o"),
            _Screen("documents", _("Documents"), "stored_documents", "d"),
        ],
    ),
    _Section(_("Palace"), "landmark", [_Screen("palace", _("Palace"), "palace", "p")]),
    _Section(_("Graph"), "waypoints", [_Screen("graph", _("Graph"), "graph", "g")]),
    _Section(
        _("Conversations"),
        "messages-square",
        [
            _Screen("conversations", _("Conversations"), "conversations", "c"),
            _Screen("chat", _("Chat"), "chat", "t"),
        ],
    ),
    _Section(
        _("Activity"),
        "activity",
        [
            _Screen("activity", _("Activity"), "activity", "l"),
            _Screen("usage", _("Usage"), "usage", "u"),
            _Screen("health", _("Health"), "health", "h"),
            _Screen("jobs", _("Jobs"), "jobs", "j"),
        ],
    ),
]


@dataclass(frozen=True)
class NavigationScreen:
    """A screen as the navigation shows it: a tab, unless it is the only one of its section."""

    name: str
    label: "StrOrPromise"
    path: str
    key: str
    #: The number of rows, where it is shown.
    number: int | None = None
    #: How many wait until a person confirms them.
    unconfirmed: int = 0

    @property
    def is_counted(self) -> bool:
        """True if its tab shows the number: of what waits, or is under way."""
        return self.name in ("review", "jobs") and self.number is not None


@dataclass(frozen=True)
class NavigationEntry:
    """An entry of the navigation, which leads to its first screen."""

    label: "StrOrPromise"
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
    def jobs(self) -> int:
        """How many jobs run, if this is the entry of their screen."""
        return sum(screen.number or 0 for screen in self.screens if screen.name == "jobs")

    @property
    def unconfirmed(self) -> int:
        """How many imports wait until a person confirms them, likewise."""
        return sum(screen.unconfirmed for screen in self.screens)

    @property
    def is_reviewed(self) -> bool:
        """True if statements of it wait for a decision, or could."""
        return any(screen.name == "review" and screen.is_counted for screen in self.screens)

    @property
    def waiting(self) -> int:
        """How many statements wait for a decision."""
        return sum(screen.number or 0 for screen in self.screens if screen.name == "review")


def frame(request: HttpRequest) -> dict[str, Any]:
    """Context processor of the frame: the current instance, the others, and the user's role;
    whether conversations wait to be read because the instance has reached its monthly cap; and
    whether a worker runs.
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
        "worker": SimpleLazyObject(worker_state),
    }


def _counts(instance: Instance) -> dict[str, int | None]:
    """The numbers of memories, of conversations, of statements that wait, of jobs that run and of
    imports that wait for a person, in one query.
    """
    with connection.cursor() as cursor:
        cursor.execute(*_counting(instance.pk))
        row = cursor.fetchone()
    memories, conversations, held, imports, unconfirmed, embedding_jobs, *queues = row
    # A few runs are those of the conversation that goes on.
    long_queues = sum((queue or 0) >= MIN_CONVERSATIONS for queue in queues)
    return {
        "memory": memories or 0,
        "conversations": conversations or 0,
        "review": held or 0,
        "jobs": (imports or 0) + (embedding_jobs or 0) + long_queues,
        "unconfirmed": unconfirmed or 0,
    }


@lru_cache(maxsize=256)
def _counting(instance_id: int) -> tuple[str, Sequence[Any]]:
    """The statement of `_counts`; cached, since the ORM takes ten times as long to write it as
    PostgreSQL to run it, on every screen.
    """
    runs = Run.objects.open()
    running = Q(state__in=[*Import.AT_WORK, *Import.AT_WORK.values()])
    counted: list[tuple[Any, Any]] = [
        (MemoryCount.objects.filter(kind=CountKind.ALL), Sum("number")),
        (Conversation.objects.all(), Count("pk")),
        (HeldStatement.objects.waiting(), Count("pk")),
        (Import.objects.filter(running), Count("pk")),
        (Import.objects.filter(state=Import.State.READY), Count("pk")),
        (EmbeddingJob.objects.filter(state=EmbeddingJob.State.RUNNING), Count("pk")),
        (runs.extractions(), Count("pk")),
        (runs.minings(), Count("pk")),
    ]
    # Each is given the instance as a value, so that tables that are divided by instance are read
    # in one place.
    texts: list[str] = []
    params: list[Any] = []
    for rows, number in counted:
        of_instance = rows.filter(instance=instance_id).order_by().values("instance")
        text, values = of_instance.annotate(number=number).values("number").query.sql_with_params()
        texts.append(f"({text})")
        params += values
    return f"SELECT {', '.join(texts)}", params


def entries(instance: Instance | None) -> list[NavigationEntry]:
    """Return the navigation of *instance*."""
    of_instance = f"?instance={instance.slug}" if instance else ""
    counts = _counts(instance) if instance else {}
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
                    (counts.get("unconfirmed") or 0) if screen.name == "jobs" else 0,
                )
                for screen in section.screens
            ],
        )
        for section in SECTIONS
    ]
    settings = (
        reverse("instance_settings", args=[instance.slug]) if instance else reverse("instances")
    )
    screen = NavigationScreen("settings", _("Settings"), settings, "s")
    return [*found, NavigationEntry(_("Settings"), "settings", [screen])]


@require_GET
@with_instance("")
def rail(request: Request, instance: Instance) -> HttpResponse:
    """Return what the rail and the tabs of a section say, after a script has changed something."""
    return render(request, "partials/rail.html", {"section": request.GET.get("section", "")})


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
