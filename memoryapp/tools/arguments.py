"""The arguments of a tool, as models write them."""

import json
import re
from collections.abc import Container
from enum import Enum
from typing import Any, ClassVar, get_args, get_origin

from pydantic import BaseModel, model_validator

#: What models write for an optional argument that they do not give.
_NOT_GIVEN = ("", "null", "none", "nil", "undefined", "nan", "n/a")
#: The same where the argument is one of several words.
_ANY = ("all", "any", "*")
#: Names under which models put all arguments.
_WRAPPERS = ("arguments", "args", "input", "parameters", "params")
_SEPARATORS = re.compile(r"[,;\n、，；]")
_QUOTES = " \t\r\n\"'`“”‘’„«»"


class ToolArguments(BaseModel):
    """Arguments as models mean them: an optional one may be null, or a word for it; a list a text,
    a single value a list of one, a number the text that is asked for, and all of them a text.
    """

    #: Fields beside the arguments, which a program fills in, and no model.
    taken_as_sent: ClassVar[frozenset[str]] = frozenset()

    @model_validator(mode="before")
    @classmethod
    def _as_meant(cls, given: Any) -> Any:
        given = _unwrapped(given, cls.model_fields)
        if not isinstance(given, dict):
            return given
        meant: dict[str, Any] = {}
        for name, value in given.items():
            if name in cls.taken_as_sent:
                meant[name] = value
                continue
            field = cls.model_fields.get(name)
            is_required = field is None or field.is_required()
            if not is_required and is_not_given(value):
                continue
            value = value if field is None else _value(value, field.annotation)
            if is_required or value is not None:
                meant[name] = value
        return meant


def is_not_given(value: Any) -> bool:
    """True if *value* is none, or a word for it."""
    if isinstance(value, str):
        return value.strip().lower() in _NOT_GIVEN
    return value is None or value in ([], {}) or value != value


def _unwrapped(given: Any, fields: Container[str]) -> Any:
    """Return the object of arguments in *given*, which may be a text with it, or around it."""
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except (ValueError, RecursionError):
            return given
    if isinstance(given, list) and len(given) == 1:
        given = given[0]
    if isinstance(given, dict) and len(given) == 1:
        ((name, value),) = given.items()
        if name not in fields and name in _WRAPPERS and isinstance(value, dict | str):
            return _unwrapped(value, fields)
    return given


def _value(value: Any, wanted: Any) -> Any:
    """Return *value* in the form that is *wanted*; None for a word that leaves it open."""
    if get_origin(wanted) is list:
        return _listed(value)
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if wanted is str:
        return _text(value)
    if not isinstance(value, str):
        return value
    value = value.strip()
    if not any(isinstance(each, type) and issubclass(each, Enum) for each in get_args(wanted)):
        return value
    return None if value.lower() in _ANY else value.lower()


def _listed(value: Any) -> Any:
    """Return the list that a text is: as JSON, or with its items between commas."""
    if isinstance(value, str):
        text = value.strip()
        if text.startswith("[") != text.endswith("]"):
            return value  # It was cut.
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            value = [item.strip(_QUOTES) for item in _SEPARATORS.split(text.strip("[]"))]
    if not isinstance(value, list):
        return value if isinstance(value, dict) else [_text(value)]
    if len(value) == 1 and (isinstance(value[0], list) or str(value[0]).startswith("[")):
        (value,) = value
        return _listed(value) if isinstance(value, str) else value
    return [_text(item) for item in value if not is_not_given(item)]


def _text(value: Any) -> Any:
    """Return the text of a number; others as they are."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return json.dumps(value) if isinstance(value, int | float) else value
