"""Actions of the admin do what the screens do: they are in the activity, and can be undone."""

from typing import Any

import pytest
from django.test import Client

from conversations.models import Conversation
from instances.models import ApiKey, Instance, User
from memoryapp.admin.columns import list_of
from memoryapp.models import Activity, ArchivedMemory, HeldStatement, Memory, Run


def act(client: Client, action: str, *rows: Any) -> Any:
    """Run *action* on *rows*, and return the page that follows."""
    data = {"action": action, "_selected_action": [row.pk for row in rows], "index": "0"}
    return client.post(list_of(type(rows[0])), data, follow=True)


def last_entry(instance: Instance) -> Activity:
    return instance.activity.latest("pk")


@pytest.fixture
def other(db: None) -> Instance:
    return Instance.objects.create(slug="other", name="Other", builtin_reader=False)


def test_memories_go_to_the_bins_of_their_instances_and_come_back(
    as_dana: Client, dana: User, instance: Instance, other: Instance
) -> None:
    memories = [each.memories.create(content="Sails.") for each in (instance, other)]
    page = act(as_dana, "archive_memories", *memories).content.decode()
    assert "2 rows changed" in page
    assert not Memory.objects.exists()
    for each in (instance, other):
        entry = last_entry(each)
        assert (entry.action, entry.by, entry.count) == ("archived", dana, 1)
    act(as_dana, "restore_archived", *ArchivedMemory.objects.all())
    assert Memory.objects.count() == 2
    assert last_entry(other).action == "unarchived"
    act(as_dana, "archive_memories", memories[0])
    act(as_dana, "forget_archived", ArchivedMemory.objects.get())
    assert Memory.objects.count() == 1
    assert last_entry(instance).action == "deleted"


def test_deleting_leads_to_the_memory_screen(
    as_dana: Client, instance: Instance, other: Instance
) -> None:
    memories = [each.memories.create(content="Sails.") for each in (instance, instance, other)]
    page = act(as_dana, "delete_memories", *memories).content.decode()
    assert Memory.objects.count() == 3
    assert 'action="/memory/delete?instance=desk"' in page
    assert "Delete 2 memories of Support desk" in page and "Delete 1 memory of Other" in page
    ids = [memory.pk for memory in memories[:2]]
    asked = as_dana.post("/memory/delete?instance=desk", {"id": ids})
    assert "Delete 2 memories" in asked.content.decode()


def test_held_statements_are_decided(as_dana: Client, instance: Instance) -> None:
    held = [
        instance.held.create(
            content=f"The user has boat {n}.",
            tier=1,
            reason="instruction",
            digest=str(n),
            as_memory={},
        )
        for n in range(2)
    ]
    act(as_dana, "reject_held", held[0])
    assert HeldStatement.objects.waiting().get() == held[1]
    assert last_entry(instance).action == "rejected"


def test_failed_runs_are_queued_again_and_others_stay(as_dana: Client, instance: Instance) -> None:
    conversations = [Conversation.objects.create(instance=instance) for _ in range(2)]
    failed, done = (
        Run.objects.create(instance=instance, conversation=each, state=state)
        for each, state in zip(conversations, ("failed", "succeeded"), strict=True)
    )
    page = act(as_dana, "retry_runs", failed, done).content.decode()
    assert "1 row changed" in page and "1 row stays as it is" in page
    failed.refresh_from_db()
    done.refresh_from_db()
    assert (failed.state, done.state) == ("queued", "succeeded")


def test_keys_are_revoked(as_dana: Client, dana: User, instance: Instance) -> None:
    key = ApiKey(instance=instance, name="A key", scopes=["read"])
    key.make_secret()
    key.save()
    act(as_dana, "revoke_keys", key)
    key.refresh_from_db()
    assert key.revoked_at is not None
    entry = last_entry(instance)
    assert (entry.action, entry.by, entry.about) == ("key_revoked", dana, "A key")


def test_nobody_locks_everybody_out(as_dana: Client, dana: User, alice: User) -> None:
    act(as_dana, "deactivate_people", dana, alice)
    assert User.objects.filter(is_active=True).count() == 2
    act(as_dana, "deactivate_people", alice)
    alice.refresh_from_db()
    assert not alice.is_active
    act(as_dana, "reactivate_people", alice)
    alice.refresh_from_db()
    assert alice.is_active


def test_conversations_are_read_again_where_something_reads(
    as_dana: Client, instance: Instance
) -> None:
    conversation = Conversation.objects.create(instance=instance)
    assert "1 row stays" in act(as_dana, "read_conversations", conversation).content.decode()
    Instance.objects.filter(pk=instance.pk).update(builtin_reader=True)
    act(as_dana, "read_conversations", conversation)
    assert conversation.runs.exists()
