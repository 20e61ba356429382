"""Rename and merge places of the palace. Pointers never change."""

from collections import Counter
from dataclasses import dataclass, field

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from instances.actor import Actor
from instances.models import Instance
from memoryapp.models import Activity, Closet, Drawer, Palace, Room, Wing
from memoryapp.models.names import clean_name, slug


class PlaceNameTaken(ValueError):
    """Another wing or topic has that name; `by` is that place."""

    def __init__(self, by: Wing | Closet) -> None:
        super().__init__(
            _("“%(name)s” has this name already. Merge the two instead.") % {"name": by}
        )
        self.by = by


class CannotMerge(ValueError):
    """The two places cannot be merged; the message says why."""


@dataclass(frozen=True)
class Move:
    """Move of a room when its wing is merged."""

    room: Room
    #: The room of the same conversation that it is merged into; None if it moves as it is.
    joins: Room | None
    drawers: int


@dataclass(frozen=True)
class MergePreview:
    """The effect of a merge."""

    drawers: int
    moves: list[Move] = field(default_factory=list)
    #: Further names by which the remaining place is found.
    aliases: list[str] = field(default_factory=list)


def rename(place: Wing | Closet, name: str, *, by: Actor, kind: str | None = None) -> None:
    """Rename *place*, and change the *kind* of a wing. A wing is still found by its former name.
    Raises `PlaceNameTaken`, and `ValueError` for a name without a letter or sign.
    """
    name = clean_name(name)
    if not slug(name):
        raise ValueError(_("Enter a name."))
    with transaction.atomic():
        Palace.objects.hold(place.instance_id)
        place.refresh_from_db()
        place_slug, former = slug(name), place.slug
        if isinstance(place, Wing):
            others = Wing.objects.filter(instance=place.instance, end_user=place.end_user)
            _must_be_free(place_slug, others.exclude(pk=place.pk))
            aliases = dict.fromkeys([*place.aliases, former])
            place.aliases = [alias for alias in aliases if alias != place_slug]
            place.kind = kind or place.kind
        else:
            topics = Closet.objects.filter(room=place.room_id).exclude(pk=place.pk)
            if taken := topics.filter(slug=place_slug).first():
                raise PlaceNameTaken(taken)
        place.name, place.slug = name, place_slug
        place.save()
        _note(place.instance, by, f"renamed {_called(place)}")


def preview_wings(source: Wing, into: Wing) -> MergePreview:
    """The effect of `merge_wings`."""
    _must_fit(source, into)
    rooms = list(source.rooms.select_related("conversation"))
    present = {room.conversation_id: room for room in into.rooms.select_related("conversation")}
    counts = Counter(
        Drawer.objects.filter(closet__room__wing=source).values_list("closet__room", flat=True)
    )
    return MergePreview(
        sum(counts.values()),
        [Move(room, present.get(room.conversation_id), counts[room.pk]) for room in rooms],
        _aliases_together(source, into),
    )


def merge_wings(source: Wing, into: Wing, *, by: Actor) -> int:
    """Move the contents of *source* to *into*, which takes over its names too; return the number of
    drawers. Rooms of the same conversation are merged, and topics of the same name. Raises
    `CannotMerge`.
    """
    _must_fit(source, into)
    with transaction.atomic():
        Palace.objects.hold(source.instance_id)
        source.refresh_from_db()
        into.refresh_from_db()
        moved = Drawer.objects.filter(closet__room__wing=source).count()
        present = {room.conversation_id: room for room in into.rooms.all()}
        for room in source.rooms.all():
            if same := present.get(room.conversation_id):
                _empty_into(room, same)
            else:
                into.last_room += 1
                # Its number may be taken by another room there.
                room.row().update(wing=into, number=into.last_room)
        into.aliases = _aliases_together(source, into)
        into.save()
        source.delete()
        _note(into.instance, by, f"merged {_called(source)} into {_called(into)}")
    return moved


def preview_closets(source: Closet, into: Closet) -> MergePreview:
    """The effect of `merge_closets`."""
    _must_share_a_room(source, into)
    return MergePreview(source.drawers.count())


def merge_closets(source: Closet, into: Closet, *, by: Actor) -> int:
    """Move the drawers of *source* to *into*, another topic of the same room; return their number.
    Raises `CannotMerge`.
    """
    _must_share_a_room(source, into)
    with transaction.atomic():
        Palace.objects.hold(source.instance_id)
        moved = source.drawers.update(closet=into)
        source.delete()
        _note(into.instance, by, f"merged two topics of {_called(into.room.wing)}")
    return moved


def _empty_into(room: Room, into: Room) -> None:
    """Move the closets of *room* to *into*, and merge those of the same topic."""
    topics = {closet.slug: closet for closet in into.closets.all()}
    for closet in room.closets.all():
        if same := topics.get(closet.slug):
            closet.drawers.update(closet=same)
        else:
            closet.row().update(room=into)


def _must_fit(source: Wing, into: Wing) -> None:
    if source.pk == into.pk:
        raise CannotMerge(_("Choose another subject to merge into."))
    if (source.instance_id, source.end_user) != (into.instance_id, into.end_user):
        raise CannotMerge(_("These two are about different people and cannot be merged."))


def _must_share_a_room(source: Closet, into: Closet) -> None:
    if source.pk == into.pk or source.room_id != into.room_id:
        raise CannotMerge(_("Choose another topic of the same conversation."))


def _must_be_free(name: str, wings: QuerySet[Wing]) -> None:
    taken = wings.filter(slug=name).first() or wings.filter(aliases__contains=[name]).first()
    if taken:
        raise PlaceNameTaken(taken)


def _aliases_together(source: Wing, into: Wing) -> list[str]:
    aliases = dict.fromkeys([*into.aliases, source.slug, *source.aliases])
    return [alias for alias in aliases if alias != into.slug]


def _called(place: Wing | Closet) -> str:
    """Name of the place in the activity log: a number, since people may want to delete the name."""
    if isinstance(place, Wing):
        return f"W-{place.number:03}"
    return f"a topic of W-{place.room.wing.number:03}"


def _note(instance: Instance, by: Actor, about: str) -> None:
    instance.activity.record(by, Activity.Action.REORGANISED, about=about)
