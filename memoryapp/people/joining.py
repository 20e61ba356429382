"""Joins two ids of one person: all rows of the second become the first's, and what comes in with
the second id later counts as the first's. Nothing is lost, and nothing is decided about facts: two
values of a key that has one stand side by side, linked as possibly contradicting.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from django.db import transaction
from django.utils.translation import gettext as _

from instances.actor import Actor
from instances.models import EndUserAlias, Group, GroupMember, Instance
from memoryapp.graph.corrections import merge_entities
from memoryapp.models import (
    Activity,
    AuditRecord,
    Contradiction,
    Entity,
    Erasure,
    Likeness,
    Memory,
    MemoryRevision,
    Palace,
    Run,
    Summary,
    SuppressedStatement,
    SuppressionRule,
    Wing,
)
from memoryapp.palace.reorganisation import merge_wings
from memoryapp.people.inventory import HOLDINGS, Person, counts_of, has_end_user
from memoryapp.pipeline.versions import revised, store_version
from memoryapp.policy.keyed_facts import is_single_valued
from memoryapp.runs.locks import lock_out_writers

#: Tables with an id that does not just change: those whose rows are merged below, and those with
#: hashes, which keep the id with which these were made, and hold for all ids of a person.
_NOT_RENAMED = (
    *(Wing, Entity, Summary, EndUserAlias, SuppressionRule, SuppressedStatement),
    *(AuditRecord, GroupMember),
)


class CannotJoin(ValueError):
    """The two people cannot be joined now; the message says why."""


@dataclass(frozen=True)
class KeyConflict:
    """A key of which both have a value, and which has one at a time."""

    key: str
    #: The one that keeps the key, and the other one.
    kept: Memory
    beside: Memory


@dataclass(frozen=True)
class JoinPreview:
    """Effect that joining would have."""

    into: Person
    other: Person
    #: The rows of the second id by table.
    counts: dict[str, int]
    conflicts: list[KeyConflict]


def preview(instance: Instance, end_user: str, other: str) -> JoinPreview:
    """Say what `join` would do. Raises `CannotJoin`."""
    into, second = Person.of(instance, end_user), Person.of(instance, other)
    if not (into.ids[0] and second.ids[0]):
        raise CannotJoin(_("Enter two ids. A person without an id cannot be joined."))
    if into == second:
        raise CannotJoin(_("These are already the same person."))
    if Group.objects.filter(instance=instance, shared_id__in=[*into.ids, *second.ids]).exists():
        raise CannotJoin(_("A group and a person cannot be joined."))
    counts = counts_of(second)
    if not counts:
        raise CannotJoin(_("Nothing is stored about “%(id)s”. Check the id.") % {"id": second.name})
    if Erasure.objects.filter(
        instance=instance,
        state=Erasure.State.RUNNING,
        ids__overlap=[*into.ids, *second.ids],
    ).exists():
        raise CannotJoin(_("One of the two is being erased."))
    return JoinPreview(into, second, counts, list(_conflicts(instance, into, second)))


def join(instance: Instance, end_user: str, other: str, *, by: Actor, typed: str) -> JoinPreview:
    """Make everything of *other* that of *end_user*, confirmed by what was ``typed``: the id of the
    other. It cannot be undone. Raises `CannotJoin`.
    """
    with transaction.atomic():
        Instance.objects.select_for_update(of=("self",)).get(pk=instance.pk)
        lock_out_writers(instance)
        plan = preview(instance, end_user, other)
        first, second = plan.into.ids[0], plan.other.ids[0]
        if typed.strip() != second:
            raise CannotJoin(_("Type “%(id)s” to confirm.") % {"id": second})
        theirs = {"instance": instance, "end_user": second}
        running = Run.objects.filter(
            instance=instance, conversation__end_user=second, state=Run.State.RUNNING
        )
        if running.exists():
            raise CannotJoin(_("A conversation of this id is being read. Try again in a moment."))
        Palace.objects.hold(instance.pk)
        _let_stand_side_by_side(plan.conflicts, by)
        # Their memories have to be compared with those of the other id.
        Likeness.objects.filter(
            embedding__memory__in=Memory._base_manager.filter(**theirs)
        ).delete()
        for model in (holding.model for holding in HOLDINGS):
            if has_end_user(model) and model not in _NOT_RENAMED:
                model._base_manager.filter(**theirs).update(end_user=first)
        shared = Memory._base_manager.filter(instance=instance, shared_by=second)
        shared.update(shared_by=first)
        _join_wings(instance, first, second, by)
        _join_entities(instance, first, second, by)
        Summary.objects.filter(**theirs).delete()
        Summary.objects.drop(Memory._base_manager.filter(instance=instance, end_user=first))
        Summary.objects.want(instance, [first])
        memberships = GroupMember.objects.filter(**theirs)
        groups = GroupMember.objects.filter(instance=instance, end_user=first).values("group")
        memberships.filter(group__in=groups).delete()
        memberships.update(end_user=first)
        EndUserAlias.objects.filter(**theirs).update(end_user=first)
        EndUserAlias.objects.create(instance=instance, alias=second, end_user=first, by=by.user)
        Instance.objects.filter(pk=instance.pk).update(has_aliases=True)
        instance.activity.record(
            by,
            Activity.Action.IDS_JOINED,
            count=max(1, sum(plan.counts.values())),
            end_user=first,
        )
    instance.has_aliases = True
    return replace(plan, into=Person.of(instance, first))


def _conflicts(instance: Instance, into: Person, second: Person) -> Iterable[KeyConflict]:
    keyed = Memory._base_manager.filter(instance=instance).exclude(key="").defer("search")
    ours = {memory.key: memory for memory in keyed.filter(end_user=into.ids[0])}
    for theirs in keyed.filter(end_user=second.ids[0], key__in=ours).order_by("key", "pk"):
        if not is_single_valued(theirs.key, instance.single_valued_keys):
            continue
        # As a write would: what is believed more keeps the key, and else what was said last.
        pair = sorted((ours[theirs.key], theirs), key=lambda each: (each.tier, each.said_at))
        ours[theirs.key] = pair[1]
        yield KeyConflict(theirs.key, pair[1], pair[0])


def _let_stand_side_by_side(conflicts: Iterable[KeyConflict], by: Actor) -> None:
    """Take the key from one of each two, which keeps it in its history, and link the two."""
    for conflict in conflicts:
        beside = conflict.beside
        if beside.value.casefold() != conflict.kept.value.casefold():
            Contradiction.objects.note(conflict.kept, [beside.pk])
        former = revised(
            beside,
            {"content": beside.content, "key": "", "value": ""},
            reason=MemoryRevision.Reason.EDITED,
            by=by.user,
        )
        store_version(beside, former)


def _join_wings(instance: Instance, first: str, second: str, by: Actor) -> None:
    known = {wing.slug: wing for wing in Wing.objects.filter(instance=instance, end_user=first)}
    for wing in Wing.objects.filter(instance=instance, end_user=second).order_by("number"):
        if same := known.get(wing.slug):
            wing.end_user = first
            merge_wings(wing, same, by=by)
        else:
            wing.row().update(end_user=first)


def _join_entities(instance: Instance, first: str, second: str, by: Actor) -> None:
    ours = Entity.objects.filter(instance=instance, end_user=first)
    known = {(entity.slug, entity.kind): entity for entity in ours}
    theirs = list(Entity.objects.filter(instance=instance, end_user=second))
    Entity.objects.filter(pk__in=[entity.pk for entity in theirs]).update(end_user=first)
    for entity in theirs:
        if same := known.get((entity.slug, entity.kind)):
            entity.end_user = first
            merge_entities(entity, same, by=by)
