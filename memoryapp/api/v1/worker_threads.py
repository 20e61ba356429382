"""Threads that pass requests on to providers, and the queues to the event loop.

Each request has a thread of its own: so its messages are stored even if the caller disconnects, and
no request blocks the event loop.
"""

import asyncio
import contextlib
import threading
from typing import Any

from instances.translatable import translatable
from memoryapp.api.v1.proxy import ProxiedAnswer
from memoryapp.api.v1.request import ProxyRequest
from memoryapp.assistant.thread_registry import ThreadRegistry
from memoryapp.process.fair_slots import FairSlots

#: Concurrent requests of one process. Each has two threads, and a database connection only while
#: it needs one.
MAX_REQUESTS = 128

threads: ThreadRegistry["ProxyThread"] = ThreadRegistry(
    FairSlots(MAX_REQUESTS, what=translatable("requests"))
)


class ProxyThread:
    """A request that a thread passes on, for use in the event loop."""

    def __init__(self, request: ProxyRequest) -> None:
        self.stop = threading.Event()
        self.answer = ProxiedAnswer(request, self.stop)
        self._error: Exception | None = None
        self._loop = asyncio.get_running_loop()
        #: Parts of the answer; at the end None or an exception.
        self._parts: asyncio.Queue[dict[str, Any] | Exception | None] = asyncio.Queue()

    async def next(self) -> dict[str, Any] | None:
        """Return the next part of the answer, None after the last; raises the answer's errors."""
        part = await self._parts.get()
        if isinstance(part, Exception):
            raise part
        return part

    def run(self) -> None:
        """Pass the request on in the current thread."""
        try:
            for part in self.answer.answer():
                self._put(part)
        except Exception as error:
            self._error = error

    def end(self) -> None:
        """Send the end of the answer, or the error."""
        self._put(self._error)

    def _put(self, part: dict[str, Any] | Exception | None) -> None:
        # The caller may have disconnected, and at shutdown the loop may be closed.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._parts.put_nowait, part)


def start(request: ProxyRequest) -> ProxyThread:
    """Start a thread for *request*; raises `NoSlot`. Call it in the event loop."""
    return threads.start(request.instance.holder, lambda: ProxyThread(request), name="relay")


def stop_all(seconds: float = 3.0) -> None:
    """Stop all threads, and wait up to *seconds* until they have stored their messages."""
    threads.stop_all(seconds)
