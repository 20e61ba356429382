"""The rate limit of API keys, and the headers that tell programs what is left of it."""

import logging
import math
import time

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from ninja.throttling import BaseThrottle
from redis.exceptions import RedisError

from instances.middleware import middleware
from memoryapp.api.auth import caller_of
from memoryapp.outage_pause import OutagePause

logger = logging.getLogger(__name__)

#: Length of a window, at whose end the count is reset.
WINDOW_SECONDS = 60
#: Pause after a failure of the cache.
RETRY_AFTER_SECONDS = 5.0
#: The attribute of a counted request with the number of requests left in the window.
REQUESTS_LEFT = "requests_left"


class KeyThrottle(BaseThrottle):
    """Limits the requests of each key in each minute of the clock.

    Ninja's own throttles store the request on the instance, which threads share, and lose counts
    between reading and writing. This one has no state, and increments atomically in Redis. Requests
    of people are not counted, and none are while Redis does not answer: a slow API would be worse
    than a lenient one.
    """

    def __init__(self) -> None:
        self.pause = OutagePause(RETRY_AFTER_SECONDS)

    def allow_request(self, request: HttpRequest) -> bool:
        """Count the request; return False if it exceeds the limit."""
        key = caller_of(request).key
        if key is None or not settings.API_RATE_LIMIT or self.pause.lasts:
            return True
        name = f"api-rate:{key.pk}:{int(time.time() // WINDOW_SECONDS)}"
        try:
            # Without effect if there is a count already.
            cache.add(name, 0, timeout=2 * WINDOW_SECONDS)
            left = settings.API_RATE_LIMIT - cache.incr(name)
        except (RedisError, ValueError) as error:
            self.pause.begin()
            logger.warning("API requests are not counted: %s", error)
            return True
        setattr(request, REQUESTS_LEFT, max(0, left))
        return bool(left >= 0)

    def wait(self) -> float:
        """Return the seconds until the next window."""
        return _seconds_left()


def _seconds_left() -> float:
    return WINDOW_SECONDS - time.time() % WINDOW_SECONDS


def _add_headers(request: HttpRequest, response: HttpResponseBase) -> None:
    """Say how many requests the key has left, and for how long (RateLimit header fields for HTTP,
    draft-ietf-httpapi-ratelimit-headers-10).
    """
    left = getattr(request, REQUESTS_LEFT, None)
    if left is None:
        return
    seconds = math.ceil(_seconds_left())
    response["RateLimit-Policy"] = f'"key";q={settings.API_RATE_LIMIT};w={WINDOW_SECONDS}'
    response["RateLimit"] = f'"key";r={left};t={seconds}'


#: Adds the headers to all responses to counted requests.
report_limit = middleware(after=_add_headers)
