"""The middleware that gives each request a slot in its holder's share while it is handled, and
returns its database connection once the response is ready.
"""

import weakref
from collections.abc import Awaitable, Callable
from typing import Any, cast

from asgiref.sync import iscoroutinefunction, markcoroutinefunction, sync_to_async
from django.conf import settings
from django.db import DatabaseError, close_old_connections
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

from memoryapp.api import request_shares
from memoryapp.process.fair_slots import NoSlot
from memoryapp.request_limits.error_responses import answer_unavailable

Respond = Callable[[HttpRequest], HttpResponseBase]
RespondAsync = Callable[[HttpRequest], Awaitable[HttpResponseBase]]

#: What says how this process does answers however busy it is.
_PROBES = frozenset({"healthz", "readyz", "metrics"})


class RequestShares:
    """Has each request wait for a slot before its view, and gives the slot back after it."""

    sync_capable = async_capable = True

    def __init__(self, get_response: Respond | RespondAsync) -> None:
        self._get_response = get_response
        self._is_async = iscoroutinefunction(get_response)
        #: Django calls this once the view is known.
        self.process_view: Any = self._begin_async if self._is_async else self._begin
        if self._is_async:
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> Any:
        """Answer *request*."""
        if self._is_async:
            return self._respond_async(request)
        try:
            return _end(request, cast(Respond, self._get_response)(request))
        finally:
            request_shares.give_back(request)

    async def _respond_async(self, request: HttpRequest) -> HttpResponseBase:
        try:
            return _end(request, await cast(RespondAsync, self._get_response)(request))
        finally:
            request_shares.give_back(request)

    def _begin(self, request: HttpRequest, *view: Any) -> HttpResponse | None:
        if _is_probe(request):
            return None
        try:
            holder = request_shares.holder_of(request)
            request_shares.take(holder)
        except (NoSlot, DatabaseError) as error:
            return answer_unavailable(request, error)
        request_shares.note_slot(request, holder)
        return None

    async def _begin_async(self, request: HttpRequest, *view: Any) -> HttpResponse | None:
        if _is_probe(request):
            return None
        try:
            holder = await sync_to_async(request_shares.holder_of)(request)
            await request_shares.take_async(holder)
        except (NoSlot, DatabaseError) as error:
            return answer_unavailable(request, error)
        request_shares.note_slot(request, holder)
        return None


def _is_probe(request: HttpRequest) -> bool:
    return request.resolver_match is not None and request.resolver_match.url_name in _PROBES


def _end(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """Give the slot back, unless *response* is made while it is sent, with the connection of the
    request: then once it is sent, or nobody waits for it any more.
    """
    is_made_later = response.streaming and not cast(Any, response).is_async
    if is_made_later and (holder := request_shares.taken_from(request)) is not None:
        end = weakref.finalize(response, request_shares.slots.give_back, holder)
        cast(Any, response)._resource_closers.append(end)
    return response


@sync_and_async_middleware
def return_connection(get_response: Respond | RespondAsync) -> Respond | RespondAsync:
    """Return the database connection to the pool before a response is sent: a client that reads it
    slowly would keep it from others.
    """
    if not settings.DATABASE_POOL or not iscoroutinefunction(get_response):
        return get_response

    async def respond(request: HttpRequest) -> HttpResponseBase:
        response: HttpResponseBase = await get_response(request)
        if not response.streaming:
            await sync_to_async(close_old_connections)()
        return response

    return respond
