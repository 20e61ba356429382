"""The metrics page: access and values."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
import yaml
from celery import shared_task
from django.conf import settings as configured
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import Settings

from conversations.messages import NewMessage, append
from conversations.models import Conversation
from instances.models import Instance
from memoryapp import __version__
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
def enable_metrics(settings: Settings, servers: RedisServer) -> Iterator[None]:
    """Set the token and reset all metrics."""
    settings.METRICS_TOKEN = TOKEN
    redis_store.pause.end()
    redis_store.client().delete(counters.KEY)
    yield
    servers.start()


def read_metrics() -> dict[str, float]:
    """Return each metric by its name and labels, as ``name{label=value}``."""
    answer = Client().get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("text/plain")
    metrics = {}
    for family in text_string_to_metric_families(answer.content.decode()):
        for it in family.samples:
            labels = ",".join(f"{name}={value}" for name, value in sorted(it.labels.items()))
            metrics[f"{it.name}{{{labels}}}" if labels else it.name] = it.value
    return metrics


@pytest.mark.parametrize(
    "authorization", [None, "", TOKEN, f"Bearer {TOKEN}x", "Bearer ", "Basic abc"]
)
def test_metrics_require_the_token(authorization: str | None, db: None) -> None:
    answer = Client().get(
        "/metrics", headers={"Authorization": authorization} if authorization else {}
    )
    assert answer.status_code == 401
    assert b"keepsake" not in answer.content


def test_page_does_not_exist_without_a_configured_token(settings: Settings, db: None) -> None:
    settings.METRICS_TOKEN = ""
    for authorization in ("Bearer ", "Bearer None"):
        assert Client().get("/metrics", headers={"Authorization": authorization}).status_code == 404


@pytest.fixture
def metrics(db: None) -> set[str]:
    """The names of all metrics, without what a histogram or a counter adds."""
    answer = Client().get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    families = text_string_to_metric_families(answer.content.decode())
    names = (family.name for family in families if family.name.startswith("keepsake_"))
    # When a histogram was made is told only where there is one process.
    return {name for name in names if not name.endswith("_created")}


def named_in(page: str) -> set[str]:
    """The metrics that a page of the docs names."""
    found = re.findall(r"\bkeepsake_\w+", (configured.BASE_DIR / "docs" / page).read_text("utf-8"))
    return {re.sub(r"_(total|bucket|count|sum)$", "", name) for name in found}


@pytest.mark.parametrize("page", ["metrics.md", "monitoring/dashboard.json"])
def test_each_metric_is_documented_and_drawn(page: str, metrics: set[str]) -> None:
    assert named_in(page) == metrics


def test_alerts_are_about_metrics_that_exist(metrics: set[str]) -> None:
    assert len(named_in("monitoring/alerts.yml")) > 10
    assert named_in("monitoring/alerts.yml") <= metrics


def test_rules_and_dashboard_have_the_form_of_their_programs() -> None:
    folder = configured.BASE_DIR / "docs" / "monitoring"
    (group,) = yaml.safe_load((folder / "alerts.yml").read_text("utf-8"))["groups"]
    for rule in group["rules"]:
        assert rule.keys() >= {"alert", "expr", "labels", "annotations"}
        assert rule["annotations"].keys() == {"summary", "description"}
        assert rule["expr"].count("(") == rule["expr"].count(")")
    dashboard = json.loads((folder / "dashboard.json").read_text("utf-8"))
    ids = [panel["id"] for panel in dashboard["panels"]]
    assert len(ids) == len(set(ids)) > 15
    queries = [each for panel in dashboard["panels"] for each in panel.get("targets", ())]
    assert all(each["expr"].count("(") == each["expr"].count(")") for each in queries)


@pytest.mark.django_db
def test_server_and_versions_are_told() -> None:
    metrics = read_metrics()
    (build,) = (name for name in metrics if name.startswith("keepsake_build_info"))
    assert f"version={__version__}" in build
    assert metrics["keepsake_database_bytes"] > 1_000_000
    assert metrics["keepsake_database_connections{state=active}"] >= 1
    assert metrics["keepsake_database_connections_max"] >= 20


def test_tasks_are_counted_with_their_seconds(db: None) -> None:
    @shared_task(name="tests.sail")  # type: ignore[untyped-decorator]  # Untyped library.
    def sail(*, sinks: bool) -> None:
        if sinks:
            raise ValueError("water")

    for sinks in (False, False, True):
        sail.apply(kwargs={"sinks": sinks})
    metrics = read_metrics()
    assert metrics["keepsake_tasks_total{outcome=ok,task=sail}"] == 2
    assert metrics["keepsake_tasks_total{outcome=failed,task=sail}"] == 1
    assert 0 < metrics["keepsake_task_seconds_total{task=sail}"] < 5


@pytest.mark.django_db(transaction=True)
def test_runs_and_calls_are_counted_by_outcome(
    instance: Instance, provider: ScriptedProvider
) -> None:
    read_with(provider, instance)
    provider.reply_with(keep_everything)
    conversation = Conversation.objects.create(instance=instance, title="Heliotrope")
    provider.fail_next("429", 1, "chat/completions")
    append(conversation, [NewMessage("user", "I sail."), NewMessage("assistant", "Nice.")])
    run = Run.objects.get()
    Run.objects.update(due_at=timezone.now() - timedelta(seconds=90))
    waiting = read_metrics()
    assert waiting["keepsake_runs_waiting"] == 1
    assert 90 <= waiting["keepsake_queue_age_seconds"] < 120

    extract(run_id=run.pk)
    Run.objects.update(due_at=timezone.now())
    extract(run_id=run.pk)

    metrics = read_metrics()
    assert metrics["keepsake_runs_total{kind=extraction,outcome=retried}"] == 1
    assert metrics["keepsake_runs_total{kind=extraction,outcome=succeeded}"] == 1
    for outcome in ("rate_limited", "ok"):
        calls = f"keepsake_provider_calls_total{{outcome={outcome},source=memory_extract}}"
        assert metrics[calls] == 1
    assert metrics["keepsake_provider_tokens_total{direction=in,source=memory_extract}"] > 0
    assert metrics["keepsake_runs_waiting"] == metrics["keepsake_queue_age_seconds"] == 0
    assert (metrics["keepsake_memories"], metrics["keepsake_memories_without_vector"]) == (1, 0)
    assert not any("eliotrope" in name or "desk" in name for name in metrics), "a name is exposed"


@pytest.mark.django_db(transaction=True)
def test_dead_worker_is_counted(conversation: Conversation) -> None:
    Run.objects.create(
        instance=conversation.instance,
        conversation=conversation,
        state=Run.State.RUNNING,
        attempts=1,
        lease_until=timezone.now() - timedelta(seconds=1),
    )
    sweep()
    assert read_metrics()["keepsake_runs_total{kind=extraction,outcome=worker_died}"] == 1


def test_recall_is_measured_with_and_without_vectors(
    instance: Instance, provider: ScriptedProvider
) -> None:
    before = read_metrics()
    recall(instance, "what should I not cook?")
    embed_with(provider, instance)
    provider.fail_next("500", None, "embeddings")
    recall(instance, "what should I not cook?")
    after = read_metrics()
    for degraded in ("true", "false"):
        name = f"keepsake_recall_seconds_count{{degraded={degraded}}}"
        assert after[name] == before.get(name, 0) + 1
    assert after["keepsake_question_embedding_seconds_count"] >= 2


def test_memories_without_a_vector_are_counted(
    instance: Instance, provider: ScriptedProvider
) -> None:
    Memory.objects.create(instance=instance, content="The user sails.")
    metrics = read_metrics()
    assert (metrics["keepsake_memories"], metrics["keepsake_memories_without_vector"]) == (1, 1)


def test_requests_are_measured_by_route_not_by_path(as_alice: Client, instance: Instance) -> None:
    as_alice.get("/memory/99999?instance=desk")
    as_alice.generic("BREW", "/pot")
    metrics = read_metrics()
    route = "keepsake_http_seconds_count{method=GET,route=memory/<int:pk>,status=404}"
    assert metrics[route] >= 1
    assert any("method=other" in name for name in metrics)
    assert not any("99999" in name or "BREW" in name for name in metrics)


def test_each_worker_of_a_machine_is_counted(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    heartbeat.beat(heartbeat.WORKER)
    heartbeat.cease(heartbeat.SCHEDULER)
    with monkeypatch.context() as another:
        another.setattr(heartbeat, "_PROCESS", "another")
        heartbeat.beat(heartbeat.WORKER)
        metrics = read_metrics()
        assert (metrics["keepsake_workers"], metrics["keepsake_schedulers"]) == (2, 0)
        heartbeat.cease(heartbeat.WORKER)
    assert heartbeat.main(heartbeat.WORKER) == ""
    heartbeat.cease(heartbeat.WORKER)
    assert heartbeat.main(heartbeat.WORKER) != ""


def test_other_metrics_are_served_without_redis(
    db: None, servers: RedisServer, instance: Instance
) -> None:
    servers.stop()
    counters.RUNS.add("succeeded")
    metrics = read_metrics()
    assert (metrics["keepsake_redis_up"], metrics["keepsake_database_up"]) == (0, 1)
    assert "keepsake_workers" not in metrics


def test_metrics_of_web_processes_are_summed(tmp_path: Path) -> None:
    folder = tmp_path / "not-there-yet"
    code = (
        "import django; django.setup();"
        "from memoryapp.telemetry import timings;"
        "timings.RECALL.labels('false').observe(0.02);"
        "from prometheus_client import generate_latest;"
        "print(generate_latest(timings.registry()).decode())"
    )
    for number in (1, 2):
        documented = subprocess.run(
            [sys.executable, "-c", code],
            cwd=configured.BASE_DIR,
            env={**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(folder)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        assert f'keepsake_recall_seconds_count{{degraded="false"}} {number}.0' in documented
