"""Waiting for what may take long, without missing the call to stop.

A thread that reads from a socket hears nothing else. So whatever may take long runs in a thread of
its own, and whoever waits looks up several times a second: somebody may want to stop, and the
answer has to give signs of life. Nobody keeps a database connection while waiting: pages need it.
"""

import contextlib
import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Generic, TypeVar

from django.db import InterfaceError, OperationalError, close_old_connections, connections

from memoryapp.health.database_outages import is_outage

T = TypeVar("T")

#: Seconds between two looks at whether to stop.
POLL_SECONDS = 0.1
#: Seconds between two signs of life.
HEARTBEAT_SECONDS = 1.0


class Cancelled(Exception):
    """Somebody wants it to stop, or has taken it for dead."""


class _End(Generic[T]):
    def __init__(self, error: BaseException | None = None) -> None:
        self.error = error


class CancellableWait:
    """Waits for one answer. ``stop`` is set by this process, ``beat`` asks the database."""

    def __init__(self, stop: threading.Event, beat: Callable[[], bool]) -> None:
        self._stop = stop
        self._beat = beat
        self._last_beat = time.monotonic()

    def look_up(self) -> None:
        """Raise `Cancelled` if it is time to stop; give a sign of life when one is due."""
        if self._stop.is_set():
            raise Cancelled
        if time.monotonic() - self._last_beat >= HEARTBEAT_SECONDS:
            self._last_beat = time.monotonic()
            go_on = self._may_go_on()
            close_old_connections()
            if not go_on:
                raise Cancelled

    def _may_go_on(self) -> bool:
        try:
            return self._beat()
        except (OperationalError, InterfaceError) as error:
            if not is_outage(error):
                raise
            # The provider goes on; its answer is stored when the database is back.
            return True

    def each(self, iterator: Iterator[T]) -> Iterator[T]:
        """Yield what *iterator* yields, which runs in a thread and must not use the database.

        When interrupted, the thread is left to itself: it ends with the next thing that it gets,
        and closes the iterator.
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

        threading.Thread(target=pump, name="provider", daemon=True).start()
        try:
            while True:
                self.look_up()
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
        """Run *jobs* side by side, each with a database connection of its own; return what they
        return, in their order. They must not raise.
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

        for number, job in enumerate(jobs):
            threading.Thread(target=work, args=(number, job), name="tool", daemon=True).start()
        missing = len(jobs)
        while missing:
            self.look_up()
            with contextlib.suppress(queue.Empty):
                done.get(timeout=POLL_SECONDS)
                missing -= 1
        return [results[number] for number in range(len(jobs))]
