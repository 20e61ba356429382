"""The Idempotency-Key header: a request that is sent again is carried out once.

::

    with once(request, instance, key) as attempt:
        if not attempt.is_done:
            …the work, and in its transaction: attempt.finish({"id": 7})
    …render attempt.created(rows)

The first request and its repetitions are rendered from the same rows, so no response is stored.
"""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any, TypeVar

from django.db import IntegrityError, transaction
from django.db.models import F, Model, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac
from ninja import Header

from instances.models import Instance
from memoryapp.api.auth import caller_of
from memoryapp.api.errors import ApiError
from memoryapp.models import IdempotentRequest

Row = TypeVar("Row", bound=Model)

#: The header that operations that create something accept.
IdempotencyKey = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=255,
        description="Unique key of your choice, such as a UUID. If a request with the same key "
        "and body is repeated within 24 hours, it is not executed again and returns "
        "the same result.",
        examples=["5f0c0a4e-7d55-4c3f-9f0e-6f2f3a1b9c11"],
    ),
]


class IdempotentCall:
    """One execution of a request. Without a row, the request has no idempotency key."""

    def __init__(self, row: IdempotentRequest | None) -> None:
        self._row = row
        self.is_done = row is not None and row.result is not None
        #: Ids and counts of what the request did; empty until it is done.
        self.result: dict[str, Any] = (row.result if row else None) or {}

    def finish(self, result: dict[str, Any]) -> None:
        """Store the ids and counts of what was done. Belongs in the transaction that does it."""
        self.result = result
        # Decides the race with a request that took this claim for dead: one of the two writes its
        # result, and the other's work is rolled back with its transaction.
        if self._row is not None and not self._claim(self._row).update(result=result):
            raise _in_progress()

    def give_up(self) -> None:
        """Delete the claim of a request that failed, so that it can be tried again."""
        if self._row is not None:
            self._claim(self._row).delete()

    def created(self, rows: QuerySet[Row]) -> Row:
        """Return the one of *rows* that the request created; raise `ApiError` if it was deleted."""
        row = rows.filter(pk=self.result["id"]).first()
        if row is None:
            raise ApiError(
                410,
                "gone",
                "This request was executed before, and the object that it created has since "
                "been deleted.",
            )
        return row

    def _claim(self, row: IdempotentRequest) -> QuerySet[IdempotentRequest]:
        return IdempotentRequest.objects.filter(
            pk=row.pk, attempts=row.attempts, result__isnull=True
        )


@contextmanager
def once(request: HttpRequest, instance: Instance, key: str | None) -> Iterator[IdempotentCall]:
    """Begin a request to *instance* with *key*, or load the result of the same earlier request.

    Raises `ApiError`: 409 while the same request is being carried out, 422 for another request
    with the same key.
    """
    attempt = IdempotentCall(_claimed(request, instance, key) if key else None)
    try:
        yield attempt
    except BaseException:
        if not attempt.is_done:
            attempt.give_up()
        raise


def _claimed(request: HttpRequest, instance: Instance, key: str) -> IdempotentRequest:
    now = timezone.now()
    digest = hashlib.sha256(f"{caller_of(request).name}:{key}".encode()).hexdigest()
    # Keyed, since a reader of the database must not be able to test guesses of the body.
    content = f"{request.method} {request.get_full_path()}\n".encode() + request.body
    request_digest = salted_hmac("keepsake.once", content, algorithm="sha256").hexdigest()
    of_this_key = IdempotentRequest.objects.filter(instance=instance, key_digest=digest)
    of_this_key.forgotten().delete()
    try:
        with transaction.atomic():
            # The unique constraint decides between two requests at once.
            return IdempotentRequest.objects.create(
                instance=instance,
                key_digest=digest,
                request_digest=request_digest,
                lease_until=now + IdempotentRequest.LEASE,
            )
    except IntegrityError:
        row = of_this_key.first()
    if row is None:
        raise _in_progress()  # The other request has just failed; the client can send it again.
    if row.request_digest != request_digest:
        raise ApiError(
            422,
            "idempotency_mismatch",
            "This Idempotency-Key was used for a different request. Use a new key.",
        )
    if row.result is not None:
        return row
    taken_over = of_this_key.filter(
        attempts=row.attempts, result__isnull=True, lease_until__lt=now
    ).update(attempts=F("attempts") + 1, lease_until=now + IdempotentRequest.LEASE)
    if not taken_over:
        raise _in_progress()
    return of_this_key.get()


def _in_progress() -> ApiError:
    return ApiError(
        409,
        "in_progress",
        "A request with this Idempotency-Key is in progress. Try again in a moment.",
    )
