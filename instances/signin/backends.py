"""Checks a name and a password: the one door that every password passes."""

from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from threading import BoundedSemaphore
from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.http import HttpRequest

from instances.models import User
from instances.signin import throttle

#: Passwords that one process checks at the same time, each of which takes a processor for a good
#: part of a second, and those that may wait for their turn.
MAX_CHECKS = 2
MAX_WAITING = 6

_BUSY_SECONDS = 5

_checks = BoundedSemaphore(MAX_CHECKS)
_admitted = BoundedSemaphore(MAX_CHECKS + MAX_WAITING)


class PasswordBackend(ModelBackend):
    """Django's own, with a limit to failures, and to how many passwords are checked at once."""

    def authenticate(
        self,
        request: HttpRequest | None,
        username: str | None = None,
        password: str | None = None,
        **kwargs: Any,
    ) -> User | None:
        """Return whose name and password these are; raises `throttle.Refused`."""
        if username is None or password is None:
            return None
        with (
            _place_for_one_more(request),
            throttle.attempt(request, "password", username) as attempt,
            _checks,
        ):
            user = super().authenticate(request, username, password)
            attempt.succeeded = user is not None
            return user if isinstance(user, User) else None


@contextmanager
def _place_for_one_more(request: HttpRequest | None) -> Iterator[None]:
    if not _admitted.acquire(blocking=False):
        raise throttle.Refused(
            request,
            "Many people are signing in at this moment. Try again in a few seconds.",
            seconds=_BUSY_SECONDS,
            status=HTTPStatus.SERVICE_UNAVAILABLE,
        )
    try:
        yield
    finally:
        _admitted.release()
