"""The `/activity` screen: who or what changed the memory, and when."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cached_property
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.views.decorators.http import require_GET

from conversations.sanitizer import sanitize
from conversations.url_text import filter_text
from instances.access import Request, with_instance
from instances.ids import parse_pk
from instances.models import ApiKey, Instance, User
from instances.url_state import FilterChip, URLState, one_of, parsed
from memoryapp.models import Activity, Memory

PER_PAGE = 20
Action = Activity.Action

#: What one can ask for, by its name in the address.
KINDS: dict[str, tuple[str, list[Action]]] = {
    "added": ("Added", [Action.CREATED]),
    "changed": ("Changed", [Action.UPDATED, Action.RESTORED, Action.JOINED_UP]),
    "deleted": ("Deleted", [Action.DELETED]),
    "undone": ("Taken back", [Action.UNDONE]),
    "graph": (
        "Graph",
        [
            Action.RELATION_ADDED,
            Action.RELATION_WITHDRAWN,
            Action.ENTITY_RENAMED,
            Action.ENTITIES_MERGED,
        ],
    ),
    "palace": ("Palace", [Action.UNFILED, Action.REORGANISED, Action.NOTED]),
    "settings": (
        "Settings and access",
        [
            Action.SETTINGS,
            Action.KEY_MADE,
            Action.KEY_REVOKED,
            Action.INVITED,
            Action.UNINVITED,
            Action.JOINED,
            Action.ROLE_CHANGED,
            Action.LEFT,
            Action.PASSWORD_LINK,
            Action.PASSWORD_RESET,
        ],
    ),
}

#: Who does what nobody does by hand, by the first word of `via`.
DOORS = {
    "extraction": "Reading",
    "assessment": "Assessment",
    "assistant": "The assistant",
    "api": "The API",
    "mcp": "An agent by MCP",
    "import": "An import",
    "demo": "The demo",
    "reembedding": "Re-embedding",
    "link": "A password link",
    "screen": "Somebody who has left",
}


def _date(written: str) -> date | None:
    try:
        return parse_date(written)
    except ValueError:
        return None  # Such as the 30th of February.


@dataclass(frozen=True)
class ActivityList(URLState):
    """The state of the list, from its URL."""

    url_name = "activity"

    instance: Instance
    kind: str = one_of(KINDS)
    #: ``by:`` and a username, or ``via:`` and a key of `DOORS`.
    who: str = parsed(lambda text: sanitize(text)[:160])
    user: str = parsed(filter_text)
    memory: int | None = parsed(parse_pk)
    since: date | None = parsed(_date)
    until: date | None = parsed(_date)
    page: str = parsed(str)

    @property
    def narrowed(self) -> bool:
        """Whether anything but the instance decides what is shown."""
        return bool(self.kind or self.who or self.user or self.memory or self.since or self.until)

    @property
    def chips(self) -> list[FilterChip]:
        labels = {name: label for name, (label, _) in KINDS.items()}
        return self.chips_for("kind", {"": "All"} | labels)

    @property
    def without_memory(self) -> str:
        return self.query(memory="", page="")

    def lines(self) -> QuerySet[Activity]:
        """What the filters let through, newest first."""
        lines = Activity.objects.filter(instance=self.instance)
        if self.kind:
            lines = lines.filter(action__in=KINDS[self.kind][1])
        how, _, name = self.who.partition(":")
        if how == "by":
            lines = lines.filter(by__username=name)
        elif how == "via":
            # A key's door has the key behind it, as in "api ks_3fA2x1".
            lines = lines.filter(by=None, via__regex=rf"^{name}( |$)" if name in DOORS else "^$")
        if self.user:
            of_user = self.instance.memories.filter(end_user=self.user)
            lines = lines.filter(memory_id__in=of_user.values("pk"))
        if self.memory:
            lines = lines.filter(memory_id=self.memory)
        if self.since:
            lines = lines.filter(at__gte=_midnight(self.since))
        if self.until:
            lines = lines.filter(at__lt=_midnight(self.until + timedelta(1)))
        return lines


@dataclass(frozen=True)
class ActivityEntry:
    """One thing that happened, as the screen tells it."""

    activity: Activity
    #: The memory that it was about, if that is still there.
    memory: Memory | None
    #: API keys by how they begin.
    keys: Mapping[str, ApiKey]

    @cached_property
    def actor(self) -> str:
        if self.activity.by is not None:
            return str(self.activity.by)
        door, _, prefix = self.activity.via.partition(" ")
        key = self.keys.get(prefix)
        return f"{DOORS.get(door, door)}, key “{key.name}”" if key else DOORS.get(door, door)

    @property
    def did(self) -> str:
        """What was done, as the end of a sentence."""
        count, about = self.activity.count, self.activity.about
        memories = "a memory" if count == 1 else f"{count:,} memories"
        match Action(self.activity.action):
            case Action.CREATED:
                return f"added {memories}"
            case Action.UPDATED:
                return f"changed {memories}"
            case Action.DELETED:
                return f"deleted {memories}"
            case Action.RESTORED:
                return "restored what a memory said before"
            case Action.JOINED_UP:
                return f"put {memories} together"
            case Action.UNDONE if count > 1:
                return f"brought back {memories}"
            case Action.UNDONE:
                return "took back what was done to a memory"
            case Action.RELATION_ADDED:
                return "added to the graph"
            case Action.RELATION_WITHDRAWN:
                return "took a wrong relation out of the graph"
            case Action.ENTITY_RENAMED:
                return "renamed an entity of the graph"
            case Action.ENTITIES_MERGED:
                return "made two entities of the graph one"
            case Action.SETTINGS:
                return f"changed the settings: {about}" if about else "changed the settings"
            case Action.KEY_MADE:
                return f"made the API key “{about}”"
            case Action.KEY_REVOKED:
                return f"revoked the API key “{about}”"
            case Action.JOINED if self.activity.by and str(self.activity.by) == about:
                return "became a member"
            case Action.JOINED:
                return f"made {about} a member"
            case Action.LEFT:
                return f"removed {about} from the members"
            case Action.INVITED:
                return f"invited {about}"
            case Action.UNINVITED:
                return f"withdrew the invitation of {about}"
            case Action.ROLE_CHANGED:
                return f"gave {about} another role"
            case Action.PASSWORD_LINK:
                return f"made a link that sets a new password for {about}"
            case Action.PASSWORD_RESET:
                return f"set a new password for {about}"
            case Action.UNFILED:
                return "deleted a drawer" if count == 1 else f"deleted {count:,} drawers"
            case Action.REORGANISED:
                return f"reorganised the palace: {about}"
            case Action.NOTED:
                return "wrote a note in the palace"

    @property
    def gone(self) -> bool:
        """Whether it was about one memory that is not there any more."""
        one = self.activity.memory_id is not None and self.memory is None
        return one and self.activity.action != Action.DELETED

    @property
    def through(self) -> str:
        """The way in that a person took, where it was not a screen."""
        door = self.activity.via.partition(" ")[0]
        if self.activity.by is None or door == "screen":
            return ""
        return {"api": "through the API", "import": "with an import"}.get(door, f"by {door}")


@require_GET
@with_instance("activity")
def activity(request: Request, instance: Instance) -> HttpResponse:
    """List what happened to the memory of an instance."""
    listing = ActivityList.parse(request.GET, instance=instance)
    rows = listing.lines().select_related("by", "conversation")
    page: Page[Any] = Paginator[Any](rows, PER_PAGE).get_page(listing.page)
    context = {
        "section": "activity",
        "list": listing,
        "page": page,
        "lines": _told(instance, list(page.object_list)),
        "people": _people(instance),
        "doors": {name: label for name, label in DOORS.items() if name != "screen"},
    }
    return render(request, "activity/list.html", context)


def _told(instance: Instance, lines: list[Activity]) -> list[ActivityEntry]:
    """The lines with the memories and keys that they name, in two queries."""
    ids = {line.memory_id for line in lines if line.memory_id is not None}
    memories = instance.memories.only("instance", "content", "category").in_bulk(list(ids))
    keys = {key.prefix: key for key in instance.api_keys.all()}
    return [ActivityEntry(line, memories.get(line.memory_id or 0), keys) for line in lines]


def _people(instance: Instance) -> list[str]:
    """Those who have changed anything, members or not."""
    theirs = Activity.objects.filter(instance=instance, by=OuterRef("pk"))
    people = User.objects.filter(Exists(theirs)).order_by("username")
    return list(people.values_list("username", flat=True))


def _midnight(day: date) -> datetime:
    """When *day* begins where the screens are read."""
    return timezone.make_aware(datetime.combine(day, time()))
