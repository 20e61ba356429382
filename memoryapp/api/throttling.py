"""The rate limit of API keys, and the headers that tell programs what is left of it."""

import logging
import math
import time
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from redis.exceptions import RedisError

from instances.middleware import middleware
from instances.models import ApiKey
from memoryapp.api.errors import ApiError
from memoryapp.process.outage_pause import OutagePause

logger = logging.getLogger(__name__)

#: Length of a window, at whose end the count is reset.
WINDOW_SECONDS = 60
#: Pause after a failure of the cache.
RETRY_AFTER_SECONDS = 5.0
#: Where a counted request has the number of requests left in the window; below zero beyond the
#: limit.
REQUESTS_LEFT = "keepsake.requests_left"


#: While it lasts, Redis is not asked.
pause = OutagePause(RETRY_AFTER_SECONDS)


def count_request(request: HttpRequest, key: ApiKey) -> None:
    """Count a request with *key* in this minute of the clock; raise `ApiError` beyond the limit.

    Ninja's own throttles store the request on the instance, which threads share, and lose counts
    between reading and writing; and they run only after the permissions were checked, so that what
    a key may not do would not count. This one increments atomically in Redis. Requests of people
    are not counted, and none are while Redis does not answer: a slow API would be worse than a
    lenient one.
    """
    known = _known_of(request)
    if not settings.API_RATE_LIMIT or pause.lasts or REQUESTS_LEFT in known:
        return
    name = f"api-rate:{key.pk}:{int(time.time() // WINDOW_SECONDS)}"
    try:
        # Without effect if there is a count already.
        cache.add(name, 0, timeout=2 * WINDOW_SECONDS)
        left = settings.API_RATE_LIMIT - cache.incr(name)
    except (RedisError, ValueError) as error:
        pause.begin()
        logger.warning("API requests are not counted: %s", error)
        return
    known[REQUESTS_LEFT] = left
    if left < 0:
        raise ApiError(
            429,
            "rate_limited",
            f"This key may make {settings.API_RATE_LIMIT:,} requests a minute. Retry after the "
            "number of seconds in Retry-After.",
        )


def _known_of(request: HttpRequest) -> dict[str, Any]:
    """The values stored with the request: in its ASGI scope, since the key of a large one is looked
    up before Django has the request.
    """
    known: dict[str, Any] = getattr(request, "scope", request.__dict__)
    return known


def _add_headers(request: HttpRequest, response: HttpResponseBase) -> None:
    """Say how many requests the key has left, and for how long (RateLimit header fields for HTTP,
    draft-ietf-httpapi-ratelimit-headers-10).
    """
    left = _known_of(request).get(REQUESTS_LEFT)
    if left is None:
        return
    seconds = math.ceil(WINDOW_SECONDS - time.time() % WINDOW_SECONDS)
    if left < 0:
        response["Retry-After"] = str(seconds)
    response["RateLimit-Policy"] = f'"key";q={settings.API_RATE_LIMIT};w={WINDOW_SECONDS}'
    response["RateLimit"] = f'"key";r={max(0, left)};t={seconds}'


#: Adds the headers to all responses to counted requests.
report_limit = middleware(after=_add_headers)
