"""The base class of the APIs that Ninja serves: errors and limits."""

from typing import Any

from ninja import NinjaAPI
from ninja.openapi.schema import OpenAPISchema
from ninja.operation import Operation

from memoryapp.api.bodies import BoundedParser
from memoryapp.api.errors import MEDIA_TYPE, handle_errors
from memoryapp.api.not_found import Endpoints


class KeepsakeAPI(NinjaAPI):
    """An API with JSON errors."""

    def __init__(self, *, root: str = "", **options: Any) -> None:
        """Create an API whose paths are below *root*."""
        super().__init__(parser=BoundedParser(), **options)
        self.endpoints = Endpoints(self, root)
        handle_errors(self, self.endpoints)

    def get_openapi_schema(self, **options: Any) -> OpenAPISchema:
        """Return the document, with the media type of errors, which Ninja takes for that of every
        response.
        """
        schema = super().get_openapi_schema(**options)
        for methods in schema["paths"].values():
            for operation in methods.values():
                for status, response in operation["responses"].items():
                    if int(status) >= 400:
                        (described,) = response["content"].values()
                        response["content"] = {MEDIA_TYPE: described}
        return schema

    def get_openapi_operation_id(self, operation: Operation) -> str:
        """Name an operation like its function, for generated clients."""
        return operation.view_func.__name__
