"""The arguments of a tool, as models write them."""

import json
import re
from typing import Any, get_origin

from pydantic import BaseModel, model_validator

#: What models write for an optional argument that they do not give.
_NOT_GIVEN = ("", "null", "none")
_SEPARATORS = re.compile(r"[,;\n]")


class ToolArguments(BaseModel):
    """Arguments of which an optional one may be null, or a word for it, and a list a text."""

    @model_validator(mode="before")
    @classmethod
    def _as_meant(cls, given: Any) -> Any:
        if not isinstance(given, dict):
            return given
        optional = {name for name, field in cls.model_fields.items() if not field.is_required()}
        return {
            name: _listed(value) if name in cls._lists() else value
            for name, value in given.items()
            if not (name in optional and is_not_given(value))
        }

    @classmethod
    def _lists(cls) -> set[str]:
        fields = cls.model_fields.items()
        return {name for name, field in fields if get_origin(field.annotation) is list}


def is_not_given(value: Any) -> bool:
    """True if *value* is none, or a word for it."""
    return value is None or (isinstance(value, str) and value.strip().lower() in _NOT_GIVEN)


def _listed(value: Any) -> Any:
    """Return the list that a text is: as JSON, or with its items between commas."""
    if not isinstance(value, str):
        return value
    if value.lstrip().startswith("["):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return [item.strip() for item in _SEPARATORS.split(value) if item.strip()]
