"""Detection of temporary database outages by their errors."""

import psycopg
import pytest
from django.db import DataError, IntegrityError, InterfaceError, OperationalError
from psycopg import errors
from psycopg_pool import PoolTimeout

from memoryapp.health.database_outages import is_outage


def error(cause: Exception, kind: type[Exception] = OperationalError) -> Exception:
    raised = kind("It did not work.")
    raised.__cause__ = cause
    return raised


@pytest.mark.parametrize(
    "cause",
    [
        psycopg.OperationalError("connection refused"),
        PoolTimeout("no connection within 5 s"),
        errors.AdminShutdown(),
        errors.CrashShutdown(),
        errors.CannotConnectNow(),
        errors.ConnectionFailure(),
        errors.TooManyConnections(),
    ],
)
def test_unreachable_database_is_detected(cause: Exception) -> None:
    assert is_outage(error(cause))


@pytest.mark.parametrize(
    "cause", [errors.DeadlockDetected(), errors.LockNotAvailable(), errors.DiskFull()]
)
def test_reachable_database_is_not_an_outage(cause: Exception) -> None:
    assert not is_outage(error(cause))


def test_other_errors_are_not_outages() -> None:
    assert is_outage(InterfaceError("the connection is closed"))
    assert not is_outage(error(errors.UniqueViolation(), IntegrityError))
    assert not is_outage(error(errors.NumericValueOutOfRange(), DataError))
    assert not is_outage(ValueError("no"))
    assert not is_outage(None)
