"""Single values out of a provider's answer, fit to be stored."""

from collections.abc import Mapping
from typing import Any

#: Characters of a model's name, as the columns have it.
MAX_MODEL_CHARACTERS = 200
#: Tokens of one call that a server is believed to have counted. Sums of them fit their column.
MAX_TOKENS = 10_000_000


def utf8(text: str) -> str:
    """Replace lone surrogates, which no request can carry."""
    return text.encode("utf-8", "replace").decode("utf-8")


def storable(text: str) -> str:
    """Leave out what PostgreSQL cannot hold: NUL, and halves of surrogate pairs."""
    return utf8(text.replace("\x00", ""))


def token_count(usage: object, name: str) -> int:
    """Read a count from a usage object; 0 where the server does not say."""
    count = usage.get(name) if isinstance(usage, dict) else None
    return min(count, MAX_TOKENS) if isinstance(count, int) and count > 0 else 0


def model_name(payload: Mapping[str, Any]) -> str:
    """Read which model has answered, fit to be stored; empty where the server does not say."""
    name = payload.get("model")
    return storable(name)[:MAX_MODEL_CHARACTERS] if isinstance(name, str) else ""
