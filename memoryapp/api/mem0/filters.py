"""mem0's filters, as a condition on memories: fields and operators, tied by AND, OR and NOT.

What cannot be understood is refused, always: passed over, it would show or delete more than was
meant.
"""

import ast
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Q

from conversations.sanitizer import sanitize, sanitize_json
from memoryapp.api.errors import Refusal
from memoryapp.api.mem0.entity_scope import ALL, USER
from memoryapp.api.mem0.ids import known_as
from memoryapp.models import Category

#: Stands for any value at all.
ANY = "*"

#: Levels of AND, OR and NOT.
_MAX_DEPTH = 10
#: Values or conditions of one list.
_MAX_VALUES = 1_000
#: Characters of filters in an address.
_MAX_CHARACTERS = 20_000

#: What a field and a value mean under one operator.
Test = Callable[[str, Any], Q]


@dataclass(frozen=True)
class Condition:
    """Which memories are meant."""

    q: Q
    #: Whether it says whose they are: everybody but Ana is nobody in particular.
    owned: bool
    #: The one end user whose they are, if there is one.
    end_user: str | None = None


def read(given: Any, zone: ZoneInfo) -> Condition:
    """Understand filters; days are days in *zone*. Raises `Refusal` for what cannot be."""
    return _all_of(given, zone, 0)


def from_address(text: str) -> Any:
    """Filters that came in an address: as JSON, or as Python writes a dictionary, which is what
    mem0's client makes of them there.
    """
    if len(text) > _MAX_CHARACTERS:
        raise _wrong("they are too long for an address.")
    for parse in (json.loads, ast.literal_eval):
        try:
            return parse(text)
        except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
            continue
    raise _wrong("they are not JSON.")


def _all_of(given: Any, zone: ZoneInfo, depth: int) -> Condition:
    if not isinstance(given, dict) or not given:
        raise _wrong("a condition is an object that names something, such as {“user_id”: “ana”}.")
    if depth > _MAX_DEPTH:
        raise _wrong(f"they are nested more than {_MAX_DEPTH} levels deep.")
    parts = [
        _tied(name, value, zone, depth) if name in _TIES else _field(name, value, zone)
        for name, value in given.items()
    ]
    return _both(parts)


def _tied(how: str, given: Any, zone: ZoneInfo, depth: int) -> Condition:
    parts = [given] if isinstance(given, dict) else given
    if not isinstance(parts, list) or not 0 < len(parts) <= _MAX_VALUES:
        raise _wrong(f"{how} takes a list of 1 to {_MAX_VALUES:,} conditions.")
    return _TIES[how]([_all_of(part, zone, depth + 1) for part in parts])


def _both(parts: list[Condition]) -> Condition:
    q = Q()
    for part in parts:
        q &= part.q
    users = [part.end_user for part in parts if part.end_user is not None]
    return Condition(q, any(part.owned for part in parts), next(iter(users), None))


def _either(parts: list[Condition]) -> Condition:
    q = Q()
    for part in parts:
        q |= part.q
    return Condition(q, all(part.owned for part in parts))


def _neither(parts: list[Condition]) -> Condition:
    q = Q()
    for part in parts:
        q &= ~part.q
    return Condition(q, owned=False)


_TIES: dict[str, Callable[[list[Condition]], Condition]] = {
    "AND": _both,
    "OR": _either,
    "NOT": _neither,
}


def _field(name: str, given: Any, zone: ZoneInfo) -> Condition:
    if name in _TIMES:
        return Condition(_time(name, given, zone), owned=False)
    if name not in _FIELDS:
        known = ", ".join([*_FIELDS, *_TIMES, *_TIES])
        raise _wrong(f"“{name}” is not known. Known are {known}.")
    tests = _FIELDS[name]
    # What is attached may have names like those of operators, but not these alone.
    if not (isinstance(given, dict) and given and given.keys() <= tests.keys()):
        if isinstance(given, dict) and name != "metadata":
            raise _no_operator(name, ", ".join(given), tests)
        # The first operator of a field is the one that is meant when none is given.
        given = {"in" if isinstance(given, list) and "in" in tests else next(iter(tests)): given}
    q = Q()
    for operator, value in given.items():
        q &= tests[operator](name, value)
    one = given.get("eq") if name == USER else None
    return Condition(
        q,
        name in _OWNING and bool(given.keys() & {"eq", "in"}),
        None if one is None or one == ANY else _text(name, one),
    )


