"""Each holder's share of the requests that a process handles at once."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest

from memoryapp.api.auth import caller_of
from memoryapp.fair_slots import FairSlots

#: Each of them has a database connection. Fewer than there are, so that screens always have some.
MAX_REQUESTS = 12

_slots = FairSlots(MAX_REQUESTS, what="requests")


def within_share(operation: Callable[..., Any]) -> Callable[..., Any]:
    """Carry *operation* out within the caller's share: half of what is free to one alone.

    Raises `NoSlot` when the share is used up.
    """

    @wraps(operation)
    def carry_out(request: HttpRequest, *args: Any, **values: Any) -> Any:
        with _slots.taken(caller_of(request).holder):
            return operation(request, *args, **values)

    return carry_out
