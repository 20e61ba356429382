"""What the address bar says of the palace: the place, the search, the order, the page."""

from dataclasses import dataclass, field
from urllib.parse import urlencode

from django.db.models import Model
from django.http import QueryDict
from django.urls import reverse

from conversations.sanitizer import sanitize
from instances.models import Instance
from memoryapp.models import Closet, Drawer, Room, Wing
from memoryapp.models.palace import DrawerQuerySet

#: How the wings of the tree are put in order.
SORTS = {
    "recent": ("Last said first", ["-last_said_at", "number"]),
    "name": ("By name", ["name", "number"]),
    "size": ("Largest first", ["-filed", "number"]),
}
#: How drawers are put in order.
ORDERS = {
    "newest": ("Newest first", ["-said_at", "-id"]),
    "oldest": ("As it was said", ["said_at", "id"]),
}


@dataclass(frozen=True)
class Spot:
    """Where in the palace: nowhere in particular, or in a wing, one of its rooms, one of its
    closets.
    """

    wing: Wing | None = None
    room: Room | None = None
    closet: Closet | None = None
    #: The address names a place that is not there, or not any more.
    lost: bool = False

    @classmethod
    def parse(cls, instance: Instance, query: QueryDict) -> "Spot":
        """Find the deepest place that the address names."""
        if pk := _id(query.get("closet", "")):
            closets = Closet.objects.filter(instance=instance)
            closet = closets.select_related("room__wing", "room__conversation").filter(pk=pk)
            return cls.of_closet(found) if (found := closet.first()) else cls(lost=True)
        if pk := _id(query.get("room", "")):
            rooms = Room.objects.filter(instance=instance)
            room = rooms.select_related("wing", "conversation").filter(pk=pk).first()
            return cls(room.wing, room) if room else cls(lost=True)
        if pk := _id(query.get("wing", "")):
            wing = Wing.objects.filter(instance=instance, pk=pk).first()
            return cls(wing) if wing else cls(lost=True)
        return cls()

    @classmethod
    def of_closet(cls, closet: Closet) -> "Spot":
        return cls(closet.room.wing, closet.room, closet)

    def surviving(self) -> "Spot":
        """What is left of it when some of it may have gone: the deepest part that is there."""
        if self.closet and Closet.objects.filter(pk=self.closet.pk).exists():
            return self
        if self.room and Room.objects.filter(pk=self.room.pk).exists():
            return Spot(self.wing, self.room)
        if self.wing and Wing.objects.filter(pk=self.wing.pk).exists():
            return Spot(self.wing)
        return Spot()

    @property
    def place(self) -> Wing | Room | Closet | None:
        """The deepest part of it."""
        return self.closet or self.room or self.wing

    @property
    def fields(self) -> dict[str, str]:
        """How the address says it."""
        named = {"wing": self.wing, "room": self.room, "closet": self.closet}
        return {
            name: str(place.pk) if place and place is self.place else ""
            for name, place in named.items()
        }

    def within(self, drawers: DrawerQuerySet) -> DrawerQuerySet:
        """Those of *drawers* that are here."""
        if self.closet:
            return drawers.filter(closet=self.closet)
        if self.room:
            return drawers.filter(closet__room=self.room)
        if self.wing:
            return drawers.filter(closet__room__wing=self.wing)
        return drawers


@dataclass(frozen=True)
class PalaceListing:
    """One state of the screen, as its address says it."""

    instance: Instance
    spot: Spot = field(default_factory=Spot)
    q: str = ""
    #: What the names of the wings that the tree shows have in them.
    find: str = ""
    #: The person that wings are about.
    user: str = ""
    sort: str = ""
    order: str = ""
    #: How many times more wings, and more rooms of the open one, were asked for.
    wings: int = 0
    rooms: int = 0
    page: str = ""

    @classmethod
    def parse(
        cls, instance: Instance, query: QueryDict, spot: Spot | None = None
    ) -> "PalaceListing":
        """Read the address; what it says that does not exist is passed over."""
        sort, order = query.get("sort", ""), query.get("order", "")
        return cls(
            instance,
            spot=spot or Spot.parse(instance, query),
            q=sanitize(query.get("q", "")).strip()[:1000],
            find=sanitize(query.get("find", "")).strip()[:200],
            user=sanitize(query.get("user", "")).strip()[:200],
            sort=sort if sort in SORTS else "",
            order=order if order in ORDERS else "",
            wings=_times(query.get("wings", "")),
            rooms=_times(query.get("rooms", "")),
            page=query.get("page", ""),
        )

    def query(self, **changes: str) -> str:
        """The query string of this state with *changes*, without what is empty."""
        fields = {
            "instance": self.instance.slug,
            **self.spot.fields,
            "q": self.q,
            "find": self.find,
            "user": self.user,
            "sort": self.sort,
            "order": self.order,
            "wings": str(self.wings or ""),
            "rooms": str(self.rooms or ""),
            "page": self.page,
        } | changes
        return urlencode({name: value for name, value in fields.items() if value})

    def at(self, place: Model | None) -> str:
        """The address of *place*, from its first page."""
        nowhere = dict.fromkeys(("wing", "room", "closet", "page", "rooms"), "")
        here = {place._meta.model_name or "": str(place.pk)} if place else {}
        return f"{self.path}?{self.query(**nowhere | here)}"

    @property
    def everywhere(self) -> str:
        """The address of the whole palace."""
        return self.at(None)

    @property
    def here(self) -> str:
        """The query string of the place itself, whatever is searched for there."""
        return self.query(q="", page="")

    @property
    def kept_by_search(self) -> list[tuple[str, str]]:
        """What the form of the search box sends along, beside the question and the order."""
        fields = {"find": self.find, "user": self.user, "sort": self.sort} | self.spot.fields
        return [(name, value) for name, value in fields.items() if value]

    @property
    def kept_by_filter(self) -> list[tuple[str, str]]:
        """What the form of the wings' filter sends along."""
        fields = {"q": self.q, "user": self.user, "order": self.order} | self.spot.fields
        return [(name, value) for name, value in fields.items() if value]

    @property
    def path(self) -> str:
        """Where the screen lives."""
        return reverse("palace")

    @property
    def narrowed(self) -> bool:
        """Whether anything but the instance decides which drawers are shown."""
        return bool(self.q or self.spot.place or self.user)

    @property
    def in_order(self) -> str:
        """How the drawers stand: what belongs together is read from its beginning."""
        return self.order or ("oldest" if self.spot.room else "newest")

    def drawers(self) -> DrawerQuerySet:
        """The drawers that the place and the person let through, before any search."""
        drawers = Drawer.objects.filter(instance=self.instance)
        if self.user:
            drawers = drawers.filter(end_user=self.user)
        return self.spot.within(drawers)


def _id(value: str) -> int | None:
    return int(value) if value.isascii() and value.isdigit() and len(value) < 19 else None


def _times(value: str) -> int:
    return min(_id(value) or 0, 1000)
