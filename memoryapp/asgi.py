"""The ASGI application: ``uvicorn memoryapp.asgi:application --http
memoryapp.serving.http_protocol:HttpProtocol``.
"""

import asyncio
import contextlib
import gc
import os
import resource
import signal
from collections.abc import Awaitable, Callable
from functools import partial
from types import FrameType
from typing import Any

from django.core.asgi import get_asgi_application
from django.urls import get_resolver

from memoryapp.process import size

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryapp.settings")
# Each request has a thread of its own here, and a connection that belongs to a thread ends with it:
# only a pool keeps any. It takes a third off the time of an empty page.
os.environ["DATABASE_POOL"] = os.environ.get("DATABASE_POOL") or str(size.chosen().web_pool)

_django = get_asgi_application()

# What answers has models, which are there once Django is.
from memoryapp.api.v1 import worker_threads  # noqa: E402 - Needs Django.
from memoryapp.assistant import answer_threads  # noqa: E402 - Needs Django.
from memoryapp.request_limits.application import RequestLimits  # noqa: E402 - Needs Django.

_requests = RequestLimits(_django)


async def application(
    scope: dict[str, Any],
    receive: Callable[[], Awaitable[Any]],
    send: Callable[[Any], Awaitable[None]],
) -> None:
    """Answer requests; at the end, have what is being said in chats and by `/v1` stored."""
    if scope["type"] != "lifespan":
        await _requests(scope, receive, send)
        return
    while (await receive())["type"] == "lifespan.startup":
        _raise_file_limit()
        _stop_answers_at_once()
        _spare_collector()
        await send({"type": "lifespan.startup.complete"})
    await asyncio.gather(
        *map(asyncio.to_thread, (answer_threads.stop_all, worker_threads.stop_all))
    )
    await send({"type": "lifespan.shutdown.complete"})


def _raise_file_limit() -> None:
    """Let this process open as many files as the system permits it: each connection is one."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    # macOS permits any number and accepts less.
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _spare_collector() -> None:
    """Import what answers requests, and exempt it from garbage collection: it stays anyway, and
    looking through it again and again stopped one search in twelve for a fifth of a second.
    """
    gc.disable()
    get_resolver().url_patterns  # noqa: B018 - It imports the views.
    gc.collect()
    gc.freeze()
    gc.enable()


def _stop_answers_at_once() -> None:
    """Have answers end when the server is told to stop, before it waits for open pages: those that
    look on are told the end, and the wait is over.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, partial(_stop_answers_and, signal.getsignal(number)))


def _stop_answers_and(then: Any, number: int, frame: FrameType | None) -> None:
    answer_threads.stop_all(seconds=0)
    worker_threads.stop_all(seconds=0)
    if callable(then):
        then(number, frame)
