"""A real worker process that uses the test database."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Self

import redis
from django.conf import settings
from django.utils import timezone

from instances.models import CircuitBreaker
from memoryapp.embedded.redis import RedisServer
from memoryapp.models import Run
from memoryapp.tasks import sweep
from tests import database
from tests.provider_fixtures import eventually


class Worker:
    """A Celery worker, as a context manager."""

    def __init__(self) -> None:
        self._output = tempfile.TemporaryFile()  # noqa: SIM115  # closed with the worker
        # In a separate session, Ctrl-C in the terminal does not end it before the test does.
        self.process = subprocess.Popen(
            [
                *(sys.executable, "-W", "ignore:You're running the worker", "-m", "celery"),
                *("--quiet", "--app", "memoryapp", "worker"),
                *("--loglevel", "info"),
                *("--without-gossip", "--without-mingle", "--without-heartbeat"),
            ],
            cwd=Path(settings.BASE_DIR),
            env={**os.environ, "DATABASE_URL": database.address()},
            stdin=subprocess.DEVNULL,
            stdout=self._output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    @property
    def output(self) -> str:
        """Output of the worker so far."""
        # Reading must not move the file position, at which the worker writes.
        output = os.pread(self._output.fileno(), os.fstat(self._output.fileno()).st_size, 0)
        return output.decode(errors="replace")

    def __enter__(self) -> Self:
        """Wait until the worker accepts tasks."""
        try:
            eventually(self._ready_or_ended, "the worker is not ready")
            assert self.process.poll() is None, f"the worker has ended: {self.output}"
        except BaseException:
            self.kill()
            self._output.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Terminate the worker, whatever it is doing."""
        self.kill()
        if error is not None:
            print(f"The worker said:\n{self.output}")
        self._output.close()

    def kill(self) -> None:
        """Kill the worker, as a failing machine would."""
        self.process.kill()
        self.process.wait(10)

    def _ready_or_ended(self) -> bool:
        return " ready." in self.output or self.process.poll() is not None


def empty_queue(server: RedisServer) -> None:
    """Delete the tasks of other tests from the broker."""
    with redis.Redis(unix_socket_path=str(server.socket)) as client:
        client.delete("celery", "unacked", "unacked_index")


def sweep_until_over() -> None:
    """Sweep as the scheduler does, but without pauses, until no runs are left."""

    def over() -> bool:
        # Runs that wait for their next attempt are due at once.
        Run.objects.filter(state=Run.State.QUEUED, due_at__gt=timezone.now()).update(
            due_at=timezone.now()
        )
        CircuitBreaker.objects.try_now()
        sweep()
        return not Run.objects.filter(state__in=[Run.State.QUEUED, Run.State.RUNNING]).exists()

    eventually(over, "there are still runs to read")
