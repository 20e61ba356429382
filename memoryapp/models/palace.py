"""The palace: each message filed once, by subject, conversation and topic.

::

    wing    whom or what it is about     W-042    for each person that the memory is about
    room    one conversation             R-11     or the notes, of no conversation
    closet  a topic
    drawer  one message, or one note     D-007

A drawer points to its message and holds no copy of the text: deleting the message deletes the
drawer, its vector and its search text. Triggers delete places that are empty then: see
`memoryapp.models.palace_triggers`.
"""

from collections.abc import Iterable
from datetime import datetime
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, ClassVar, Self, TypeVar

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import Count, Max, Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from conversations.models import Conversation, Message
from instances.constraints import allow_values
from instances.models import Instance
from instances.models.content_keys import ContentKey, InstanceContent, OneToOneContentKey
from memoryapp.models.aaak import KINDS, AAAKLine, NotAPointer, Pointer, Tags, parse_pointer


class PalaceQuerySet(models.QuerySet["Palace"]):
    def hold(self, instance_id: int) -> "Palace":
        """Lock the palace of the instance until the transaction ends, and return it; create it if
        needed. No other transaction can file, move or delete there.

        To avoid deadlocks, lock rows in this order: run, conversation, palace, drawers.
        """
        self.bulk_create([Palace(instance_id=instance_id)], ignore_conflicts=True)
        return self.select_for_update(of=("self",)).get(instance=instance_id)


class Palace(InstanceContent):
    """The counter of wings of an instance; its row is the lock of the palace."""

    instance = models.OneToOneField(
        Instance, on_delete=models.CASCADE, primary_key=True, related_name="palace"
    )
    #: The last number that a wing was given; none is given twice.
    last_wing = models.PositiveIntegerField(default=0)

    objects = PalaceQuerySet.as_manager()

    def __str__(self) -> str:
        return f"Palace of {self.instance_id}"


Place = TypeVar("Place", bound="Wing | Room | Closet")


class PlaceQuerySet(models.QuerySet[Place]):
    def counted(self) -> Self:
        """Annotate the number of drawers, `filed`, and their latest time, `last_said_at`."""
        drawers = self.model.DRAWERS
        return self.annotate(filed=Count(drawers), last_said_at=Max(f"{drawers}__said_at"))


class PalacePlace(InstanceContent):
    """A wing, room or closet, with the annotations of `PlaceQuerySet.counted`."""

    #: The lookup of its drawers.
    DRAWERS: ClassVar[str]

    if TYPE_CHECKING:
        filed: int
        last_said_at: datetime

    class Meta:
        abstract = True


class WingKind(models.TextChoices):
    """Kind of a wing."""

    PERSON = "person", _("Person")
    PROJECT = "project", _("Project")
    TOPIC = "topic", pgettext_lazy("kind of subject", "Topic")
    #: A persona of the assistant.
    AGENT = "agent", _("Agent")


class Wing(PalacePlace):
    """A subject: a person, a project, a topic or an agent."""

    DRAWERS: ClassVar = "rooms__closets__drawers"

    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="wings")
    end_user = models.CharField(max_length=200, blank=True)
    #: 42 for ``W-042``; never given again.
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=10, choices=WingKind, default=WingKind.TOPIC)
    name = models.CharField(max_length=200)
    #: In the letters of its own script.
    slug = models.CharField(max_length=200)
    #: Slugs of its other names.
    aliases = ArrayField(models.CharField(max_length=200), default=list, blank=True)
    #: The last number that one of its rooms was given.
    last_room = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)

    objects = PlaceQuerySet["Wing"].as_manager()

    class Meta:
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [
            allow_values("kind", WingKind, "wing_kind"),
            models.CheckConstraint(condition=~Q(name="") & ~Q(slug=""), name="wing_named"),
            models.UniqueConstraint(fields=["instance", "end_user", "slug"], name="wing_slug_once"),
            models.UniqueConstraint(fields=["instance", "number"], name="wing_number_once"),
            models.UniqueConstraint(fields=["id", "instance"], name="wing_in_instance"),
        ]

    def __str__(self) -> str:
        return self.name


class Room(PalacePlace):
    """The part of one conversation that belongs to a wing; or the notes of the wing."""

    DRAWERS: ClassVar = "closets__drawers"

    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="+")
    wing = ContentKey(Wing, on_delete=models.CASCADE, related_name="rooms")
    #: None: the room of the notes.
    conversation = ContentKey(
        Conversation, on_delete=models.CASCADE, null=True, blank=True, related_name="rooms"
    )
    #: 11 for ``R-11``; never given again in its wing.
    number = models.PositiveIntegerField()
    #: The last number that one of its drawers was given.
    last_drawer = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)

    objects = PlaceQuerySet["Room"].as_manager()

    class Meta:
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["wing", "conversation"], nulls_distinct=False, name="room_once"
            ),
            models.UniqueConstraint(fields=["wing", "number"], name="room_number_once"),
            models.UniqueConstraint(fields=["id", "instance"], name="room_in_instance"),
        ]

    def __str__(self) -> str:
        return f"R-{self.number} of wing {self.wing_id}"


class Closet(PalacePlace):
    """A topic within a room."""

    DRAWERS: ClassVar = "drawers"

    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="+")
    room = ContentKey(Room, on_delete=models.CASCADE, related_name="closets")
    name = models.CharField(max_length=200)
    slug = models.CharField(max_length=200)

    objects = PlaceQuerySet["Closet"].as_manager()

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["room", "slug"], name="closet_once"),
            models.CheckConstraint(condition=~Q(name="") & ~Q(slug=""), name="closet_named"),
            models.UniqueConstraint(fields=["id", "instance"], name="closet_in_instance"),
        ]

    def __str__(self) -> str:
        return self.name


