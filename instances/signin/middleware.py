"""Completes responses for signing in: cookies, session lifetimes, refusals."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from instances.interface_language import remember_language
from instances.middleware import middleware
from instances.signin import known_browser, sessions
from instances.signin.address import forget_present, note_present
from instances.signin.throttle import TooManyAttempts


def _uses_session(request: HttpRequest) -> bool:
    return request.session.accessed


def _complete(request: HttpRequest, response: HttpResponseBase) -> None:
    if not _uses_session(request):
        return
    refused: TooManyAttempts | None = getattr(request, "refused", None)
    if refused is not None:
        response.status_code = refused.status
        response["Retry-After"] = str(refused.seconds)
    if not request.user.is_authenticated:
        sessions.limit_anonymous_session(request)
        return
    if getattr(request, "has_just_signed_in", False):
        known_browser.remember(request, response, request.user)
        remember_language(response, request.user)
    sessions.refresh_session(request)


#: Completes the response to every request that has used its session.
sign_in = middleware(after=_complete, after_blocks=_uses_session)

#: Keeps the address of the request that is being answered, for records of what it does.
keep_address = middleware(before=note_present, after=forget_present)
