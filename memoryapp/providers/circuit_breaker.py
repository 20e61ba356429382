"""The circuit breaker: a server that keeps failing is not called for a while.

Each instance has its own breaker for each server, so instances do not affect each other. Processes
share the state in the database: it is read before each call, and written only when a call fails,
and when one succeeds after that.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import DatabaseError
from django.utils import timezone

from instances.database import brief_connection
from instances.models import CircuitBreaker
from instances.models.circuit_breaker import CircuitBreakerQuerySet
from instances.provider_urls import server_of
from instances.translatable import translatable
from memoryapp.providers.endpoints import Endpoint
from memoryapp.providers.errors import ErrorKind, ProviderError

logger = logging.getLogger(__name__)

#: Errors that count as failures of the server, unless it sent a status below 500.
_FAILURES = frozenset({ErrorKind.UNREACHABLE, ErrorKind.TIMEOUT, ErrorKind.SERVER_ERROR})


class Call:
    """One call to a provider: whether it may be sent, and its outcome."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._instance_id = endpoint.instance_id
        self._server = server_of(endpoint.base_url)
        self._fails = False

    def refusal(self) -> ProviderError | None:
        """Return the error if the call must not be sent, else None."""
        if self._instance_id is None:
            return None
        with _database():
            breaker = self._breakers().select_related("instance").first()
            if breaker is not None:
                self._fails = True
                if not breaker.admits():
                    return _refusal(breaker)
        return None

    def end(self, failure: ProviderError | None) -> None:
        """Record the outcome. An error from a working server does not count as a failure."""
        if self._instance_id is None:
            return
        status = failure.status if failure else None
        if failure and failure.kind in _FAILURES and (status is None or status >= 500):
            with _database():
                CircuitBreaker.objects.record_failure(self._instance_id, self._server, str(failure))
        elif self._fails:
            with _database():
                self._breakers().delete()

    def _breakers(self) -> CircuitBreakerQuerySet:
        return CircuitBreaker.objects.filter(instance=self._instance_id, server=self._server)


def _refusal(breaker: CircuitBreaker) -> ProviderError:
    now = timezone.now()
    return ProviderError(
        ErrorKind.CIRCUIT_OPEN,
        translatable(
            "%(server)s has failed %(number)s times in a row. Keepsake tries again at %(time)s.",
            server=breaker.name,
            number=breaker.failures,
            time=breaker.retry_time,
        ),
        retry_after=max(1.0, ((breaker.retry_at or now) - now).total_seconds()),
    )


@contextmanager
def _database() -> Iterator[None]:
    """Use the database, and carry on if it fails: no call depends on the breaker."""
    try:
        with brief_connection():
            yield
    except DatabaseError:
        logger.warning("the state of a circuit breaker is unknown", exc_info=True)
