"""Taking back an import of conversations takes back all of it, and can be undone."""

import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from typing import Any

import pytest
from django.db import connection, transaction

from conversations.importers.import_run import import_stream
from conversations.messages import MessageDoor, NewMessage, append
from conversations.models import Conversation, Import, ImportedConversation, Message
from instances.models import Instance, User
from memoryapp.extraction.run import read
from memoryapp.forgetting.undo_buffer import NothingToUndo, restore_deleted
from memoryapp.mining.queue import queue as queue_filing
from memoryapp.mining.run import mine
from memoryapp.models import (
    Activity,
    Drawer,
    DrawerEmbedding,
    Entity,
    Erasure,
    Memory,
    MemorySource,
    Mention,
    Run,
    Statement,
)
from memoryapp.models.erasures import hash_of
from memoryapp.trust.change_source import ChangeSource
from memoryapp.trust.rollback import effect_of, take_back
from tests.citus import cluster_database
from tests.waiting import eventually

LINES = [
    {"conversation": "c1", "id": "1", "role": "user", "content": "I live in Oslo with my dog Rex."},
    {"conversation": "c1", "id": "2", "role": "assistant", "content": "How is Rex?"},
    {"conversation": "c2", "id": "3", "role": "user", "content": "I am allergic to peanuts."},
]
TABLES: Sequence[Any] = (
    Conversation,
    Message,
    ImportedConversation,
    Run,
    Memory,
    MemorySource,
    Drawer,
    DrawerEmbedding,
    Entity,
    Mention,
    Statement,
)


@pytest.fixture
def reading(instance: Instance) -> Instance:
    instance.builtin_reader = instance.memory_enabled = instance.palace_enabled = True
    instance.save()
    return instance


def import_lines(instance: Instance, lines: Sequence[dict[str, Any]] = LINES) -> Import:
    """Import *lines*, and have them wait to be read."""
    import_ = Import.objects.create(
        instance=instance, filename="talks.jsonl", read=True, state=Import.State.SUCCEEDED
    )

    def complete(conversation: Conversation) -> None:
        import_.add_conversation(conversation)
        with transaction.atomic():
            Run.objects.queue(conversation, Run.Kind.EXTRACTION)

    stream = BytesIO("\n".join(map(json.dumps, lines)).encode())
    import_stream(instance, stream, on_complete=complete, door=MessageDoor(batch=import_.batch))
    return import_


def work(kind: str, conversation: Conversation | None = None) -> None:
    """Do the waiting runs, as a worker does."""
    for run in Run.objects.filter(kind=kind, state=Run.State.QUEUED):
        if conversation in (None, run.conversation) and run.claim():
            (read if kind == Run.Kind.EXTRACTION else mine)(run)


def stored() -> dict[str, Any]:
    """All rows that an import leads to, without what the search engine derives."""
    return {
        table.__name__: [
            {name: value for name, value in row.items() if name not in ("search", "embedding")}
            for row in table.objects.order_by("pk").values()
        ]
        for table in TABLES
    }


def source(import_: Import) -> ChangeSource:
    return ChangeSource(import_.instance, import_=import_)


def test_nothing_of_an_import_is_left_and_nothing_is_learned_later(
    reading: Instance, alice: User
) -> None:
    import_ = import_lines(reading)
    work(Run.Kind.EXTRACTION, Conversation.objects.get(external_id="jsonl:c1"))
    assert Memory.objects.exists()
    removal = effect_of(source(import_)).removal
    assert (len(removal.conversations), removal.messages, len(removal.runs)) == (2, 3, 1)

    take_back(source(import_), by=alice)

    assert not any(rows for rows in stored().values())
    work(Run.Kind.EXTRACTION)
    assert not Memory.objects.exists()
    import_.refresh_from_db()
    assert import_.rolled_back_at
    assert not effect_of(source(import_))
    assert Activity.objects.latest("pk").action == Activity.Action.ROLLED_BACK


