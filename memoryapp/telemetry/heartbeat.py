"""Heartbeats of the worker and the scheduler, in Redis until they expire.

A worker sends them from its main process, not from a task, since a busy worker is not dead.
``python -m memoryapp.telemetry.heartbeat worker`` says whether this machine's worker lives, for the
health check of its container; ``scheduler`` likewise.
"""

import os
import secrets
import socket
import sys
import time
from contextlib import suppress
from enum import StrEnum

import redis

from memoryapp.telemetry.redis_store import client

#: Seconds between two heartbeats of a worker. The scheduler sends one with each sweep.
INTERVAL_SECONDS = 10.0
#: Seconds without a heartbeat after which a process counts as dead.
EXPIRY_SECONDS = 60

WORKER, SCHEDULER = "worker", "scheduler"
_PREFIX = "keepsake:pulse:"
#: Tells the processes of one machine apart; containers that share a host name have the same ids.
_PROCESS = secrets.token_hex(8)


class WorkerState(StrEnum):
    """State of the workers, as far as their heartbeats tell."""

    RUNNING = "running"
    MISSING = "missing"
    #: Redis does not answer, through which both the heartbeats and the work would come.
    UNKNOWN = "unknown"


def worker_state() -> WorkerState:
    """Return whether a worker runs. Never raises."""
    try:
        return WorkerState.MISSING if last_sign(WORKER) is None else WorkerState.RUNNING
    except redis.RedisError:
        return WorkerState.UNKNOWN


def beat(who: str) -> None:
    """Send a heartbeat. Never raises: a process that cannot send one counts as dead."""
    with suppress(redis.RedisError):
        client().set(f"{_machine(who)}{_PROCESS}", time.time(), ex=EXPIRY_SECONDS)


def cease(who: str) -> None:
    """Report that a process ends on purpose, so that its heartbeat need not go stale first."""
    with suppress(redis.RedisError):
        client().delete(f"{_machine(who)}{_PROCESS}")


def signs(who: str) -> list[float]:
    """Return the seconds since the last heartbeat of each process. Raises `redis.RedisError`."""
    keys = _keys(f"{_PREFIX}{who}:")
    values = client().mget(keys) if keys else []
    return [max(0.0, time.time() - float(sign)) for sign in values if sign]


def last_sign(who: str) -> float | None:
    """Return the seconds since the latest heartbeat. Raises `redis.RedisError`."""
    return min(signs(who), default=None)


def _machine(who: str) -> str:
    return f"{_PREFIX}{who}:{socket.gethostname()}:"


def _keys(prefix: str) -> list[bytes]:
    return list(client().scan_iter(f"{prefix}*", count=1000))


def main(who: str) -> str:
    """Return the problem of this machine's worker or scheduler; empty if there is none."""
    try:
        there = _keys(_machine(who))
    except redis.RedisError as error:
        return f"Redis does not answer: {error}"
    return "" if there else f"No sign of life of this machine’s {who} for {EXPIRY_SECONDS} seconds."


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryapp.settings")
    sys.exit(main(sys.argv[1]) or 0)
