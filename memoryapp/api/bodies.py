"""Request bodies: the parser of JSON of bounded depth, and the base class of what it is read as."""

from typing import Any, Self, cast

from django.http import HttpRequest
from django.utils.datastructures import MultiValueDict
from ninja import Schema
from ninja.parser import Parser
from ninja.types import DictStrAny
from pydantic import ModelWrapValidatorHandler, ValidationInfo, model_validator

from conversations.bounded_json import parse
from conversations.sanitizer import whole_characters

#: Names of fields and parameters that had no underscore; programs may send them still.
FORMER_NAMES = {"instanceId": "instance_id", "asOf": "as_of"}


class BoundedParser(Parser):
    """Parses the requests of a Ninja API."""

    def parse_querydict(
        self, data: MultiValueDict[str, Any], list_fields: list[str], request: HttpRequest
    ) -> DictStrAny:
        """Return the parameters, by their present names."""
        parsed = super().parse_querydict(data, list_fields, request)
        for former, name in FORMER_NAMES.items():
            if former in parsed:
                parsed.setdefault(name, parsed.pop(former))
        return parsed

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
            values = {cls._present_name(name): _whole(value) for name, value in values.items()}
        return handler(values)

    @classmethod
    def _present_name(cls, name: str) -> str:
        present = FORMER_NAMES.get(name, name)
        return present if present in cls.model_fields else name


def _whole(value: Any) -> Any:
    if isinstance(value, str):
        return whole_characters(value)
    return [_whole(item) for item in value] if isinstance(value, list) else value
