"""The content tables move into partitions and back, with their rows and everything on them."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, connection, migrations, models, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ProjectState

from conversations.models import Conversation, Message
from instances.constraints import within_instance
from instances.models import Instance, Membership, User
from instances.partitions import partition_of, remainder
from memoryapp.models import Memory, MemorySource
from memoryapp.partitions import catalogue, conversion
from memoryapp.partitions.conversion import KEYED, PLAIN, Form, convert, partitioned

# Each test converts the database within its transaction, which is rolled back.
pytestmark = pytest.mark.django_db


def move(form: Form) -> None:
    with connection.cursor() as cursor:
        # Rows of this transaction wait for their foreign keys to be checked.
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    convert(form)


def structure() -> list[Any]:
    """Everything on the content tables, in an order of its own."""
    found: list[Any] = []
    for table in catalogue.content_tables(details=True):
        found.append((table.name, table.partitions, table.columns, table.triggers))
        found += sorted((table.name, key.name, key.definition) for key in table.constraints)
        found += sorted(
            (table.name, index.name, index.is_unique, index.method, sorted(index.columns))
            for index in table.indexes
        )
    tables = catalogue.content_tables()
    return [*found, sorted(name for name, _ in catalogue.views_over([t.oid for t in tables]))]


def rows() -> dict[str, int]:
    counts = {}
    with connection.cursor() as cursor:
        for table in catalogue.content_tables():
            cursor.execute(f"SELECT count(*) FROM {table.name}")  # noqa: S608
            counts[table.name] = cursor.fetchone()[0]
    return counts


@pytest.mark.parametrize("form", [KEYED, partitioned(2)], ids=str)
def test_there_and_back(
    form: Form, instance: Instance, conversation: Conversation, store_memory: Callable[..., Memory]
) -> None:
    memory = store_memory("The user has two goats.")
    message = conversation.messages.get(position=1)
    MemorySource.objects.create(
        instance=instance, memory=memory, conversation=conversation, message=message
    )
    move(PLAIN)
    before, counts = structure(), rows()
    found = Memory.objects.filter(pk=memory.pk).values().get()

    move(form)

    assert conversion.present_form() == form
    assert rows() == counts and counts["conversations_message"] == 2
    assert Memory.objects.filter(pk=memory.pk).values().get() == found
    later = store_memory("The user has a boat.")
    assert later.pk > memory.pk

    move(PLAIN)

    assert structure() == before
    assert Memory.objects.filter(pk=memory.pk).values().get() == found
    assert store_memory("The user has a bicycle.").pk > later.pk


@pytest.mark.parametrize("form", [KEYED, partitioned(2)], ids=str)
def test_every_key_of_content_holds_the_instance(form: Form) -> None:
    move(form)
    tables = catalogue.content_tables(details=True)
    content = {table.name for table in tables}
    assert {"conversations_message", "memoryapp_memory", "memoryapp_memoryrevision"} <= content
    for table in tables:
        assert table.partitions == form.partitions, table.name
        for key in table.constraints:
            if key.kind == "f" and key.referenced not in content:
                continue
            assert "instance_id" in key.columns, key
            assert not key.referenced or "instance_id" in key.referenced_columns, key
        for index in table.indexes:
            assert not index.is_unique or "instance_id" in index.columns, index
    assert not catalogue.foreign_keys_from_elsewhere([table.oid for table in tables])


def test_indexes_of_partitions_are_named_after_those_of_the_table() -> None:
    move(partitioned(2))
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT indexname FROM pg_indexes WHERE tablename = 'memoryapp_memory_1_of_2'"
        )
        names = {name for (name,) in cursor.fetchall()}
    assert {"memory_list_1_of_2", "memory_search_1_of_2", "memoryapp_memory_pkey_1_of_2"} <= names


def test_a_second_time_changes_nothing() -> None:
    move(partitioned(2))
    assert not any(change.is_needed for change in convert(partitioned(2)))
    assert any(change.is_needed for change in conversion.plan(partitioned(3)))


def test_keys_still_refuse_rows_of_another_instance(
    instance: Instance, alice: User, store_memory: Callable[..., Memory]
) -> None:
    other = Instance.objects.create(slug="other", name="Other")
    Membership.objects.create(instance=other, user=alice)
    memory = store_memory("The user has two goats.")
    move(partitioned(2))
    with pytest.raises(IntegrityError), transaction.atomic():
        MemorySource.objects.create(instance=other, memory=memory, via="test")
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")


def test_placement_is_where_the_rows_are(alice: User) -> None:
    move(partitioned(3))
    used = set()
    # So many that no partition stays empty, whatever their ids are.
    for number in range(40):
        each = Instance.objects.create(slug=f"i{number}", name="One of many")
        Memory.objects.create(instance=each, content="The user has two goats.")
        place = partition_of("memoryapp_memory", each.pk)
        with connection.cursor() as cursor:
            cursor.execute(
                f"SELECT count(*) FROM {place} WHERE instance_id = %s",  # noqa: S608
                [each.pk],
            )
            assert cursor.fetchone() == (1,)
        used.add(place)
    assert len(used) == 3


def test_table_without_partitions_is_its_own_place(instance: Instance) -> None:
    move(PLAIN)
    assert partition_of("memoryapp_memory", instance.pk) == "memoryapp_memory"


def test_number_of_a_partition_is_as_postgresql_computes_it() -> None:
    move(partitioned(7))
    with connection.cursor() as cursor:
        for value in (0, 1, 2, 77, 123_456, 2**32, 9_876_543_210, 2**63 - 1, -5):
            cursor.execute(
                "SELECT satisfies_hash_partition('memoryapp_wing'::regclass, 7, %s, %s::bigint)",
                [remainder(value, 7), value],
            )
            assert cursor.fetchone() == (True,), value


def test_table_that_refers_to_content_without_an_instance_is_refused() -> None:
    move(PLAIN)
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE TABLE memoryapp_stray (memory_id bigint REFERENCES memoryapp_memory)"
        )
    with pytest.raises(conversion.CannotConvert, match="memoryapp_stray"):
        move(partitioned(2))


def within(owner: type[models.Model] | str, **options: Any) -> models.ForeignKey[Any, Any]:
    """A foreign key as later migrations write it: `within_instance` makes that of the database."""
    return models.ForeignKey(owner, models.CASCADE, db_constraint=False, **options)


#: What a later version may do to the tables.
LATER: list[migrations.operations.base.Operation] = [
    migrations.AddField("Memory", "colour", models.CharField(max_length=10, default="red")),
    migrations.AlterField("Memory", "colour", models.CharField(max_length=20, default="red")),
    migrations.AddIndex("Memory", models.Index(fields=["colour"], name="memory_colour")),
    migrations.AddConstraint(
        "Memory", models.UniqueConstraint(fields=["instance", "colour"], name="colour_once")
    ),
    migrations.RemoveConstraint("SuppressedStatement", "suppressed_statement_once"),
    migrations.AddField("Summary", "memory", within("memoryapp.memory", null=True)),
    within_instance("memoryapp_summary", "memory_id", "memoryapp_memory"),
    migrations.CreateModel(
        "Later",
        [
            ("id", models.BigAutoField(primary_key=True)),
            ("instance", models.ForeignKey("instances.instance", models.CASCADE)),
            ("message", within("conversations.message", unique=True)),
        ],
    ),
    within_instance("memoryapp_later", "message_id", "conversations_message"),
    migrations.RemoveField("Memory", "colour"),
    migrations.DeleteModel("SuppressedStatement"),
]


@pytest.mark.parametrize("form", [PLAIN, partitioned(2)], ids=str)
def test_later_migrations_work_in_either_form(form: Form) -> None:
    move(form)
    state: ProjectState = MigrationLoader(connection).project_state()
    for operation in LATER:
        after = state.clone()
        operation.state_forwards("memoryapp", after)
        with connection.schema_editor() as editor:
            operation.database_forwards("memoryapp", editor, state, after)
        state = after

    conversion.take_in_new_tables()

    later = next(t for t in catalogue.content_tables(details=True) if t.name == "memoryapp_later")
    assert later.partitions == form.partitions
    assert all("instance_id" in key.columns for key in later.constraints if form.keyed)
    move(PLAIN)
    keys = {key.name: key.definition for key in _table("memoryapp_later").constraints}
    assert keys["memoryapp_later_pkey"] == "PRIMARY KEY (id)"
    assert keys["memoryapp_later_message_id_key"] == "UNIQUE (message_id)"


def _table(name: str) -> catalogue.Table:
    return next(table for table in catalogue.content_tables(details=True) if table.name == name)


def test_words_are_found_in_partitions(instance: Instance, conversation: Conversation) -> None:
    move(partitioned(2))
    assert Message.objects.filter(search__isnull=False).count() == 2
