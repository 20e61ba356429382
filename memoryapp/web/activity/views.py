"""The `/activity` screen: who or what changed the memory, and when."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Sum
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from conversations.models import Import
from conversations.sanitizer import sanitize
from conversations.url_text import filter_text
from instances.access import Request, with_instance
from instances.ids import parse_pk
from instances.keyset_pages import page_of
from instances.models import ApiKey, Instance, User
from instances.url_state import FilterChip, URLState, one_of, parsed
from memoryapp.models import Activity, Memory, MemoryRevision, Summary
from memoryapp.web.activity.sentences import (
    KINDS,
    SYSTEM_ACTORS,
    changes_of,
    part_in_words,
    sentence_of,
    way_of,
)
from memoryapp.web.days import end_of, parse_day, start_of

PER_PAGE = 20
#: What the entries of one act have in common.
ACT = ("at", "action", "via")
Action = Activity.Action


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
    #: An entry: all those of its act.
    act: int | None = parsed(parse_pk)
    page: str = parsed(str)

    @property
    def narrowed(self) -> bool:
        """True if anything but the instance restricts what is shown."""
        return self.is_filtered or bool(self.memory or self.act)

    @property
    def is_filtered(self) -> bool:
        """True if the filters that can be chosen restrict what is shown."""
        return bool(self.kind or self.who or self.user or self.since or self.until)

    @property
    def chips(self) -> list[FilterChip]:
        labels = {name: str(label) for name, (label, _actions) in KINDS.items()}
        return self.chips_for("kind", {"": _("All")} | labels)

    @property
    def without_memory(self) -> str:
        return self.query(memory="", page="")

    @property
    def without_act(self) -> str:
        return self.query(act="", page="")

    @property
    def is_by_act(self) -> bool:
        """True if the entries of an act are shown as one."""
        return not (self.act or self.memory or self.user)

    def lines(self) -> QuerySet[Activity]:
        """Return the activities that match the filters; the last one of each act stands for it."""
        lines = Activity.objects.filter(instance=self.instance)
        if self.kind:
            lines = lines.filter(action__in=KINDS[self.kind][1])
        how, _colon, name = self.who.partition(":")
        if how == "by":
            lines = lines.filter(by__username=name)
        elif how == "via":
            # For an API key, `via` ends with its prefix, as in "api ks_3fA2x1".
            pattern = rf"^{name}( |$)" if name in SYSTEM_ACTORS else "^$"
            lines = lines.filter(by=None, via__regex=pattern)
        if self.user:
            # Only what still exists tells whom an entry is about.
            memories = self.instance.memories.filter(end_user=self.user)
            conversations = self.instance.conversations.filter(end_user=self.user)
            lines = lines.filter(
                Q(memory_id__in=memories.values("pk"))
                | Q(conversation__in=conversations.values("pk"))
            )
        if self.memory:
            lines = lines.filter(memory_id=self.memory)
        if self.act:
            shown = Activity.objects.filter(instance=self.instance, pk=self.act)
            lines = lines.filter(**{name: shown.values(name)[:1] for name in ACT})
        if self.since:
            lines = lines.filter(at__gte=start_of(self.since))
        if self.until:
            lines = lines.filter(at__lt=end_of(self.until))
        if self.is_by_act:
            same = {name: OuterRef(name) for name in ACT}
            later = Activity.objects.filter(instance=self.instance, pk__gt=OuterRef("pk"), **same)
            lines = lines.filter(~Exists(later))
        return lines


@dataclass(frozen=True)
class ActivityEntry:
    """An activity, as the screen shows it; or the act of which it is the last one."""

    activity: Activity
    #: How many entries the act has, and what they count together.
    entries: int
    count: int
    #: The memory that it was about, if it still exists.
    memory: Memory | None
    #: What that memory said after it, if that has changed since.
    former: MemoryRevision | None
    #: API keys by their prefixes.
    keys: Mapping[str, ApiKey]
    #: The import that it tells of, if that is still listed.
    import_: Import | None
    #: The summary that it tells of, if that still exists.
    summary: Summary | None

    @cached_property
    def actor(self) -> str:
        if self.activity.by is not None:
            return str(self.activity.by)
        return part_in_words(self.activity.via, self.keys)

    @property
    def sentence(self) -> SafeString:
        return sentence_of(self.activity, self.actor, self.count)

    @property
    def changes(self) -> list[str]:
        return changes_of(self.activity)

    @property
    def way(self) -> str:
        return way_of(self.activity)

    @property
    def text(self) -> str:
        """Text of the memory after the action. Deleted memories leave no text behind."""
        if self.memory is None:
            return ""
        return self.former.content if self.former else self.memory.content

    @property
    def gone(self) -> bool:
        """True if it was about one memory that no longer exists."""
        is_gone = self.activity.memory_id is not None and self.memory is None
        return (
            is_gone
            and self.entries == 1
            and self.activity.action not in (Action.DELETED, Action.ARCHIVED)
        )

    @property
    def link(self) -> tuple[str, str] | None:
        """The address of what it concerns as a whole, with its label."""
        of_instance = f"instance={self.activity.instance.slug}"
        match self.activity.action:
            case Action.MARKED_STALE:
                return f"{reverse('memories')}?{of_instance}&state=stale", _("Stale memories")
            case Action.RELATIONS_LEARNED | Action.RELATION_ADDED | Action.RELATION_WITHDRAWN:
                return f"{reverse('graph')}?{of_instance}", _("Graph")
            case Action.FILED | Action.REORGANISED | Action.NOTED:
                return f"{reverse('palace')}?{of_instance}", _("Palace")
            case Action.SUMMED_UP if self.summary is not None:
                query = {"instance": self.activity.instance.slug}
                if self.summary.end_user:
                    query["end_user"] = self.summary.end_user
                return f"{reverse('profile')}?{urlencode(query)}", _("Profile")
        return None


@require_GET
@with_instance("activity")
def activity(request: Request, instance: Instance) -> HttpResponse:
    """List what happened to the memory of an instance."""
    listing = ActivityList.parse(request.GET, instance=instance)
    page = page_of(listing.lines(), ["-at", "-id"], listing.page, per_page=PER_PAGE)
    rows = Activity.objects.select_related("by", "conversation").in_bulk(page.object_list)
    context = {
        "section": "activity",
        "list": listing,
        "page": page,
        "lines": _entries(listing, [rows[pk] for pk in page if pk in rows]),
        "people": _people(instance),
        "parts": {name: label for name, label in SYSTEM_ACTORS.items() if name != "screen"},
    }
    return render(request, "activity/list.html", context)


def _entries(listing: ActivityList, lines: list[Activity]) -> list[ActivityEntry]:
    """Return *lines* with the memories, keys, imports and summaries that they name."""
    instance = listing.instance
    acts = _acts(instance, lines) if listing.is_by_act else {}
    ids = {line.memory_id for line in lines if line.memory_id is not None}
    memories = instance.memories.only("instance", "content", "category").in_bulk(list(ids))
    former = _former_versions(memories)
    keys = {key.prefix: key for key in instance.api_keys.all()}
    imports: dict[UUID | None, Import] = {}
    if batches := {line.batch for line in lines if line.batch is not None}:
        rows = instance.imports.filter(batch__in=batches)
        imports |= {each.batch: each for each in rows.only("batch", "filename")}
    summaries: dict[str, Summary] = {}
    if written := {line.about for line in lines if line.action == Action.SUMMED_UP}:
        known = instance.summaries.filter(pk__in=[pk for pk in map(parse_pk, written) if pk])
        summaries |= {str(each.pk): each for each in known.only("end_user")}
    entries = []
    for line in lines:
        line.instance = instance
        pk = line.memory_id or 0
        versions = former.get(pk, [])
        number, count = acts.get(_act_of(line), (1, line.count))
        entries.append(
            ActivityEntry(
                line,
                number,
                count,
                memories.get(pk) if number == 1 else None,
                next((each for each in versions if each.replaced_at > line.at), None),
                keys,
                imports.get(line.batch),
                summaries.get(line.about) if line.action == Action.SUMMED_UP else None,
            )
        )
    return entries


def _act_of(line: Activity) -> tuple[Any, ...]:
    return tuple(getattr(line, name) for name in ACT)


def _acts(instance: Instance, lines: list[Activity]) -> dict[tuple[Any, ...], tuple[int, int]]:
    """Return how many entries each act of *lines* has, and what they count together."""
    rows = Activity.objects.filter(instance=instance, at__in={line.at for line in lines})
    counted = rows.order_by().values_list(*ACT).annotate(Count("pk"), Sum("count"))
    return {tuple(act): (number, count) for *act, number, count in counted}


def _former_versions(memories: Mapping[int, Memory]) -> Mapping[int, list[MemoryRevision]]:
    """Return the earlier versions of *memories*, the oldest first."""
    former: defaultdict[int, list[MemoryRevision]] = defaultdict(list)
    if memories:
        rows = MemoryRevision.objects.versions().filter(memory__in=list(memories))
        for row in rows.only("memory_id", "content", "replaced_at").order_by("replaced_at", "pk"):
            former[row.memory_id].append(row)
    return former


def _people(instance: Instance) -> list[str]:
    """Return the names of all people who have changed something, members or not."""
    activities = Activity.objects.filter(instance=instance, by=OuterRef("pk"))
    people = User.objects.filter(Exists(activities)).order_by("username")
    return list(people.values_list("username", flat=True))
