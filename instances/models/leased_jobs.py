"""Durable work on rows: a worker claims a row under a lease, which a heartbeat renews.

The row stores when its lease ends. A lease is short, so that the work of a dead process soon
continues elsewhere. In each process, one thread renews the leases of all running work, but not
beyond its time limit: hanging work is given up like that of a dead process. A lease only decides
when another worker may take over. A worker that has lost its row finds out from the conditional
update that ends each piece of work: see `LeasedJob.still_mine`.
"""

import logging
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any, Self

from django.db import DatabaseError, InterfaceError, connections, models, transaction
from django.db.models import F, Q
from django.utils import timezone

from instances.models.content_keys import InstanceContent

logger = logging.getLogger(__name__)

#: Seconds without a heartbeat after which a worker is presumed dead.
LEASE_SECONDS = 20.0
#: Seconds between heartbeats, so that a few may be late or fail.
HEARTBEAT_SECONDS = 5.0
#: Seconds after which a row that no worker has claimed is sent to the broker again.
RESEND_SECONDS = 20.0


def lease_is_free() -> Q:
    """Rows that no worker holds, or only one without a heartbeat."""
    return Q(lease_until=None) | Q(lease_until__lt=timezone.now())


def not_sent_lately() -> Q:
    """Rows that were not sent to the broker, or so long ago that it may have lost them."""
    old = timezone.now() - timedelta(seconds=RESEND_SECONDS)
    return Q(sent_at=None) | Q(sent_at__lt=old)


class LeasedJob(InstanceContent):
    """A row of durable work, which one worker at a time holds under a lease.

    The database, not the broker, knows what is left to do. What makes a row due, and what becomes
    of it after an error, is each job's own: it claims with `claim_among`, and ends with `release`.
    """

    #: The end of the worker's lease; None while no worker holds the row.
    lease_until = models.DateTimeField(null=True, blank=True)
    #: The number of claims so far. A worker whose claim is not the last has been taken over.
    claims = models.PositiveIntegerField(default=0)

    class Meta:
        abstract = True

    def claim_among(self, free: models.QuerySet[Any], **columns: Any) -> bool:
        """Claim this row for the calling worker if it is among the rows that are *free*, and set
        *columns*; return whether that worked. The conditional update decides between two workers.
        """
        if not free.filter(pk=self.pk, instance=self.instance_id).update(
            lease_until=_lease_end(), claims=F("claims") + 1, **columns
        ):
            return False
        self.refresh_from_db()
        return True

    def still_mine(self) -> models.QuerySet[Self]:
        """Narrow to this row, but only while the caller's claim holds: a worker that was presumed
        dead must not finish what another one has started again.
        """
        held: models.QuerySet[Self] = self.row().exclude(lease_until=None)
        return held.filter(claims=self.claims)

    def abandoned(self) -> models.QuerySet[Self]:
        """Narrow to this row, but only while the lease of the claim that it was loaded with has
        ended: a worker that was only slow may have just renewed it.
        """
        return self.still_mine().filter(lease_until__lt=timezone.now())

    @contextmanager
    def kept(self, *, seconds: float) -> Iterator[None]:
        """Renew the lease while the block runs, for at most *seconds*."""
        hold = _Hold(self.still_mine(), time.monotonic() + seconds)
        _heartbeat.add(hold)
        try:
            yield
        finally:
            _heartbeat.remove(hold)

    def renew(self, **columns: Any) -> bool:
        """Renew the lease now, and set *columns*; return False if another worker has taken over."""
        return bool(self.still_mine().update(lease_until=_lease_end(), **columns))

    def release(self, **columns: Any) -> bool:
        """End the lease, and set *columns*; return False if another worker has taken over."""
        return bool(self.still_mine().update(lease_until=None, **columns))


def release_all() -> None:
    """End all leases of this process, which is stopping, so that others can take over at once."""
    _heartbeat.release_all()


def _lease_end() -> datetime:
    """The end of a lease that begins now."""
    return timezone.now() + timedelta(seconds=LEASE_SECONDS)


class _Hold:
    def __init__(self, rows: models.QuerySet[Any], ends: float) -> None:
        self.rows = rows
        self.ends = ends


class _Heartbeat:
    """The thread that renews leases. It runs only while there are leases."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._holds: set[_Hold] = set()
        self._thread: threading.Thread | None = None

    def add(self, hold: _Hold) -> None:
        with self._lock:
            self._holds.add(hold)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)
                self._thread.start()

    def remove(self, hold: _Hold) -> None:
        with self._lock:
            self._holds.discard(hold)

    def release_all(self) -> None:
        with self._lock:
            holds, self._holds = self._holds, set()
        try:
            for hold in holds:
                hold.rows.update(lease_until=timezone.now())
        except (DatabaseError, InterfaceError) as error:
            logger.warning("leases could not be ended early: %s", error)

    def _run(self) -> None:
        while True:
            time.sleep(HEARTBEAT_SECONDS)
            try:
                self._renew()
            except (DatabaseError, InterfaceError) as error:
                logger.warning("leases are not renewed: %s", error)
            finally:
                connections.close_all()
            with self._lock:
                if not self._holds:
                    self._thread = None
                    return

    def _renew(self) -> None:
        with self._lock:
            for hold in list(self._holds):
                if time.monotonic() >= hold.ends:
                    logger.warning("a %s takes too long and is given up", hold.rows.model.__name__)
                    self._holds.discard(hold)
            held = [hold.rows for hold in self._holds]
        # One after the other: rows of several instances may be on several machines.
        for rows in held:
            _renew(rows)


def _renew(rows: models.QuerySet[Any]) -> None:
    with transaction.atomic():
        # Skip locked rows: their work is about to end or to be taken over, and waiting for them
        # could let the other leases run out.
        locked = rows.order_by().select_for_update(skip_locked=True, of=("self",))
        held = list(locked.values_list("pk", flat=True))
        rows.filter(pk__in=held).update(lease_until=_lease_end())


_heartbeat = _Heartbeat()


def _forget_after_fork() -> None:
    # A forked process has neither the thread nor the work of its parent.
    global _heartbeat
    _heartbeat = _Heartbeat()


os.register_at_fork(after_in_child=_forget_after_fork)
