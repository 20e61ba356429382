"""The threads of this process that pass requests on, and the loop that sends what they bring.

A thread of its own for each request, so that whatever has been said is stored also when the caller
hangs up, and no request keeps the event loop waiting.
"""

import asyncio
import contextlib
import logging
import threading
import time
from typing import Any

from django.db import connections

from memoryapp.fair_slots import FairSlots
from memoryapp.openai_proxy.proxy import ProxiedAnswer
from memoryapp.openai_proxy.request import ProxyRequest

logger = logging.getLogger(__name__)

#: Requests that one process passes on at once. Each has two threads, and a database connection
#: only while it needs one.
MAX_REQUESTS = 128

_slots = FairSlots(MAX_REQUESTS, what="requests")
_going: set["ProxyThread"] = set()


class ProxyThread:
    """One request that is being passed on, as the event loop sees it."""

    def __init__(self, asked: ProxyRequest) -> None:
        self.stop = threading.Event()
        self.passing = ProxiedAnswer(asked, self.stop)
        self.holder = asked.instance.holder
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
        end: Exception | None = None
        try:
            for part in self.passing.answer():
                self._tell(part)
        except Exception as error:
            end = error
        finally:
            connections.close_all()
            _going.discard(self)
            _slots.give_back(self.holder)
            self._tell(end)

    def _tell(self, part: dict[str, Any] | Exception | None) -> None:
        # The caller may be gone, and at the server's end the loop too.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._parts.put_nowait, part)


def start(asked: ProxyRequest) -> ProxyThread:
    """Have *asked* be passed on; raises `NoSlot`. Belongs in the event loop."""
    _slots.take(asked.instance.holder)
    try:
        serving = ProxyThread(asked)
        _going.add(serving)
        threading.Thread(target=serving.run, name="relay", daemon=True).start()
    except BaseException:
        _slots.give_back(asked.instance.holder)
        raise
    return serving


def stop_all(seconds: float = 3.0) -> None:
    """Stop all that this process passes on, and wait until what has been said is stored."""
    for each in list(_going):
        each.stop.set()
    deadline = time.monotonic() + seconds
    while _going and time.monotonic() < deadline:
        time.sleep(0.02)
