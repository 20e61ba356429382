"""Answers to refused requests: JSON for programs, a page for people."""

from collections.abc import Awaitable, Callable
from inspect import iscoroutinefunction
from typing import cast

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import Resolver404, resolve
from django.utils.decorators import sync_and_async_middleware

from memoryapp.api import openai
from memoryapp.api.errors import Refusal, problem

#: The key of the refusal in the ASGI scope.
REFUSAL = "keepsake.refusal"

TITLES = {
    408: "This took too long to arrive",
    413: "This is too large",
    415: "This format is not supported",
}

Answer = Callable[[HttpRequest], HttpResponseBase]
AsyncAnswer = Callable[[HttpRequest], Awaitable[HttpResponseBase]]


@sync_and_async_middleware
def answer_refusals(get_response: Answer | AsyncAnswer) -> Answer | AsyncAnswer:
    """Answer refused requests instead of their views."""
    if iscoroutinefunction(get_response):
        answer = cast(AsyncAnswer, get_response)

        async def answer_async(request: HttpRequest) -> HttpResponseBase:
            return refused(request) or await answer(request)

        return answer_async
    answer_now = cast(Answer, get_response)
    return lambda request: refused(request) or answer_now(request)


def refused(request: HttpRequest) -> HttpResponse | None:
    """The answer to a refused request; None for any other."""
    refusal: Exception | None = getattr(request, "scope", {}).get(REFUSAL)
    if refusal is None:
        return None
    match _door_of(request.path_info):
        case "openai":
            return openai.problem(refusal)
        case "api" if isinstance(refusal, Refusal):
            return problem(refusal.status_code, refusal.code, str(refusal))
    if not isinstance(refusal, Refusal):
        raise refusal  # Django has pages for it.
    title = TITLES.get(refusal.status_code, "Keepsake could not make sense of this")
    context = {"title": title, "detail": str(refusal)}
    return render(request, "refused.html", context, status=refusal.status_code)


def _door_of(path: str) -> str:
    """What answers at *path*: ``openai``, ``api`` for other JSON, or ``web`` for pages."""
    try:
        found = resolve(path)
    except Resolver404:
        return "web"
    if (found.url_name or "").startswith("v1_"):
        return "openai"
    return "api" if found.url_name == "mcp" or found.namespace in ("api", "mem0") else "web"
