"""Liveness and readiness checks: without login, and cheap."""

from collections.abc import Iterator

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from memoryapp.embedded.redis import RedisServer
from memoryapp.health import readiness
from memoryapp.telemetry import heartbeat


@pytest.fixture
def quiet(servers: RedisServer) -> Iterator[RedisServer]:
    """Redis without heartbeats; it is started again after the test."""
    _forget()
    yield servers
    servers.start()
    _forget()


def _forget() -> None:
    heartbeat.cease(heartbeat.WORKER)
    heartbeat.cease(heartbeat.SCHEDULER)


@pytest.mark.parametrize("method", ["get", "head"])
def test_liveness_makes_no_queries(method: str, client: Client) -> None:
    """No database fixture: a query would fail."""
    answer = getattr(client, method)("/healthz")
    assert answer.status_code == 200
    assert not answer.cookies
    assert "no-store" in answer["Cache-Control"]


def test_ready_with_a_worker_and_one_query(client: Client, db: None, quiet: RedisServer) -> None:
    heartbeat.beat(heartbeat.WORKER)
    heartbeat.beat(heartbeat.SCHEDULER)
    client.get("/readyz")
    with CaptureQueriesContext(connection) as queries:
        answer = client.get("/readyz")
    assert [query["sql"] for query in queries] == ["SELECT 1"]
    assert answer.status_code == 200
    assert not answer.cookies
    found = answer.json()
    assert (found["ready"], found["database"], found["redis"]) == (True, "ok", "ok")
    for who in ("worker", "scheduler"):
        assert found[who]["alive"] is True
        assert 0 <= found[who]["seconds_ago"] < 30


def test_ready_without_a_worker_is_reported(client: Client, db: None, quiet: RedisServer) -> None:
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json()["worker"] == {"alive": False, "seconds_ago": None}


def test_ready_without_redis_is_reported(client: Client, db: None, quiet: RedisServer) -> None:
    """The screens work without it, and nothing is lost."""
    quiet.stop()
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json()["redis"] == "unreachable"
    assert "Redis does not answer" in heartbeat.main(heartbeat.WORKER)


def test_not_ready_while_migrations_are_missing(client: Client, db: None) -> None:
    readiness.check_schema.cache_clear()
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'memoryapp'")
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert (answer.json()["ready"], answer.json()["database"]) == (False, "migrations missing")


def test_not_ready_with_the_tables_of_another_version(client: Client, db: None) -> None:
    readiness.check_schema.cache_clear()
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE instances_user DROP COLUMN last_name")
    answer = client.get("/readyz")
    assert answer.status_code == 503
    found = answer.json()
    assert (found["ready"], found["database"]) == (False, "another schema")
    assert found["difference"] == "instances_user.last_name is missing"


@pytest.mark.django_db(transaction=True)
def test_not_ready_without_a_database(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    # In this order, so that a reconnection in between finds no database either.
    monkeypatch.setitem(connection.settings_dict, "HOST", "/nowhere")
    connection.close()
    answer = client.get("/readyz")
    monkeypatch.undo()
    assert answer.status_code == 503
    assert answer.json()["database"] == "unreachable"
    assert "/nowhere" not in answer.content.decode()


def test_heartbeats_of_this_machine(servers: RedisServer, quiet: RedisServer) -> None:
    assert "No sign of life of this machine’s worker" in heartbeat.main(heartbeat.WORKER)
    heartbeat.beat(heartbeat.WORKER)
    assert heartbeat.main(heartbeat.WORKER) == ""
    heartbeat.cease(heartbeat.WORKER)
    assert heartbeat.last_sign(heartbeat.WORKER) is None
