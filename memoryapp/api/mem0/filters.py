"""Parses mem0's filters into a condition: fields and operators, combined by AND, OR and NOT.

Filters that cannot be parsed are always refused: if they were ignored, more would be shown or
deleted than intended. A name that is no field is one of the metadata; deletions refuse that.
"""

import ast
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Q

from conversations.sanitizer import sanitize, sanitize_id
from memoryapp.api.errors import ApiError
from memoryapp.api.mem0.entity_scope import ALL, USER
from memoryapp.api.mem0.ids import known_as
from memoryapp.api.mem0.metadata_filters import (
    ANY,
    MAX_VALUES,
    Test,
    any_of,
    metadata_has,
    negated,
    unsupported_filter,
)
from memoryapp.api.mem0.timestamps import number_as_moment
from memoryapp.models import Category, Feedback
from memoryapp.models.memory import has_label_of
from memoryapp.policy.labels import ID_FIELDS, kind_of, label

#: Levels of AND, OR and NOT.
_MAX_DEPTH = 10
#: Characters of filters in a query string.
_MAX_CHARACTERS = 20_000


@dataclass(frozen=True)
class Condition:
    """A condition on memories."""

    q: Q
    #: True if it names owners. "Everyone but Ana" does not.
    owned: bool
    #: The end user, if there is exactly one.
    end_user: str | None = None
    #: Labels of which every memory that matches has one.
    labels: frozenset[str] = frozenset()
    #: Names that are no fields, and so taken for names of the metadata.
    of_metadata: frozenset[str] = frozenset()


def parse(given: Any, zone: ZoneInfo) -> Condition:
    """Parse filters; days are days in *zone*. Raises `ApiError` for invalid filters."""
    return _parse_object(given, zone, 0)


def parse_query_value(text: str) -> dict[str, Any]:
    """Parse filters in a query string: JSON, or a Python dictionary, as mem0's client sends it,
    which may hold what JSON cannot.
    """
    if len(text) > _MAX_CHARACTERS:
        raise unsupported_filter("too long for a query string.")
    for parser in (json.loads, ast.literal_eval):
        try:
            value = json.loads(json.dumps(parser(text)))
        except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
            continue
        if isinstance(value, dict):
            return value
    raise unsupported_filter("must be a JSON object.")


def _parse_object(given: Any, zone: ZoneInfo, depth: int) -> Condition:
    if not isinstance(given, dict) or not given:
        raise unsupported_filter(
            "a condition must be a non-empty object, such as {“user_id”: “ana”}."
        )
    if depth > _MAX_DEPTH:
        raise unsupported_filter(f"nested more than {_MAX_DEPTH} levels deep.")
    return _and(
        [
            _combined(name, value, zone, depth)
            if name in _COMBINATIONS
            else _field(name, value, zone)
            for name, value in given.items()
        ]
    )


def _combined(operator: str, given: Any, zone: ZoneInfo, depth: int) -> Condition:
    parts = [given] if isinstance(given, dict) else given
    if not isinstance(parts, list) or not 0 < len(parts) <= MAX_VALUES:
        raise unsupported_filter(f"{operator} takes a list of 1 to {MAX_VALUES:,} conditions.")
    return _COMBINATIONS[operator]([_parse_object(part, zone, depth + 1) for part in parts])


def _and(parts: list[Condition]) -> Condition:
    q = Q()
    for part in parts:
        q &= part.q
    users = [part.end_user for part in parts if part.end_user is not None]
    labels = frozenset[str]().union(*(part.labels for part in parts))
    owned = any(part.owned for part in parts)
    return Condition(q, owned, next(iter(users), None), labels, _names(parts))


def _or(parts: list[Condition]) -> Condition:
    q = Q()
    for part in parts:
        q |= part.q
    labels = frozenset[str]().union(*(part.labels for part in parts))
    of_one_kind = all(part.labels for part in parts) and len(set(map(kind_of, labels))) == 1
    owned = all(part.owned for part in parts)
    labels = labels if of_one_kind else frozenset()
    return Condition(q, owned, labels=labels, of_metadata=_names(parts))


def _nor(parts: list[Condition]) -> Condition:
    q = Q()
    for part in parts:
        q &= ~part.q
    return Condition(q, owned=False, of_metadata=_names(parts))


def _names(parts: list[Condition]) -> frozenset[str]:
    return frozenset[str]().union(*(part.of_metadata for part in parts))


_COMBINATIONS: dict[str, Callable[[list[Condition]], Condition]] = {
    "AND": _and,
    "OR": _or,
    "NOT": _nor,
}


def _field(name: str, given: Any, zone: ZoneInfo) -> Condition:
    if name in _TIMES:
        return Condition(_time(name, given, zone), owned=False)
    if name not in _FIELDS:
        if _spelled(name) in _MISTAKEN:
            raise no_field(name)
        return Condition(metadata_has({name: given}), owned=False, of_metadata=frozenset([name]))
    tests = _FIELDS[name]
    # Metadata may have names like those of operators, but not only such names.
    if not (isinstance(given, dict) and given and given.keys() <= tests.keys()):
        if isinstance(given, dict) and name != "metadata":
            raise _no_operator(name, ", ".join(given), tests)
        # The first operator of a field is the default.
        given = {"in" if isinstance(given, list) and "in" in tests else next(iter(tests)): given}
    q = Q()
    for operator, value in given.items():
        q &= tests[operator](name, value)
    user = given.get("eq") if name == USER else None
    named = [given[operator] for operator in ("eq", "in") if operator in given]
    return Condition(
        q,
        name in _OWNING and any(each is not None and each != [None] for each in named),
        None if user is None or user == ANY else _text(name, user),
        _labels_in(name, given) if name in ID_FIELDS else frozenset(),
    )


