"""File messages in drawers: each once, even if several workers do so."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field

from django.db.models import Q

from conversations.models import Conversation, Message
from instances.models import Instance
from memoryapp.embeddings.search_text import write_search_text
from memoryapp.models import Closet, Drawer, Palace, Room, Wing, WingKind, awaiting_filing
from memoryapp.models.aaak import Tags
from memoryapp.models.names import aliases_of, best_match, clean_name, slug, slugs

#: The topic of messages without one.
GENERAL = "general"


@dataclass(frozen=True)
class PlacedMessage:
    """A message, and where it belongs: in known places, or new ones."""

    message_id: int
    wing: str
    kind: WingKind = WingKind.TOPIC
    #: Other names of the wing.
    aliases: tuple[str, ...] = ()
    topic: str = GENERAL
    tags: Tags = field(default_factory=Tags)


def file_messages(conversation: Conversation, places: Sequence[PlacedMessage]) -> list[Drawer]:
    """File messages in their *places*, and return their new drawers in the order of the
    conversation.

    Belongs in the caller's transaction, which has locked the row of *conversation*. Messages that
    are filed already, whose drawer a person has deleted, or that belong to another conversation are
    skipped. The name of a wing must have a slug.
    """
    instance = conversation.instance
    # Decides the race of two workers: the second one sees what the first has filed.
    palace = Palace.objects.hold(instance.pk)
    placed = {place.message_id: place for place in places}
    messages = list(
        awaiting_filing(conversation.messages.filter(pk__in=placed))
        .order_by("position")
        # With the conversation: a row without it would be read again, one by one.
        .only("pk", "sent_at", "conversation_id")
    )
    if not messages:
        return []
    wings = Wings(palace, instance, conversation.end_user)
    wings.find_or_make([placed[message.pk] for message in messages])
    drawers = _in_rooms(conversation, messages, placed, wings)
    drawers = Drawer.objects.bulk_create(drawers, batch_size=1000)
    write_search_text(instance, [drawer.pk for drawer in drawers])
    return drawers


class Wings:
    """The wings of one person by the names that placed messages give them."""

    def __init__(self, palace: Palace, instance: Instance, end_user: str) -> None:
        """The caller has locked *palace*."""
        self._palace = palace
        self._instance = instance
        self._end_user = end_user
        self._known: list[Wing] = []
        self._by_name: dict[str, Wing] = {}

    def __getitem__(self, name: str) -> Wing:
        return self._by_name[name]

    def find_or_make(self, places: Iterable[PlacedMessage]) -> None:
        """Find the wing of each of *places*, or create it."""
        named: dict[str, PlacedMessage] = {}
        for place in places:
            named.setdefault(place.wing, place)
        spellings = [spelling for name in named for spelling in slugs(name)]
        rows = Wing.objects.filter(instance=self._instance, end_user=self._end_user)
        self._known = list(rows.filter(Q(slug__in=spellings) | Q(aliases__overlap=spellings)))
        for name, place in named.items():
            self._by_name[name] = best_match(name, self._known) or self._make(place)

    def _make(self, place: PlacedMessage) -> Wing:
        self._palace.last_wing += 1
        self._palace.save(update_fields=["last_wing"])
        name = clean_name(place.wing)
        wing = Wing.objects.create(
            instance=self._instance,
            end_user=self._end_user,
            number=self._palace.last_wing,
            kind=place.kind,
            name=name,
            slug=slug(name),
            aliases=aliases_of(name, place.aliases),
        )
        self._known.append(wing)
        return wing


def room_of(wing: Wing, conversation: Conversation | None) -> Room:
    """Return the room of *conversation* in *wing*, or that of its notes. The caller has locked the
    palace.
    """
    known = wing.rooms.filter(conversation=conversation).first()
    if known is not None:
        return known
    wing.last_room += 1
    wing.save(update_fields=["last_room"])
    return Room.objects.create(
        instance_id=wing.instance_id, wing=wing, conversation=conversation, number=wing.last_room
    )


def closet_of(room: Room, topic: str) -> Closet:
    """Return the closet of *topic* in *room*. The caller has locked the palace."""
    name = clean_name(topic)
    if not slug(name):
        name = GENERAL
    closet, _ = Closet.objects.get_or_create(
        room=room, slug=slug(name), defaults={"instance_id": room.instance_id, "name": name}
    )
    return closet


def new_drawer(wing: Wing, room: Room, closet: Closet) -> Drawer:
    """Return an unsaved drawer with the next number of *room*."""
    room.last_drawer += 1
    return Drawer(
        instance_id=room.instance_id,
        end_user=wing.end_user,
        closet=closet,
        wing_number=wing.number,
        room_number=room.number,
        number=room.last_drawer,
    )


def _in_rooms(
    conversation: Conversation,
    messages: Sequence[Message],
    placed: dict[int, PlacedMessage],
    wings: Wings,
) -> list[Drawer]:
    rooms: dict[int, Room] = {}
    closets: dict[tuple[int, str], Closet] = {}
    drawers = []
    for message in messages:
        place = placed[message.pk]
        wing = wings[place.wing]
        room = rooms.get(wing.pk) or rooms.setdefault(wing.pk, room_of(wing, conversation))
        key = (room.pk, place.topic)
        closet = closets.get(key) or closets.setdefault(key, closet_of(room, place.topic))
        drawer = new_drawer(wing, room, closet)
        drawer.message = message
        drawer.said_at = message.sent_at
        for kind, names in asdict(place.tags).items():
            values = (clean_name(name)[:100] for name in names)
            setattr(drawer, kind, list(dict.fromkeys(filter(None, values))))
        drawers.append(drawer)
    Room.objects.bulk_update(rooms.values(), ["last_drawer"])
    return drawers
