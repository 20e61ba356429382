"""The language of the screens: a person's own choice, or else what the browser asks for.

The choice is stored with the person, and a cookie carries it from request to request, so that no
request needs a query for it.
"""

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.utils import translation
from django.utils.cache import patch_vary_headers

from instances.middleware import middleware
from instances.models import User


def _activate(request: HttpRequest) -> None:
    request.LANGUAGE_CODE = translation.get_language_from_request(request)
    translation.activate(request.LANGUAGE_CODE)


def _describe(request: HttpRequest, response: HttpResponseBase) -> None:
    patch_vary_headers(response, ("Accept-Language",))
    response.headers.setdefault("Content-Language", request.LANGUAGE_CODE)


#: Answers each request in its language.
choose_language = middleware(before=_activate, after=_describe)


def remember_language(response: HttpResponseBase, user: User) -> None:
    """Let the browser name the language that *user* has chosen, or its own again if none is."""
    if not user.language:
        response.delete_cookie(settings.LANGUAGE_COOKIE_NAME)
        return
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        user.language,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
        samesite="Lax",
    )
