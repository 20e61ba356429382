"""The backend that checks every password."""

from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from threading import BoundedSemaphore
from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.http import HttpRequest
from django.utils.translation import gettext as _

from instances.models import User
from instances.signin import throttle

#: Passwords that one process checks at once, and that may wait. Each check takes a processor for
#: a good part of a second.
MAX_CHECKS = 2
MAX_WAITING = 6

_BUSY_SECONDS = 5

_checks = BoundedSemaphore(MAX_CHECKS)
admissions = BoundedSemaphore(MAX_CHECKS + MAX_WAITING)


class PasswordBackend(ModelBackend):
    """Django's backend, with limits on failures and on concurrent checks."""

    def authenticate(
        self,
        request: HttpRequest | None,
        username: str | None = None,
        password: str | None = None,
        **kwargs: Any,
    ) -> User | None:
        """Return the user with this name and password; raises `throttle.Refused`."""
        if username is None or password is None:
            return None
        with (
            _admission(request),
            throttle.attempt(request, "password", username) as attempt,
            _checks,
        ):
            user = super().authenticate(request, username, password)
            attempt.succeeded = user is not None
            return user if isinstance(user, User) else None


@contextmanager
def _admission(request: HttpRequest | None) -> Iterator[None]:
    if not admissions.acquire(blocking=False):
        raise throttle.TooManyAttempts(
            request,
            _("Many people are signing in right now. Try again in a few seconds."),
            seconds=_BUSY_SECONDS,
            status=HTTPStatus.SERVICE_UNAVAILABLE,
        )
    try:
        yield
    finally:
        admissions.release()
