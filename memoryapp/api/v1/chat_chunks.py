"""Reads the chunks of a chat completion. Pure."""

from collections.abc import Mapping
from typing import Any


def first_choice(chunk: Mapping[str, Any]) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Return the first choice of *chunk* and its delta; both empty if it has none."""
    choices = chunk.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(choice, Mapping):
        return {}, {}
    delta = choice.get("delta")
    return choice, delta if isinstance(delta, Mapping) else {}


def text_of(delta: Mapping[str, Any]) -> str:
    """Return the text of a *delta*, or the words with which the model refuses."""
    text = delta.get("content") or delta.get("refusal")
    return text if isinstance(text, str) else ""
