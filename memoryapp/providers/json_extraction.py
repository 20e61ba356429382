"""Finds the JSON list or object in a text of a language model. Pure functions."""

import json
from collections.abc import Collection, Iterator
from typing import Any


def list_in(answer: str, name: str, *, part: str) -> list[Any] | None:
    """Return the list that *answer* holds under *name*, alone or as its only list; None if there is
    none. An object with the key *part* counts as the only item of such a list.

    It may be the whole answer, in a fenced block, or the first JSON in prose.
    """
    for value in _values(answer):
        if isinstance(value, dict) and part in value:
            return [value]
        if isinstance(value, dict):
            value = value.get(name, _only_list(value))
        if isinstance(value, list):
            return value
    return None


def object_in(answer: str, parts: Collection[str]) -> dict[str, Any] | None:
    """Return the object that *answer* holds in the same way, with any of *parts* in it."""
    for value in _values(answer):
        if isinstance(value, dict) and any(part in value for part in parts):
            return value
    return None


def _values(answer: str) -> Iterator[Any]:
    """Yield everything that is JSON: the whole text, fenced blocks, the first value in prose."""
    # Every second part stands between two fences, unless the last one is not closed.
    fenced = answer.split("```")[1:-1:2]
    for text in (answer, *map(_without_language, fenced), *_first_json(answer)):
        try:
            yield json.loads(text)
        except (ValueError, RecursionError):
            continue


def _without_language(block: str) -> str:
    return block[4:] if block[:4].lower() == "json" else block


def _first_json(answer: str) -> list[str]:
    """The JSON value that begins at the first bracket. Not at a later one: a list that is complete
    inside half an answer must not be taken for the whole answer.
    """
    start = min((i for i in (answer.find("["), answer.find("{")) if i >= 0), default=None)
    if start is None:
        return []
    try:
        _, end = json.JSONDecoder().raw_decode(answer, start)
    except (ValueError, RecursionError):
        return []
    return [answer[start:end]]


def _only_list(value: dict[str, Any]) -> Any:
    lists = [entry for entry in value.values() if isinstance(entry, list)]
    return lists[0] if len(lists) == 1 else None
