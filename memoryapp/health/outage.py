"""Whether an error means that the database is away, and not that a request was wrong."""

from django.db import InterfaceError, OperationalError

#: Seconds after which to ask again. A restart of PostgreSQL takes about as long.
RETRY_AFTER_SECONDS = 5

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
