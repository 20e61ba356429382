"""Factories for messages and notes in the palace, created row by row."""

from typing import Any

from conversations.models import Conversation, Message
from instances.models import Instance
from memoryapp.embeddings.search_text import write_search_text
from memoryapp.models import Closet, Drawer, Palace, Room, Wing
from memoryapp.models.names import slug


def wing_of(instance: Instance, name: str, *, end_user: str = "", kind: str = "topic") -> Wing:
    """Get or create the wing of that name."""
    palace, _ = Palace.objects.get_or_create(instance=instance)
    wing, created = Wing.objects.get_or_create(
        instance=instance,
        end_user=end_user,
        slug=slug(name),
        defaults={"name": name, "kind": kind, "number": palace.last_wing + 1},
    )
    if created:
        palace.last_wing += 1
        palace.save()
    return wing


def closet_of(wing: Wing, conversation: Conversation | None, topic: str) -> Closet:
    """Get or create the closet of that topic in the room of *conversation*."""
    room, created = Room.objects.get_or_create(
        instance=wing.instance,
        wing=wing,
        conversation=conversation,
        defaults={"number": wing.last_room + 1},
    )
    if created:
        wing.last_room += 1
        wing.save()
    closet, _ = Closet.objects.get_or_create(
        instance=wing.instance, room=room, slug=slug(topic), defaults={"name": topic}
    )
    return closet


def _drawer(closet: Closet, **fields: Any) -> Drawer:
    room = closet.room
    room.last_drawer += 1
    room.save()
    drawer = Drawer.objects.create(
        instance=closet.instance,
        end_user=room.wing.end_user,
        closet=closet,
        wing_number=room.wing.number,
        room_number=room.number,
        number=room.last_drawer,
        **fields,
    )
    write_search_text(closet.instance, [drawer.pk])
    return drawer


def file_turn(
    message: Message,
    wing: str = "Bees",
    topic: str = "general",
    *,
    kind: str = "topic",
    **tags: Any,
) -> Drawer:
    """File *message*: ``file_turn(message, "Mara", "dinner", people=["Mara"])``."""
    conversation = message.conversation
    place = wing_of(message.instance, wing, end_user=conversation.end_user, kind=kind)
    closet = closet_of(place, conversation, topic)
    return _drawer(closet, message=message, said_at=message.sent_at, **tags)


def file_note(instance: Instance, text: str, wing: str = "Bees", topic: str = "general") -> Drawer:
    """File a note."""
    return _drawer(closet_of(wing_of(instance, wing), None, topic), note=text)
