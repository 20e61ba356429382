"""Redis for callers that would rather do without it than wait."""

from functools import lru_cache

import redis
from django.conf import settings
from redis.backoff import NoBackoff
from redis.retry import Retry

from memoryapp.process.outage_pause import OutagePause

#: Seconds without calls to Redis after it has failed.
RETRY_AFTER_SECONDS = 15.0
pause = OutagePause(RETRY_AFTER_SECONDS)


@lru_cache(maxsize=1)
def client() -> redis.Redis:
    """Return a client that answers within a second or fails."""
    return redis.Redis.from_url(
        settings.REDIS_URL,
        socket_connect_timeout=1,
        socket_timeout=1,
        retry=Retry(NoBackoff(), 0),
    )


def add(key: str, field: str, amount: float) -> None:
    """Add to a number that all processes share. Never raises, and waits once at most."""
    if pause.lasts:
        return
    try:
        client().hincrbyfloat(key, field, amount)
    except redis.RedisError:
        pause.begin()
