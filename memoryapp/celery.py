"""The Celery application: ``celery -A memoryapp worker``.

The schedule is `CELERY_BEAT_SCHEDULE` in the settings, and the tasks are in `memoryapp.tasks`.
"""

import io
import os
import sys
import threading
from collections.abc import Callable
from typing import Any

from celery import Celery, bootsteps
from celery.concurrency.base import BasePool, apply_target
from celery.signals import after_task_publish, setup_logging, worker_init
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from kombu.transport import TRANSPORT_ALIASES, redis
from redis.exceptions import ConnectionError as RedisConnectionError

from memoryapp.process import size
from memoryapp.scheduler import SchedulerThread
from memoryapp.telemetry import heartbeat, tasks

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryapp.settings")
if not settings.configured:
    # This is a worker, not a web server that sends tasks. Its threads share a pool of connections:
    # a thread holds one only while it uses the database.
    os.environ["DATABASE_POOL"] = os.environ.get("DATABASE_POOL") or str(size.chosen().worker_pool)
    # Django's checks would load every screen. Those of the settings are run below.
    os.environ.setdefault("CELERY_SKIP_CHECKS", "1")

app = Celery("keepsake")
app.config_from_object("django.conf:settings", namespace="CELERY")
# Threads that hand over replies would otherwise use an app of their own.
app.set_default()
app.autodiscover_tasks(["memoryapp"])


class ThreadPool(BasePool):  # type: ignore[misc]  # Untyped library.
    """A thread for each task; the worker's prefetch limits how many there are. They give way to
    screens and chats.

    Unlike Celery's own thread pool, it does not delay a shutdown while a task waits for its
    provider: such a thread ends with the process, and the task is started again.
    """

    body_can_be_buffer = True
    signal_safe = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._threads: set[threading.Thread] = set()

    def on_apply(
        self,
        target: Callable[..., Any],
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
        callback: Callable[..., Any] | None = None,
        accept_callback: Callable[..., Any] | None = None,
        **options: Any,
    ) -> None:

        def carry_out() -> None:
            size.lower_priority()
            try:
                apply_target(target, args or (), kwargs, callback, accept_callback)
            finally:
                self._threads.discard(threading.current_thread())

        thread = threading.Thread(target=carry_out, name="task", daemon=True)
        self._threads.add(thread)
        thread.start()

    def terminate_job(self, pid: int, signal: str | None = None) -> None:
        """Forget the tasks: a thread ends only with its process."""
        self._threads.clear()

    def on_stop(self) -> None:
        """Wait for the tasks, unless they have been terminated."""
        for thread in list(self._threads):
            thread.join()


class Channel(redis.Channel):
    """Raises a connection error if its connection is closed. Kombu's own channel raises an
    AttributeError, which ends Celery's worker if Redis goes away while tasks wait.
    """

    def _connparams(self, asynchronous: bool = False) -> Any:
        if self.connection is None or self.connection.client is None:
            raise RedisConnectionError("the connection to the queue is closed")
        return super()._connparams(asynchronous)  # type: ignore[no-untyped-call]  # Untyped library.


class RedisTransport(redis.Transport):
    Channel = Channel


TRANSPORT_ALIASES["redis"] = f"{__name__}:RedisTransport"


class Pulse(bootsteps.StartStopStep):  # type: ignore[misc]  # Untyped library.
    """Sends heartbeats while the worker runs."""

    requires = ("celery.worker.components:Timer",)

    def start(self, worker: Any) -> None:
        heartbeat.beat(heartbeat.WORKER)
        worker.timer.call_repeatedly(
            heartbeat.INTERVAL_SECONDS, heartbeat.beat, (heartbeat.WORKER,)
        )

    def stop(self, worker: Any) -> None:
        heartbeat.cease(heartbeat.WORKER)

    def terminate(self, worker: Any) -> None:
        """End the heartbeats and the leases, so that others can take over the work."""
        from instances.models import leased_jobs  # Models need Django to be set up.

        heartbeat.cease(heartbeat.WORKER)
        leased_jobs.release_all()


class Schedule(bootsteps.StartStopStep):  # type: ignore[misc]  # Untyped library.
    """Sends the periodic tasks while the worker runs."""

    requires = (Pulse,)

    def start(self, worker: Any) -> None:
        self._thread = SchedulerThread(worker.app)
        self._thread.start()

    def stop(self, worker: Any) -> None:
        self._thread.stop()

    terminate = stop


app.steps["worker"].update({Pulse, Schedule})
tasks.measure()


@setup_logging.connect  # type: ignore[untyped-decorator]  # Untyped library.
def log_as_django_does(**_: Any) -> None:
    """Leave the settings' logging alone, which Celery would replace with its own."""


@worker_init.connect  # type: ignore[untyped-decorator]  # Untyped library.
def check_settings(**_: Any) -> None:
    """Refuse to start a worker with a mistake in the settings."""
    from instances.signin.checks import SETTINGS  # Django is set up by now.

    try:
        call_command("check", tags=[SETTINGS], stdout=io.StringIO())
    except SystemCheckError as error:
        # Celery would only log another exception.
        sys.exit(str(error))


@after_task_publish.connect(sender="memoryapp.tasks.sweep")  # type: ignore[untyped-decorator]  # Untyped library.
def scheduler_lives(**_: Any) -> None:
    """Count each sweep as a heartbeat of the scheduler, which alone sends them."""
    heartbeat.beat(heartbeat.SCHEDULER)
