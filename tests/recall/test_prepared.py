"""A search is planned once for each connection, and where nothing may be kept, each time."""

import json
import os
import subprocess
import sys

import pytest
from django.conf import settings
from django.db import DataError, connection
from django.test.utils import CaptureQueriesContext

from instances.models import Instance
from memoryapp.models import Origin
from memoryapp.pipeline import Candidate, Writer, remember
from memoryapp.recall import recall
from memoryapp.recall.prepared import prepared


def kept() -> set[str]:
    """The statements that PostgreSQL has kept for this connection."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM pg_prepared_statements")
        return {name for (name,) in cursor}


def finds_the_tuner(instance: Instance) -> bool:
    hits = recall(instance, "When does the piano tuner come?").hits
    return [hit.content for hit in hits] == ["The piano tuner comes on Monday."]


@pytest.fixture
def desk(instance: Instance) -> Instance:
    remember(
        instance, [Candidate("The piano tuner comes on Monday.")], Writer(Origin.API, via="test")
    )
    return instance


def test_a_search_is_planned_once(desk: Instance) -> None:
    before = kept()
    assert finds_the_tuner(desk)
    first = kept()
    assert first > before
    assert finds_the_tuner(desk)
    assert kept() == first
    with connection.cursor() as cursor:
        cursor.execute("SELECT sum(custom_plans) FROM pg_prepared_statements")
        assert cursor.fetchone() == (0,)


def test_what_narrows_a_search_leaves_nothing_behind(desk: Instance) -> None:
    assert finds_the_tuner(desk)
    before = kept()
    for person in ("ana", "bo"):
        recall(desk, "When does the piano tuner come?", end_user=person)
    assert kept() == before


def test_a_connection_that_keeps_nothing_finds_the_same(
    desk: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection.ensure_connection()
    monkeypatch.setattr(connection.connection, "prepare_threshold", None)
    before = kept()
    assert finds_the_tuner(desk)
    assert kept() == before


def test_it_is_counted_and_fails_like_any_other_statement(db: None) -> None:
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
def test_behind_a_pooler_nothing_is_asked_to_be_kept(address: str, keeps: bool) -> None:
    read = "import json; from memoryapp.settings import DATABASES as d; print(json.dumps(d))"
    done = subprocess.run(
        [sys.executable, "-c", read],
        cwd=settings.BASE_DIR,
        env=os.environ | {"DATABASE_URL": address},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    options = json.loads(done.stdout)["default"]["OPTIONS"]
    assert ("prepare_threshold" in options, "options" in options) == (keeps, keeps)
