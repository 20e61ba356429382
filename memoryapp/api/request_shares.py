"""Each holder's share of the requests that a process handles at once."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest

from instances.translatable import translatable
from memoryapp.api.auth import caller_of
from memoryapp.fair_slots import FairSlots

#: Each needs a database connection. There are more connections, so that the screens get some.
MAX_REQUESTS = 12

slots = FairSlots(MAX_REQUESTS, what=translatable("requests"))


def within_share(operation: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate *operation* to run within the caller's share of the slots: half of the free ones for
    a single caller. It raises `NoSlot` when the share is used up.
    """

    @wraps(operation)
    def carry_out(request: HttpRequest, *args: Any, **values: Any) -> Any:
        with slots.taken(caller_of(request).holder):
            return operation(request, *args, **values)

    return carry_out