def _labels_in(name: str, given: Mapping[str, Any]) -> frozenset[str]:
    """The labels that operators of a field ask for: none if any label will do."""
    values = [given["eq"]] if "eq" in given else given.get("in", ())
    values = values if isinstance(values, list | tuple) else [values]
    if ANY in values or None in values:
        return frozenset()
    return frozenset(_as_label(name, value) for value in values)


def _as_label(name: str, value: Any) -> str:
    return label(ID_FIELDS[name], _text(name, value))


def _time(name: str, given: Any, zone: ZoneInfo) -> Q:
    column = _TIMES[name]
    q = Q()
    for operator, value in (given if isinstance(given, dict) else {"eq": given}).items():
        begin, end = _span(name, value, zone)
        within = Q(**{f"{column}__gte": begin, f"{column}__lt": end})
        conditions = {
            "eq": within,
            "ne": ~within,
            "gte": Q(**{f"{column}__gte": begin}),
            "gt": Q(**{f"{column}__gte": end}),
            "lte": Q(**{f"{column}__lt": end}),
            "lt": Q(**{f"{column}__lt": begin}),
        }
        if operator not in conditions:
            raise _no_operator(name, operator, conditions)
        q &= conditions[operator]
    return q


def _span(name: str, value: Any, zone: ZoneInfo) -> tuple[datetime, datetime]:
    """Return the beginning and the end (exclusive) of *value*: a day or a moment."""
    length = timedelta(microseconds=1)
    try:
        number = number_as_moment(value)
        if number is not None:
            begin = number
        else:
            begin = datetime.fromisoformat(value)
            if begin.tzinfo is None:
                begin = begin.replace(tzinfo=zone)
            if len(value) <= len("2031-02-03"):
                length = timedelta(days=1)
        begin = begin.astimezone(UTC)
        end = begin + length
    except (TypeError, ValueError, OverflowError, OSError):
        raise unsupported_filter(
            f"{name} takes a day (2031-02-03), a time in ISO 8601, or seconds since 1970."
        ) from None
    return begin, end


def _user(name: str, value: Any) -> Q:
    return ~Q(end_user="") if value == ANY else Q(end_user=_text(name, value))


def _label(name: str, value: Any) -> Q:
    if value is None:
        return ~has_label_of(ID_FIELDS[name])
    if value == ANY:
        return has_label_of(ID_FIELDS[name])
    return Q(labels__contains=[_as_label(name, value)])


def _category(name: str, value: Any) -> Q:
    text = _text(name, value).lower()
    tagged = Q(tags__contains=[text])
    return tagged | Q(category=text) if text in Category.values else tagged


def _feedback(name: str, value: Any) -> Q:
    text = "" if value is None else _text(name, value).lower()
    if text == ANY:
        return ~Q(feedback=Feedback.NONE)
    if text not in Feedback.values:
        known = ", ".join(each.upper() for each in Feedback.values if each)
        raise unsupported_filter(f"{name} is one of {known}, or null.")
    return Q(feedback=text)


def _metadata(name: str, value: Any) -> Q:
    return metadata_has(value)


def _text(name: str, value: Any) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    sanitized = sanitize_id if name in ALL else sanitize
    text = sanitized(value).strip() if isinstance(value, str) else ""
    if not text:
        # An empty text would match memories without an owner.
        raise unsupported_filter(f"{name} must be a non-empty text.")
    return text


def _equal_or_one_of(test: Test) -> dict[str, Test]:
    one_of = any_of(test)
    return {"eq": test, "ne": negated(test), "in": one_of, "nin": negated(one_of)}


#: Columns of points in time.
_TIMES = {"created_at": "created_at", "updated_at": "updated_at", "timestamp": "created_at"}
_DATA: dict[str, Test] = {"contains": _metadata, "eq": _metadata, "ne": negated(_metadata)}
#: Fields with their operators.
_FIELDS: dict[str, dict[str, Test]] = {
    **{name: _equal_or_one_of(_user if name == USER else _label) for name in ALL},
    "categories": {**_equal_or_one_of(_category), "contains": any_of(_category)},
    "keywords": {
        "icontains": lambda name, value: Q(content__icontains=_text(name, value)),
        "contains": lambda name, value: Q(content__contains=_text(name, value)),
    },
    "metadata": _DATA,
    "feedback": _equal_or_one_of(_feedback),
    "memory_ids": {"in": any_of(lambda name, value: known_as(_text(name, value)))},
}
#: Fields that name the owner of memories, or the memories themselves.
_OWNING = {*ALL, "memory_ids"}


def _spelled(name: str) -> str:
    """Return *name* without what other styles of names do in another way: userId, USER-ID."""
    return name.casefold().replace("_", "").replace("-", "")


#: Names that are more likely mistakes than names of metadata.
_MISTAKEN = {*("id", "ids", "user", "agent", "app", "run", "category", "keyword", "memory")}
_MISTAKEN |= {_spelled(each) for each in (*_FIELDS, *_TIMES, *_COMBINATIONS, "memory_id")}


def no_field(name: str) -> ApiError:
    """Return the refusal of a name that is no field."""
    known = ", ".join([*_FIELDS, *_TIMES, *_COMBINATIONS])
    return unsupported_filter(f"“{sanitize(name)[:50]}” is not supported. Supported: {known}.")


def _no_operator(name: str, operator: str, known: Mapping[str, object]) -> ApiError:
    return unsupported_filter(
        f"{name} does not support “{operator}”. Supported: {', '.join(known)}."
    )
