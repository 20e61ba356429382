"""Conditions on the metadata of memories: values, or operators with values."""

import json
import math
from collections.abc import Callable, Mapping
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import BooleanField, F, Func, JSONField, Q, Value
from django.db.models.fields.json import KeyTextTransform
from django.db.models.lookups import Contains, IContains
from django.db.models.sql.compiler import SQLCompiler

from conversations.sanitizer import sanitize, sanitize_json
from memoryapp.api.errors import ApiError

#: Returns the condition for a field and a value under one operator.
Test = Callable[[str, Any], Q]

#: Matches any value.
ANY = "*"
#: Values or conditions of one list.
MAX_VALUES = 1_000


def unsupported_filter(what: str) -> ApiError:
    """Return the refusal of filters."""
    return ApiError(400, "unsupported_filter", f"filters: {what}")


def metadata_has(given: Any) -> Q:
    """Return the condition for metadata that has the names and values of *given*. A value may be an
    object of operators: ``{"score": {"gte": 3}}``. Raises `ApiError`.
    """
    if not isinstance(given, dict) or not given:
        raise unsupported_filter("metadata must be an object, such as {“room”: “a”}.")
    q = Q()
    for name, value in sanitize_json(given).items():
        operators = value if isinstance(value, dict) else {}
        if not operators.keys() & _OPERATORS.keys():
            operators = {"eq": value}
        for operator, operand in operators.items():
            if operator not in _OPERATORS:
                raise unsupported_filter(
                    f"metadata “{name}” does not support “{sanitize(operator)}”. "
                    f"Supported: {', '.join(_OPERATORS)}."
                )
            q &= _OPERATORS[operator](name, operand)
    return q


class _PathExists(Func):
    """True if a JSON path of PostgreSQL finds something; values of another type are not found."""

    output_field = BooleanField()

    def __init__(self, path: str, values: Mapping[str, Any]) -> None:
        super().__init__(F("metadata"), Value(path), Value(values, JSONField()))

    def as_sql(
        self,
        compiler: SQLCompiler,
        connection: BaseDatabaseWrapper,
        function: str | None = None,
        template: str | None = None,
        arg_joiner: str | None = None,
        **extra_context: Any,
    ) -> tuple[str, tuple[Any, ...]]:
        column, path, values = (compiler.compile(each) for each in self.source_expressions)
        sql = f"jsonb_path_exists({column[0]}, {path[0]}::jsonpath, {values[0]}::jsonb, true)"
        return sql, (*column[1], *path[1], *values[1])


def _path(name: str, condition: str, value: Any = None) -> Q:
    # A JSON string is a name in a path as well.
    return Q(_PathExists(f"$.{json.dumps(name)} ? ({condition})", {"value": value}))


def _equal(name: str, value: Any) -> Q:
    if value == ANY:
        return _path(name, "@ != null")
    return Q(metadata__contains={name: value})


def any_of(test: Test, called: str = "{}") -> Test:
    """Return the test for a list of values, any of which passes *test*. Errors name the field as
    *called*.
    """

    def one_of(name: str, value: Any) -> Q:
        values = value if isinstance(value, list) else [value]
        if not 0 < len(values) <= MAX_VALUES:
            raise unsupported_filter(
                f"{called.format(name)} takes a list of 1 to {MAX_VALUES:,} values."
            )
        q = Q()
        for each in values:
            q |= test(name, each)
        return q

    return one_of


def negated(test: Test) -> Test:
    """Return the test that passes where *test* does not."""
    return lambda name, value: ~test(name, value)


_one_of = any_of(_equal, "metadata “{}”")


def _compared(sign: str) -> Test:
    def compare(name: str, value: Any) -> Q:
        if not isinstance(value, str | int | float) or isinstance(value, bool):
            raise unsupported_filter(f"metadata “{name}” is compared with a number or a text.")
        if isinstance(value, float) and not math.isfinite(value):
            raise unsupported_filter(f"metadata “{name}” is compared with no infinite number.")
        return _path(name, f"@ {sign} $value", value)

    return compare


def _text_has(lookup: type[Contains]) -> Test:
    """A text that has a part, or a list that has a value."""

    def contain(name: str, value: Any) -> Q:
        in_list = Q(metadata__contains={name: [value]})
        if not isinstance(value, str) or not value:
            return in_list
        part = Q(lookup(KeyTextTransform(name, "metadata"), Value(value)))
        return in_list | (_path(name, '@.type() == "string"') & part)

    return contain


_OPERATORS: dict[str, Test] = {
    "eq": _equal,
    "ne": negated(_equal),
    "in": _one_of,
    "nin": negated(_one_of),
    "gt": _compared(">"),
    "gte": _compared(">="),
    "lt": _compared("<"),
    "lte": _compared("<="),
    "contains": _text_has(Contains),
    "icontains": _text_has(IContains),
}
