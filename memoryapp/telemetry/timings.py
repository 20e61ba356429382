"""Durations, as Prometheus histograms.

The processes of one web server share them in the folder ``PROMETHEUS_MULTIPROC_DIR``; without it
there is one process.
"""

from collections.abc import Callable
from functools import wraps
from time import perf_counter
from typing import ParamSpec, Protocol, TypeVar

from django.conf import settings
from prometheus_client import REGISTRY, CollectorRegistry, Histogram
from prometheus_client.multiprocess import MultiProcessCollector

_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

REQUESTS = Histogram(
    "keepsake_http_seconds",
    "Seconds to the first byte of an answer.",
    ("method", "route", "status"),
    buckets=_BUCKETS,
)
RECALL = Histogram(
    "keepsake_recall_seconds",
    "Seconds that a question took to be answered from the memory; degraded: by words alone.",
    ("degraded",),
    buckets=_BUCKETS,
)
QUESTIONS = Histogram(
    "keepsake_question_embedding_seconds",
    "Seconds of it, or before it, in which the question became a vector.",
    buckets=_BUCKETS,
)


class Degradable(Protocol):
    """A result that says whether it is complete."""

    @property
    def degraded(self) -> str | None: ...


P = ParamSpec("P")
R = TypeVar("R", bound=Degradable)


def timed_recall(function: Callable[P, R]) -> Callable[P, R]:
    """Measure each call of a function that recalls."""

    @wraps(function)
    def measured(*args: P.args, **kwargs: P.kwargs) -> R:
        begin = perf_counter()
        recalled = function(*args, **kwargs)
        RECALL.labels(str(bool(recalled.degraded)).lower()).observe(perf_counter() - begin)
        return recalled

    return measured


def registry() -> CollectorRegistry:
    """Return a registry with the measurements of all processes of this web server."""
    if not settings.PROMETHEUS_MULTIPROC_DIR:
        return REGISTRY
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # Untyped library.
    return registry
