"""Reads the object of a tool call that a model wrote as text. Pure; see `written_calls`."""

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

NAME_KEYS = ("name", "function", "tool", "tool_name", "action")
ARGUMENT_KEYS = ("arguments", "parameters", "args", "input", "action_input", "kwargs")
LIST_KEYS = ("tool_calls", "tool_call", "function_call")
#: Keys of a call that are neither its name nor its arguments.
OTHER_KEYS = ("id", "type", "index", "call_id", "tool_call_id")
#: The keys with which a call may begin, and the types that it may have.
FIRST_KEYS = frozenset((*NAME_KEYS, *ARGUMENT_KEYS, *LIST_KEYS, *OTHER_KEYS))
TYPES = frozenset({"function", "function_call", "tool_call", "tool_use"})

_DOUBLED = re.compile(r'"(?:[^"\\]++|\\.)*+"?|\{\{|\}\}', re.DOTALL)
#: Lists and objects of one call, at most.
_MAX_CONTAINERS = 200
_PARAMETER = re.compile(r"<parameter=([\w-]{1,64})>")


class Unreadable(ValueError):
    """The call names an offered tool, and cannot be read."""


@dataclass(frozen=True)
class WrittenCall:
    """A call of the tool ``name``; ``arguments`` is a JSON object."""

    name: str
    arguments: str


def calls_in(text: str, names: Collection[str], *, missing: int = 0) -> list[WrittenCall]:
    """Return the calls of the tools *names* in the object *text*, which lacks *missing* closing
    braces; none if it is another object. Raises `Unreadable`.
    """
    for value in _objects(text, missing):
        return [call for each in _calls(value) if (call := _call(each, names))]
    if any(f'"{name}"' in text or f"'{name}'" in text for name in names):
        raise Unreadable
    return []


def call_of(name: str, text: str, *, missing: int = 0) -> WrittenCall:
    """Return the call of the tool *name* with the arguments *text*. Raises `Unreadable`."""
    for value in _objects(text, missing):
        return WrittenCall(name, json.dumps(value, ensure_ascii=False))
    raise Unreadable


def call_with_markup(name: str, text: str) -> WrittenCall:
    """Return the call of the tool *name* with the arguments in *text*, each of which stands between
    ``<parameter=…>`` and ``</parameter>``.
    """
    # The first part is what stands before the first parameter.
    _, *parts = _PARAMETER.split(text)
    values = {
        key: _value(value.partition("</parameter>")[0].strip())
        for key, value in zip(parts[::2], parts[1::2], strict=True)
    }
    return WrittenCall(name, json.dumps(values, ensure_ascii=False))


def _objects(text: str, missing: int) -> Iterator[dict[str, Any]]:
    """Yield *text* as an object, also if its braces are doubled."""
    whole = text + "}" * missing
    for form in (whole, whole[1:-1], _DOUBLED.sub(_single, whole)):
        try:
            value = _parsed(form)
        except ValueError:
            continue
        if isinstance(value, dict):
            yield value


def _single(found: "re.Match[str]") -> str:
    return found[0][0] if found[0] in ("{{", "}}") else found[0]


def _calls(value: dict[str, Any]) -> list[Any]:
    for key in LIST_KEYS:
        inside = value.get(key)
        if isinstance(inside, list):
            return inside
        if isinstance(inside, dict):
            return [inside]
    return [value]


def _call(value: Any, names: Collection[str]) -> WrittenCall | None:
    if not isinstance(value, dict):
        return None
    if isinstance(value.get("function"), dict):
        value = value["function"]
    key = next((key for key in NAME_KEYS if isinstance(value.get(key), str)), "")
    name = value.get(key)
    # The description of a tool has a description and a schema.
    if name not in names or "description" in value:
        return None
    given = next((value[each] for each in ARGUMENT_KEYS if each in value), None)
    if given is None:
        # Some write the arguments beside the name.
        given = {k: v for k, v in value.items() if k not in (key, *ARGUMENT_KEYS, *OTHER_KEYS)}
    if isinstance(given, str):
        try:
            given = _parsed(given) if given.strip() else {}
        except ValueError:
            raise Unreadable from None
    if not isinstance(given, dict):
        raise Unreadable
    if given.get("type") == "object" and isinstance(given.get("properties"), dict):
        return None
    return WrittenCall(name, json.dumps(given, ensure_ascii=False))


def _value(text: str) -> Any:
    try:
        return _parsed(text) if text[:1] in ("[", "{") else text
    except ValueError:
        return text


def _parsed(text: str) -> Any:
    """Parse JSON whose strings may have line breaks. Raises `ValueError`."""
    if text.count("[") + text.count("{") > _MAX_CONTAINERS:
        raise ValueError("too many lists and objects")
    return json.loads(text, strict=False)
