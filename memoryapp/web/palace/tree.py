"""The tree of the palace: the wings, and the open branch."""

from dataclasses import dataclass, field
from typing import Any

from django.db.models import Q
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from conversations.models import Conversation
from memoryapp.models import Closet, Room, Wing, WingKind
from memoryapp.models.palace import PlaceQuerySet
from memoryapp.web.palace.listing import SORTS, PalaceListing, is_named_alike

#: Wings, and rooms of a wing, that are shown at once.
PAGE_SIZE = 50

LATEST_FIRST = ["-last_said_at", "-number"]

ICONS = {
    WingKind.PERSON: "user",
    WingKind.PROJECT: "folder",
    WingKind.TOPIC: "hash",
    WingKind.AGENT: "bot",
}


@dataclass(frozen=True)
class TreeNode:
    """A place in the tree."""

    place: Wing | Room | Closet
    label: str
    #: The address of the place, or of its parent if this place is the current one.
    url: str
    icon: str = ""
    #: The icon's label.
    kind: str = ""
    #: The person that it is about.
    about: str = ""
    current: bool = False
    #: None: it cannot be opened.
    is_open: bool | None = False
    children: "list[TreeNode]" = field(default_factory=list)
    #: The address that shows more of the children, and how many there are left.
    more: str = ""
    left: int = 0

    @property
    def id(self) -> str:
        return f"{self.place._meta.model_name}-{self.place.pk}"


@dataclass(frozen=True)
class Tree:
    """The wings that match the filter."""

    branches: list[TreeNode]
    #: The number of wings.
    total: int
    more: str = ""
    left: int = 0


def load_tree(listing: PalaceListing) -> Tree:
    """Load the tree with the branch of *listing* open, in a fixed number of queries."""
    rows = _wings(listing)
    total = rows.count()
    most = PAGE_SIZE * (listing.wings + 1)
    wings = list(rows.counted().order_by(*SORTS[listing.sort or "recent"][1])[:most])
    here = listing.spot.wing
    if here and here.pk not in {wing.pk for wing in wings}:
        # The current place is always shown, even if filtered out or further down.
        wings = [*here.row().counted(), *wings]
    left = max(0, total - most)
    return Tree(
        [_wing(listing, wing) for wing in wings],
        total,
        f"{listing.path}?{listing.query(wings=str(listing.wings + 1))}" if left else "",
        left,
    )


def _wings(listing: PalaceListing) -> PlaceQuerySet[Wing]:
    wings = Wing.objects.filter(instance=listing.instance)
    if listing.user:
        wings = wings.filter(end_user=listing.user)
    if listing.find:
        wings = wings.filter(
            Q(name__icontains=listing.find)
            | Q(aliases__icontains=listing.find)
            | Q(end_user__icontains=listing.find)
        )
    return wings


def _wing(listing: PalaceListing, wing: Wing) -> TreeNode:
    kind = WingKind(wing.kind)
    is_open = listing.spot.wing is not None and listing.spot.wing.pk == wing.pk
    rooms, left = _rooms(listing, wing) if is_open else ([], 0)
    return TreeNode(
        wing,
        wing.name,
        icon=ICONS[kind],
        kind=str(kind.label),
        about=wing.end_user,
        is_open=is_open,
        children=rooms,
        left=left,
        more=f"{listing.path}?{listing.query(rooms=str(listing.rooms + 1))}" if left else "",
        **_link(listing, wing, None),
    )


def _rooms(listing: PalaceListing, wing: Wing) -> tuple[list[TreeNode], int]:
    rows = Room.objects.filter(wing=wing).select_related("conversation").counted()
    most = PAGE_SIZE * (listing.rooms + 1)
    rooms = list(rows.order_by(*LATEST_FIRST)[:most])
    here = listing.spot.room
    if here and here.pk not in {room.pk for room in rooms}:
        rooms = [*rows.filter(pk=here.pk), *rooms]
    left = max(0, wing.rooms.count() - most) if len(rooms) >= most else 0
    return [_room(listing, room, wing) for room in rooms], left


def _room(listing: PalaceListing, room: Room, wing: Wing) -> TreeNode:
    is_open = listing.spot.room is not None and listing.spot.room.pk == room.pk
    closets = Closet.objects.filter(room=room).counted().order_by("pk") if is_open else []
    return TreeNode(
        room,
        name_below(wing, room),
        icon="message-square" if room.conversation_id else "sticky-note",
        kind=_("Conversation") if room.conversation_id else _("Notes"),
        is_open=is_open,
        children=[
            TreeNode(closet, closet.name, is_open=None, **_link(listing, closet, room))
            for closet in _apart_from(wing, room, list(closets))
        ],
        **_link(listing, room, wing),
    )


def _link(
    listing: PalaceListing, place: Wing | Room | Closet, above: Wing | Room | None
) -> dict[str, Any]:
    """Return the address of *place*, and whether it is the current one."""
    current = listing.spot.place == place
    return {"current": current, "url": listing.at(above if current else place)}


def room_name(room: Room) -> str:
    """Return the name of a room: the title of its conversation, or its day."""
    if room.conversation is None:
        return _("Notes")
    if room.conversation.title:
        return room.conversation.title
    return _("Conversation of %(day)s") % {"day": _day(room.conversation)}


def name_below(wing: Wing, room: Room) -> str:
    """Return the name of a room where that of its *wing* stands above it: of a conversation that
    has the same name, the day.
    """
    if room.conversation is not None and is_named_alike(room, wing):
        return _day(room.conversation)
    return room_name(room)


def _day(conversation: Conversation) -> str:
    began = timezone.localtime(conversation.created_at)
    return date_format(began, pgettext("format of a day", "j M Y"))


def _apart_from(wing: Wing, room: Room, closets: list[Closet]) -> list[Closet]:
    """Return *closets*, or none of them if there is only one, with a name that stands above it."""
    above = {wing.name.casefold(), room_name(room).casefold()}
    return [] if {closet.name.casefold() for closet in closets} <= above else closets
