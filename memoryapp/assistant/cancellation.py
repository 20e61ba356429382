"""Waits for slow operations, until they end or the answer is cancelled.

A thread that reads from a socket cannot be interrupted. So slow operations run in threads of their
own, and the waiting thread checks several times a second whether to stop, and sends heartbeats. No
thread keeps a database connection while it waits: the screens need them.
"""

import contextlib
import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Generic, TypeVar

from django.db import InterfaceError, OperationalError, close_old_connections, connections

from memoryapp.health.database_outages import is_outage
from memoryapp.telemetry import traces

T = TypeVar("T")

#: Interval of the checks whether to stop.
POLL_SECONDS = 0.1
HEARTBEAT_SECONDS = 1.0


class Cancelled(Exception):
    """The answer was stopped, or a sweeper took it for dead."""


class _End(Generic[T]):
    def __init__(self, error: BaseException | None = None) -> None:
        self.error = error


class CancellableWait:
    """Waits for one answer. ``stop`` is set by this process, ``beat`` updates the database and
    returns whether to continue.
    """

    def __init__(self, stop: threading.Event, beat: Callable[[], bool]) -> None:
        self._stop = stop
        self._beat = beat
        self._last_beat = time.monotonic()

    def check(self) -> None:
        """Raise `Cancelled` if it is time to stop; send a heartbeat when one is due."""
        if self._stop.is_set():
            raise Cancelled
        if time.monotonic() - self._last_beat >= HEARTBEAT_SECONDS:
            self._last_beat = time.monotonic()
            continues = self._send_heartbeat()
            close_old_connections()
            if not continues:
                raise Cancelled

    def _send_heartbeat(self) -> bool:
        try:
            return self._beat()
        except (OperationalError, InterfaceError) as error:
            if not is_outage(error):
                raise
            # The provider continues; its answer is stored when the database is back.
            return True

    def each(self, iterator: Iterator[T]) -> Iterator[T]:
        """Yield the items of *iterator*, which runs in a thread and must not use the database.

        After an interruption, the thread ends with the next item, and closes the iterator.
        """
        close_old_connections()
        items: queue.SimpleQueue[T | _End[T]] = queue.SimpleQueue()
        left = threading.Event()

        def pump() -> None:
            end: _End[T] = _End()
            try:
                with contextlib.closing(iterator):  # type: ignore[type-var]  # It is a generator.
                    for item in iterator:
                        items.put(item)
                        if left.is_set():
                            break
            except BaseException as error:
                end = _End(error)
            items.put(end)

        threading.Thread(target=traces.carried(pump), name="provider", daemon=True).start()
        try:
            while True:
                self.check()
                with contextlib.suppress(queue.Empty):
                    item = items.get(timeout=POLL_SECONDS)
                    if not isinstance(item, _End):
                        yield item
                    elif item.error is not None:
                        raise item.error
                    else:
                        return
        finally:
            left.set()

    def all(self, jobs: Sequence[Callable[[], T]]) -> list[T]:
        """Run *jobs* concurrently, each with its own database connection; return their results in
        order. They must not raise.
        """
        close_old_connections()
        results: dict[int, T] = {}
        done: queue.SimpleQueue[int] = queue.SimpleQueue()

        def work(number: int, job: Callable[[], T]) -> None:
            try:
                results[number] = job()
            finally:
                connections.close_all()
                done.put(number)

        run = traces.carried(work)
        for number, job in enumerate(jobs):
            threading.Thread(target=run, args=(number, job), name="tool", daemon=True).start()
        missing = len(jobs)
        while missing:
            self.check()
            with contextlib.suppress(queue.Empty):
                done.get(timeout=POLL_SECONDS)
                missing -= 1
        return [results[number] for number in range(len(jobs))]
