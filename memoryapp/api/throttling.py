"""How often a key may ask."""

import logging
import time

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from ninja.throttling import BaseThrottle
from redis.exceptions import RedisError

from memoryapp.api.auth import caller_of
from memoryapp.outage_pause import OutagePause

logger = logging.getLogger(__name__)

#: Seconds of one window, at whose end counting begins anew.
WINDOW_SECONDS = 60
#: Seconds for which a cache that has just failed is not asked again.
RETRY_AFTER_SECONDS = 5.0


class KeyThrottle(BaseThrottle):
    """So many requests in each minute of the clock, counted for each key by itself.

    Ninja's own throttles keep the request that they look at on themselves, where the next thread
    finds it, and lose counts between reading and writing. This one adds one, which Redis does at
    once, and remembers nothing. People who have signed in are not counted, and nobody is while
    Redis does not answer: to be slow would be worse than to be lenient.
    """

    def __init__(self) -> None:
        self.pause = OutagePause(RETRY_AFTER_SECONDS)

    def allow_request(self, request: HttpRequest) -> bool:
        """Count the request; False when it is one too many."""
        key = caller_of(request).key
        if key is None or not settings.API_RATE_LIMIT or self.pause.lasts:
            return True
        name = f"api-rate:{key.pk}:{int(time.time() // WINDOW_SECONDS)}"
        try:
            # Where there is a count already, adding it leaves it alone.
            cache.add(name, 0, timeout=2 * WINDOW_SECONDS)
            return bool(cache.incr(name) <= settings.API_RATE_LIMIT)
        except (RedisError, ValueError) as error:
            self.pause.begin()
            logger.warning("API requests are not counted: %s", error)
            return True

    def wait(self) -> float:
        """The seconds until the next window."""
        return WINDOW_SECONDS - time.time() % WINDOW_SECONDS
