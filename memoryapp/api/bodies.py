"""Request bodies: the parser of JSON of bounded depth, and the base class of what it is read as."""

from typing import Any, Self, cast

from django.http import HttpRequest
from ninja import Schema
from ninja.parser import Parser
from ninja.types import DictStrAny
from pydantic import ModelWrapValidatorHandler, ValidationInfo, model_validator

from conversations.bounded_json import parse
from conversations.sanitizer import whole_characters


class BoundedParser(Parser):
    """Parses the request bodies of a Ninja API."""

    def parse_body(self, request: HttpRequest) -> DictStrAny:
        """Return the value of the body; raises `TooDeep`, or ValueError for invalid JSON."""
        return cast(DictStrAny, parse(request.body))


class JSONBody(Schema):
    """A request body, or an object in one. Texts that a program cut within a character are taken:
    what is left of it becomes U+FFFD. JSON of its own that a field holds stays as it was sent.
    """

    @model_validator(mode="wrap")
    @classmethod
    def _run_root_validator(
        cls, values: Any, handler: ModelWrapValidatorHandler[Self], info: ValidationInfo
    ) -> Self:
        # In place of Ninja's, which shows a dict as an object with attributes, as of a model, and
        # so hides it from the validators of the class.
        if isinstance(values, dict):
            values = {name: _whole(value) for name, value in values.items()}
        return handler(values)


def _whole(value: Any) -> Any:
    if isinstance(value, str):
        return whole_characters(value)
    return [_whole(item) for item in value] if isinstance(value, list) else value