def _time(name: str, given: Any, zone: ZoneInfo) -> Q:
    column = _TIMES[name]
    q = Q()
    for operator, value in (given if isinstance(given, dict) else {"eq": given}).items():
        begin, end = _span(name, value, zone)
        within = Q(**{f"{column}__gte": begin, f"{column}__lt": end})
        ways = {
            "eq": within,
            "ne": ~within,
            "gte": Q(**{f"{column}__gte": begin}),
            "gt": Q(**{f"{column}__gte": end}),
            "lte": Q(**{f"{column}__lt": end}),
            "lt": Q(**{f"{column}__lt": begin}),
        }
        if operator not in ways:
            raise _no_operator(name, operator, ways)
        q &= ways[operator]
    return q


def _span(name: str, value: Any, zone: ZoneInfo) -> tuple[datetime, datetime]:
    """What *value* covers, without its end: a whole day, or the moment itself."""
    length = timedelta(microseconds=1)
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            begin = datetime.fromtimestamp(value, UTC)
        else:
            begin = datetime.fromisoformat(value)
            if begin.tzinfo is None:
                begin = begin.replace(tzinfo=zone)
            if len(value) <= len("2031-02-03"):
                length = timedelta(days=1)
        begin = begin.astimezone(UTC)
        end = begin + length
    except (TypeError, ValueError, OverflowError, OSError):
        raise _wrong(
            f"{name} takes a day (2031-02-03), a time in ISO 8601, or seconds since 1970."
        ) from None
    return begin, end


def _user(name: str, value: Any) -> Q:
    return ~Q(end_user="") if value == ANY else Q(end_user=_text(name, value))


def _label(name: str, value: Any) -> Q:
    if value == ANY:
        return Q(metadata__has_key=name)
    return Q(metadata__contains={name: _text(name, value)})


def _category(name: str, value: Any) -> Q:
    said = _text(name, value).lower()
    tagged = Q(tags__contains=[said])
    return tagged | Q(category=said) if said in Category.values else tagged


def _attached(name: str, value: Any) -> Q:
    if not isinstance(value, dict) or not value:
        raise _wrong(f"{name} is compared with an object, such as {{“room”: “a”}}.")
    for inner in value.values():
        if isinstance(inner, dict) and inner.keys() & _OPERATORS:
            raise _wrong(f"what is attached can only be equal or not: {name} has {_known(_DATA)}.")
    return Q(metadata__contains=sanitize_json(value))


def _any_of(test: Test) -> Test:
    def one_of(name: str, value: Any) -> Q:
        values = value if isinstance(value, list) else [value]
        if not 0 < len(values) <= _MAX_VALUES:
            raise _wrong(f"{name} takes a list of 1 to {_MAX_VALUES:,} values.")
        q = Q()
        for one in values:
            q |= test(name, one)
        return q

    return one_of


def _not(test: Test) -> Test:
    return lambda name, value: ~test(name, value)


def _text(name: str, value: Any) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    text = sanitize(value).strip() if isinstance(value, str) else ""
    if not text:
        # An empty one would mean: what is nobody's.
        raise _wrong(f"{name} is compared with text that is not empty.")
    return text


def _equal_or_one_of(test: Test) -> dict[str, Test]:
    one_of = _any_of(test)
    return {"eq": test, "ne": _not(test), "in": one_of, "nin": _not(one_of)}


#: By name, the column.
_TIMES = {"created_at": "created_at", "updated_at": "updated_at", "timestamp": "created_at"}
_DATA: dict[str, Test] = {"contains": _attached, "eq": _attached, "ne": _not(_attached)}
#: By name, what its operators mean.
_FIELDS: dict[str, dict[str, Test]] = {
    **{name: _equal_or_one_of(_user if name == USER else _label) for name in ALL},
    "categories": {**_equal_or_one_of(_category), "contains": _any_of(_category)},
    "keywords": {
        "icontains": lambda name, value: Q(content__icontains=_text(name, value)),
        "contains": lambda name, value: Q(content__contains=_text(name, value)),
    },
    "metadata": _DATA,
    "memory_ids": {"in": _any_of(lambda name, value: known_as(_text(name, value)))},
}
#: Fields that say whose memories are meant, or which.
_OWNING = {*ALL, "memory_ids"}
_OPERATORS = {"eq", "ne", "in", "nin", "gt", "gte", "lt", "lte", "contains", "icontains"}


def _wrong(what: str) -> Refusal:
    return Refusal(400, "unsupported_filter", f"filters: {what}")


def _no_operator(name: str, operator: str, known: Mapping[str, object]) -> Refusal:
    return _wrong(f"{name} has no “{operator}”. It has {_known(known)}.")


def _known(names: Mapping[str, object]) -> str:
    return ", ".join(names)
