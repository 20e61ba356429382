"""Single values of a provider's answer, made fit to store."""

from collections.abc import Mapping
from typing import Any

#: The most characters of a model's name in a column.
MAX_MODEL_CHARACTERS = 200
#: The largest token count that is accepted for one call, so that sums fit their column.
MAX_TOKENS = 10_000_000
#: The reasons for an end with which an answer is not complete.
_CUT_OFF = frozenset(("length", "max_tokens", "max_output_tokens", "model_length"))


def is_cut_off(finish_reason: object) -> bool:
    """True if an answer with this *finish_reason* is not complete."""
    return str(finish_reason).lower() in _CUT_OFF


def utf8(text: str) -> str:
    """Replace lone surrogates, which no request can carry."""
    return text.encode("utf-8", "replace").decode("utf-8")


def storable(text: str) -> str:
    """Remove what PostgreSQL cannot store: NUL, and halves of surrogate pairs."""
    return utf8(text.replace("\x00", ""))


def said_in(content: object) -> str:
    """Return the text in *content*, which some servers give as a list of parts, without those that
    are thinking.
    """
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        return said_in(content.get("value"))
    if isinstance(content, list):
        return "".join(
            part if isinstance(part, str) else said_in(part.get("text"))
            for part in content
            if isinstance(part, str) or (isinstance(part, dict) and _is_said(part))
        )
    return ""


def _is_said(part: Mapping[str, Any]) -> bool:
    kind = str(part.get("type"))
    return not part.get("thought") and not kind.startswith(("thinking", "reasoning"))


def token_count(usage: object, name: str) -> int:
    """Read a count from a usage object; 0 where the server does not say."""
    count = usage.get(name) if isinstance(usage, dict) else None
    return min(count, MAX_TOKENS) if isinstance(count, int) and count > 0 else 0


def model_name(payload: Mapping[str, Any]) -> str:
    """Read the name of the model that answered; empty if the server does not say."""
    name = payload.get("model")
    return storable(name)[:MAX_MODEL_CHARACTERS] if isinstance(name, str) else ""
