"""The cookie by which a browser is known in which somebody has signed in before.

It opens nothing. It only says that failed attempts in this browser are counted apart from those
that strangers make with the same name.
"""

from typing import TypedDict
from unicodedata import normalize

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponseBase
from django.utils.crypto import get_random_string

from instances.models import FailedSignIns, User

COOKIE = "known_browser"
MAX_AGE_SECONDS = 365 * 24 * 3600
#: How many people one browser is known for; the earliest is forgotten.
MAX_NAMES = 8

_SALT = "instances.signin.known_browser"


class _Known(TypedDict):
    id: str
    names: list[str]


def digest_of(name: str) -> str:
    """Return a digest of a username, the same for spellings that people take for the same."""
    return FailedSignIns.key_for("name", normalize("NFKC", name).casefold())


def id_for(request: HttpRequest, name: str) -> str | None:
    """Return the id of this browser if the person called *name* has signed in in it before."""
    known = _read(request)
    return known["id"] if digest_of(name) in known["names"] else None


def remember(request: HttpRequest, response: HttpResponseBase, user: User) -> None:
    """Have the browser known as one that *user* has signed in in."""
    known = _read(request)
    name = digest_of(user.get_username())
    known["names"] = [name, *(other for other in known["names"] if other != name)][:MAX_NAMES]
    response.set_cookie(
        COOKIE,
        signing.dumps(known, salt=_SALT),
        max_age=MAX_AGE_SECONDS,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _read(request: HttpRequest) -> _Known:
    try:
        known: _Known = signing.loads(
            request.COOKIES.get(COOKIE, ""), salt=_SALT, max_age=MAX_AGE_SECONDS
        )
    except signing.BadSignature:
        return {"id": get_random_string(22), "names": []}
    return known
