"""Signs of life of the worker and the scheduler, kept in Redis for as long as they are fresh.

A worker shows them from its main process, not from a task: one that is busy is not dead.
``python -m memoryapp.telemetry.heartbeat worker`` says whether this machine's worker lives, for the
health check of its container; ``scheduler`` likewise.
"""

import os
import socket
import sys
import time

import redis

from memoryapp.telemetry.redis_store import client

#: Seconds between two signs of life of a worker. The scheduler shows one with each sweep.
INTERVAL_SECONDS = 10.0
#: Seconds after which who shows no sign is taken for dead.
EXPIRY_SECONDS = 60

WORKER, SCHEDULER = "worker", "scheduler"
_PREFIX = "keepsake:pulse:"


def beat(who: str) -> None:
    """Show a sign of life. Never raises: who cannot show one will be missed."""
    try:
        client().set(_key(who), time.time(), ex=EXPIRY_SECONDS)
    except redis.RedisError:
        return


def cease(who: str) -> None:
    """Report that a process ends on purpose, so that its heartbeat need not go stale first."""
    try:
        client().delete(_key(who))
    except redis.RedisError:
        return


def signs(who: str) -> list[float]:
    """Return for each machine with a living one the seconds since its last sign.

    Raises:
        redis.RedisError: Redis does not answer.

    """
    keys = list(client().scan_iter(f"{_PREFIX}{who}:*", count=1000))
    found = client().mget(keys) if keys else []
    return [max(0.0, time.time() - float(sign)) for sign in found if sign]


def last_sign(who: str) -> float | None:
    """Return the seconds since the last heartbeat of this kind of process; None without one.

    Raises:
        redis.RedisError: Redis does not answer.

    """
    return min(signs(who), default=None)


def _key(who: str) -> str:
    return f"{_PREFIX}{who}:{socket.gethostname()}"


def main(who: str) -> str:
    """Return what is wrong with this machine's worker or scheduler; empty when it is well."""
    try:
        there = client().exists(_key(who))
    except redis.RedisError as error:
        return f"Redis does not answer: {error}"
    return "" if there else f"No sign of life of this machine’s {who} for {EXPIRY_SECONDS} seconds."


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryapp.settings")
    sys.exit(main(sys.argv[1]) or 0)
