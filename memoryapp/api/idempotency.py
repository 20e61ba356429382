"""Doing a thing once, however often it is asked for: the Idempotency-Key header.

::

    with once(request, instance, key) as attempt:
        if attempt.result is None:
            …the work, and in its transaction: attempt.finish({"id": 7})
    …render from the rows that attempt.result names

The first request and those that repeat it are rendered from the same rows, so that no text has to
be kept for the sake of an answer.
"""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

from django.db import IntegrityError, transaction
from django.db.models import F
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac
from ninja import Header

from instances.models import Instance
from memoryapp.api.auth import caller_of
from memoryapp.api.errors import Refusal
from memoryapp.models import IdempotentRequest

#: What operations that create something take.
IdempotencyKey = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=255,
        description="Any text of your own, for example a UUID. Sent again within 24 hours with the "
        "same body, the request is answered again and not carried out again.",
        examples=["5f0c0a4e-7d55-4c3f-9f0e-6f2f3a1b9c11"],
    ),
]


class IdempotentCall:
    """One execution of a request. Without a row, the request has no idempotency key."""

    def __init__(self, row: IdempotentRequest | None) -> None:
        self._row = row
        #: What the request did, if it is done.
        self.result: dict[str, Any] | None = row.result if row else None

    def finish(self, result: dict[str, Any]) -> None:
        """Note what was done: ids and counts. Belongs in the transaction that does it."""
        self.result = result
        if self._row is None:
            return
        # Decides the race with one who took this claim for dead: one of the two writes its result,
        # and the other's work is undone with its transaction.
        if not self._claim().update(result=result):
            raise _in_progress()

    def give_up(self) -> None:
        """Leave no trace of a request that failed: the next one may try anew."""
        if self._row is not None:
            self._claim().delete()

    def _claim(self) -> Any:
        assert self._row is not None  # noqa: S101 - Both callers have looked.
        return IdempotentRequest.objects.filter(
            pk=self._row.pk, attempts=self._row.attempts, result__isnull=True
        )


@contextmanager
def once(request: HttpRequest, instance: Instance, key: str | None) -> Iterator[IdempotentCall]:
    """Begin a request of *instance* that came with *key*, or find what it did when it came before.

    Raises `Refusal`: 409 while the same request is being carried out, 422 for another request
    with the same key.
    """
    attempt = IdempotentCall(_claimed(request, instance, key) if key else None)
    done_before = attempt.result is not None
    try:
        yield attempt
    except BaseException:
        if not done_before:
            attempt.give_up()
        raise


def gone() -> Refusal:
    """What a request made has been deleted since."""
    return Refusal(
        410, "gone", "This request was carried out, and what it made has been deleted since."
    )


def _claimed(request: HttpRequest, instance: Instance, key: str) -> IdempotentRequest:
    now = timezone.now()
    digest = hashlib.sha256(f"{caller_of(request).name}:{key}".encode()).hexdigest()
    # Keyed, since who reads the database must not be able to try out what the body may have been.
    asked = f"{request.method} {request.get_full_path()}\n".encode() + request.body
    request_digest = salted_hmac("keepsake.once", asked, algorithm="sha256").hexdigest()
    of_this_key = IdempotentRequest.objects.filter(instance=instance, key_digest=digest)
    of_this_key.forgotten().delete()
    try:
        with transaction.atomic():
            # The unique constraint decides between two that come at once.
            return IdempotentRequest.objects.create(
                instance=instance,
                key_digest=digest,
                request_digest=request_digest,
                lease_until=now + IdempotentRequest.LEASE,
            )
    except IntegrityError:
        row = of_this_key.first()
    if row is None:
        raise _in_progress()  # The other one has just given up; to ask again is all it takes.
    if row.request_digest != request_digest:
        raise Refusal(
            422,
            "idempotency_mismatch",
            "This Idempotency-Key came with another request before. Use a new one.",
        )
    if row.result is not None:
        return row
    taken_over = of_this_key.filter(
        attempts=row.attempts, result__isnull=True, lease_until__lt=now
    ).update(attempts=F("attempts") + 1, lease_until=now + IdempotentRequest.LEASE)
    if not taken_over:
        raise _in_progress()
    return of_this_key.get()


def _in_progress() -> Refusal:
    return Refusal(
        409, "in_progress", "The same request is being carried out. Ask again in a moment."
    )
