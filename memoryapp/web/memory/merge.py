"""Merging of duplicate memories: preview, merge, and undo."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from instances.access import Request, visible_instance
from instances.actor import Actor
from instances.ids import parse_pk
from instances.models import Instance
from memoryapp.health.duplicate_scan import duplicate_groups, duplicate_similarities
from memoryapp.health.recommendations import Remedy
from memoryapp.models import Memory, MemoryRevision
from memoryapp.pipeline import NotTheNewest, Rejected, separate
from memoryapp.pipeline.candidates import Changed
from memoryapp.pipeline.duplicate_merge import DuplicateGroup, best_of, join
from memoryapp.web.health.recommendation_texts import address
from memoryapp.web.health.views import address_of
from memoryapp.web.memory.words import grouped
from memoryapp.web.version_token import Stale, parse_token, version_token

#: Groups of one preview, and memories of each.
MAX_GROUPS, MAX_GROUP_SIZE = 20, 10


@dataclass(frozen=True)
class DuplicateMemory:
    """A memory of a group."""

    memory: Memory
    #: True if its text stays by default.
    kept: bool
    #: Its cosine similarity to the nearest one of the group, in percent.
    percent: int | None

    @property
    def seen(self) -> str:
        return version_token(self.memory)


@dataclass(frozen=True)
class ShownGroup:
    """A group of duplicates in the preview."""

    #: The id of its first memory.
    number: int
    twins: Sequence[DuplicateMemory]
    #: How many memories are not shown.
    more: int


def groups_shown(instance: Instance) -> tuple[list[ShownGroup], int]:
    """Return the first groups, and the number of all."""
    groups = duplicate_groups(instance).groups
    ids = [pk for group in groups[:MAX_GROUPS] for pk in group[:MAX_GROUP_SIZE]]
    rows = Memory.objects.in_instance(instance).filter(pk__in=ids).defer("search")
    by_id = rows.with_conversations().in_bulk()
    nearest = duplicate_similarities(instance, ids)
    shown = []
    for group in groups[:MAX_GROUPS]:
        members = [by_id[pk] for pk in group[:MAX_GROUP_SIZE] if pk in by_id]
        if len(members) > 1:
            best = best_of(members)
            members.sort(key=lambda memory: (memory != best, memory.pk))
            twins = [DuplicateMemory(each, each == best, nearest.get(each.pk)) for each in members]
            shown.append(ShownGroup(group[0], twins, len(group[MAX_GROUP_SIZE:])))
    return shown, len(groups)


def merge(request: Request, instance: Instance) -> HttpResponse:
    """Merge the chosen groups."""
    groups, seen = _chosen(request)
    try:
        revisions = join(instance, groups, seen, by=Actor(request.user))
    except Changed as error:
        same = Memory.objects.in_instance(instance).as_seen(seen).count()
        raise Stale(len(seen) - same, len(seen)) from error
    except Rejected as error:
        messages.error(request, _("Nothing was merged. %(problem)s") % {"problem": error})
        return redirect(address(Remedy.MERGE, instance))
    query = urlencode({"instance": instance.slug})
    messages.success(
        request,
        _("Merged %(number)s memories into %(groups)s. The others are in their history.")
        % {"number": grouped(len(seen)), "groups": grouped(len(groups))},
        extra_tags=f"{reverse('health_part')}?{query}&{undo_query(revisions)}",
    )
    return redirect(address_of(instance))


def _chosen(request: Request) -> tuple[list[DuplicateGroup], Mapping[int, datetime]]:
    """Return the chosen groups, and the version of each memory. The memory that keeps its text
    belongs to its group in any case; a group of one is left out.
    """
    chosen: defaultdict[str, dict[int, datetime]] = defaultdict(dict)
    for value in request.POST.getlist("take")[: MAX_GROUPS * MAX_GROUP_SIZE]:
        number, _, token = value.partition(":")
        if version := parse_token(token):
            chosen[number][version[0]] = version[1]
    groups: list[DuplicateGroup] = []
    seen: dict[int, datetime] = {}
    for number, members in chosen.items():
        best = parse_token(request.POST.get(f"keep-{number}", ""))
        if best is None:
            continue
        members[best[0]] = best[1]
        others = [pk for pk in members if pk != best[0]]
        if others and not members.keys() & seen.keys():
            groups.append(DuplicateGroup(best[0], others))
            seen |= members
    if not groups:
        raise Stale(0, 0)
    return groups, seen


@require_POST
def part(request: Request) -> HttpResponse:
    """Undo a merge, all of it or nothing."""
    instance = visible_instance(request, request.GET.get("instance", ""))
    separate_all(request, instance)
    return redirect(address_of(instance))


def undo_query(revisions: Sequence[MemoryRevision]) -> str:
    """Return the query by which `separate_all` undoes a merge."""
    return urlencode({"of": "-".join(str(each.pk) for each in revisions)})


def separate_all(request: Request, instance: Instance) -> None:
    """Undo the merges that the query names, all of them or none, and say so."""
    texts = request.GET.get("of", "").split("-")
    ids = {pk for text in texts if (pk := parse_pk(text))}
    rows = MemoryRevision.objects.filter(
        pk__in=ids, memory__instance=instance, reason=MemoryRevision.Reason.JOINED
    )
    revisions = list(rows.select_related("memory__instance").order_by("-pk"))
    try:
        with transaction.atomic():
            if not revisions or len(revisions) != len(ids):
                raise NotTheNewest
            for revision in revisions:
                separate(revision, by=Actor(request.user))
    except NotTheNewest:
        messages.warning(
            request,
            _(
                "Nothing was separated: some of the memories were separated or deleted since. You "
                "can separate the rest in the history of each memory."
            ),
        )
    else:
        text = ngettext(
            "Separated %(number)s memory again.",
            "Separated %(number)s memories again.",
            len(revisions),
        )
        messages.success(request, text % {"number": grouped(len(revisions))})
