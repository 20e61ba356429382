"""Short outages of the database: recognising them, and waiting for their end."""

import time
from collections.abc import Callable
from typing import TypeVar

from django.db import InterfaceError, OperationalError, connections

T = TypeVar("T")

#: Seconds after which a client may try again: about as long as PostgreSQL takes to restart.
RETRY_AFTER_SECONDS = 5
#: How long, and how often, work is retried whose result must not be lost.
MAX_WAIT_SECONDS = 60.0
PAUSE_SECONDS = 0.5

#: SQLSTATE classes and codes: connection exceptions, shutdown by an administrator or a crash,
#: still starting, too many connections.
_CLASSES = ("08",)
_STATES = ("57P01", "57P02", "57P03", "53300")


def is_outage(error: BaseException | None) -> bool:
    """True if *error* means that the database is unavailable, so that a retry may succeed."""
    if isinstance(error, InterfaceError):
        return True
    if not isinstance(error, OperationalError):
        return False
    # The driver's error has the state. Without one, no server has answered.
    state = getattr(error.__cause__, "sqlstate", None)
    return state is None or state.startswith(_CLASSES) or state in _STATES


def retry_during_outage(work: Callable[[], T], *, seconds: float = MAX_WAIT_SECONDS) -> T:
    """Run *work*, a single transaction, and retry it while the database is unavailable; after
    *seconds*, raise its error.
    """
    deadline = time.monotonic() + seconds
    while True:
        try:
            return work()
        except (OperationalError, InterfaceError) as error:
            if not is_outage(error) or time.monotonic() > deadline:
                raise
        # A broken connection is replaced by a new one.
        connections.close_all()
        time.sleep(PAUSE_SECONDS)