def _tags() -> "ArrayField[list[str], list[str]]":
    return ArrayField(models.CharField(max_length=100), default=list, blank=True)


class DrawerQuerySet(models.QuerySet["Drawer"]):
    def by_pointer(self, text: str) -> Self:
        """Narrow to the drawer that *text* points to; to none if it is not a pointer. Use it as
        ``instance.drawers.by_pointer(…)``.
        """
        try:
            pointer = parse_pointer(text)
        except NotAPointer:
            return self.none()
        return self.at([pointer])

    def at(self, pointers: Iterable[Pointer]) -> Self:
        """Narrow to the drawers that *pointers* name, to be used like `by_pointer`."""
        named = [
            Q(wing_number=each.wing, room_number=each.room, number=each.drawer) for each in pointers
        ]
        return self.filter(reduce(or_, named)) if named else self.none()

    def hold(self, instance_id: int) -> list[int]:
        """Lock the palace of the instance, and these drawers of it, until the transaction ends;
        return their ids. For deletions: without it, a drawer could get a vector between the
        deletion of its vectors and its own.
        """
        Palace.objects.hold(instance_id)
        rows = self.filter(instance=instance_id).order_by("pk").select_for_update(of=("self",))
        return list(rows.values_list("pk", flat=True))


class Drawer(InstanceContent):
    """One message, word for word; or a note that a person wrote."""

    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="drawers")
    #: A copy of its wing's, so that search need not join.
    end_user = models.CharField(max_length=200, blank=True)
    #: Of a note: the id of the group that is told it as well. A message has it in its conversation.
    shared_with = models.CharField(max_length=200, null=True, blank=True)  # noqa: DJ001 - "" is one
    closet = ContentKey(Closet, on_delete=models.CASCADE, related_name="drawers")
    #: None for a note.
    message = OneToOneContentKey(
        Message, on_delete=models.CASCADE, null=True, blank=True, related_name="drawer"
    )
    note = models.TextField(blank=True)
    #: Its pointer, ``§ W-042/R-11/D-007``: where it was filed first. It stays the same wherever the
    #: drawer is moved, and no other drawer ever gets it.
    wing_number = models.PositiveIntegerField()
    room_number = models.PositiveIntegerField()
    number = models.PositiveIntegerField()
    #: People, places, events, things and times that it mentions.
    people = _tags()
    places = _tags()
    events = _tags()
    items = _tags()
    times = _tags()
    said_at = models.DateTimeField(default=timezone.now)
    filed_at = models.DateTimeField(default=timezone.now)
    #: Its words, its tags and the words of the message before; None if it has to be written again.
    search = SearchVectorField(null=True)

    objects = DrawerQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["wing_number", "room_number", "number"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(message=None) & ~Q(note="") | Q(message__isnull=False, note=""),
                name="drawer_turn_or_note",
            ),
            models.CheckConstraint(
                condition=Q(message=None) | Q(shared_with=None), name="drawer_shared_note"
            ),
            models.UniqueConstraint(
                fields=["instance", "wing_number", "room_number", "number"],
                name="drawer_pointer_once",
            ),
            models.UniqueConstraint(fields=["id", "instance"], name="drawer_in_instance"),
        ]
        indexes: ClassVar = [
            GinIndex(fields=["search"], name="drawer_search"),
            models.Index(fields=["instance", "said_at"], name="drawer_said_at"),
            # With the id, a search for one end user need not read the drawers.
            models.Index(fields=["instance", "end_user", "said_at", "id"], name="drawer_person"),
            models.Index(
                fields=["instance"], condition=Q(search=None), name="drawer_without_words"
            ),
            models.Index(
                fields=["instance", "shared_with"],
                condition=Q(shared_with__isnull=False),
                name="drawer_shared",
            ),
        ]

    def __str__(self) -> str:
        return str(self.pointer)

    def get_absolute_url(self) -> str:
        return reverse("palace_drawer", args=[self.pk])

    @property
    def pointer(self) -> Pointer:
        """Permanent name of the drawer."""
        return Pointer(self.wing_number, self.room_number, self.number)

    @property
    def tags(self) -> Tags:
        return Tags(**{kind: tuple(getattr(self, kind)) for kind in KINDS.values()})

    @property
    def aaak(self) -> str:
        """Pointer of the drawer with its tags, on one line."""
        return str(AAAKLine(self.pointer, self.tags))

    @property
    def content(self) -> str:
        """The text of its message or note. Load many drawers with their messages."""
        return self.message.content if self.message else self.note


class Unfiled(InstanceContent):
    """A message without a drawer; triggers maintain these rows.

    Stored, because finding such messages by a join with the drawers takes as long as a search.
    """

    message = OneToOneContentKey(
        Message, on_delete=models.CASCADE, primary_key=True, related_name="unfiled"
    )
    instance = models.ForeignKey(
        Instance, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    #: Not to be filed: its drawer was deleted, it is empty, or it has another role.
    stays_out = models.BooleanField(default=False)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["instance", "stays_out", "message"], name="unfiled_in_instance")
        ]

    def __str__(self) -> str:
        return f"message {self.message_id}"


def awaiting_filing(messages: QuerySet[Message]) -> QuerySet[Message]:
    """Narrow *messages* to those that are to be filed and have no drawer yet."""
    return messages.filter(unfiled__stays_out=False)
