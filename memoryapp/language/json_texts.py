"""The texts in a JSON value: read, or replaced one by one. Pure."""

from collections.abc import Callable, Iterator
from typing import Any


def texts_in(value: Any) -> Iterator[str]:
    """Yield the texts and numbers in *value*, in their order, without the names of fields."""
    if isinstance(value, dict):
        for item in value.values():
            yield from texts_in(item)
    elif isinstance(value, list):
        for item in value:
            yield from texts_in(item)
    elif isinstance(value, str):
        yield value
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield str(value)


def parts_of(value: Any) -> Iterator[str | int]:
    """Yield what `replaced` may change in *value*: its names, texts and whole numbers."""
    if isinstance(value, dict):
        for name, item in value.items():
            yield name
            yield from parts_of(item)
    elif isinstance(value, list):
        for item in value:
            yield from parts_of(item)
    elif isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
        yield value


def replaced(value: Any, change: Callable[[str, str | int], str | int], name: str = "") -> Any:
    """Return *value* with ``change(name, text)`` in place of each text and whole number, where
    *name* is the field that it stands in, and ``change("", name)`` in place of each name.

    Raises `NamesCollide` if two names of one object become equal.
    """
    if isinstance(value, dict):
        found = {
            str(change("", inner)): replaced(item, change, inner) for inner, item in value.items()
        }
        if len(found) < len(value):
            raise NamesCollide
        return found
    if isinstance(value, list):
        return [replaced(item, change, name) for item in value]
    if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
        return change(name, value)
    return value


class NamesCollide(ValueError):
    """Two names of one object became equal."""
