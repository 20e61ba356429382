"""Deletion from the palace keeps the messages, which are not filed again."""

import pytest

from conversations.messages import NewMessage, append
from conversations.models import Conversation, Message
from instances.actor import Actor
from instances.models import Instance, User
from memoryapp.models import Activity, Closet, Drawer, Palace, Room, Unfiled, Wing, awaiting_filing
from memoryapp.palace.deletion import delete_drawers
from tests.palace_factories import file_note, file_turn


@pytest.fixture
def turns(conversation: Conversation) -> list[Drawer]:
    return [file_turn(message) for message in conversation.messages.all()]


def test_deleting_a_drawer_keeps_its_message_and_a_tombstone(
    instance: Instance, alice: User, conversation: Conversation, turns: list[Drawer]
) -> None:
    pruned = delete_drawers(instance, Drawer.objects.filter(pk=turns[0].pk), by=Actor(alice))
    assert (pruned.count, pruned.notes) == (1, 0)
    assert list(Drawer.objects.all()) == [turns[1]]
    assert conversation.messages.count() == 2
    left = Unfiled.objects.get()
    assert (left.message_id, left.stays_out) == (turns[0].message_id, True)


def test_empty_places_are_deleted_and_numbers_not_reused(
    instance: Instance, alice: User, turns: list[Drawer]
) -> None:
    delete_drawers(instance, Drawer.objects.all(), by=Actor(alice))
    assert not (Closet.objects.exists() or Room.objects.exists() or Wing.objects.exists())
    assert Palace.objects.get().last_wing == 1


def test_deleted_note_leaves_no_tombstone(instance: Instance, alice: User) -> None:
    file_note(instance, "Buy a smoker.")
    pruned = delete_drawers(instance, Drawer.objects.all(), by=Actor(alice))
    assert (pruned.count, pruned.notes) == (1, 1)
    assert not Unfiled.objects.exists()


def test_drawers_of_another_instance_are_kept(
    private: Instance, alice: User, turns: list[Drawer]
) -> None:
    assert delete_drawers(private, Drawer.objects.all(), by=Actor(alice)).count == 0
    assert Drawer.objects.count() == 2
    assert not Activity.objects.filter(action="unfiled").exists()


def test_activity_records_the_number_without_texts(
    instance: Instance, alice: User, turns: list[Drawer]
) -> None:
    delete_drawers(instance, Drawer.objects.all(), by=Actor(alice, "api"))
    line = Activity.objects.get(action="unfiled")
    assert (line.count, line.by, line.via, line.about) == (2, alice, "api", "")


def test_every_message_has_a_drawer_or_a_tombstone(
    conversation: Conversation, turns: list[Drawer]
) -> None:
    assert not Unfiled.objects.exists()
    turns[0].delete()
    assert Unfiled.objects.get().message_id == turns[0].message_id
    assert list(awaiting_filing(conversation.messages.all())) == [turns[0].message]
    append(conversation, [NewMessage("user", "And now?"), NewMessage("tool", "42")])
    assert list(Unfiled.objects.order_by("pk").values_list("stays_out", flat=True)) == [
        *(False, False, True)
    ]
    conversation.messages.all()[0].delete()
    assert not Unfiled.objects.filter(message=turns[0].message_id).exists()


def test_deleting_a_message_deletes_its_drawer_and_tombstone(
    instance: Instance, alice: User, conversation: Conversation, turns: list[Drawer]
) -> None:
    delete_drawers(instance, Drawer.objects.filter(pk=turns[0].pk), by=Actor(alice))
    Message.objects.all().delete()
    assert not (Drawer.objects.exists() or Unfiled.objects.exists() or Wing.objects.exists())
