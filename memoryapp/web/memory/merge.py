"""Putting memories together that say the same: looked at first, and taken apart again."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from urllib.parse import urlencode

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from instances.access import Request, signed_in, visible_instance
from instances.actor import Actor
from instances.ids import parse_pk
from instances.models import Instance
from memoryapp.health.duplicate_scan import duplicate_groups, duplicate_similarities
from memoryapp.health.recommendations import Remedy
from memoryapp.models import Memory, MemoryRevision
from memoryapp.pipeline import NotTheNewest, Rejected, undo
from memoryapp.pipeline.candidates import Changed
from memoryapp.pipeline.duplicate_merge import DuplicateGroup, best_of, join
from memoryapp.web.health.recommendation_texts import address
from memoryapp.web.health.views import address_of
from memoryapp.web.memory.page import how_many
from memoryapp.web.version_token import (
    Stale,
    seen_as,
    what_was_seen,
)

#: As many are looked at and merged at once; the rest comes after.
MAX_GROUPS, MAX_GROUP_SIZE = 20, 10


@dataclass(frozen=True)
class DuplicateMemory:
    """A memory of a group."""

    memory: Memory
    #: Whether its text stays by default.
    kept: bool
    #: Its cosine similarity to the one of the group that is nearest to it, in percent.
    percent: int | None

    @property
    def seen(self) -> str:
        return seen_as(self.memory)


@dataclass(frozen=True)
class ShownGroup:
    """A group as it is shown: by the id of its first memory, and with how many that are not."""

    number: int
    twins: Sequence[DuplicateMemory]
    more: int


def groups_shown(instance: Instance) -> tuple[list[ShownGroup], int]:
    """The first groups, and how many there are."""
    groups = duplicate_groups(instance).groups
    looked_at = {group[0]: group[:MAX_GROUP_SIZE] for group in islice(groups, MAX_GROUPS)}
    ids = [pk for group in looked_at.values() for pk in group]
    rows = Memory.objects.in_instance(instance).filter(pk__in=ids).defer("search")
    memories = rows.prefetch_related("sources__conversation").in_bulk()
    nearest = duplicate_similarities(instance, ids)
    shown = []
    for number, group in enumerate(looked_at.values()):
        members = [memories[pk] for pk in group if pk in memories]
        if len(members) > 1:
            best = best_of(members)
            members.sort(key=lambda memory: (memory != best, memory.pk))
            twins = [DuplicateMemory(each, each == best, nearest.get(each.pk)) for each in members]
            shown.append(ShownGroup(group[0], twins, len(groups[number]) - len(group)))
    return shown, len(groups)


def merge(request: Request, instance: Instance) -> HttpResponse:
    """Put together what was chosen, group by group."""
    groups, seen = _chosen(request)
    try:
        left = join(instance, groups, seen, by=Actor(request.user))
    except Changed as error:
        same = Memory.objects.in_instance(instance).as_seen(seen).count()
        raise Stale(len(seen) - same, len(seen)) from error
    except Rejected as error:
        messages.error(request, f"Nothing was merged. {error}")
        return redirect(address(Remedy.MERGE, instance))
    query = {"instance": instance.slug, "of": "-".join(str(revision.pk) for revision in left)}
    messages.success(
        request,
        f"Merged {how_many(len(seen))} into {len(groups):,}. The others are in their history.",
        extra_tags=f"{reverse('health_part')}?{urlencode(query)}",
    )
    return redirect(address_of(instance))


def _chosen(request: Request) -> tuple[list[DuplicateGroup], Mapping[int, datetime]]:
    """The groups that were chosen, and as what each memory was seen. The one that keeps its text
    is of its group in any case; what is alone then stays as it is.
    """
    chosen: defaultdict[str, dict[int, datetime]] = defaultdict(dict)
    for value in request.POST.getlist("take")[: MAX_GROUPS * MAX_GROUP_SIZE]:
        number, _, twin = value.partition(":")
        if found := what_was_seen(twin):
            chosen[number][found[0]] = found[1]
    groups: list[DuplicateGroup] = []
    seen: dict[int, datetime] = {}
    for number, members in chosen.items():
        kept = what_was_seen(request.POST.get(f"keep-{number}", ""))
        if kept is None:
            continue
        members[kept[0]] = kept[1]
        others = [pk for pk in members if pk != kept[0]]
        if others and not members.keys() & seen.keys():
            groups.append(DuplicateGroup(kept[0], others))
            seen |= members
    if not groups:
        raise Stale(0, 0)
    return groups, seen


@require_POST
def part(request: HttpRequest) -> HttpResponse:
    """Take apart again what was put together, all of it or nothing."""
    request = signed_in(request)
    instance = visible_instance(request, request.GET.get("instance", ""))
    texts = request.GET.get("of", "").split("-")
    ids = {pk for text in texts if (pk := parse_pk(text))}
    revisions = MemoryRevision.objects.filter(
        pk__in=ids, memory__instance=instance, reason=MemoryRevision.Reason.JOINED
    )
    found = list(revisions.select_related("memory__instance").order_by("-pk"))
    try:
        with transaction.atomic():
            if not found or len(found) != len(ids):
                raise NotTheNewest
            for revision in found:
                undo(revision, by=Actor(request.user))
    except NotTheNewest:
        messages.warning(
            request,
            "Nothing was taken apart: some of it has been changed or taken apart since. The rest "
            "can be taken apart from the history of each memory.",
        )
    else:
        messages.success(request, f"Taken apart: {how_many(len(found))} stand by themselves again.")
    return redirect(address_of(instance))
