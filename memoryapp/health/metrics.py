"""Metrics for Prometheus, read from the database and Redis at each scrape."""

import platform
from collections.abc import Iterator

import redis
from django.db import DatabaseError, connection
from django.db.models import Count, Exists, Min, OuterRef, Q
from django.utils import timezone
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from conversations.models import Import
from memoryapp import __version__
from memoryapp.models import Drawer, DrawerEmbedding, MarkKind, Memory, MemoryMark, Run
from memoryapp.telemetry import heartbeat, timings
from memoryapp.telemetry.counters import counted


def exposition() -> bytes:
    """Return all metrics, in the text format of Prometheus."""
    now = CollectorRegistry()
    now.register(StateCollector())
    return generate_latest(timings.registry()) + generate_latest(now)


_SERVER = """
SELECT current_setting('server_version'), pg_database_size(current_database()),
    current_setting('max_connections')::int
"""
# The states of others' connections are secret, and count as unknown.
_CONNECTIONS = """
SELECT coalesce(state, 'unknown'), count(*) FROM pg_stat_activity
WHERE datname = current_database() AND backend_type = 'client backend' GROUP BY 1
"""


def _server() -> Iterator[Metric]:
    """Metrics of the database server."""
    with connection.cursor() as cursor:
        cursor.execute(_SERVER)
        version, size, most = cursor.fetchone()
        cursor.execute(_CONNECTIONS)
        states = cursor.fetchall()
    build = GaugeMetricFamily(
        "keepsake_build_info",
        "1, with the versions of Keepsake, Python and PostgreSQL.",
        labels=("version", "python", "postgresql"),
    )
    build.add_metric((__version__, platform.python_version(), version.split()[0]), 1)
    yield build
    connections = GaugeMetricFamily(
        "keepsake_database_connections",
        "Connections to the database, of all processes, by state.",
        labels=("state",),
    )
    for state, number in states:
        connections.add_metric((state,), number)
    yield connections
    yield GaugeMetricFamily(
        "keepsake_database_connections_max", "Connections that the server accepts.", most
    )
    yield GaugeMetricFamily("keepsake_database_bytes", "Size of the database on disk.", size)


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
        imports = Import.objects.aggregate(
            waiting=Count("pk", filter=Q(state__in=Import.AT_WORK.values())),
            running=Count("pk", filter=Q(state__in=Import.AT_WORK)),
        )
        of_drawer = DrawerEmbedding.objects.filter(drawer=OuterRef("pk"))
        age = (now - runs["oldest"]).total_seconds() if runs["oldest"] else 0.0
        for name, help_text, value in (
            ("runs_waiting", "Conversations that wait to be read.", runs["waiting"]),
            ("runs_running", "Conversations that are being read.", runs["running"]),
            ("queue_age_seconds", "For how long the longest waiting one has been due.", age),
            (
                "minings_to_do",
                "Conversations whose turns are to be filed.",
                at_work.minings().count(),
            ),
            ("imports_waiting", "Imports that wait for a worker.", imports["waiting"]),
            ("imports_running", "Imports that are looked through, or come in.", imports["running"]),
            ("memories", "Memories.", Memory.objects.count()),
            (
                "memories_without_vector",
                "Memories that have no vector yet: found by words only.",
                MemoryMark.objects.filter(kind=MarkKind.NO_VECTOR).count(),
            ),
            (
                "turns_without_vector",
                "Turns in the palace that have no vector yet: found by words only.",
                Drawer.objects.filter(~Exists(of_drawer)).count(),
            ),
        ):
            yield GaugeMetricFamily(f"keepsake_{name}", help_text, value)

        yield from _server()

    def _redis(self) -> Iterator[Metric]:
        for name, help_text, sign in (
            ("workers", "Workers that show signs of life.", heartbeat.WORKER),
            (
                "schedulers",
                "Schedulers that show signs of life: there should be one.",
                heartbeat.SCHEDULER,
            ),
        ):
            yield GaugeMetricFamily(f"keepsake_{name}", help_text, len(heartbeat.signs(sign)))
        yield from counted()
