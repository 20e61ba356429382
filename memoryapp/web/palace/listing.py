"""The state of the palace screen in its URL: place, search, sort order and page."""

from dataclasses import dataclass, field
from typing import ClassVar

from django.db.models import Model
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from conversations.url_text import filter_text, question
from instances.ids import parse_pk
from instances.models import Instance
from instances.url_state import NOT_IN_URL, URLState, one_of, parsed
from memoryapp.models import Closet, Drawer, Room, Wing
from memoryapp.models.palace import DrawerQuerySet

#: Sort orders of the wings in the tree.
SORTS = {
    "recent": (_("Latest first"), ["-last_said_at", "number"]),
    "name": (_("By name"), ["name", "number"]),
    "size": (_("Largest first"), ["-filed", "number"]),
}
#: Sort orders of drawers.
ORDERS = {
    "newest": (_("Newest first"), ["-said_at", "-id"]),
    "oldest": (_("Oldest first"), ["said_at", "id"]),
}


@dataclass(frozen=True)
class Spot:
    """A place in the palace: all of it, a wing, a room, or a closet."""

    wing: Wing | None = None
    room: Room | None = None
    closet: Closet | None = None
    #: The URL names a place that does not exist.
    lost: bool = False

    @classmethod
    def parse(cls, instance: Instance, query: QueryDict) -> "Spot":
        """Find the deepest place that the URL names."""
        if pk := parse_pk(query.get("closet", "")):
            closets = Closet.objects.filter(instance=instance)
            closet = closets.select_related("room__wing", "room__conversation").filter(pk=pk)
            return cls.of_closet(row) if (row := closet.first()) else cls(lost=True)
        if pk := parse_pk(query.get("room", "")):
            rooms = Room.objects.filter(instance=instance)
            room = rooms.select_related("wing", "conversation").filter(pk=pk).first()
            return cls(room.wing, room) if room else cls(lost=True)
        if pk := parse_pk(query.get("wing", "")):
            wing = Wing.objects.filter(instance=instance, pk=pk).first()
            return cls(wing) if wing else cls(lost=True)
        return cls()

    @classmethod
    def of_closet(cls, closet: Closet) -> "Spot":
        return cls(closet.room.wing, closet.room, closet)

    def surviving(self) -> "Spot":
        """Return the deepest part of the place that still exists."""
        if self.closet and self.closet.row().exists():
            return self
        if self.room and self.room.row().exists():
            return Spot(self.wing, self.room)
        if self.wing and self.wing.row().exists():
            return Spot(self.wing)
        return Spot()

    @property
    def place(self) -> Wing | Room | Closet | None:
        """The closet, room or wing."""
        return self.closet or self.room or self.wing

    @property
    def is_named_alike(self) -> bool:
        """True if the conversation has the name of the subject, so that one of them says it."""
        return self.room is not None and is_named_alike(self.room)

    @property
    def parameters(self) -> dict[str, str]:
        """The parameters of the URL that name it; at most one has a value."""
        return _parameters(self.place)

    def within(self, drawers: DrawerQuerySet) -> DrawerQuerySet:
        """Return those of *drawers* in this place."""
        if self.closet:
            return drawers.filter(closet=self.closet)
        if self.room:
            return drawers.filter(closet__room=self.room)
        if self.wing:
            return drawers.filter(closet__room__wing=self.wing)
        return drawers


def is_named_alike(room: Room, wing: Wing | None = None) -> bool:
    """True if the conversation of *room* has the name of its wing, which may be given."""
    title = room.conversation.title if room.conversation else ""
    return title.casefold() == (wing or room.wing).name.casefold()


def _times(text: str) -> int:
    return min(parse_pk(text) or 0, 1000)


@dataclass(frozen=True)
class PalaceListing(URLState):
    """The state of the screen, from its URL."""

    url_name = "palace"
    page_template: ClassVar[str] = "palace/page.html"
    answer_template: ClassVar[str] = "palace/_list_response.html"

    instance: Instance
    spot: Spot = field(default_factory=Spot, metadata=NOT_IN_URL)
    q: str = parsed(question)
    #: Part of the names of the wings that the tree shows.
    find: str = parsed(filter_text)
    #: The person that wings are about.
    user: str = parsed(filter_text)
    sort: str = one_of(SORTS)
    order: str = one_of(ORDERS)
    #: How often more wings, and more rooms of the open one, were requested.
    wings: int = parsed(_times)
    rooms: int = parsed(_times)
    page: str = parsed(str)

    @property
    def parameters(self) -> dict[str, str | None]:
        own = super().parameters
        place = {name: pk or None for name, pk in self.spot.parameters.items()}
        return {"instance": own["instance"], **place, **own}

    def at(self, place: Model | None) -> str:
        """The address of *place*, from its first page."""
        return f"{self.path}?{self.query(**_parameters(place), page='', rooms='')}"

    @property
    def everywhere(self) -> str:
        """The address of the whole palace."""
        return self.at(None)

    @property
    def here(self) -> str:
        """The query string of the place, without the search."""
        return self.query(q="", page="")

    @property
    def kept_by_search(self) -> list[tuple[str, str]]:
        """The hidden fields of the search form."""
        return self._hidden_fields("find", "user", "sort")

    @property
    def kept_by_filter(self) -> list[tuple[str, str]]:
        """The hidden fields of the form that filters wings."""
        return self._hidden_fields("q", "user", "order")

    def _hidden_fields(self, *names: str) -> list[tuple[str, str]]:
        fields = {name: getattr(self, name) for name in names} | self.spot.parameters
        return [(name, value) for name, value in fields.items() if value]

    @property
    def narrowed(self) -> bool:
        """True if anything but the instance restricts which drawers are shown."""
        return bool(self.q or self.spot.place or self.user)

    @property
    def in_order(self) -> str:
        """The sort order of the drawers; by default a room begins with its oldest message."""
        return self.order or ("oldest" if self.spot.room else "newest")

    def drawers(self) -> DrawerQuerySet:
        """Return the drawers of the place and the person, before any search."""
        drawers = Drawer.objects.filter(instance=self.instance)
        if self.user:
            drawers = drawers.filter(end_user=self.user)
        return self.spot.within(drawers)


def _parameters(place: Model | None) -> dict[str, str]:
    named = dict.fromkeys(("wing", "room", "closet"), "")
    return named | {place._meta.model_name or "": str(place.pk)} if place else named
