"""Each statement of search, list, store, chat and a person's file touches one partition, or one
shard where the tests run on Citus.
"""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from conversations.messages import NewMessage, append
from conversations.models import Conversation
from instances.models import Instance, RecallProfile
from instances.partitions import is_divided, partition_of
from memoryapp.context.builder import context_for_message
from memoryapp.graph.ingestion import NamedEntity, StatementIn, ingest
from memoryapp.models import Memory, MemorySource
from memoryapp.partitions import conversion
from memoryapp.people.export import archive_of
from memoryapp.people.inventory import Person, counts_of
from memoryapp.recall import RecallOptions, recall
from memoryapp.web.memory.listing import MemoryList, load
from tests.api.conftest import key_of
from tests.partitions.plans import Plans, plans, scanned

pytestmark = pytest.mark.django_db


@pytest.fixture
def goats(
    instance: Instance, conversation: Conversation, store_memory: Callable[..., Memory]
) -> Memory:
    """A memory and a conversation, in partitions."""
    memory = store_memory("The user has two goats.", tags=("animals",))
    message = conversation.messages.get(position=1)
    MemorySource.objects.create(
        instance=instance, memory=memory, conversation=conversation, message=message
    )
    with connection.cursor() as cursor:
        # Rows of this transaction wait for their foreign keys to be checked.
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    if not is_divided():
        conversion.convert(conversion.partitioned(4))
    return memory


def check(read: Plans, *tables: str) -> None:
    """Check that these tables were read, and that no statement touched two partitions."""
    assert read.tables >= {f"memoryapp_{name}" for name in tables}
    assert not read.wide, "\n\n".join(read.wide)


@pytest.mark.parametrize("profile", [RecallProfile.DEFAULT, RecallProfile.RRF])
def test_search(instance: Instance, goats: Memory, profile: str) -> None:
    with plans() as read:
        for options in (
            RecallOptions(),
            RecallOptions(profile=profile, with_messages=True),
            RecallOptions(memories=Memory.objects.in_instance(instance).filter(tags=["animals"])),
        ):
            assert recall(instance, "How many goats does the user have?", options).hits
    check(read, "memory", "memoryembedding")


def test_list(instance: Instance, goats: Memory, as_alice: Client) -> None:
    with plans() as read:
        for listing in (
            MemoryList(instance),
            MemoryList(instance, tag="animals"),
            MemoryList(instance, category="general"),
            MemoryList(instance, state="waiting"),
            MemoryList(instance, sort="changed"),
        ):
            load(listing)
        assert as_alice.get("/memory?instance=desk").status_code == 200
    check(read, "memory", "memoryrevision")


def test_store(
    instance: Instance,
    goats: Memory,
    conversation: Conversation,
    store_memory: Callable[..., Memory],
) -> None:
    before = scanned()
    with plans() as read:
        store_memory("The user has a boat.", key="boat", value="a boat")
        reworded = store_memory("The user has 3 goats.")
        append(conversation, [NewMessage("user", "Hello?"), NewMessage("assistant", "Hello.")])
    assert reworded == goats
    check(read, "memory", "memoryembedding")
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    # What triggers and foreign keys read is in no plan.
    if is_divided():
        # Only the workers know.
        return
    read_now = {name for name, number in scanned().items() if number > before.get(name, 0)}
    mine = {partition_of(name.rsplit("_", 3)[0], instance.pk) for name in read_now}
    assert read_now == mine and "memoryapp_unfiled" not in read_now


def test_rest(instance: Instance, goats: Memory, conversation: Conversation) -> None:
    program = key_of(instance)[1]
    with plans() as read:
        program.send("GET", f"memories/{goats.pk}", None, 200)
        program.send("GET", "memories", None, 200)
        program.send("POST", "memories", {"content": "The user has a boat."}, 201)
        program.send("PATCH", f"memories/{goats.pk}", {"content": "The user has 3 goats."}, 200)
        program.send("POST", "search", {"q": "How many goats?"}, 200)
        program.send("GET", f"conversations/{conversation.pk}/messages", None, 200)
    check(read, "memory", "memorysource")


def test_chat(instance: Instance, goats: Memory, conversation: Conversation) -> None:
    with plans() as read:
        found = context_for_message(
            instance, "How many goats do I have?", end_user="", conversation=conversation
        )
        append(conversation, [NewMessage("user", "Hello?"), NewMessage("assistant", "Hello.")])
    assert found.problem == "" and found.hits
    check(read, "memory", "memoryembedding")


def test_graph(instance: Instance, goats: Memory, as_alice: Client) -> None:
    anna, acme = NamedEntity("Anna", "person"), NamedEntity("Acme", "organisation")
    said = StatementIn(anna, "works_at", acme, timezone.now(), memory_id=goats.pk)
    ingest(instance, "", [said])
    with plans() as read:
        page = as_alice.get("/memory/graph?instance=desk").content.decode()
    assert "Relations today" in page and "Anna" in page
    check(read, "entity", "mention")


def test_file_of_a_person(instance: Instance, goats: Memory) -> None:
    Memory.objects.filter(pk=goats.pk).update(end_user="ana")
    person = Person.of(instance, "ana")
    with plans() as read:
        assert counts_of(person)
        assert b"".join(archive_of(person))
    check(read, "memory")


def test_plan_of_a_statement_without_the_instance_is_noticed(goats: Memory) -> None:
    with plans() as read:
        assert list(Memory.objects.filter(content=goats.content)) == [goats]
    assert len(read.wide) == 1 and read.tables == {"memoryapp_memory"}
