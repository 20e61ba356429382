"""Leases: a row that is being worked on says until when, and a heartbeat renews it.

A lease is short, so that the work of a process that has died goes on elsewhere soon. Each process
has one thread that renews the leases of all its work, for as long as that work goes on, and no
longer than it may take: what hangs is given up like what has died. A lease decides nothing but when
somebody else may begin again; who has lost his row learns it from the conditional update with which
each piece of work ends.
"""

import functools
import logging
import operator
import os
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from django.db import DatabaseError, InterfaceError, connections, models, transaction
from django.utils import timezone

logger = logging.getLogger(__name__)

#: Seconds without a heartbeat after which whoever works on a row is taken for dead.
LEASE_SECONDS = 20.0
#: Seconds between two heartbeats: a few may be late or fail.
HEARTBEAT_SECONDS = 5.0


def lease() -> datetime:
    """Until when a lease holds that is taken now."""
    return timezone.now() + timedelta(seconds=LEASE_SECONDS)


@contextmanager
def kept(rows: models.QuerySet[Any], *, seconds: float) -> Iterator[None]:
    """Renew the lease on *rows* while the block runs, but for at most *seconds*.

    *rows* narrows to the row that the caller has claimed, as long as nobody else has claimed it;
    its column ``lease_until`` is the lease.
    """
    hold = _Hold(rows, time.monotonic() + seconds)
    _heartbeat.add(hold)
    try:
        yield
    finally:
        _heartbeat.remove(hold)


def let_go() -> None:
    """End the leases of all that this process works on, since it ends: others begin at once."""
    _heartbeat.let_go()


class _Hold:
    def __init__(self, rows: models.QuerySet[Any], ends: float) -> None:
        self.rows = rows
        self.ends = ends


class _Heartbeat:
    """The thread that renews, which runs only while there is something to renew."""

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

    def let_go(self) -> None:
        with self._lock:
            holds, self._holds = self._holds, set()
        try:
            for hold in holds:
                hold.rows.update(lease_until=timezone.now())
        except (DatabaseError, InterfaceError) as error:
            logger.warning("leases run until they end: %s", error)

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
        by_table: dict[type[models.Model], list[models.QuerySet[Any]]] = defaultdict(list)
        with self._lock:
            for hold in list(self._holds):
                if time.monotonic() < hold.ends:
                    by_table[hold.rows.model].append(hold.rows)
                else:
                    logger.warning("a %s takes too long and is given up", hold.rows.model.__name__)
                    self._holds.discard(hold)
        for rows in by_table.values():
            renew(functools.reduce(operator.or_, rows))


def renew(rows: models.QuerySet[Any]) -> None:
    """Renew the leases on *rows*."""
    with transaction.atomic():
        # Whoever holds a row's lock is about to end or to take over that work: neither has to be
        # waited for, and the other leases must not run out meanwhile.
        locked = rows.order_by().select_for_update(skip_locked=True, of=("self",))
        held = list(locked.values_list("pk", flat=True))
        rows.model._default_manager.filter(pk__in=held).update(lease_until=lease())


_heartbeat = _Heartbeat()


def _forget_after_fork() -> None:
    # A forked process has neither the thread nor the work of its parent.
    global _heartbeat
    _heartbeat = _Heartbeat()


os.register_at_fork(after_in_child=_forget_after_fork)
