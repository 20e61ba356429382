"""The navigation: its entries, and what every screen's frame shows."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import connection
from django.db.models import Count, Q, Sum, Value
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import ResolverMatch, reverse
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET

from conversations.models import Conversation, Import
from instances.access import Request, with_instance
from instances.last_instance import last_instance
from instances.models import Instance, InstanceRole, MembershipInvitation, User
from memoryapp.models import (
    CountKind,
    EmbeddingJob,
    HeldStatement,
    MemoryCount,
    Run,
    StoredDocument,
    may_read,
)
from memoryapp.telemetry.heartbeat import worker_state
from memoryapp.web.settings.pages import pages_of

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

#: How many runs of a kind are a job worth a mark.
MIN_CONVERSATIONS = 5


@dataclass(frozen=True)
class _View:
    """One of the ways in which a place is looked at, with an address of its own."""

    #: What the screens under it name as their section.
    name: str
    label: "StrOrPromise"
    url_name: str
    #: Opens it, typed after "g"; empty if no key does.
    key: str = ""
    #: True if only managers may open it.
    managed: bool = False
    #: Its label among the views of its screen, if another one is clear there.
    among_views: "StrOrPromise" = ""
    #: What chooses it, where several views have one address.
    query: str = ""

    def path(self, instance: Instance | None) -> str:
        """The path of the view in *instance*."""
        of_instance = f"instance={instance.slug}" if instance else ""
        query = "&".join(filter(None, (of_instance, self.query)))
        return reverse(self.url_name) + (f"?{query}" if query else "")


@dataclass(frozen=True)
class _Screen:
    """A tab, with one view, or several to switch between."""

    label: "StrOrPromise"
    views: list[_View]
    #: True if it is shown only where it has rows.
    only_if_any: bool = False


@dataclass(frozen=True)
class _Section:
    """An entry of the navigation, with one screen, or several in tabs."""

    label: "StrOrPromise"
    icon: str
    screens: list[_Screen]


def _screen(name: str, label: "StrOrPromise", url_name: str, key: str, **more: bool) -> _Screen:
    """Return a screen with one view."""
    return _Screen(label, [_View(name, label, url_name, key)], **more)


SECTIONS = [
    _Section(_("Chat"), "message-circle", [_screen("chat", _("Chat"), "chat", "t")]),
    _Section(
        _("Memory"),
        "bookmark",
        [
            _Screen(
                _("Memories"),
                [
                    _View("memory", _("Memories"), "memories", "m", among_views=_("All memories")),
                    _View("ask", _("What the assistant sees"), "memories", "a", query="list=ask"),
                ],
            ),
            _screen("graph", _("Graph"), "graph", "g"),
            _screen("profile", _("Profile"), "profile", "o"),
            _screen("documents", _("Documents"), "stored_documents", "d", only_if_any=True),
            _screen("review", _("Review"), "review", "r"),
            _Screen(
                _("Removed"),
                [
                    _View("bin", _("Bin"), "bin", "b"),
                    _View("refused", _("Refused"), "refused"),
                    _View("blocked", _("Blocked"), "suppression"),
                    _View("rollback", _("Roll back"), "rollback", managed=True),
                ],
            ),
        ],
    ),
    _Section(
        _("Conversations"),
        "messages-square",
        [
            _Screen(
                _("Conversations"),
                [
                    _View(
                        "conversations",
                        _("Conversations"),
                        "conversations",
                        "c",
                        among_views=_("By date"),
                    ),
                    _View("palace", _("Palace"), "palace", "p"),
                ],
            )
        ],
    ),
    _Section(
        _("Status"),
        "activity",
        [
            _Screen(
                _("Status"),
                [
                    _View("health", _("Health"), "health", "h"),
                    _View("golden", _("Golden questions"), "golden", "q"),
                    _View("usage", _("Usage"), "usage", "u"),
                    _View("jobs", _("Jobs"), "jobs", "j"),
                ],
            ),
            _screen("activity", _("Activity"), "activity", "l"),
        ],
    ),
]


@dataclass(frozen=True)
class NavigationView:
    """A view as the navigation shows it."""

    name: str
    label: "StrOrPromise"
    path: str
    key: str
    #: Its name among the views of its screen.
    among_views: "StrOrPromise"
    #: The number of rows, where it is shown.
    number: int | None = None
    #: How many wait until a person confirms them.
    unconfirmed: int = 0

    @property
    def is_counted(self) -> bool:
        """True if it shows the number: of what waits, or is under way."""
        return self.name in ("review", "jobs") and self.number is not None


@dataclass(frozen=True)
class NavigationScreen:
    """A screen as the navigation shows it: a tab, unless it is the only one of its section."""

    label: "StrOrPromise"
    views: list[NavigationView]

    @property
    def first(self) -> NavigationView:
        return self.views[0]

    @property
    def names(self) -> list[str]:
        """The names of its views."""
        return [view.name for view in self.views]


@dataclass(frozen=True)
class NavigationEntry:
    """An entry of the navigation, which leads to its first screen."""

    label: "StrOrPromise"
    icon: str
    screens: list[NavigationScreen]

    @property
    def first(self) -> NavigationView:
        return self.screens[0].first

    @property
    def views(self) -> list[NavigationView]:
        """The views of its screens."""
        return [view for screen in self.screens for view in screen.views]

    @property
    def names(self) -> list[str]:
        """The names of its views."""
        return [view.name for view in self.views]

    @property
    def jobs(self) -> int:
        """How many jobs run, if this is the entry of their screen."""
        return sum(view.number or 0 for view in self.views if view.name == "jobs")

    @property
    def unconfirmed(self) -> int:
        """How many imports wait until a person confirms them, likewise."""
        return sum(view.unconfirmed for view in self.views)

    @property
    def is_reviewed(self) -> bool:
        """True if statements of it wait for a decision, or could."""
        return any(view.name == "review" and view.is_counted for view in self.views)

    @property
    def waiting(self) -> int:
        """How many statements wait for a decision."""
        return sum(view.number or 0 for view in self.views if view.name == "review")


def frame(request: HttpRequest) -> dict[str, Any]:
    """Context processor of the frame: the instance of the page, the one that the frame names, which
    is the last one where the page has none, the others, and the user's role;
    whether conversations wait to be read because the instance has reached its monthly cap; whether
    a worker runs; and how large a file that is imported may be.
    """
    # A request may be refused before authentication.
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return {}
    instance = getattr(request, "instance", None)
    framed = instance or last_instance(request)
    known = getattr(request, "role", None)
    role = cache(lambda: known or (instance.role_of(user) if instance else None))
    framed_role = role if instance else cache(lambda: framed.role_of(user) if framed else None)
    return {
        "instance": instance,
        "framed": framed,
        "instances": SimpleLazyObject(lambda: list(Instance.objects.visible_to(user))),
        "invited": SimpleLazyObject(MembershipInvitation.objects.open_for(user).count),
        "may_edit": SimpleLazyObject(lambda: role() in InstanceRole.MEMBER.and_above),
        "may_manage": SimpleLazyObject(lambda: role() == InstanceRole.MANAGER),
        "may_manage_framed": SimpleLazyObject(lambda: framed_role() == InstanceRole.MANAGER),
        "capped": SimpleLazyObject(lambda: instance is not None and not may_read(instance)),
        "navigation": SimpleLazyObject(
            lambda: entries(framed, may_manage=framed_role() == InstanceRole.MANAGER)
        ),
        "worker": SimpleLazyObject(worker_state),
        "most_upload_bytes": settings.MAX_UPLOAD_MB << 20,
    }


def _counts(instance: Instance) -> dict[str, int | None]:
    """The numbers of memories, of conversations, of statements that wait, of jobs that run and of
    imports that wait for a person, in one query.
    """
    with connection.cursor() as cursor:
        cursor.execute(*_counting(instance.pk))
        row = cursor.fetchone()
    memories, conversations, held, imports, unconfirmed, embedding_jobs, *queues, document = row
    # A few runs are those of the conversation that goes on.
    long_queues = sum((queue or 0) >= MIN_CONVERSATIONS for queue in queues)
    return {
        "memory": memories or 0,
        "conversations": conversations or 0,
        "documents": document or 0,
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
    numbers = [
        rows.filter(instance=instance_id).order_by().values("instance").annotate(number=number)
        for rows, number in counted
    ]
    # One is enough to show the screen.
    document = StoredDocument.objects.filter(instance=instance_id).annotate(number=Value(1))[:1]
    texts: list[str] = []
    params: list[Any] = []
    for each in [*numbers, document]:
        text, values = each.values("number").query.sql_with_params()
        texts.append(f"({text})")
        params += values
    return f"SELECT {', '.join(texts)}", params


def entries(instance: Instance | None, *, may_manage: bool) -> list[NavigationEntry]:
    """Return the navigation of *instance*, for a person who *may_manage* it or not."""
    counts = _counts(instance) if instance else {}
    found = [
        NavigationEntry(
            section.label,
            section.icon,
            [
                NavigationScreen(
                    screen.label,
                    [
                        NavigationView(
                            view.name,
                            view.label,
                            view.path(instance),
                            view.key,
                            view.among_views or view.label,
                            counts.get(view.name),
                            (counts.get("unconfirmed") or 0) if view.name == "jobs" else 0,
                        )
                        for view in screen.views
                        if may_manage or not view.managed
                    ],
                )
                for screen in section.screens
                if not screen.only_if_any or counts.get(screen.views[0].name)
            ],
        )
        for section in SECTIONS
    ]
    settings = (
        reverse("instance_settings", args=[instance.slug]) if instance else reverse("instances")
    )
    screen = NavigationScreen(
        _("Settings"),
        [NavigationView("settings", _("Settings"), settings, "s", _("Settings"))],
    )
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
    views = {
        view.name: view for each in SECTIONS for screen in each.screens for view in screen.views
    }
    shown = views.get(section, views["memory"])
    if match and not match.kwargs and match.view_name != shown.url_name:
        shown = _View("", "", match.view_name)
    return [(each, shown.path(each)) for each in instances]


def _settings_in(other: Instance, match: ResolverMatch, may_manage: bool) -> str:
    name = match.kwargs.get("name")
    if may_manage and (name is None or name in {page.name for page in pages_of(other)}):
        return reverse(match.view_name, kwargs=match.kwargs | {"slug": other.slug})
    return reverse("instance_settings", args=[other.slug])
