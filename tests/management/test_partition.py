"""``manage.py partition`` says what it would do and what is in the way, and does it."""

from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from instances import partitions
from instances.models import Instance
from memoryapp.models import Memory
from memoryapp.partitions import conversion
from memoryapp.partitions.conversion import PLAIN, partitioned

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def plain(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Begin with plain tables, also where the tests run with partitioned ones."""
    # The move is rolled back with the test.
    monkeypatch.setattr(partitions, "_known", partitions._known)
    conversion.convert(PLAIN)


def partition(**options: Any) -> str:
    out = StringIO()
    with connection.cursor() as cursor:
        # Rows of this transaction wait for their foreign keys to be checked.
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    call_command("partition", stdout=out, **options)
    return out.getvalue()


def test_dry_run_changes_nothing() -> None:
    output = partition(partitions=2, dry_run=True)
    assert "Now: plain. Wanted: 2 partitions by instance." in output
    assert "memoryapp_memory " in output and "instances_user" not in output
    assert output.endswith("Nothing was changed.\n")
    assert conversion.present_form() == PLAIN


def test_there_and_back(instance: Instance) -> None:
    Memory.objects.create(instance=instance, content="The user has two goats.")
    output = partition(partitions=2)
    assert "memoryapp_memory: 1 rows" in output and "Done: 2 partitions" in output
    assert conversion.present_form() == partitioned(2)
    assert partition(partitions=2) == (
        "Now: 2 partitions by instance. Wanted: 2 partitions by instance.\nNothing to do.\n"
    )
    assert "Done: plain." in partition(undo=True)
    assert conversion.present_form() == PLAIN
    assert Memory.objects.count() == 1


def test_refused_while_others_are_connected() -> None:
    other = connection.copy()
    try:
        other.ensure_connection()
        with pytest.raises(CommandError, match="Stop Keepsake: 1 other connection"):
            partition(keys_only=True)
        assert "Before that: Stop Keepsake" in partition(keys_only=True, dry_run=True)
    finally:
        other.close()
    assert conversion.present_form() == PLAIN


def test_refused_without_room_for_the_locks() -> None:
    with pytest.raises(CommandError, match=r"Set max_locks_per_transaction .* to 2048"):
        partition(partitions=64)


@pytest.mark.parametrize("number", ["1", "65", "eight"])
def test_number_of_partitions_is_checked(number: str) -> None:
    with pytest.raises(CommandError, match="whole number from 2 to 64"):
        call_command("partition", "--partitions", number)
