"""The cookie of a browser in which a person has signed in before.

It gives no access. Failed attempts in such a browser are counted separately from those of strangers
with the same name.
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
#: The most people whom a browser is known for; the least recent is dropped.
MAX_NAMES = 8

_SALT = "instances.signin.known_browser"


class _Known(TypedDict):
    id: str
    names: list[str]


def digest_of(name: str) -> str:
    """Return a digest of a username, equal for spellings that look the same to people."""
    return FailedSignIns.key_for("name", normalize("NFKC", name).casefold())


def id_for(request: HttpRequest, name: str) -> str | None:
    """Return the id of this browser if *name* has signed in with it before."""
    known = _read(request)
    return known["id"] if digest_of(name) in known["names"] else None


def remember(request: HttpRequest, response: HttpResponseBase, user: User) -> None:
    """Set the cookie that says that *user* has signed in with this browser."""
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
