"""Counters of events, added up over all processes.

They are in Redis because most events happen in workers, which have no metrics page: any web server
shows them all. They start again from 0 if Redis loses them, which Prometheus expects of a counter;
a count of rows in the database would shrink with every deletion.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from django.conf import settings
from prometheus_client.core import CounterMetricFamily

from memoryapp.telemetry import redis_store

KEY = "keepsake:counters"


@dataclass(frozen=True)
class Counter:
    """A number that only grows, for each combination of its labels' values."""

    name: str
    help: str
    labels: tuple[str, ...]

    def add(self, *values: str, amount: float = 1) -> None:
        """Add *amount* if metrics are switched on. Never raises."""
        if settings.METRICS_TOKEN and amount:
            redis_store.add(KEY, json.dumps([self.name, *values]), amount)


RUNS = Counter(
    "keepsake_runs",
    "Attempts at a run, by kind: extraction (reading for facts) or mining (filing turns); and by "
    "outcome: succeeded, retried (will be tried again), failed (given up), or worker_died.",
    ("kind", "outcome"),
)
IMPORTS = Counter("keepsake_imports", "Imports that ended, by outcome.", ("outcome",))
CALLS = Counter(
    "keepsake_provider_calls",
    "Calls to providers, by what for and by outcome: ok, or the kind of failure.",
    ("source", "outcome"),
)
TOKENS = Counter(
    "keepsake_provider_tokens", "Tokens, by what for and by direction.", ("source", "direction")
)
TASKS = Counter(
    "keepsake_tasks", "Tasks that workers ended, by outcome: ok or failed.", ("task", "outcome")
)
TASK_SECONDS = Counter(
    "keepsake_task_seconds", "Seconds that tasks took, those that failed included.", ("task",)
)
COUNTERS = (RUNS, IMPORTS, CALLS, TOKENS, TASKS, TASK_SECONDS)


def counted() -> Iterator[CounterMetricFamily]:
    """Yield everything counted so far. Raises `redis.RedisError` if Redis does not answer."""
    families = {it.name: CounterMetricFamily(it.name, it.help, labels=it.labels) for it in COUNTERS}
    for field, number in redis_store.client().hgetall(KEY).items():
        name, *values = json.loads(field)
        if name in families:
            families[name].add_metric(values, float(number))
    yield from families.values()
