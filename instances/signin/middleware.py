"""Completes responses with what signing in needs."""

from collections.abc import Awaitable, Callable
from inspect import iscoroutinefunction
from typing import cast

from asgiref.sync import sync_to_async
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

from instances.signin import known_browser, sessions
from instances.signin.throttle import TooManyAttempts

Answer = Callable[[HttpRequest], HttpResponseBase]
AsyncAnswer = Callable[[HttpRequest], Awaitable[HttpResponseBase]]


@sync_and_async_middleware
def sign_in(get_response: Answer | AsyncAnswer) -> Answer | AsyncAnswer:
    """Complete the response to every request that has used its session."""
    if iscoroutinefunction(get_response):
        answer = cast(AsyncAnswer, get_response)

        async def completed_async(request: HttpRequest) -> HttpResponseBase:
            response = await answer(request)
            if request.session.accessed:
                await sync_to_async(_complete)(request, response)
            return response

        return completed_async
    answer_now = cast(Answer, get_response)

    def completed(request: HttpRequest) -> HttpResponseBase:
        response = answer_now(request)
        if request.session.accessed:
            _complete(request, response)
        return response

    return completed


def _complete(request: HttpRequest, response: HttpResponseBase) -> None:
    refused: TooManyAttempts | None = getattr(request, "refused", None)
    if refused is not None:
        response.status_code = refused.status
        response["Retry-After"] = str(refused.seconds)
    if not request.user.is_authenticated:
        sessions.limit_anonymous_session(request)
        return
    if getattr(request, "has_just_signed_in", False):
        known_browser.remember(request, response, request.user)
    sessions.refresh_session(request)
