"""Undoing a deletion, and restoring from the bin: every row is as it was before."""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db.models import Model, Q
from django.test import Client
from django.utils import timezone

from conversations.messages import NewMessage, append
from conversations.models import Conversation, Message
from instances.actor import Actor
from instances.models import Instance, User
from memoryapp.embeddings.search_text import write_missing_search_text
from memoryapp.forgetting.archive import archive, unarchive
from memoryapp.forgetting.deletion import forget, forget_undoably
from memoryapp.forgetting.undo_buffer import restore_deleted
from memoryapp.graph.corrections import rename_entity
from memoryapp.graph.ingestion import NamedEntity, StatementIn, ingest
from memoryapp.models import (
    ArchivedMemory,
    Closet,
    Contradiction,
    Drawer,
    DrawerEmbedding,
    Entity,
    HeldStatement,
    Memory,
    MemoryEmbedding,
    MemoryRevision,
    MemorySource,
    Mention,
    MutedMessage,
    Origin,
    RefusedProposal,
    Relation,
    Room,
    SavedFilter,
    Statement,
    SuppressedStatement,
    Unfiled,
    Wing,
    Withdrawn,
)
from memoryapp.models.stored_rows import rows_as_json
from memoryapp.palace.deletion import delete_drawers
from memoryapp.pipeline import Candidate, Writer, remember
from memoryapp.tasks.sweep import sweep_up
from tests.palace_factories import file_turn

#: What a deletion may touch, besides its own records.
FILING: list[type[Model]] = [
    *(Message, Conversation, Unfiled, Wing, Room, Closet, Drawer, DrawerEmbedding),
    *(Entity, Mention, Statement, Withdrawn),
]
MEMORIES: list[type[Model]] = [
    *(Memory, MemorySource, MemoryRevision, MemoryEmbedding),
    *(Contradiction, HeldStatement, RefusedProposal, SavedFilter),
]
MARA = NamedEntity("Mara", "person")


def rows(models: list[type[Model]]) -> dict[str, list[dict[str, Any]]]:
    return {
        model.__name__: rows_as_json(
            model._base_manager.order_by("pk"),
            # A title that is put back is a change.
            without=["updated_at"] if model is Conversation else [],
        )
        for model in models
    }


def delete_and_undo(instance: Instance, chosen: Any, by: User) -> None:
    undo_token = forget_undoably(instance, chosen, by=by).undo_token
    assert undo_token
    restore_deleted(undo_token, instance, by)


@pytest.fixture
def demo(db: None) -> Instance:
    call_command("load_demo", verbosity=0)
    return Instance.objects.get()


@pytest.fixture
def mara(demo: Instance) -> User:
    """A user of the demo, which is only loaded where there are no users yet."""
    return User.objects.create_user("mara")


@pytest.mark.parametrize(
    "which",
    [
        Q(content__startswith="Mara prefers PostgreSQL"),
        Q(tags__contains=["work"]),
        Q(category="preference"),
        Q(),
    ],
    ids=["one", "by tag", "by category", "all"],
)
def test_undo_restores_all_rows_of_the_demo(which: Q, demo: Instance, mara: User) -> None:
    write_missing_search_text(demo)
    before = rows([*FILING, *MEMORIES])
    assert before["Statement"]
    delete_and_undo(demo, demo.memories.filter(which), mara)
    after = rows([*FILING, *MEMORIES])
    for name, present in after.items():
        assert present == before[name], name
    assert not MutedMessage.objects.exists()
    assert not SuppressedStatement.objects.exists()


def test_deleting_takes_the_filing(demo: Instance, mara: User) -> None:
    before = rows(FILING)
    forget(demo, demo.memories.filter(content__startswith="Mara prefers"), by=Actor(mara))
    after = rows(FILING)
    assert len(after["Drawer"]) == len(before["Drawer"]) - 1
    assert len(after["Statement"]) < len(before["Statement"])


def test_restoring_from_the_bin_restores_the_filing(demo: Instance, mara: User) -> None:
    write_missing_search_text(demo)
    before = rows(FILING)
    archive(demo, demo.memories.all(), by=Actor(mara))
    assert Drawer.objects.count() < len(before["Drawer"])
    # One after the other.
    for row in ArchivedMemory.objects.all():
        unarchive(demo, ArchivedMemory.objects.filter(pk=row.pk), by=Actor(mara))
    write_missing_search_text(demo)
    after = rows(FILING)
    for name, present in after.items():
        assert present == before[name], name


def learned(message: Message, fact: str) -> Memory:
    candidate = Candidate(fact, conversation_id=message.conversation_id, message_id=message.pk)
    writer = Writer(Origin.CONVERSATION, Actor(via="extraction"))
    (outcome,) = remember(message.instance, [candidate], writer)
    return outcome.memory


@pytest.fixture
def talk(instance: Instance) -> Conversation:
    return Conversation.objects.create(instance=instance, title="Sport")


@pytest.fixture
def rows_well(talk: Conversation) -> Memory:
    """A memory, from a message that is filed and told the graph something."""
    message, _ = append(
        talk, [NewMessage("user", "I row on the Isar."), NewMessage("assistant", "Fine.")]
    ).added
    drawer = file_turn(message, "Rowing", "rivers", people=["Mara"], places=["Isar"])
    said = StatementIn(
        MARA, "rows on", NamedEntity("Isar", "place"), message.sent_at, drawer_id=drawer.pk
    )
    ingest(talk.instance, "", [said])
    return learned(message, "The user rows on the Isar.")


def only(memory: Memory) -> Any:
    return Memory.objects.filter(pk=memory.pk)


