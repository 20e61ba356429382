"""Counts tasks and their seconds, by the signals that Celery sends in a worker."""

from time import monotonic
from typing import Any

from celery import states
from celery.signals import task_postrun, task_prerun

from memoryapp.telemetry.counters import TASK_SECONDS, TASKS

#: When each task began that is at work in this process, by its id.
_begun: dict[str, float] = {}


def measure() -> None:
    """Begin to count."""
    task_prerun.connect(_begins, dispatch_uid="keepsake.telemetry")
    task_postrun.connect(_ends, dispatch_uid="keepsake.telemetry")


def _begins(task_id: str, **sent: Any) -> None:
    _begun[task_id] = monotonic()


def _ends(task_id: str, task: Any, state: str | None, **sent: Any) -> None:
    if (begun := _begun.pop(task_id, None)) is None:
        return
    name = task.name.rpartition(".")[2]
    TASKS.add(name, "ok" if state == states.SUCCESS else "failed")
    TASK_SECONDS.add(name, amount=monotonic() - begun)