def test_undo_brings_all_of_it_back(reading: Instance, alice: User) -> None:
    import_ = import_lines(reading)
    work(Run.Kind.EXTRACTION, Conversation.objects.get(external_id="jsonl:c1"))
    for conversation in Conversation.objects.all():
        queue_filing(conversation)
    work(Run.Kind.MINING)
    before = stored()
    assert before["Drawer"]
    _, result = take_back(source(import_), by=alice)
    assert not Drawer.objects.exists()
    assert result.undo_token is not None

    assert restore_deleted(result.undo_token, reading, alice).conversations == 2

    assert stored() == before
    import_.refresh_from_db()
    assert import_.rolled_back_at is None
    # What had waited is read after all.
    work(Run.Kind.EXTRACTION)
    assert Memory.objects.filter(content__contains="peanuts").exists()


def test_reading_under_way_stores_nothing(reading: Instance, alice: User) -> None:
    import_ = import_lines(reading)
    runs = list(Run.objects.all())
    assert all(run.claim() for run in runs)
    take_back(source(import_), by=alice)
    for run in runs:
        read(run)
    assert not Memory.objects.exists()
    assert not Run.objects.exists()


def test_file_can_be_imported_again(reading: Instance, alice: User) -> None:
    import_ = import_lines(reading)
    work(Run.Kind.EXTRACTION)
    facts = set(Memory.objects.values_list("content", flat=True))
    assert facts
    take_back(source(import_), by=alice)

    again = import_lines(reading)
    assert effect_of(source(again)).removal.messages == 3
    assert not Message.objects.filter(content="").exists()
    work(Run.Kind.EXTRACTION)
    assert set(Memory.objects.values_list("content", flat=True)) == facts


def test_conversation_that_went_on_stays_with_what_was_said_since(
    reading: Instance, alice: User
) -> None:
    import_ = import_lines(reading, LINES[:2])
    (conversation,) = Conversation.objects.all()
    append(conversation, [NewMessage("user", "I am allergic to peanuts.")], finished=False)
    removal = effect_of(source(import_)).removal
    assert (removal.conversations, removal.staying) == ([], [conversation.pk])

    take_back(source(import_), by=alice)

    assert conversation.messages.count() == 3
    work(Run.Kind.EXTRACTION)
    (fact,) = Memory.objects.all()
    assert "peanuts" in fact.content


def test_other_imports_keep_what_they_brought(reading: Instance, alice: User) -> None:
    first = import_lines(reading, LINES[:2])
    work(Run.Kind.EXTRACTION)
    kept = Memory.objects.count()
    later = import_lines(reading, LINES)
    take_back(source(later), by=alice)
    assert set(Conversation.objects.values_list("external_id", flat=True)) == {"jsonl:c1"}
    assert effect_of(source(first)).removal.messages == 2
    assert Memory.objects.count() == kept


def test_erasure_meanwhile_is_not_undone(reading: Instance, alice: User) -> None:
    import_ = import_lines(reading, [{**line, "end_user": "ana"} for line in LINES])
    _, result = take_back(source(import_), by=alice)
    Erasure.objects.create(instance=reading, asked_by="Alice", hashes=[hash_of(reading.pk, "ana")])
    assert result.undo_token is not None
    with pytest.raises(NothingToUndo):
        restore_deleted(result.undo_token, reading, alice)
    assert not Message.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(bool(cluster_database.ADDRESS), reason="Workers wait for locks of rows.")
def test_message_that_is_added_at_the_same_moment_is_kept(reading: Instance, alice: User) -> None:
    import_ = import_lines(reading, LINES[:2])
    (conversation,) = Conversation.objects.all()

    def roll_back() -> None:
        try:
            take_back(source(import_), by=alice)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            append(conversation, [NewMessage("user", "I am allergic to peanuts.")], finished=False)
            rolled_back = pool.submit(roll_back)
            eventually(_a_lock_is_waited_for, "the rollback does not wait for the message")
            Run.objects.queue(conversation, Run.Kind.EXTRACTION)
        rolled_back.result(timeout=60)

    assert conversation.messages.count() == 3
    work(Run.Kind.EXTRACTION)
    (fact,) = Memory.objects.all()
    assert "peanuts" in fact.content


def _a_lock_is_waited_for() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)")
        return bool(cursor.fetchone()[0])
