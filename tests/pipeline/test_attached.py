"""Metadata and external ids that clients attach to memories."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from conversations.messages import NewMessage, append
from conversations.models import Conversation
from instances.actor import Actor
from instances.models import Instance
from memoryapp.extraction.run import queue_by_hand, read
from memoryapp.models import Memory, Origin
from memoryapp.pipeline import (
    MAX_METADATA,
    Candidate,
    Changes,
    Rejected,
    Writer,
    remember,
    restore,
    revise,
    undo,
)
from memoryapp.policy.dedup import Action
from tests.provider_fixtures import keep_everything, read_with
from tests.scripted_provider import ScriptedProvider

WRITER = Writer(Origin.IMPORT, Actor(via="test"))
LABELS = {"project": "Kiln", "depth": {"cm": 12.5}, "seen": [1, True, None]}


def store(instance: Instance, content: str, **kwargs: Any) -> tuple[Memory, Action]:
    (outcome,) = remember(instance, [Candidate(content, **kwargs)], WRITER)
    outcome.memory.refresh_from_db()
    return outcome.memory, outcome.action


def test_metadata_is_stored_unchanged(instance: Instance) -> None:
    memory, _ = store(instance, "The user fires pots.", metadata=LABELS)
    assert memory.metadata == LABELS


def test_new_version_merges_metadata_and_undo_restores_it(
    instance: Instance,
) -> None:
    store(instance, "The user has three cats.", metadata={"room": "a", "seat": 1})
    memory, action = store(instance, "The user has four cats.", metadata={"room": "b"})
    assert action is Action.UPDATED
    assert memory.metadata == {"room": "b", "seat": 1}
    revision = memory.revisions.get()
    assert revision.metadata == {"room": "a", "seat": 1}
    assert undo(revision, by=Actor()).metadata == {"room": "a", "seat": 1}


def test_duplicate_keeps_its_metadata(instance: Instance) -> None:
    before, _ = store(instance, "The user has three cats.", metadata={"room": "a"})
    after, action = store(instance, "The user has three cats.", metadata={"room": "b"})
    assert (action, after.metadata) == (Action.DUPLICATE, {"room": "a"})
    assert after.updated_at == before.updated_at


def test_edit_keeps_metadata_unless_given(instance: Instance) -> None:
    memory, _ = store(instance, "The user fires pots.", metadata=LABELS)
    revise(memory, Changes("The user fires large pots.", "fact", 5), by=Actor())
    memory.refresh_from_db()
    assert memory.metadata == LABELS
    changes = Changes(memory.content, memory.category, memory.importance, metadata={"a": 1})
    assert revise(memory, changes, by=Actor()).action is Action.UPDATED
    memory.refresh_from_db()
    assert memory.metadata == {"a": 1}
    assert revise(memory, changes, by=Actor()).action is Action.DUPLICATE
    newest = memory.revisions.first()
    assert newest
    restore(newest, by=Actor())
    memory.refresh_from_db()
    assert memory.metadata == LABELS


def test_too_large_metadata_is_rejected(instance: Instance) -> None:
    with pytest.raises(Rejected, match="Attach less"):
        store(instance, "The user fires pots.", metadata={"all": "x" * MAX_METADATA})
    assert not Memory.objects.exists()


def test_metadata_is_sanitized(instance: Instance) -> None:
    odd = {"a\x00b": "c\x00d", "far": float("inf"), "half": "\ud83d"}
    memory, _ = store(instance, "The user fires pots.", metadata=odd)
    assert memory.metadata == {"ab": "cd", "far": None, "half": "\ufffd"}


def test_memory_inherits_metadata_of_its_message(
    instance: Instance, provider: ScriptedProvider
) -> None:
    read_with(provider, instance)
    provider.reply_with(keep_everything)
    talk = Conversation.objects.create(instance=instance)
    append(
        talk,
        [
            NewMessage("user", "I keep bees.", metadata={"channel": "mail", "agent_id": "post"}),
            NewMessage("user", "My sister sings bass."),
        ],
        finished=False,
    )
    run = queue_by_hand(talk)
    assert run.claim()
    read(run)
    found = dict(Memory.objects.values_list("content", "metadata"))
    assert found == {"I keep bees.": {"channel": "mail"}, "My sister sings bass.": {}}
    assert Memory.objects.labelled("agent:post").get().content == "I keep bees."


# Matching by external id


def test_same_external_id_is_the_same_memory(instance: Instance) -> None:
    first, _ = store(instance, "The user rows.", external_id="m-1")
    second, action = store(instance, "The user plays the bassoon.", external_id="m-1")
    assert (action, second.pk) == (Action.UPDATED, first.pk)
    assert second.revisions.get().content == "The user rows."
    # An older file does not revert anything.
    third, action = store(instance, "The user rows.", external_id="m-1")
    assert (action, third.content) == (Action.DUPLICATE, "The user plays the bassoon.")


def test_different_external_ids_stay_separate(instance: Instance) -> None:
    store(instance, "The user has three cats.", external_id="m-1")
    memory, action = store(instance, "The user has four cats.", external_id="m-2")
    assert (action, memory.external_id) == (Action.STORED, "m-2")


def test_existing_memory_without_an_external_id_gets_it(instance: Instance) -> None:
    store(instance, "The user has three cats.")
    memory, action = store(instance, "The user has three cats.", external_id="m-1")
    assert (action, memory.external_id) == (Action.DUPLICATE, "m-1")


def test_external_id_of_another_person_is_not_taken(instance: Instance) -> None:
    hers, _ = store(instance, "The user rows.", external_id="m-1", end_user="ana")
    his, action = store(instance, "The user rows.", external_id="m-1", end_user="ben")
    assert action is Action.STORED
    assert (his.end_user, his.external_id) == ("ben", "")
    hers.refresh_from_db()
    assert (hers.end_user, hers.external_id) == ("ana", "m-1")


def test_same_external_id_in_two_instances_is_two_memories(
    instance: Instance, private: Instance
) -> None:
    store(instance, "The user rows.", external_id="m-1")
    memory, action = store(private, "The user sings.", external_id="m-1")
    assert (action, memory.instance) == (Action.STORED, private)


def test_panel_shows_metadata(
    as_alice: Client, instance: Instance, store_memory: Callable[..., Memory]
) -> None:
    memory = store_memory("The user fires pots.", metadata={"kiln": "<b>"}, external_id="m-1")
    page = as_alice.get(f"/memory/{memory.pk}?instance=desk").content.decode()
    assert "kiln</span> &lt;b&gt;" in page
    assert "m-1" in page
