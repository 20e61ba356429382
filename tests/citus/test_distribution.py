"""Which tables are divided and which are copied, and what is in the way. That Citus takes them, and
gives them back, is seen by ``make citus-check``.
"""

import re
from io import StringIO

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection

from memoryapp.citus import distribution
from memoryapp.partitions import catalogue, conversion
from tests.citus import cluster_database

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(bool(cluster_database.ADDRESS), reason="The tables are divided already."),
]


def destinations() -> dict[str, str]:
    return {change.table.name: change.destination for change in distribution.plan()}


def test_each_table_has_its_place() -> None:
    found = destinations()
    assert set(found) == set(connection.introspection.table_names())
    for name, destination in found.items():
        # By the field itself, and not by what the catalogue says of it.
        is_content = name.startswith(("conversations_", "memoryapp_")) and "instance" in {
            field.name
            for model in apps.get_models(include_auto_created=True)
            if model._meta.db_table == name
            for field in model._meta.fields
            if not field.null
        }
        assert (destination == "distributed") == is_content, name


def test_what_content_refers_to_is_copied_and_what_is_written_with_each_request_is_not() -> None:
    found = destinations()
    assert {found[f"instances_{name}"] for name in ("instance", "user", "apikey")} == {"reference"}
    # An API key refers to its client, so that is copied, too.
    assert found["instances_oauthclient"] == "reference"
    for name in ("django_session", "instances_circuitbreaker", "instances_failedsignins"):
        assert found[name] == ""


def test_what_triggers_read_is_copied() -> None:
    found = destinations()
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT prosrc FROM pg_proc WHERE oid IN (SELECT tgfoid FROM pg_trigger)"
            " AND prolang = (SELECT oid FROM pg_language WHERE lanname = 'plpgsql')"
        )
        words = {word for (text,) in cursor for word in re.findall(r"\w+", text)}
    read = words & found.keys()
    assert {"instances_webhook", "memoryapp_webhookdelivery"} <= read
    assert {found[name] for name in read} == {"distributed", "reference"}


def test_divided_tables_have_the_instance_in_every_key() -> None:
    for change in distribution.plan():
        if change.destination == "distributed":
            keys = [key for key in change.constraints if key.kind in "pu"]
            assert keys and all("instance_id" in key.columns for key in keys), change.table.name


def test_a_database_without_citus_is_told_what_to_do() -> None:
    out = StringIO()
    call_command("distribute", dry_run=True, stdout=out)
    assert "memoryapp_memory " in out.getvalue()
    assert "Before that: Install Citus" in out.getvalue()
    assert out.getvalue().endswith("Nothing was changed.\n")
    with pytest.raises(CommandError, match="Install Citus"):
        call_command("distribute", stdout=StringIO())
    call_command("distribute", undo=True, stdout=out)
    assert out.getvalue().endswith("Nothing to do.\n")


def test_a_number_of_shards_is_a_number_from_1_on() -> None:
    for shards in ("0", "-3", "many"):
        with pytest.raises(CommandError, match="--shards"):
            call_command("distribute", f"--shards={shards}")


@pytest.mark.parametrize("form", [conversion.PLAIN, conversion.partitioned(2)])
def test_divided_tables_have_to_be_taken_back_first(
    monkeypatch: pytest.MonkeyPatch, form: conversion.Form
) -> None:
    (memory,) = (t for t in catalogue.content_tables() if t.name == "memoryapp_memory")
    monkeypatch.setattr(catalogue, "_places", lambda: {memory.oid: "distributed"})
    with pytest.raises(conversion.CannotConvert, match="distribute --undo"):
        conversion.plan(form)
