"""Estimates how long a job will still take. Pure."""

from datetime import datetime

#: Seconds of work, and the share of it that is done, before there is an estimate.
MIN_SECONDS, MIN_SHARE = 3.0, 0.01


def seconds_left(
    done: int, total: int, *, since: datetime | None, until: datetime | None
) -> float | None:
    """Return the seconds until *total* is done at the speed so far: *done* between *since* and
    *until*. None until there is enough to tell.
    """
    if since is None or until is None or not 0 < done <= total:
        return None
    seconds = (until - since).total_seconds()
    if seconds < MIN_SECONDS or done < MIN_SHARE * total:
        return None
    return seconds * (total - done) / done
