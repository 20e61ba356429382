"""Undo of a deletion within ten seconds, with nothing left afterwards."""

import base64
from collections.abc import Iterator
from typing import Any

import pytest
import redis
from django.db import connection, models
from django.db.models.deletion import Collector
from pytest_django import Settings

from conversations.models import Conversation
from instances.actor import Actor
from instances.models import Instance, User
from memoryapp.forgetting import undo_copy
from memoryapp.forgetting.deletion import DeletionResult, forget_undoably
from memoryapp.forgetting.undo_buffer import (
    NothingToUndo,
    UndoToken,
    WrongUndoToken,
    restore_deleted,
)
from memoryapp.graph.ingestion import NamedEntity, StatementIn, ingest
from memoryapp.models import (
    Activity,
    Contradiction,
    EmbeddingSpace,
    Entity,
    Likeness,
    Memory,
    MemoryEmbedding,
    MemoryRevision,
    MemorySource,
    Origin,
    Relation,
    Withdrawn,
)
from memoryapp.pipeline import Candidate, Changes, Writer, remember, revise

WRITER = Writer(Origin.CONVERSATION, Actor(via="extraction"))


@pytest.fixture
def server(settings: Settings) -> Iterator["redis.Redis"]:
    with redis.Redis.from_url(settings.REDIS_URL) as server:
        server.flushdb()
        yield server


@pytest.fixture
def memory(instance: Instance, conversation: Conversation, alice: User) -> Memory:
    """A memory with a source, a revision and vectors of both versions."""
    said = conversation.messages.earliest("position")
    candidate = Candidate(
        "The user lives in Zanzibar.",
        category="fact",
        tags=["home"],
        conversation_id=conversation.pk,
        message_id=said.pk,
    )
    (outcome,) = remember(instance, [candidate], WRITER)
    changes = Changes("The user has moved to Heligoland.", "event", 7)
    return revise(outcome.memory, changes, by=Actor(alice)).memory


def forget_all(instance: Instance, by: User) -> DeletionResult:
    return forget_undoably(instance, Memory.objects.all(), by=by)


def undo_token_of(forgotten: DeletionResult) -> UndoToken:
    assert forgotten.undo_token
    return forgotten.undo_token


def rows() -> dict[str, list[Any]]:
    return {
        model.__name__: list(model._default_manager.order_by("pk").values())
        for model in (part.model for part in undo_copy.PARTS)
    }


def test_every_table_affected_by_a_deletion_is_buffered(memory: Memory) -> None:
    """A table that is added later must be covered, too."""
    taken: set[type[models.Model]] = {Memory}
    seen: set[type[models.Model]] = set()
    while taken - seen:
        model = (taken - seen).pop()
        seen.add(model)
        for relation in model._meta.get_fields(include_hidden=True):
            cascades = getattr(relation, "on_delete", None) is models.CASCADE
            if relation.auto_created and cascades and relation.related_model:
                taken.add(relation.related_model)
    # Derived from vectors.
    taken -= {Likeness}
    # A trigger deletes entities that nothing names any more.
    taken |= {Entity}
    assert taken == {part.model for part in undo_copy.PARTS}
    collector = Collector(using="default", origin=memory)
    collector.collect([memory])
    assert set(collector.data) <= taken | {Likeness}


def test_undelete_restores_everything_exactly(
    instance: Instance, memory: Memory, alice: User
) -> None:
    before = rows()
    in_graph = {"Contradiction", "Entity", "Mention", "Statement", "Withdrawn"}
    assert {name for name, part in before.items() if not part} <= in_graph
    forgotten = forget_all(instance, alice)
    assert forgotten.count == 1
    assert not any(rows().values())
    returned = restore_deleted(undo_token_of(forgotten), instance, alice)
    assert rows() == before
    assert (returned.memories, returned.links, returned.vectors) == (1, 0, 0)
    lines = Activity.objects.values_list("action", "by", "memory_id", "count")
    assert list(lines[:2]) == [
        ("undeleted", alice.pk, memory.pk, 1),
        ("deleted", alice.pk, memory.pk, 1),
    ]


def test_undelete_restores_what_the_graph_has_from_it(
    instance: Instance, memory: Memory, alice: User
) -> None:
    said = StatementIn(
        NamedEntity("Mara", "person"),
        "lives in",
        NamedEntity("Heligoland", "place"),
        memory.created_at,
        memory_id=memory.pk,
    )
    ingest(instance, "", [said])
    Withdrawn.objects.create(instance=instance, memory=memory)
    other = Memory.objects.create(instance=instance, content="The user lives in Rome.")
    Contradiction.objects.note(memory, [other.pk])
    before = rows()
    assert all(before.values()), "a table of the fixture is empty"
    undo_token = undo_token_of(
        forget_undoably(instance, Memory.objects.filter(pk=memory.pk), by=alice)
    )
    assert not Entity.objects.exists()
    restore_deleted(undo_token, instance, alice)
    assert rows() == before
    assert Relation.objects.exists()


