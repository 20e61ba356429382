"""The threads of this process that pass requests on, and the queues that the event loop reads.

Each request has a thread of its own, so that the answer is stored even if the caller hangs up, and
the event loop never waits for a request.
"""

import asyncio
import contextlib
import threading
from typing import Any

from memoryapp.assistant.thread_registry import ThreadRegistry
from memoryapp.fair_slots import FairSlots
from memoryapp.openai_proxy.proxy import ProxiedAnswer
from memoryapp.openai_proxy.request import ProxyRequest

#: Requests that one process passes on at once. Each has two threads, and a database connection
#: only while it needs one.
MAX_REQUESTS = 128

threads: ThreadRegistry["ProxyThread"] = ThreadRegistry(FairSlots(MAX_REQUESTS, what="requests"))


class ProxyThread:
    """One request that is being passed on, as the event loop sees it."""

    def __init__(self, asked: ProxyRequest) -> None:
        self.stop = threading.Event()
        self.passing = ProxiedAnswer(asked, self.stop)
        self._error: Exception | None = None
        self._loop = asyncio.get_running_loop()
        #: Parts of the answer; in the end None, or what went wrong.
        self._parts: asyncio.Queue[dict[str, Any] | Exception | None] = asyncio.Queue()

    async def next(self) -> dict[str, Any] | None:
        """The next part of the answer; None when there are no more. Raises what went wrong."""
        part = await self._parts.get()
        if isinstance(part, Exception):
            raise part
        return part

    def run(self) -> None:
        """Pass the request on, in the thread that calls this."""
        try:
            for part in self.passing.answer():
                self._tell(part)
        except Exception as error:
            self._error = error

    def end(self) -> None:
        """Send the end of the answer, or what went wrong."""
        self._tell(self._error)

    def _tell(self, part: dict[str, Any] | Exception | None) -> None:
        # The caller may be gone, and at the server's end the loop too.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._parts.put_nowait, part)


def start(asked: ProxyRequest) -> ProxyThread:
    """Have *asked* be passed on; raises `NoSlot`. Belongs in the event loop."""
    return threads.start(asked.instance.holder, lambda: ProxyThread(asked), name="relay")


def stop_all(seconds: float = 3.0) -> None:
    """Stop all that this process passes on, and wait until what has been said is stored."""
    threads.stop_all(seconds)
