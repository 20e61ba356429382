"""The base class of the APIs that Ninja serves: errors, limits and throttling."""

from typing import Any

from ninja import NinjaAPI
from ninja.operation import Operation

from memoryapp.api.bodies import BoundedParser
from memoryapp.api.errors import handle_errors
from memoryapp.api.request_shares import within_share
from memoryapp.api.throttling import KeyThrottle


class KeepsakeAPI(NinjaAPI):
    """An API with JSON errors, a rate limit by key, and a limit of concurrency by holder."""

    def __init__(self, *, limits_concurrency: bool = True, **options: Any) -> None:
        super().__init__(parser=BoundedParser(), throttle=[KeyThrottle()], **options)
        handle_errors(self)
        if limits_concurrency:
            self.add_decorator(within_share)

    def get_openapi_operation_id(self, operation: Operation) -> str:
        """Name an operation like its function, for generated clients."""
        return operation.view_func.__name__
