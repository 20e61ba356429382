"""Makes foreign text storable: without NUL, broken surrogate pairs, and hidden characters. Pure."""

import math
from typing import Any
from unicodedata import normalize

from conversations.invisible import without_hidden


def sanitize(text: str) -> str:
    """Make *text* storable, and remove hidden characters. PostgreSQL cannot store NUL, and UTF-8
    cannot encode half of a surrogate pair.
    """
    return without_hidden(whole_characters(text.replace("\x00", "")))


def whole_characters(text: str) -> str:
    """Replace halves of surrogate pairs in *text* by U+FFFD, and both together by the character."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def sanitize_id(text: str) -> str:
    """Make *text* storable as an id, in the one form of Unicode of all ids."""
    return normalize("NFC", sanitize(text))


def sanitize_json(value: Any) -> Any:
    """Make *value* storable as JSON, with all the texts in it."""
    if isinstance(value, str):
        return sanitize(value)
    if isinstance(value, float) and not math.isfinite(value):
        return None  # Python's JSON knows NaN, PostgreSQL's does not.
    if isinstance(value, dict):
        return {sanitize(str(key)): sanitize_json(item) for key, item in value.items()}
    if isinstance(value, list):
        return [sanitize_json(item) for item in value]
    return value
