"""Redis, for those who would rather do without it than wait."""

import time
from functools import lru_cache

import redis
from django.conf import settings
from redis.backoff import NoBackoff
from redis.retry import Retry

#: Seconds for which a Redis that has failed is not spoken to.
RETRY_AFTER_SECONDS = 15.0
_rest_until = 0.0


@lru_cache(maxsize=1)
def client() -> redis.Redis:
    """Return a client that answers within a second or fails."""
    return redis.Redis.from_url(
        settings.REDIS_URL,
        socket_connect_timeout=1,
        socket_timeout=1,
        retry=Retry(NoBackoff(), 0),
    )


def add(key: str, field: str, amount: int) -> None:
    """Add to a number that all processes share. Never raises, and waits once at most."""
    global _rest_until
    if time.monotonic() < _rest_until:
        return
    try:
        client().hincrby(key, field, amount)
    except redis.RedisError:
        _rest_until = time.monotonic() + RETRY_AFTER_SECONDS