def test_what_people_added_to_the_graph_comes_back(
    instance: Instance, rows_well: Memory, alice: User
) -> None:
    end = StatementIn(
        MARA,
        "rows on",
        NamedEntity("Isar", "place"),
        timezone.now(),
        valid_from=date(2027, 1, 1),
        ends=True,
    )
    ingest(instance, "", [end], by=alice.pk)
    rename_entity(Entity.objects.get(slug="isar"), "Isar river", "place", by=Actor(alice))
    before = rows(FILING)
    assert Relation.objects.get().ended
    delete_and_undo(instance, only(rows_well), alice)
    after = rows(FILING)
    for name, present in after.items():
        assert present == before[name], name
    assert Relation.objects.get().ended


def test_name_that_only_the_message_had_comes_back(
    instance: Instance, talk: Conversation, rows_well: Memory, alice: User
) -> None:
    (other,) = append(talk, [NewMessage("user", "The Isaar is high.")]).added
    drawer = file_turn(other, "Rowing", "rivers")
    Mention.objects.create(
        instance=instance,
        entity=Entity.objects.get(slug="isar"),
        name="Isaar",
        slug="isaar",
        drawer=drawer,
    )
    undo_token = forget_undoably(instance, only(rows_well), by=alice).undo_token
    assert Entity.objects.get().name == "Isaar"
    assert undo_token
    restore_deleted(undo_token, instance, alice)
    assert set(Entity.objects.values_list("name", flat=True)) == {"Isar", "Mara"}


def test_what_has_taken_its_place_is_used(
    instance: Instance, talk: Conversation, rows_well: Memory, alice: User
) -> None:
    pointer = str(Drawer.objects.get())
    undo_token = forget_undoably(instance, only(rows_well), by=alice).undo_token
    assert not Wing.objects.exists()
    (other,) = append(talk, [NewMessage("user", "Mara swims in the Isar.")]).added
    drawer = file_turn(other, "Rowing", "rivers")
    said = StatementIn(
        MARA, "swims in", NamedEntity("Isar", "place"), timezone.now(), drawer_id=drawer.pk
    )
    ingest(instance, "", [said])
    assert undo_token
    restore_deleted(undo_token, instance, alice)
    (wing,) = Wing.objects.all()
    back = Message.objects.get(content="I row on the Isar.").drawer
    assert back.closet == drawer.closet
    assert (str(back), back.closet.room.wing) == (pointer, wing)
    assert Entity.objects.count() == 2
    assert set(Relation.objects.values_list("predicate", flat=True)) == {"rows_on", "swims_in"}


def test_message_that_a_person_took_out_of_the_palace_stays_out(
    instance: Instance, rows_well: Memory, alice: User
) -> None:
    delete_drawers(instance, Drawer.objects.all(), by=Actor(alice))
    before = rows(FILING)
    delete_and_undo(instance, only(rows_well), alice)
    assert rows(FILING) == before


def test_other_rows_that_state_it_come_back(
    instance: Instance, talk: Conversation, rows_well: Memory, alice: User, store_memory: Any
) -> None:
    Contradiction.objects.note(rows_well, [store_memory("Ana plays chess.").pk])
    SavedFilter.objects.create(
        instance=instance, user=alice, name="The user rows on the Isar", query="q=isar"
    )
    message = talk.messages.earliest("position")
    RefusedProposal.objects.create(
        instance=instance,
        conversation=talk,
        message=message,
        content="The user rows on the Isar.",
        as_memory={},
        reason="unsupported",
        words="",
    )
    HeldStatement.objects.create(
        instance=instance,
        content="The user rows on the Isar.",
        tier=1,
        reason="tier",
        digest="x",
    )
    before = rows(MEMORIES)
    forgotten = forget_undoably(instance, only(rows_well), by=alice)
    for model in (Contradiction, SavedFilter, RefusedProposal, HeldStatement):
        assert not model._base_manager.exists()
    assert forgotten.undo_token
    restore_deleted(forgotten.undo_token, instance, alice)
    assert rows(MEMORIES) == before


def test_next_message_is_found_by_the_words_again(
    instance: Instance, talk: Conversation, rows_well: Memory, alice: User
) -> None:
    file_turn(talk.messages.latest("position"), "Rowing", "rivers")
    before = Drawer.objects.latest("pk").search
    undo_token = forget_undoably(instance, only(rows_well), by=alice).undo_token
    write_missing_search_text(instance)
    assert Drawer.objects.latest("pk").search != before
    assert undo_token
    restore_deleted(undo_token, instance, alice)
    assert Drawer.objects.latest("pk").search == before


@pytest.mark.parametrize("in_bin", [False, True])
def test_filing_is_kept_as_long_as_it_can_be_restored(
    in_bin: bool, instance: Instance, rows_well: Memory, alice: User
) -> None:
    way: Callable[..., int] = archive if in_bin else forget
    way(instance, only(rows_well), by=Actor(alice))
    sweep_up()
    assert MutedMessage.objects.get().filing
    SuppressedStatement.objects.update(created_at=timezone.now() - timedelta(seconds=13))
    sweep_up()
    assert bool(MutedMessage.objects.get().filing) is in_bin


def test_palace_says_nothing_of_filing_after_the_undo(
    as_alice: Client, instance: Instance, rows_well: Memory, alice: User
) -> None:
    delete_and_undo(instance, only(rows_well), alice)
    assert not Unfiled.objects.filter(message__drawer__isnull=False).exists()
    assert Unfiled.objects.filter(stays_out=False).count() == 1  # The assistant's message.
    page = as_alice.get("/conversations/palace?instance=desk").content.decode()
    assert "Rowing" in page
