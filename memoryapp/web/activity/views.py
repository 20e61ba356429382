"""The `/activity` screen: who or what changed the memory, and when."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any
from uuid import UUID

from django.core.paginator import Paginator
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from conversations.models import Import
from conversations.sanitizer import sanitize
from conversations.url_text import filter_text
from instances.access import Request, with_instance
from instances.ids import parse_pk
from instances.models import ApiKey, Instance, User
from instances.url_state import FilterChip, URLState, one_of, parsed
from memoryapp.models import Activity, Memory
from memoryapp.web.days import end_of, parse_day, start_of

PER_PAGE = 20
Action = Activity.Action

#: Kinds of activity, by their names in the URL.
KINDS: dict[str, tuple[str, list[Action]]] = {
    "added": ("Added", [Action.CREATED, Action.IMPORTED]),
    "changed": ("Changed", [Action.UPDATED, Action.RESTORED, Action.JOINED_UP]),
    "deleted": ("Deleted", [Action.DELETED, Action.ARCHIVED]),
    "undone": ("Taken back", [Action.UNDONE, Action.UNARCHIVED]),
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
    "secrets": ("Secrets shown", [Action.REVEALED]),
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

#: What was done, as the end of a sentence.
PHRASES = {
    Action.CREATED: "added {memories}",
    Action.UPDATED: "changed {memories}",
    Action.IMPORTED: "imported {memories}",
    Action.DELETED: "deleted {memories}",
    Action.ARCHIVED: "put {memories} in the bin",
    Action.UNARCHIVED: "took {memories} out of the bin",
    Action.RESTORED: "restored what a memory said before",
    Action.JOINED_UP: "put {memories} together",
    Action.UNDONE: "took back what was done to a memory",
    Action.RELATION_ADDED: "added to the graph",
    Action.RELATION_WITHDRAWN: "took a wrong relation out of the graph",
    Action.ENTITY_RENAMED: "renamed an entity of the graph",
    Action.ENTITIES_MERGED: "made two entities of the graph one",
    Action.SETTINGS: "changed the settings: {about}",
    Action.KEY_MADE: "made the API key “{about}”",
    Action.KEY_REVOKED: "revoked the API key “{about}”",
    Action.JOINED: "made {about} a member",
    Action.LEFT: "removed {about} from the members",
    Action.INVITED: "invited {about}",
    Action.UNINVITED: "withdrew the invitation of {about}",
    Action.ROLE_CHANGED: "gave {about} another role",
    Action.PASSWORD_LINK: "made a link that sets a new password for {about}",
    Action.PASSWORD_RESET: "set a new password for {about}",
    Action.UNFILED: "deleted {drawers}",
    Action.REORGANISED: "reorganised the palace: {about}",
    Action.NOTED: "wrote a note in the palace",
    Action.REVEALED: "looked at what is secret in a message",
}

#: Actors that are no person, by the first word of `via`.
SYSTEM_ACTORS = {
    "extraction": "Reading",
    "builtin_reader": "The built-in reader",
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


@dataclass(frozen=True)
class ActivityList(URLState):
    """The state of the list, from its URL."""

    url_name = "activity"

    instance: Instance
    kind: str = one_of(KINDS)
    #: ``by:`` and a username, or ``via:`` and a key of `SYSTEM_ACTORS`.
    who: str = parsed(lambda text: sanitize(text)[:160])
    user: str = parsed(filter_text)
    memory: int | None = parsed(parse_pk)
    since: date | None = parsed(parse_day)
    until: date | None = parsed(parse_day)
    page: str = parsed(str)

    @property
    def narrowed(self) -> bool:
        """Whether anything but the instance restricts what is shown."""
        return bool(self.kind or self.who or self.user or self.memory or self.since or self.until)

    @property
    def chips(self) -> list[FilterChip]:
        labels = {name: label for name, (label, _) in KINDS.items()}
        return self.chips_for("kind", {"": "All"} | labels)

    @property
    def without_memory(self) -> str:
        return self.query(memory="", page="")

    def lines(self) -> QuerySet[Activity]:
        """Return the activities that match the filters, newest first."""
        lines = Activity.objects.filter(instance=self.instance)
        if self.kind:
            lines = lines.filter(action__in=KINDS[self.kind][1])
        how, _, name = self.who.partition(":")
        if how == "by":
            lines = lines.filter(by__username=name)
        elif how == "via":
            # For an API key, `via` ends with its prefix, as in "api ks_3fA2x1".
            pattern = rf"^{name}( |$)" if name in SYSTEM_ACTORS else "^$"
            lines = lines.filter(by=None, via__regex=pattern)
        if self.user:
            of_user = self.instance.memories.filter(end_user=self.user)
            lines = lines.filter(memory_id__in=of_user.values("pk"))
        if self.memory:
            lines = lines.filter(memory_id=self.memory)
        if self.since:
            lines = lines.filter(at__gte=start_of(self.since))
        if self.until:
            lines = lines.filter(at__lt=end_of(self.until))
        return lines


@dataclass(frozen=True)
class ActivityEntry:
    """An activity, as the screen shows it."""

    activity: Activity
    #: The memory that it was about, if it still exists.
    memory: Memory | None
    #: API keys by their prefixes.
    keys: Mapping[str, ApiKey]
    #: The import that it tells of, if that is still listed.
    import_: Import | None

    @cached_property
    def actor(self) -> str:
        if self.activity.by is not None:
            return str(self.activity.by)
        via, _, prefix = self.activity.via.partition(" ")
        actor = SYSTEM_ACTORS.get(via, via)
        key = self.keys.get(prefix)
        return f"{actor}, key “{key.name}”" if key else actor

    @property
    def did(self) -> str:
        """What was done, as the end of a sentence."""
        count, about = self.activity.count, self.activity.about
        action = Action(self.activity.action)
        phrase = PHRASES[action]
        if action is Action.UNDONE and self.activity.batch:
            phrase = "took back what came from {about}: {memories}"
        elif action is Action.UNDONE and count > 1:
            phrase = "brought back {memories}"
        elif action is Action.SETTINGS and not about:
            phrase = "changed the settings"
        elif action is Action.JOINED and self.activity.by and str(self.activity.by) == about:
            phrase = "became a member"
        return phrase.format(
            about=about,
            memories="a memory" if count == 1 else f"{count:,} memories",
            drawers="a drawer" if count == 1 else f"{count:,} drawers",
        )

    @property
    def gone(self) -> bool:
        """Whether it was about one memory that no longer exists."""
        is_gone = self.activity.memory_id is not None and self.memory is None
        return is_gone and self.activity.action not in (Action.DELETED, Action.ARCHIVED)

    @property
    def through(self) -> str:
        """How a person did it, where it was not on a screen."""
        via = self.activity.via.partition(" ")[0]
        if self.activity.by is None or via == "screen":
            return ""
        return {"api": "through the API", "import": "with an import"}.get(via, f"by {via}")


@require_GET
@with_instance("activity")
def activity(request: Request, instance: Instance) -> HttpResponse:
    """List what happened to the memory of an instance."""
    listing = ActivityList.parse(request.GET, instance=instance)
    rows = listing.lines().select_related("by", "conversation")
    page = Paginator[Any](rows, PER_PAGE).get_page(listing.page)
    context = {
        "section": "activity",
        "list": listing,
        "page": page,
        "lines": _entries(instance, list(page.object_list)),
        "people": _people(instance),
        "doors": {name: label for name, label in SYSTEM_ACTORS.items() if name != "screen"},
    }
    return render(request, "activity/list.html", context)


def _entries(instance: Instance, lines: list[Activity]) -> list[ActivityEntry]:
    """Return *lines* with the memories, keys and imports that they name."""
    ids = {line.memory_id for line in lines if line.memory_id is not None}
    memories = instance.memories.only("instance", "content", "category").in_bulk(list(ids))
    keys = {key.prefix: key for key in instance.api_keys.all()}
    imports: dict[UUID | None, Import] = {}
    if batches := {line.batch for line in lines if line.batch is not None}:
        rows = instance.imports.filter(batch__in=batches)
        imports |= {each.batch: each for each in rows.only("batch", "filename")}
    return [
        ActivityEntry(line, memories.get(line.memory_id or 0), keys, imports.get(line.batch))
        for line in lines
    ]


def _people(instance: Instance) -> list[str]:
    """Return the names of all people who have changed something, members or not."""
    activities = Activity.objects.filter(instance=instance, by=OuterRef("pk"))
    people = User.objects.filter(Exists(activities)).order_by("username")
    return list(people.values_list("username", flat=True))
