"""Parses foreign JSON, unless it is nested too deeply or has too many lists and objects.

NaN and infinite numbers, which Python reads and neither JSON nor PostgreSQL knows, are refused as
well.

Code that walks through a value recurses once for each level, and an empty list takes thirty times
the memory of its two characters. So both are limited before parsing.
"""

import json
import math
import re
from typing import Any

#: Levels of lists and objects. The deepest JSON schemas of tools have about twenty.
MAX_DEPTH = 64
#: Lists and objects in total.
MAX_CONTAINERS = 500_000

#: Everything but structural brackets: strings, also an unterminated one, and the text between.
_NOT_STRUCTURE = re.compile(r'(?:"(?:[^"\\]++|\\.)*+"?|[^"\[\]{}]++)++', re.DOTALL)


class TooDeep(ValueError):
    """The JSON is nested too deeply, or has too many lists and objects."""


class BadNumber(ValueError):
    """A number in the JSON is none, or is infinite."""


def parse(content: bytes | str) -> Any:
    """Return the value of the JSON in *content*. Raises `TooDeep` if it exceeds `MAX_DEPTH` or
    `MAX_CONTAINERS`, `BadNumber` for NaN and the like, `ValueError` if it is not JSON in UTF-8.
    """
    text = content.decode("utf-8-sig") if isinstance(content, bytes) else content
    check(text)
    return json.loads(text, parse_constant=_refuse, parse_float=_finite)


def _refuse(constant: str) -> Any:
    raise BadNumber(f"JSON has no NaN and no infinite numbers, such as {constant}.")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise BadNumber(f"JSON has no infinite numbers, and {digits[:40]} is too large for others.")
    return number


def check(text: str) -> None:
    """Raise `TooDeep` if the JSON in *text* exceeds the limits, valid or not. Linear time."""
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return
    structure = _NOT_STRUCTURE.sub("", text)
    if structure.count("[") + structure.count("{") > MAX_CONTAINERS:
        raise TooDeep(f"The JSON has more than {MAX_CONTAINERS:,} lists and objects.")
    depth = 0
    for bracket in structure:
        depth += 1 if bracket in "[{" else -1
        if depth > MAX_DEPTH:
            raise TooDeep(f"The JSON is nested more than {MAX_DEPTH} levels deep.")
