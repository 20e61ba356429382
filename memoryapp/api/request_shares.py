"""Each holder's share of the requests that a process handles at once.

Every request has a holder: the instance of its key (or the person whose private instance it is), or
else the person who is signed in, or else the client's address. A request beyond the share of its
holder waits for a moment, without a database connection, and is then refused.
`request_limits.shares` applies this to every view.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import cast

from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import close_old_connections
from django.http import HttpRequest

from instances.signin.address import client_address, network_of
from instances.translatable import translatable
from memoryapp.api.auth import key_in
from memoryapp.process.fair_slots import FairSlots, NoSlot

#: Of one process. Those that wait for a model server have no database connection, so there are
#: more than connections.
MAX_REQUESTS = 12
#: Those that wait.
MAX_WAITING = 128
#: For how long one waits, and the pause between two attempts.
WAIT_SECONDS = 5.0
PAUSE_SECONDS = 0.02
#: The attribute of a request with the holder whose slot it has.
_HOLDER = "slot_holder"


#: The least that one holder may have.
MIN_SHARE = 4


def _share() -> int | None:
    """The most slots of one holder: its requests must leave some connections to others."""
    return max(MIN_SHARE, settings.DATABASE_POOL - 2) if settings.DATABASE_POOL else None


slots = FairSlots(MAX_REQUESTS, what=translatable("requests"), share=_share())
_places_to_wait = FairSlots(MAX_WAITING, what=translatable("requests"))


def holder_of(request: HttpRequest) -> str:
    """Return whose share this request uses."""
    if (key := key_in(request)) is not None:
        return key.instance.holder
    if settings.SESSION_COOKIE_NAME in request.COOKIES and request.user.is_authenticated:
        return f"person {request.user.pk}"
    return f"client {network_of(client_address(request))}"


def take(holder: str) -> None:
    """Take a slot for *holder*, waiting in this thread. Raises `NoSlot` after `WAIT_SECONDS`, or at
    once if too many wait.
    """
    for pause in _attempts(holder):
        time.sleep(pause)


async def take_async(holder: str) -> None:
    """Do the same in the event loop; the thread of the request has no connection meanwhile."""
    waits = False
    for pause in _attempts(holder):
        if not waits:
            waits = True
            await sync_to_async(close_old_connections)()
        await asyncio.sleep(pause)


@asynccontextmanager
async def slot_of(holder: str) -> AsyncIterator[None]:
    """Hold a slot for as long as the block runs; raises `NoSlot`."""
    await take_async(holder)
    try:
        yield
    finally:
        slots.give_back(holder)


def _attempts(holder: str) -> Iterator[float]:
    """Take a slot for *holder*; while there is none, yield how long to pause before the next
    attempt.
    """
    end = time.monotonic() + WAIT_SECONDS
    try:
        slots.take(holder)
        return
    except NoSlot:
        if WAIT_SECONDS <= 0:
            raise
    with _places_to_wait.taken(holder):
        while True:
            yield PAUSE_SECONDS
            try:
                slots.take(holder)
                return
            except NoSlot:
                if time.monotonic() >= end:
                    raise


def note_slot(request: HttpRequest, holder: str) -> None:
    """Remember that *request* has a slot of *holder*."""
    setattr(request, _HOLDER, holder)


def taken_from(request: HttpRequest) -> str | None:
    """Return the holder of the slot of *request*, which the caller gives back now; None without."""
    return cast("str | None", request.__dict__.pop(_HOLDER, None))


def give_back(request: HttpRequest) -> None:
    """Give back the slot of *request*, if it has one: it is done, or waits for a model server
    without a database connection.
    """
    if (holder := taken_from(request)) is not None:
        slots.give_back(holder)
