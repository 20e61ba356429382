"""When the database is away for a moment: telling it from other errors, and waiting for it."""

import time
from collections.abc import Callable
from typing import TypeVar

from django.db import InterfaceError, OperationalError, connections

T = TypeVar("T")

#: Seconds after which to ask again. A restart of PostgreSQL takes about as long.
RETRY_AFTER_SECONDS = 5
#: For how long, and how often, work is tried whose result must not be lost.
PATIENCE_SECONDS = 60.0
PAUSE_SECONDS = 0.5

#: Classes of SQLSTATE, and single ones: connection exceptions, shut down by an administrator or a
#: crash, still starting, too many connections.
_CLASSES = ("08",)
_STATES = ("57P01", "57P02", "57P03", "53300")


def is_outage(error: BaseException | None) -> bool:
    """Whether the database was not reachable or went away, so that the same request may succeed in
    a moment.
    """
    if isinstance(error, InterfaceError):
        return True
    if not isinstance(error, OperationalError):
        return False
    # The driver's own error has the state; there is none where no server has answered.
    state = getattr(error.__cause__, "sqlstate", None)
    return state is None or state.startswith(_CLASSES) or state in _STATES


def outlast(work: Callable[[], T], *, seconds: float = PATIENCE_SECONDS) -> T:
    """Do *work*, which is one transaction, and again while the database is away; after so many
    seconds, raise what it raised.
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
