"""Threads that pass requests on to providers, and the queues to the event loop.

Each request has a thread of its own: so its messages are stored even if the caller disconnects, and
no request blocks the event loop.
"""

import asyncio
import contextlib
import threading
from typing import Any

from memoryapp.assistant.thread_registry import ThreadRegistry
from memoryapp.fair_slots import FairSlots
from memoryapp.openai_proxy.proxy import ProxiedAnswer
from memoryapp.openai_proxy.request import ProxyRequest

logger = logging.getLogger(__name__)

#: Concurrent requests of one process. Each has two threads, and a database connection only while
#: it needs one.
MAX_REQUESTS = 128

_slots = FairSlots(MAX_REQUESTS, what="requests")
#: The threads of this process that have not ended.
running: set["ProxyThread"] = set()


class ProxyThread:
    """A request that a thread passes on, as the event loop sees it."""

    def __init__(self, request: ProxyRequest) -> None:
        self.stop = threading.Event()
        self.answer = ProxiedAnswer(request, self.stop)
        self.holder = request.instance.holder
        self._loop = asyncio.get_running_loop()
        #: Parts of the answer; at the end None or an exception.
        self._parts: asyncio.Queue[dict[str, Any] | Exception | None] = asyncio.Queue()

    async def next(self) -> dict[str, Any] | None:
        """Return the next part of the answer, None at the end. Raises the thread's exception."""
        part = await self._parts.get()
        if isinstance(part, Exception):
            raise part
        return part

    def run(self) -> None:
        """Pass the request on in the current thread."""
        end: Exception | None = None
        try:
            for part in self.answer.answer():
                self._put(part)
        except Exception as error:
            end = error
        finally:
            connections.close_all()
            running.discard(self)
            _slots.give_back(self.holder)
            self._put(end)

    def _put(self, part: dict[str, Any] | Exception | None) -> None:
        # The caller may have disconnected, and at shutdown the loop may be closed.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._parts.put_nowait, part)


def start(request: ProxyRequest) -> ProxyThread:
    """Start a thread for *request*; raises `NoSlot`. Call it in the event loop."""
    _slots.take(request.instance.holder)
    try:
        worker = ProxyThread(request)
        running.add(worker)
        threading.Thread(target=worker.run, name="relay", daemon=True).start()
    except BaseException:
        _slots.give_back(request.instance.holder)
        raise
    return worker


def stop_all(seconds: float = 3.0) -> None:
    """Stop all threads, and wait up to *seconds* until they have stored their messages."""
    for worker in list(running):
        worker.stop.set()
    deadline = time.monotonic() + seconds
    while running and time.monotonic() < deadline:
        time.sleep(0.02)
