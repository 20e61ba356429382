"""JSON from elsewhere, refused before it is parsed where it is nested too deeply or too often.

What walks through a value calls itself once for each level, and an empty list takes thirty times
the memory of its two characters. So both are bounded where bodies come in.
"""

import json
import re
from typing import Any

#: Lists and objects within each other. The deepest JSON schema of a tool has about twenty.
MAX_DEPTH = 64
#: Lists and objects altogether.
MAX_CONTAINERS = 500_000

#: All but the brackets that are structure: strings, also one that never ends, and what stands
#: between.
_NOT_STRUCTURE = re.compile(r'(?:"(?:[^"\\]++|\\.)*+"?|[^"\[\]{}]++)++', re.DOTALL)


class TooDeep(ValueError):
    """The JSON is nested too deeply, or has too many lists and objects."""


def parse(content: bytes | str) -> Any:
    """Return the value that *content* describes.

    Raises:
        TooDeep: it is beyond `MAX_DEPTH` or `MAX_CONTAINERS`.
        ValueError: it is not JSON in UTF-8.

    """
    text = content.decode("utf-8-sig") if isinstance(content, bytes) else content
    check(text)
    return json.loads(text)


def check(text: str) -> None:
    """Raise `TooDeep` if the JSON in *text* is nested beyond the bounds, whether it is valid or
    not. Takes time in proportion to its length.
    """
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
