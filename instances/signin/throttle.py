"""Counts failed sign-ins, and refuses attempts for a while after too many.

An attempt is counted by the username as typed and by the client's address. After five failures
there is a wait, which doubles with each further failure up to 15 minutes. During the wait the right
password is refused as well: accepting it would allow one more guess.

In a browser in which the person has signed in before, attempts are counted by name and browser.
So strangers who fail with the person's username, or from the same address, do not lock them out of
it. See `known_browser`.

The counts are rows in PostgreSQL. An attempt counts as failed before anything is checked, so that
concurrent attempts do not all see the same count; a success takes it back. The limits are constants
of `FailedSignIns`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from typing import Any, cast

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import ngettext

from instances.models import FailedSignIns
from instances.signin import known_browser
from instances.signin.address import client_address, network_of


class TooManyAttempts(ValidationError):
    """An attempt is refused unchecked. This becomes an error of the submitted form, and the
    middleware sets the status and ``Retry-After`` of the response.
    """

    def __init__(
        self,
        request: HttpRequest | None,
        message: str,
        *,
        seconds: int,
        status: int = HTTPStatus.TOO_MANY_REQUESTS,
    ) -> None:
        super().__init__(message)
        self.seconds = seconds
        self.status = status
        if request is not None:
            cast(Any, request).refused = self


@dataclass
class SignInAttempt:
    """An attempt under way. It has failed unless `succeeded` is set."""

    succeeded: bool = False


@contextmanager
def attempt(request: HttpRequest | None, purpose: str, name: str) -> Iterator[SignInAttempt]:
    """Count an attempt to sign in as *name*, or raise `TooManyAttempts` if there is a wait.

    Without a request, it is counted by name only. Each *purpose*, such as the password, has a count
    of its own: a known password must not clear the count of guessed codes.
    """
    digest = known_browser.digest_of(name)
    own = FailedSignIns.key_for("name", purpose, digest)
    shared = None
    if request is not None:
        if browser := known_browser.id_for(request, name):
            # With the name: two people who share a browser must not clear each other’s count.
            own = FailedSignIns.key_for("browser", purpose, browser, digest)
        else:
            shared = FailedSignIns.key_for("address", network_of(client_address(request)))
    FailedSignIns.objects.forget_old()
    counted = _count(request, [key for key in (own, shared) if key])
    under_way = SignInAttempt()
    yield under_way
    if under_way.succeeded:
        FailedSignIns.objects.filter(key=own).delete()
        if shared:
            _take_back(counted[shared])


@dataclass
class _Counted:
    row: FailedSignIns
    refused_before: datetime | None


def _count(request: HttpRequest | None, keys: list[str]) -> dict[str, _Counted]:
    """Add a failure for each of *keys*, unless one of them has to wait."""
    now = timezone.now()
    with transaction.atomic():
        FailedSignIns.objects.bulk_create(
            [FailedSignIns(key=key) for key in sorted(keys)], ignore_conflicts=True
        )
        # The row locks order attempts of the same moment. They are taken in the order of the keys,
        # so that attempts do not deadlock.
        rows = list(FailedSignIns.objects.select_for_update().filter(key__in=keys).order_by("key"))
        seconds = max(row.seconds_left(now) for row in rows)
        if seconds:
            raise TooManyAttempts(
                request,
                refusal(seconds),
                seconds=seconds,
            )
        counted = {row.key: _Counted(row, row.refused_until) for row in rows}
        for row in rows:
            row.count(now)
            row.save(update_fields=["failures", "counted_at", "refused_until"])
    return counted


def _take_back(counted: _Counted) -> None:
    """Undo one count of a shared key. Other failures stay: otherwise anyone with an account could
    clear the count of their address, and guess at other accounts without end.
    """
    row = FailedSignIns.objects.filter(key=counted.row.key)
    # Only if no other attempt has failed since: the wait would be for that one.
    row.filter(refused_until=counted.row.refused_until).update(refused_until=counted.refused_before)
    row.update(failures=F("failures") - 1)


def refusal(seconds: int) -> str:
    """Say for how long attempts are refused: for 30 seconds, or 2 minutes."""
    if seconds < 100:
        number = seconds
        text = ngettext(
            "Too many failed attempts. Try again in %(number)s second.",
            "Too many failed attempts. Try again in %(number)s seconds.",
            number,
        )
    else:
        number = -(-seconds // 60)
        text = ngettext(
            "Too many failed attempts. Try again in %(number)s minute.",
            "Too many failed attempts. Try again in %(number)s minutes.",
            number,
        )
    return text % {"number": number}
