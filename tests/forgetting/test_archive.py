"""The bin: what programs and tools delete, and people restore or forget."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from conversations.messages import NewMessage, append
from conversations.models import Conversation
from instances.actor import Actor
from instances.models import Instance, User
from memoryapp.forgetting.archive import archive, forget_overdue, unarchive
from memoryapp.models import Activity, ArchivedMemory, Memory, Origin
from memoryapp.pipeline import Candidate, Changes, Writer, remember, revise
from tests.api.conftest import Program, key_of

Store = Callable[..., Memory]
BIN = "/memory/removed/bin?instance=desk"


def bin_of(instance: Instance) -> list[str]:
    return list(instance.archived.values_list("content", flat=True))


def put_in_bin(memory: Memory) -> ArchivedMemory:
    assert archive(memory.instance, Memory.objects.filter(pk=memory.pk), by=Actor(via="test")) == 1
    return ArchivedMemory.objects.get(memory_id=memory.pk)


@pytest.fixture
def forgetting(instance: Instance) -> Program:
    """A program that may forget."""
    return key_of(instance, ("read", "write", "delete", "forget"))[1]


@pytest.fixture
def program(instance: Instance) -> Program:
    return key_of(instance)[1]


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("DELETE", "memories/{pk}", None),
        ("POST", "memories/delete", {"ids": ["{pk}"]}),
        ("POST", "tools/forget_memory", {"id": "m{pk}"}),
        ("DELETE", "/v1/memories/{pk}/", None),
        ("DELETE", "/v1/memories/?user_id=ana", None),
        ("DELETE", "/v1/batch/", {"memories": [{"memory_id": "{pk}"}]}),
    ],
)
def test_program_archives_unless_it_may_forget(
    method: str,
    path: str,
    body: dict[str, Any] | None,
    instance: Instance,
    program: Program,
    forgetting: Program,
    store_memory: Store,
) -> None:
    def ask(asking: Program, memory: Memory) -> None:
        def filled(part: object) -> object:
            if isinstance(part, dict):
                return {name: filled(value) for name, value in part.items()}
            if isinstance(part, list):
                return [filled(value) for value in part]
            text = str(part).format(pk=memory.pk)
            return int(text) if text.isdigit() and "ids" in (body or {}) else text

        asking.send(method, path.format(pk=memory.pk), body and filled(body))

    ask(program, store_memory("Ana rows.", end_user="ana" if "ana" in path else ""))
    assert bin_of(instance) == ["Ana rows."]
    ArchivedMemory.objects.all().delete()
    ask(forgetting, store_memory("Ana sails.", end_user="ana" if "ana" in path else ""))
    assert not Memory.objects.exists()
    # A tool archives, whoever calls it.
    assert bin_of(instance) == (["Ana sails."] if "tools" in path else [])


def test_never_again_needs_the_permission_to_forget(
    program: Program, forgetting: Program, store_memory: Store, instance: Instance
) -> None:
    memory = store_memory("Ana rows.")
    path = f"memories/{memory.pk}?never_again=true"
    refused = program.send("DELETE", path, status=403)
    assert refused["code"] == "scope_required"
    assert Memory.objects.exists()
    forgetting.send("DELETE", path)
    assert instance.suppression_rules.count() == 1


def test_restored_memory_is_as_it_was(instance: Instance, alice: User) -> None:
    talk = Conversation.objects.create(instance=instance, title="Boats")
    (message,) = append(talk, [NewMessage("user", "I row.")]).added
    candidate = Candidate(
        "The user rows.",
        category="fact",
        tags=["boats"],
        key="hobby",
        value="rows",
        metadata={"agent_id": "coach"},
        conversation_id=talk.pk,
        message_id=message.pk,
    )
    (outcome,) = remember(instance, [candidate], Writer(Origin.CONVERSATION, Actor(via="x")))
    revise(outcome.memory, Changes("The user rows daily.", "fact", 7, ["boats"]), by=Actor(alice))
    columns = [field.attname for field in Memory._meta.concrete_fields]
    before = Memory.objects.values(*columns).get()
    revision = outcome.memory.revisions.values().get()

    put_in_bin(outcome.memory)
    message.refresh_from_db()
    assert not Memory.objects.exists()
    assert message.content == ""
    assert unarchive(instance, instance.archived.all(), by=Actor(alice)) == 1

    assert Memory.objects.values(*columns).get() == before
    restored = Memory.objects.get()
    assert restored.revisions.values().get() == revision
    assert restored.sources.in_conversations().get().message_id == message.pk
    message.refresh_from_db()
    assert message.content == "I row."
    assert not ArchivedMemory.objects.exists()


def test_restoring_leaves_out_what_is_gone_and_keys_that_are_taken(instance: Instance) -> None:
    talk = Conversation.objects.create(instance=instance)
    (message,) = append(talk, [NewMessage("user", "I live in Rome.")]).added
    home = Candidate("The user lives in Rome.", key="home_city", value="Rome")
    writer = Writer(Origin.CONVERSATION, Actor(via="x"))
    said = replace(home, conversation_id=talk.pk, message_id=message.pk)
    (outcome,) = remember(instance, [said], writer)
    put_in_bin(outcome.memory)
    talk.delete()
    remember(instance, [replace(home, content="The user lives in Oslo.", value="Oslo")], writer)

    unarchive(instance, instance.archived.all(), by=Actor())
    rome = Memory.objects.get(content__contains="Rome")
    assert (rome.key, rome.sources.count()) == ("", 0)
    assert Memory.objects.get(content__contains="Oslo").key == "home_city"


def test_two_restored_memories_do_not_share_an_id(
    instance: Instance, store_memory: Store, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(12):
        memory = store_memory(f"Ana lived in town {number}.")
        ids = {"key": "home_city", "value": str(number), "external_id": "m-1"}
        Memory.objects.filter(pk=memory.pk).update(**ids)
        put_in_bin(memory)
    with django_assert_max_num_queries(32):
        unarchive(instance, instance.archived.all(), by=Actor())
    assert Memory.objects.count() == 12
    assert Memory.objects.filter(key="home_city").count() == 1
    assert Memory.objects.filter(external_id="m-1").count() == 1


def test_bin_is_emptied_after_thirty_days(instance: Instance, store_memory: Store) -> None:
    old, new = put_in_bin(store_memory("Ana rows.")), put_in_bin(store_memory("Bea flies."))
    ArchivedMemory.objects.filter(pk=old.pk).update(archived_at=timezone.now() - timedelta(days=31))
    assert forget_overdue() == 1
    assert list(ArchivedMemory.objects.all()) == [new]
    assert instance.activity.filter(action=Activity.Action.DELETED, via="bin", count=1).exists()


def test_people_restore_and_forget(
    as_alice: Client, instance: Instance, store_memory: Store
) -> None:
    kept = put_in_bin(store_memory("Ana rows."))
    gone = put_in_bin(store_memory("Bea flies."))
    page = as_alice.get(BIN).content.decode()
    assert "Ana rows." in page
    assert "by test" in page
    as_alice.post(f"/memory/removed/bin/restore?instance={instance.slug}", {"id": kept.pk})
    assert list(Memory.objects.values_list("content", flat=True)) == ["Ana rows."]
    as_alice.post(f"/memory/removed/bin/forget?instance={instance.slug}", {"id": gone.pk})
    assert bin_of(instance) == []
    assert "The bin is empty" in as_alice.get(BIN).content.decode()


def test_only_the_checked_are_restored(
    as_alice: Client, instance: Instance, private: Instance, store_memory: Store
) -> None:
    put_in_bin(store_memory("Ana rows."))
    secret = put_in_bin(store_memory("A secret.", into=private))
    as_alice.post("/memory/removed/bin/restore?instance=desk", {"id": secret.pk})
    as_alice.post("/memory/removed/bin/restore?instance=desk", {})
    assert not Memory.objects.exists()
    as_alice.post("/memory/removed/bin/restore?instance=desk", {"all": "yes"})
    assert Memory.objects.get().content == "Ana rows."


def test_bin_takes_the_same_queries_for_many(
    as_alice: Client,
    instance: Instance,
    store_memory: Store,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    for number in range(12):
        put_in_bin(store_memory(f"Box {number} is on shelf {number}."))
    with django_assert_max_num_queries(14):
        as_alice.get(BIN)
