"""Keeps answers out of the caches of browsers and proxies."""

from collections.abc import Awaitable, Callable
from inspect import iscoroutinefunction
from typing import cast

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.cache import patch_cache_control
from django.utils.decorators import sync_and_async_middleware

Answer = Callable[[HttpRequest], HttpResponseBase]
AsyncAnswer = Callable[[HttpRequest], Awaitable[HttpResponseBase]]


@sync_and_async_middleware
def forbid_storing(get_response: Answer | AsyncAnswer) -> Answer | AsyncAnswer:
    """Forbid caches to store any answer. Without exceptions, the rule needs no session, and no view
    can forget it. Static files are served before this middleware.
    """
    if iscoroutinefunction(get_response):
        answer = cast(AsyncAnswer, get_response)

        async def answer_async(request: HttpRequest) -> HttpResponseBase:
            return _not_to_be_stored(await answer(request))

        return answer_async
    answer_now = cast(Answer, get_response)
    return lambda request: _not_to_be_stored(answer_now(request))


def _not_to_be_stored(response: HttpResponseBase) -> HttpResponseBase:
    patch_cache_control(response, private=True, no_store=True)
    return response
