"""Metrics for Prometheus, read from the database and Redis at each scrape."""

from collections.abc import Iterator

import redis
from django.db import DatabaseError
from django.db.models import Count, Exists, Min, OuterRef, Q
from django.utils import timezone
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from conversations.models import Import
from memoryapp.models import Drawer, DrawerEmbedding, Memory, MemoryEmbedding, Run
from memoryapp.telemetry import heartbeat, timings
from memoryapp.telemetry.counters import counted


def exposition() -> bytes:
    """Return all metrics, in the text format of Prometheus."""
    now = CollectorRegistry()
    now.register(StateCollector())
    return generate_latest(timings.registry()) + generate_latest(now)


class StateCollector(Collector):
    """Metrics of the state, which every process can read."""

    def collect(self) -> Iterator[Metric]:
        """Query the database and Redis; report one that does not answer as down."""
        for name, figures in (("database", self._database), ("redis", self._redis)):
            up = 1
            try:
                yield from list(figures())
            except (DatabaseError, redis.RedisError):
                up = 0
            yield GaugeMetricFamily(f"keepsake_{name}_up", f"Whether {name} answers.", value=up)

    def _database(self) -> Iterator[Metric]:
        now = timezone.now()
        at_work = Run.objects.filter(state__in=[Run.State.QUEUED, Run.State.RUNNING])
        runs = at_work.extractions().aggregate(
            waiting=Count("pk", filter=Q(state=Run.State.QUEUED)),
            running=Count("pk", filter=Q(state=Run.State.RUNNING)),
            oldest=Min("due_at", filter=Q(state=Run.State.QUEUED, due_at__lte=now)),
        )
        yield GaugeMetricFamily(
            "keepsake_runs_waiting", "Conversations that wait to be read.", runs["waiting"]
        )
        yield GaugeMetricFamily(
            "keepsake_runs_running", "Conversations that are being read.", runs["running"]
        )
        yield GaugeMetricFamily(
            "keepsake_queue_age_seconds",
            "For how long the longest waiting one has been due.",
            (now - runs["oldest"]).total_seconds() if runs["oldest"] else 0.0,
        )
        minings = at_work.minings().count()
        yield GaugeMetricFamily(
            "keepsake_minings_to_do", "Conversations whose turns are to be filed.", minings
        )
        imports = Import.objects.aggregate(
            waiting=Count("pk", filter=Q(state__in=Import.AT_WORK.values())),
            running=Count("pk", filter=Q(state__in=Import.AT_WORK)),
        )
        yield GaugeMetricFamily(
            "keepsake_imports_waiting", "Imports that wait for a worker.", imports["waiting"]
        )
        yield GaugeMetricFamily(
            "keepsake_imports_running",
            "Imports that are looked through, or come in.",
            imports["running"],
        )
        vectors = MemoryEmbedding.objects.filter(memory=OuterRef("pk"))
        yield GaugeMetricFamily("keepsake_memories", "Memories.", Memory.objects.count())
        yield GaugeMetricFamily(
            "keepsake_memories_without_vector",
            "Memories that have no vector yet: found by words only.",
            Memory.objects.filter(~Exists(vectors)).count(),
        )
        of_turns = DrawerEmbedding.objects.filter(drawer=OuterRef("pk"))
        yield GaugeMetricFamily(
            "keepsake_turns_without_vector",
            "Turns in the palace that have no vector yet: found by words only.",
            Drawer.objects.filter(~Exists(of_turns)).count(),
        )

    def _redis(self) -> Iterator[Metric]:
        workers = heartbeat.signs(heartbeat.WORKER)
        yield GaugeMetricFamily(
            "keepsake_workers", "Machines whose worker shows signs of life.", len(workers)
        )
        yield GaugeMetricFamily(
            "keepsake_schedulers",
            "Machines whose scheduler shows signs of life: there should be one.",
            len(heartbeat.signs(heartbeat.SCHEDULER)),
        )
        yield from counted()
