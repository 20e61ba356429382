"""Prepared statements: a search is planned once per connection, unless they are disabled."""

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.db import DataError, connection, transaction
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from instances.actor import Actor
from instances.models import Instance
from memoryapp.models import Origin
from memoryapp.models.prepared_statements import prepared
from memoryapp.pipeline import Candidate, Writer, remember
from memoryapp.recall import RecallOptions, recall


def prepared_names() -> set[str]:
    """Return the prepared statements of this connection."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM pg_prepared_statements")
        return {name for (name,) in cursor}


def finds_the_tuner(instance: Instance) -> bool:
    hits = recall(instance, "When does the piano tuner come?").hits
    return [hit.content for hit in hits] == ["The piano tuner comes on Monday."]


@pytest.fixture
def desk(instance: Instance) -> Instance:
    remember(
        instance,
        [Candidate("The piano tuner comes on Monday.")],
        Writer(Origin.API, Actor(via="test")),
    )
    return instance


def test_search_is_planned_once(desk: Instance) -> None:
    before = prepared_names()
    assert finds_the_tuner(desk)
    first = prepared_names()
    assert first > before
    assert finds_the_tuner(desk)
    assert prepared_names() == first
    with connection.cursor() as cursor:
        cursor.execute("SELECT sum(custom_plans) FROM pg_prepared_statements")
        assert cursor.fetchone() == (0,)


def test_writing_is_planned_once(instance: Instance) -> None:
    writer = Writer(Origin.API, Actor(via="test"))
    prepared_for = []
    for fact in ("Ana rows.", "Bea plays chess.", "Carl is from Oslo."):
        before = prepared_names()
        remember(instance, [Candidate(fact)], writer)
        prepared_for.append(len(prepared_names() - before))
    assert prepared_for[0] > 0
    assert prepared_for[1:] == [0, 0]


def test_filters_leave_no_state(desk: Instance) -> None:
    assert finds_the_tuner(desk)
    before = prepared_names()
    for person in ("ana", "bo"):
        recall(desk, "When does the piano tuner come?", RecallOptions(end_user=person))
    assert prepared_names() == before


@pytest.mark.parametrize("question", ['"piano tuner"', "piano -violin"])
def test_phrases_and_exclusions_leave_no_state(desk: Instance, question: str) -> None:
    assert finds_the_tuner(desk)
    before = prepared_names()
    assert recall(desk, question).hits
    assert prepared_names() == before


def test_connection_without_prepared_statements_gives_the_same_results(
    desk: Instance, settings: Settings
) -> None:
    settings.DATABASE_KEEPS_PLANS = False
    before = prepared_names()
    assert finds_the_tuner(desk)
    assert prepared_names() == before


@pytest.mark.django_db(transaction=True)
def test_other_statements_are_not_prepared(desk: Instance) -> None:
    assert finds_the_tuner(desk)
    assert connection.connection.prepare_threshold is None
    with pytest.raises(DataError), prepared() as cursor:
        cursor.execute("SELECT %s::int", ["many"])
    assert connection.connection.prepare_threshold is None


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("within", [nullcontext, transaction.atomic])
def test_plan_survives_a_rollback(
    within: Callable[[], AbstractContextManager[Any]], desk: Instance
) -> None:
    connection.close()
    with pytest.raises(LookupError), within():
        assert finds_the_tuner(desk)
        raise LookupError
    for _ in range(8):
        assert finds_the_tuner(desk)
    with connection.cursor() as cursor:
        cursor.execute("SELECT sum(custom_plans) FROM pg_prepared_statements")
        assert cursor.fetchone() == (0,)


def test_prepared_statement_is_counted_and_fails_like_any_other(db: None) -> None:
    with CaptureQueriesContext(connection) as asked, prepared() as cursor:
        cursor.execute("SELECT %s::int + 1", [41])
        assert cursor.fetchone() == (42,)
    assert [query["sql"] for query in asked] == ["SELECT 41::int + 1"]
    with pytest.raises(DataError), prepared() as cursor:
        cursor.execute("SELECT %s::int", ["many"])


@pytest.mark.parametrize(
    ("address", "keeps"),
    [
        ("postgres://keepsake@db/keepsake", True),
        ("postgres://keepsake@pooler/keepsake?DISABLE_SERVER_SIDE_CURSORS=true", False),
    ],
)
def test_no_prepared_statements_behind_a_pooler(address: str, keeps: bool) -> None:
    read = "from memoryapp.settings import DATABASE_KEEPS_PLANS as keeps; print(keeps)"
    done = subprocess.run(
        [sys.executable, "-c", read],
        cwd=django_settings.BASE_DIR,
        env=os.environ | {"DATABASE_URL": address},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.strip() == str(keeps)