def test_deletion_can_be_undone_once(instance: Instance, memory: Memory, alice: User) -> None:
    undo_token = undo_token_of(forget_all(instance, alice))
    restore_deleted(undo_token, instance, alice)
    with pytest.raises(NothingToUndo):
        restore_deleted(undo_token, instance, alice)
    assert Memory.objects.count() == 1


def test_undo_is_limited_to_its_user_and_instance(
    instance: Instance, private: Instance, memory: Memory, alice: User, bob: User
) -> None:
    undo_token = undo_token_of(forget_all(instance, alice))
    other_beginning = "B" if undo_token.key[0] == "A" else "A"
    for wrong, where, who in (
        (undo_token, instance, bob),
        (undo_token, private, alice),
        (UndoToken(undo_token.name, other_beginning + undo_token.key[1:]), instance, alice),
        (UndoToken(undo_token.name, ""), instance, alice),
        (UndoToken(undo_token.name, "ключ"), instance, alice),
    ):
        with pytest.raises(WrongUndoToken):
            restore_deleted(wrong, where, who)
    # Failed attempts do not consume the undo of the right user.
    assert restore_deleted(undo_token, instance, alice).memories == 1


def test_buffer_expires_shortly_after_ten_seconds(
    instance: Instance, memory: Memory, alice: User, server: "redis.Redis"
) -> None:
    undo_token = undo_token_of(forget_all(instance, alice))
    (key,) = server.keys()
    assert 10_000 < server.pttl(key) <= 12_000
    server.pexpire(key, 0)
    with pytest.raises(NothingToUndo):
        restore_deleted(undo_token, instance, alice)


def test_rows_with_missing_references_are_skipped(
    instance: Instance, memory: Memory, conversation: Conversation, alice: User, bob: User
) -> None:
    space = EmbeddingSpace.objects.create(instance=instance, name="former/3")
    MemoryEmbedding.objects.create(
        memory=memory, instance=instance, space=space, embedding=[1.0, 0, 0]
    )
    MemoryRevision.objects.update(by=bob, source=MemorySource.objects.in_conversations().get())
    undo_token = undo_token_of(forget_all(instance, alice))
    conversation.delete()
    space.delete()
    bob.delete()
    returned = restore_deleted(undo_token, instance, alice)
    assert (returned.memories, returned.links, returned.vectors) == (1, 1, 1)
    revision = MemoryRevision.objects.get()
    assert (revision.by, revision.source) == (None, None)
    assert Memory.objects.get() == memory
    assert memory.embeddings.count() == 1
    # Deferred constraints are checked, too.
    connection.check_constraints()


def test_external_id_that_is_taken_meanwhile_is_let_go(
    instance: Instance, memory: Memory, alice: User
) -> None:
    Memory.objects.filter(pk=memory.pk).update(external_id="mem0-7")
    undo_token = undo_token_of(forget_all(instance, alice))
    Memory.objects.create(instance=instance, content="Imported again.", external_id="mem0-7")
    assert restore_deleted(undo_token, instance, alice).memories == 1
    assert Memory.objects.get(pk=memory.pk).external_id == ""


def test_failed_undo_can_be_retried(instance: Instance, memory: Memory, alice: User) -> None:
    undo_token = undo_token_of(forget_all(instance, alice))
    # Another row has taken its place.
    blocker = Memory.objects.create(pk=memory.pk, instance=instance, content="In the way.")
    with pytest.raises(Exception, match="duplicate key"):
        restore_deleted(undo_token, instance, alice)
    blocker.delete()
    assert restore_deleted(undo_token, instance, alice).memories == 1


def test_too_large_deletion_has_no_undo(
    instance: Instance, memory: Memory, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(undo_copy, "MAX_BYTES", 10_000)
    assert undo_copy.fits(instance, [memory.pk])
    monkeypatch.setattr(undo_copy, "MAX_BYTES", 2_000)
    assert forget_all(instance, alice) == DeletionResult(1, None)
    assert not Memory.objects.exists()


def test_deletion_without_redis_has_no_undo(
    instance: Instance, memory: Memory, alice: User, settings: Settings
) -> None:
    settings.REDIS_URL = "unix:///nowhere/redis.sock"
    assert forget_all(instance, alice) == DeletionResult(1, None)
    assert not Memory.objects.exists()
    with pytest.raises(NothingToUndo):
        restore_deleted(
            UndoToken("x", base64.urlsafe_b64encode(bytes(32)).decode()), instance, alice
        )


def test_empty_deletion_has_no_undo(instance: Instance, alice: User) -> None:
    assert forget_all(instance, alice) == DeletionResult(0, None)
