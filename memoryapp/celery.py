"""The Celery application: ``celery -A memoryapp worker``."""

import os
from typing import Any

from celery import Celery, bootsteps
from celery.signals import after_task_publish, setup_logging
from django.conf import settings

from memoryapp.telemetry import pulse

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryapp.settings")
if not settings.configured:
    # Celery's own command, and no web server that sends tasks. The threads of a worker share its
    # connections: each has one only while it needs it, which is seldom for one that waits.
    os.environ.setdefault("DATABASE_POOL", "40")

app = Celery("keepsake")
app.config_from_object("django.conf:settings", namespace="CELERY")
# Replies are handed over from threads, which would else speak to an app of their own.
app.set_default()
app.autodiscover_tasks(["memoryapp"])


class Pulse(bootsteps.StartStopStep):  # type: ignore[misc]
    """Shows signs of life for as long as the worker's main process runs."""

    requires = ("celery.worker.components:Timer",)

    def start(self, worker: Any) -> None:
        """Show the first one, and one every few seconds."""
        pulse.beat(pulse.WORKER)
        worker.timer.call_repeatedly(pulse.INTERVAL, pulse.beat, (pulse.WORKER,))

    def stop(self, worker: Any) -> None:
        """Take it back."""
        pulse.cease(pulse.WORKER)

    def terminate(self, worker: Any) -> None:
        """Take it back also when there is no time to finish."""
        pulse.cease(pulse.WORKER)


app.steps["worker"].add(Pulse)


@setup_logging.connect  # type: ignore[untyped-decorator]
def log_as_django_does(**_: Any) -> None:
    """Leave the settings' logging alone, which Celery would replace with its own."""


@after_task_publish.connect(sender="memoryapp.tasks.sweep")  # type: ignore[untyped-decorator]
def scheduler_lives(**_: Any) -> None:
    """Only the scheduler sends sweeps: each one is its sign of life."""
    pulse.beat(pulse.SCHEDULER)
