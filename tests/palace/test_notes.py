"""Notes: drawers written by people."""

import pytest

from conversations.models import Conversation
from instances.actor import Actor
from instances.models import Instance, User
from memoryapp.models import Activity, Drawer, Room
from memoryapp.palace.deletion import delete_drawers
from memoryapp.palace.filing import PlacedMessage
from memoryapp.palace.notes import NewNote, NoteRefused, add_note, change_note
from tests.palace.conftest import turns_of
from tests.palace.test_filing import put, search


def test_note_is_in_the_room_of_notes(instance: Instance, talk: Conversation, alice: User) -> None:
    put(talk, PlacedMessage(turns_of(talk)[0].pk, "Kitchen"))
    note = add_note(
        instance, NewNote(" Buy a\r\nsmoker. ", wing="kitchen", topic="To do"), by=Actor(alice)
    )
    assert (str(note), note.note, note.content) == (
        "§ W-001/R-02/D-001",
        "Buy a\nsmoker.",
        "Buy a\nsmoker.",
    )
    assert (note.closet.name, note.closet.room.conversation) == ("To do", None)
    again = add_note(instance, NewNote("And a hood.", wing="KITCHEN"), by=Actor(alice))
    assert (str(again), again.closet.name) == ("§ W-001/R-02/D-002", "general")
    assert search(instance, "smokers") == ["Buy a\nsmoker."]
    assert note.embeddings.count() == 1
    line = Activity.objects.latest("pk")
    assert (line.action, line.by, line.about) == ("noted", alice, "§ W-001/R-02/D-002")


def test_wings_of_notes_are_separate_for_each_person(instance: Instance, alice: User) -> None:
    one = add_note(instance, NewNote("Buy a smoker.", wing="Bees", end_user="ann"), by=Actor(alice))
    two = add_note(instance, NewNote("Buy a smoker.", wing="Bees"), by=Actor(alice))
    assert one.closet.room.wing != two.closet.room.wing
    assert one.end_user == one.closet.room.wing.end_user == "ann"


def test_note_is_found_by_its_current_text(instance: Instance, alice: User) -> None:
    note = add_note(instance, NewNote("Buy a smoker.", wing="Bees"), by=Actor(alice))
    changed = change_note(note, "Buy a hood.", by=Actor(alice))
    assert str(changed) == str(note)
    assert search(instance, "smoker") == []
    assert search(instance, "hood") == ["Buy a hood."]
    assert changed.embeddings.count() == 1
    lines = Activity.objects.filter(action="noted").count()
    change_note(changed, "Buy a hood.", by=Actor(alice))
    assert Activity.objects.filter(action="noted").count() == lines, "an unchanged note was updated"


def test_secrets_are_treated_as_in_memories(instance: Instance, alice: User) -> None:
    note = add_note(
        instance, NewNote("Key 4111 1111 1111 1111 for Ann.", wing="Bees"), by=Actor(alice)
    )
    assert note.note == "Key [REDACTED:CARD] for Ann."
    for text in ("4111 1111 1111 1111", "My password is somewhere in here."):
        with pytest.raises(NoteRefused) as refused:
            add_note(instance, NewNote(text, wing="Bees"), by=Actor(alice))
        assert refused.value.code == "pii_rejected"
    with pytest.raises(NoteRefused, match="contains a secret"):
        add_note(instance, NewNote("Hello.", wing="4111 1111 1111 1111"), by=Actor(alice))
    Instance.objects.update(pii_policy="reject")
    note = Drawer.objects.get()
    with pytest.raises(NoteRefused, match="card number"):
        change_note(note, "It is 4111 1111 1111 1111, Ann.", by=Actor(alice))
    assert Drawer.objects.get().note == note.note


@pytest.mark.parametrize(
    ("text", "wing", "words"),
    [(" \n", "Bees", "Enter a text"), ("x" * 20_001, "Bees", "at most"), ("Hi.", " ", "about")],
)
def test_invalid_note_is_rejected(
    instance: Instance, alice: User, text: str, wing: str, words: str
) -> None:
    with pytest.raises(NoteRefused, match=words):
        add_note(instance, NewNote(text, wing=wing), by=Actor(alice))
    assert not Room.objects.exists()


def test_messages_cannot_be_edited(talk: Conversation, alice: User) -> None:
    (drawer,) = put(talk, PlacedMessage(turns_of(talk)[0].pk, "Kitchen"))
    with pytest.raises(NoteRefused, match="cannot be edited"):
        change_note(drawer, "Something else.", by=Actor(alice))


def test_deleted_note_is_gone(instance: Instance, alice: User) -> None:
    note = add_note(instance, NewNote("Buy a smoker.", wing="Bees"), by=Actor(alice))
    delete_drawers(instance, Drawer.objects.all(), by=Actor(alice))
    with pytest.raises(Drawer.DoesNotExist):
        change_note(note, "Buy a hood.", by=Actor(alice))
