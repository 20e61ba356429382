"""The figures: who may see them, and that they say what happened."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings as configured
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import Settings

from conversations.messages import NewMessage, append
from conversations.models import Conversation
from instances.models import Instance
from memoryapp.embedded.redis import RedisServer
from memoryapp.models import Memory, Run
from memoryapp.recall import recall
from memoryapp.tasks import extract, sweep
from memoryapp.telemetry import counters, heartbeat, redis_store
from tests.provider_fixtures import (
    embed_with,
    keep_everything,
    provider,
    read_with,
)
from tests.scripted_provider import ScriptedProvider

__all__ = ["provider"]

TOKEN = "a-token-for-the-tests-of-figures"


@pytest.fixture(autouse=True)
def opened(settings: Settings, servers: RedisServer) -> Iterator[None]:
    """Set the token, and begin with nothing counted."""
    settings.METRICS_TOKEN = TOKEN
    redis_store.pause.end()
    redis_store.client().delete(counters.KEY)
    yield
    servers.start()


def figures() -> dict[str, float]:
    """Every figure by its name and labels, as ``name{label=value}``."""
    answer = Client().get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("text/plain")
    found = {}
    for family in text_string_to_metric_families(answer.content.decode()):
        for it in family.samples:
            labels = ",".join(f"{name}={value}" for name, value in sorted(it.labels.items()))
            found[f"{it.name}{{{labels}}}" if labels else it.name] = it.value
    return found


@pytest.mark.parametrize("given", [None, "", TOKEN, f"Bearer {TOKEN}x", "Bearer ", "Basic abc"])
def test_without_the_token_there_is_nothing(given: str | None, db: None) -> None:
    answer = Client().get("/metrics", headers={"Authorization": given} if given else {})
    assert answer.status_code == 401
    assert b"keepsake" not in answer.content


def test_unless_the_settings_have_one_there_is_no_such_page(settings: Settings, db: None) -> None:
    settings.METRICS_TOKEN = ""
    for given in ("Bearer ", "Bearer None"):
        assert Client().get("/metrics", headers={"Authorization": given}).status_code == 404


@pytest.mark.django_db
def test_the_figures_that_the_page_tells_to_watch_are_there() -> None:
    page = (configured.BASE_DIR / "docs" / "deploy.md").read_text()
    told = set(re.findall(r"\bkeepsake_\w+", page))
    answer = Client().get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    families = text_string_to_metric_families(answer.content.decode())
    assert len(told) > 10
    assert {name.removesuffix("_total") for name in told} <= {family.name for family in families}


@pytest.mark.django_db(transaction=True)
def test_runs_and_calls_are_counted_by_what_came_of_them(
    instance: Instance, provider: ScriptedProvider
) -> None:
    read_with(provider, instance)
    provider.reply_with(keep_everything)
    conversation = Conversation.objects.create(instance=instance, title="Heliotrope")
    provider.fail_next("429", 1, "chat/completions")
    append(conversation, [NewMessage("user", "I sail."), NewMessage("assistant", "Nice.")])
    run = Run.objects.get()
    Run.objects.update(due_at=timezone.now() - timedelta(seconds=90))
    waiting = figures()
    assert waiting["keepsake_runs_waiting"] == 1
    assert 90 <= waiting["keepsake_queue_age_seconds"] < 120

    extract(run_id=run.pk)
    Run.objects.update(due_at=timezone.now())
    extract(run_id=run.pk)

    found = figures()
    assert found["keepsake_runs_total{kind=extraction,outcome=retried}"] == 1
    assert found["keepsake_runs_total{kind=extraction,outcome=succeeded}"] == 1
    for outcome in ("rate_limited", "ok"):
        calls = f"keepsake_provider_calls_total{{outcome={outcome},source=memory_extract}}"
        assert found[calls] == 1
    assert found["keepsake_provider_tokens_total{direction=in,source=memory_extract}"] > 0
    assert found["keepsake_runs_waiting"] == found["keepsake_queue_age_seconds"] == 0
    assert (found["keepsake_memories"], found["keepsake_memories_without_vector"]) == (1, 0)
    assert not any("eliotrope" in name or "desk" in name for name in found), "a name is told"


@pytest.mark.django_db(transaction=True)
def test_a_worker_that_died_is_counted(conversation: Conversation) -> None:
    Run.objects.create(
        instance=conversation.instance,
        conversation=conversation,
        state=Run.State.RUNNING,
        attempts=1,
        lease_until=timezone.now() - timedelta(seconds=1),
    )
    sweep()
    assert figures()["keepsake_runs_total{kind=extraction,outcome=worker_died}"] == 1


def test_recall_is_measured_with_and_without_its_vectors(
    instance: Instance, provider: ScriptedProvider
) -> None:
    before = figures()
    recall(instance, "what should I not cook?")
    embed_with(provider, instance)
    provider.fail_next("500", None, "embeddings")
    recall(instance, "what should I not cook?")
    after = figures()
    for degraded in ("true", "false"):
        name = f"keepsake_recall_seconds_count{{degraded={degraded}}}"
        assert after[name] == before.get(name, 0) + 1
    assert after["keepsake_question_embedding_seconds_count"] >= 2


def test_memories_without_a_vector_are_seen(instance: Instance, provider: ScriptedProvider) -> None:
    Memory.objects.create(instance=instance, content="The user sails.")
    found = figures()
    assert (found["keepsake_memories"], found["keepsake_memories_without_vector"]) == (1, 1)


def test_requests_are_measured_by_route_not_by_address(
    as_alice: Client, instance: Instance
) -> None:
    as_alice.get("/memory/99999?instance=desk")
    as_alice.generic("BREW", "/pot")
    found = figures()
    route = "keepsake_http_seconds_count{method=GET,route=memory/<int:pk>,status=404}"
    assert found[route] >= 1
    assert any("method=other" in name for name in found)
    assert not any("99999" in name or "BREW" in name for name in found)


def test_who_shows_signs_of_life(db: None) -> None:
    heartbeat.beat(heartbeat.WORKER)
    heartbeat.cease(heartbeat.SCHEDULER)
    found = figures()
    assert (found["keepsake_workers"], found["keepsake_schedulers"]) == (1, 0)
    heartbeat.cease(heartbeat.WORKER)


def test_without_redis_the_rest_is_told_and_nothing_waits(
    db: None, servers: RedisServer, instance: Instance
) -> None:
    servers.stop()
    counters.RUNS.add("succeeded")
    found = figures()
    assert (found["keepsake_redis_up"], found["keepsake_database_up"]) == (0, 1)
    assert "keepsake_workers" not in found


def test_the_processes_of_a_web_server_are_added_up(tmp_path: Path) -> None:
    folder = tmp_path / "not-there-yet"
    code = (
        "import django; django.setup();"
        "from memoryapp.telemetry import timings;"
        "timings.RECALL.labels('false').observe(0.02);"
        "from prometheus_client import generate_latest;"
        "print(generate_latest(timings.registry()).decode())"
    )
    for number in (1, 2):
        told = subprocess.run(
            [sys.executable, "-c", code],
            cwd=configured.BASE_DIR,
            env={**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(folder)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        assert f'keepsake_recall_seconds_count{{degraded="false"}} {number}.0' in told
