"""Notes of the palace, and saved filters, that state what was forgotten."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from instances.actor import Actor
from instances.models import Instance, User
from memoryapp.embeddings.search_text import write_missing_search_text
from memoryapp.forgetting.archive import archive, unarchive
from memoryapp.forgetting.deletion import forget, forget_undoably
from memoryapp.forgetting.undo_buffer import restore_deleted
from memoryapp.models import ArchivedMemory, Drawer, Memory, MutedNote, SavedFilter
from memoryapp.models.muted_messages import BLACKED_OUT
from memoryapp.palace.notes import NewNote, add_note, change_note
from memoryapp.recall import RecallOptions, recall
from memoryapp.tasks.sweep import sweep_up

Store = Callable[..., Memory]
FACT = "The user lives in Montevideo with a sister."
NOTE = "Good to know. I live in Montevideo with my sister. The heating is loud."
LEFT = f"Good to know. {BLACKED_OUT} The heating is loud."


@pytest.fixture
def home(store_memory: Store) -> Memory:
    return store_memory(FACT)


def write(instance: Instance, text: str = NOTE, **more: str) -> Drawer:
    return add_note(instance, NewNote(text, wing="Home", **more), by=Actor())  # type: ignore[arg-type]


def note_in(drawer: Drawer) -> str:
    return Drawer.objects.get(pk=drawer.pk).note


def forget_it(memory: Memory) -> None:
    assert forget(memory.instance, Memory.objects.filter(pk=memory.pk), by=Actor()) == 1


def found(instance: Instance) -> str:
    write_missing_search_text(instance)
    hits = recall(instance, "Montevideo sister", RecallOptions(only_relevant=False)).hits
    return " ".join(hit.content for hit in hits)


def test_sentence_is_taken_out_of_a_note(instance: Instance, home: Memory) -> None:
    note, other = write(instance), write(instance, "Montevideo is a city.")
    assert "Montevideo with my sister" in found(instance)
    forget_it(home)
    assert (note_in(note), note_in(other)) == (LEFT, "Montevideo is a city.")
    assert not Drawer.objects.get(pk=note.pk).embeddings.exists()
    assert "sister" not in found(instance)


def test_note_whose_words_are_not_indexed_yet(instance: Instance, home: Memory) -> None:
    note = write(instance)
    Drawer.objects.update(search=None)
    forget_it(home)
    assert note_in(note) == LEFT


@pytest.mark.parametrize(
    ("text", "left"),
    [
        # Two sentences state it together.
        ("It rains. I live with my sister. In Montevideo, that is. Bye.", "It rains. {} Bye."),
        (f"{FACT} {FACT} Hello.", "{} {} Hello."),
    ],
)
def test_what_is_taken_out(text: str, left: str, instance: Instance, home: Memory) -> None:
    note = write(instance, text)
    forget_it(home)
    assert note_in(note) == left.format(BLACKED_OUT, BLACKED_OUT)


def test_notes_of_others_stay(instance: Instance, home: Memory, private: Instance) -> None:
    theirs, elsewhere = write(instance, end_user="ben"), write(private)
    forget_it(home)
    assert note_in(theirs) == note_in(elsewhere) == NOTE
    assert not MutedNote.objects.exists()


@pytest.mark.parametrize("text", [NOTE, FACT])
def test_undo_brings_the_note_back(
    text: str, alice: User, instance: Instance, home: Memory
) -> None:
    note = write(instance, text)
    undo_token = forget_undoably(instance, Memory.objects.all(), by=alice).undo_token
    assert undo_token
    assert note_in(note) == (LEFT if text == NOTE else BLACKED_OUT)
    restore_deleted(undo_token, instance, alice)
    again = Drawer.objects.get(pk=note.pk)
    assert (again.note, again.pointer) == (text, note.pointer)
    assert not MutedNote.objects.exists()
    assert "Montevideo" in found(instance)


def test_bin_brings_the_note_back_and_is_final_when_it_is_emptied(
    instance: Instance, home: Memory
) -> None:
    note = write(instance)
    archive(instance, Memory.objects.all(), by=Actor())
    assert note_in(note) == LEFT
    MutedNote.objects.update(muted_at=timezone.now() - timedelta(days=1))
    sweep_up()
    unarchive(instance, ArchivedMemory.objects.all(), by=Actor())
    assert note_in(note) == NOTE
    archive(instance, Memory.objects.all(), by=Actor())
    ArchivedMemory.objects.all().delete()
    MutedNote.objects.update(muted_at=timezone.now() - timedelta(days=1))
    sweep_up()
    assert (note_in(note), MutedNote.objects.count()) == (LEFT, 0)


def test_two_facts_in_one_note(instance: Instance, home: Memory, store_memory: Store) -> None:
    heating = store_memory("The heating is loud.")
    note = write(instance)
    archive(instance, Memory.objects.filter(pk=heating.pk), by=Actor())
    assert note_in(note) == f"Good to know. I live in Montevideo with my sister. {BLACKED_OUT}"
    forget_it(home)
    assert note_in(note) == f"Good to know. {BLACKED_OUT} {BLACKED_OUT}"
    # What is forgotten for good goes, even while the rest can be restored.
    MutedNote.objects.update(muted_at=timezone.now() - timedelta(days=1))
    sweep_up()
    assert "Montevideo" not in MutedNote.objects.get().note
    unarchive(instance, ArchivedMemory.objects.all(), by=Actor())
    assert note_in(note) == LEFT


def test_changed_note_is_not_changed_back(alice: User, instance: Instance, home: Memory) -> None:
    note = write(instance)
    undo_token = forget_undoably(instance, Memory.objects.all(), by=alice).undo_token
    assert undo_token
    change_note(note, "All new.", by=Actor(alice))
    restore_deleted(undo_token, instance, alice)
    assert note_in(note) == "All new."
    assert not MutedNote.objects.exists()


def test_filter_that_states_it_is_deleted(alice: User, instance: Instance, home: Memory) -> None:
    for name, query in [
        ("One", "q=lives+in+Montevideo+with+sister"),
        ("I live in Montevideo with my sister", "tag=home"),
        ("Two", "q=sister"),
    ]:
        SavedFilter.objects.create(instance=instance, user=alice, name=name, query=query)
    forget_it(home)
    assert SavedFilter.objects.get().name == "Two"
