"""Points in time as mem0's clients send them."""

import re
from contextlib import suppress
from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import BeforeValidator

from memoryapp.api.errors import ApiError

#: From here on, a number counts milliseconds: as seconds, it would be after the year 2200.
_MAX_SECONDS = datetime(2201, 1, 1, tzinfo=UTC).timestamp()
#: Eight digits are a day: 20310531.
_NUMBER = re.compile(r"[-+]?\d{9,20}(?:\.\d{1,20})?", re.ASCII)


def number_as_moment(value: Any) -> datetime | None:
    """Return the moment so many seconds or milliseconds after 1970, given as a number or a text;
    None if *value* is neither. Raises ValueError or OverflowError outside the calendar.
    """
    if isinstance(value, str) and not _NUMBER.fullmatch(value.strip()):
        return None
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    seconds = float(value)
    if abs(seconds) >= _MAX_SECONDS:
        seconds /= 1000
    return datetime.fromtimestamp(seconds, UTC)


def _moment(value: Any) -> datetime:
    moment = None
    with suppress(OverflowError, OSError, TypeError, ValueError):
        moment = number_as_moment(value)
        if moment is None:
            moment = datetime.fromisoformat(str(value).strip())
            moment = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    if moment is None or not 1900 <= moment.year <= 2200:
        raise ApiError(
            400,
            "invalid",
            "timestamp: must be in seconds since 1970 or in the form 2031-05-31T18:00:00Z",
        )
    return moment


#: A point in time in seconds or milliseconds since 1970, as a number or a text, or in ISO 8601.
Timestamp = Annotated[datetime, BeforeValidator(_moment)]
