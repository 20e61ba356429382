"""Threads of this process that can be stopped, each within its holder's share of them."""

import threading
import time
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from django.db import connections

from memoryapp.process.fair_slots import FairSlots
from memoryapp.telemetry import traces


class ThreadWork(Protocol):
    """The work of one thread."""

    #: Signals it to end soon.
    stop: threading.Event

    def run(self) -> None:
        """Do the work in the current thread. Must not raise."""

    def end(self) -> None:
        """Report the end; the thread is no longer in the registry."""


AnyWork = TypeVar("AnyWork", bound=ThreadWork)


class ThreadRegistry(Generic[AnyWork]):
    """The threads of one kind. Any thread may call any method."""

    def __init__(self, slots: FairSlots) -> None:
        self.slots = slots
        self.running: set[AnyWork] = set()

    def start(self, holder: str, make: Callable[[], AnyWork], *, name: str) -> AnyWork:
        """Run the work that *make* returns in a new thread, within the share of *holder*.

        Raises `NoSlot`, without calling *make*, if there is no slot.
        """
        self.slots.take(holder)
        work = None
        try:
            work = make()
            self.running.add(work)
            run = traces.carried(self._run)
            threading.Thread(target=run, args=(work, holder), name=name, daemon=True).start()
        except BaseException:
            if work is not None:
                self.running.discard(work)
            self.slots.give_back(holder)
            raise
        return work

    def stop_all(self, seconds: float) -> None:
        """Stop all threads, and wait up to *seconds* until they have ended."""
        for work in list(self.running):
            work.stop.set()
        deadline = time.monotonic() + seconds
        while self.running and time.monotonic() < deadline:
            time.sleep(0.02)

    def _run(self, work: AnyWork, holder: str) -> None:
        try:
            work.run()
        finally:
            connections.close_all()
            self.running.discard(work)
            self.slots.give_back(holder)
            work.end()
