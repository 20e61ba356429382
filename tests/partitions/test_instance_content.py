"""Rows of content are found through their instance, and locked only so: a table that is divided by
instance is then read in one place, and Citus locks nothing in several.
"""

from collections.abc import Callable
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, models
from django.test.utils import CaptureQueriesContext

from conversations.models import Conversation
from instances.models import Instance
from instances.models.content_keys import InstanceContent
from memoryapp import tasks
from memoryapp.models import Memory, over_cap
from memoryapp.partitions import conversion
from memoryapp.partitions.catalogue import CONTENT_APPS, content_tables
from tests.partitions.plans import plans

pytestmark = pytest.mark.django_db


def test_each_model_of_a_content_table_is_instance_content() -> None:
    content = {table.name for table in content_tables()}
    by_table: dict[str, type[models.Model]] = {
        model._meta.db_table: model
        for app in CONTENT_APPS
        for model in apps.get_app_config(app).get_models()
    }
    assert len(content) > 40
    assert [name for name in content if not issubclass(by_table[name], InstanceContent)] == []


@pytest.mark.parametrize(
    "change",
    [
        lambda row: row.locked(),
        lambda row: row.refresh_from_db(),
        lambda row: row.save(),
        lambda row: row.row().update(created_at=row.created_at),
    ],
    ids=["locked", "refreshed", "saved", "updated"],
)
def test_row_is_found_in_one_partition(
    store_memory: Callable[..., Memory],
    conversation: Conversation,
    change: Callable[[InstanceContent], Any],
) -> None:
    memory = store_memory("The user has two goats.")
    with connection.cursor() as cursor:
        # Rows of this transaction wait for their foreign keys to be checked.
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    conversion.convert(conversion.partitioned(4))
    with plans() as read:
        change(memory)
        change(conversation)
    assert read.tables >= {"memoryapp_memory", "conversations_conversation"}
    assert not read.wide


def test_row_of_another_instance_is_not_found(
    store_memory: Callable[..., Memory], private: Instance
) -> None:
    memory = store_memory("The user has two goats.")
    memory.instance_id = private.pk
    with pytest.raises(Memory.DoesNotExist):
        memory.locked()
    with pytest.raises(Memory.DoesNotExist):
        memory.refresh_from_db()


def test_row_whose_instance_is_not_loaded_is_found(store_memory: Callable[..., Memory]) -> None:
    pk = store_memory("The user has two goats.").pk
    memory = Memory.objects.only("pk").get(pk=pk)
    assert memory.content == "The user has two goats."
    assert memory.locked() == memory


def test_no_content_is_looked_up_for_each_instance(
    instance: Instance, store_memory: Callable[..., Memory]
) -> None:
    """Citus refuses a subquery over content that refers to the row of an instance around it."""
    store_memory("The user has two goats.")
    Instance.objects.update(monthly_cap=1)
    with CaptureQueriesContext(connection) as queries:
        over_cap(Instance.objects.all())
        tasks.backfill()
        tasks.assess()
        tasks.fold_counts()
    sent = [query["sql"] for query in queries]
    assert len(sent) > 4
    assert [text for text in sent if '= ("instances_instance"."id")' in text] == []


def test_lock_that_names_no_instance_is_noticed(store_memory: Callable[..., Memory]) -> None:
    memory = store_memory("The user has two goats.")
    with pytest.raises(AssertionError, match="names no instance"):
        Memory.objects.select_for_update(of=("self",)).get(pk=memory.pk)
