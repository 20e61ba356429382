"""Sends the tasks of `CELERY_BEAT_SCHEDULE` when they are due, from a thread of each worker.

Of all workers, the one that holds a lease in Redis sends. It renews the lease with each look; when
it ends or hangs, the next one that looks takes over. When each task was last sent is in Redis as
well, for the successor and for the next start. Without Redis, nothing could be sent anyway.
"""

import logging
import secrets
import socket
import threading
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, cast

import redis
from celery import Celery, beat

from memoryapp.telemetry import heartbeat
from memoryapp.telemetry.redis_store import client

logger = logging.getLogger("keepsake.scheduler")

#: Seconds for which the lease lasts, and the most between two looks.
LEASE_SECONDS = 15
LOOK_SECONDS = 5.0
_LEASE, _SENT = "keepsake:scheduler:lease", "keepsake:scheduler:sent"

# Takes the lease if it is free or one's own, and returns whether it is one's own now.
_TAKE = """
local holder = redis.call('get', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('set', KEYS[1], ARGV[1], 'EX', ARGV[2])
return 1
"""
_RELEASE = "if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('del', KEYS[1]) end"


class Scheduler(beat.Scheduler):  # type: ignore[misc]  # Untyped library.
    """Celery's scheduler, which sends only while it holds the lease."""

    def __init__(self, app: Celery, **options: Any) -> None:
        self._name = f"{socket.gethostname()}:{secrets.token_hex(8)}"
        self._holds = False
        super().__init__(app, **options)

    def tick(self, *args: Any, **options: Any) -> float:
        """Send what is due, and return the seconds until the next look."""
        try:
            held, self._holds = (
                self._holds,
                bool(client().eval(_TAKE, 1, _LEASE, self._name, LEASE_SECONDS)),
            )
            if self._holds and not held:
                self._read_times()
        except redis.RedisError:
            self._holds = False
        if not self._holds:
            return LOOK_SECONDS
        try:
            return min(float(super().tick(*args, **options)), LOOK_SECONDS)
        except BaseException:
            # A task that was taken from the order of tasks may be missing there now.
            self._holds = False
            raise

    def reserve(self, entry: beat.ScheduleEntry) -> beat.ScheduleEntry:
        """Note that the task of *entry* is sent now."""
        following = super().reserve(entry)
        with suppress(redis.RedisError):
            client().hset(_SENT, entry.name, following.last_run_at.timestamp())
        return following

    def release(self) -> None:
        """Let another worker take over at once."""
        if self._holds:
            self._holds = False
            client().eval(_RELEASE, 1, _LEASE, self._name)
            heartbeat.cease(heartbeat.SCHEDULER)

    def _read_times(self) -> None:
        sent = cast(dict[bytes, bytes], client().hgetall(_SENT))
        for name, at in sent.items():
            if entry := self.schedule.get(name.decode()):
                entry.last_run_at = datetime.fromtimestamp(float(at), UTC)
        # Its order is by the times when they are due.
        self._heap = None


class SchedulerThread(threading.Thread):
    """Looks what is due until it is told to stop."""

    def __init__(self, app: Celery) -> None:
        super().__init__(name="scheduler", daemon=True)
        self._scheduler = Scheduler(app)
        self._over = threading.Event()

    def run(self) -> None:
        """Look again and again. What goes wrong is logged, and tried again."""
        pause = 0.0
        while not self._over.wait(pause):
            try:
                pause = self._scheduler.tick()
            except Exception:
                logger.exception("The scheduler failed, and goes on.")
                pause = LOOK_SECONDS

    def stop(self) -> None:
        """End it, and release the lease."""
        self._over.set()
        self.join(2)
        try:
            self._scheduler.release()
        except redis.RedisError:
            logger.info("The lease of the scheduler ends in %d seconds.", LEASE_SECONDS)
