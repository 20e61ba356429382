"""Middleware made of functions, for both WSGI and ASGI."""

from collections.abc import Awaitable, Callable
from inspect import iscoroutinefunction
from typing import TypeAlias, cast

from asgiref.sync import sync_to_async
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

Respond: TypeAlias = Callable[[HttpRequest], HttpResponseBase]
RespondAsync: TypeAlias = Callable[[HttpRequest], Awaitable[HttpResponseBase]]
Middleware: TypeAlias = Callable[[Respond | RespondAsync], Respond | RespondAsync]


def middleware(
    *,
    before: Callable[[HttpRequest], HttpResponseBase | None] = lambda request: None,
    after: Callable[[HttpRequest, HttpResponseBase], object] = lambda request, response: None,
    after_blocks: Callable[[HttpRequest], bool] = lambda request: False,
) -> Middleware:
    """Return middleware that answers a request with *before*, or has it answered and then
    completes the response with *after*.

    Under ASGI both run in the event loop; where *after_blocks* says so, *after* runs in a thread.
    """

    @sync_and_async_middleware
    def wrap(get_response: Respond | RespondAsync) -> Respond | RespondAsync:
        if iscoroutinefunction(get_response):
            respond_async = cast(RespondAsync, get_response)

            async def responded_async(request: HttpRequest) -> HttpResponseBase:
                response = before(request) or await respond_async(request)
                if after_blocks(request):
                    await sync_to_async(after)(request, response)
                else:
                    after(request, response)
                return response

            return responded_async
        respond = cast(Respond, get_response)

        def responded(request: HttpRequest) -> HttpResponseBase:
            response = before(request) or respond(request)
            after(request, response)
            return response

        return responded

    return wrap
