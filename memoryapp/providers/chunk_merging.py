"""Makes a whole answer of the OpenAI API from its chunks. Pure."""

from collections.abc import Iterable, Mapping
from typing import Any

#: The fields of a delta that are pieces of a text.
_PIECES = frozenset(("content", "refusal", "reasoning", "reasoning_content", "arguments"))


def merged(chunks: Iterable[Any]) -> dict[str, Any]:
    """Return the answer of which *chunks* are the parts, without those that say nothing."""
    answer: dict[str, Any] = {}
    choices: dict[Any, dict[str, Any]] = {}
    for chunk in chunks:
        if not isinstance(chunk, Mapping):
            continue
        answer |= {n: value for n, value in chunk.items() if n != "choices" and value is not None}
        for choice in _objects(chunk.get("choices")):
            whole = choices.setdefault(str(choice.get("index", 0)), {"message": {}})
            whole |= {n: v for n, v in choice.items() if n not in ("delta", "message") and v}
            delta = choice.get("delta") or choice.get("message")
            if isinstance(delta, Mapping):
                _add(whole["message"], delta)
    for whole in choices.values():
        if "tool_calls" in whole["message"]:
            whole["message"]["tool_calls"] = list(whole["message"]["tool_calls"].values())
    return {**answer, "choices": list(choices.values())} if choices else answer


def _add(whole: dict[str, Any], part: Mapping[str, Any]) -> None:
    """Add *part* of a message, or of a call in it, to what is known of it: calls by their index."""
    for name, value in part.items():
        if name in _PIECES and isinstance(value, str):
            before = whole.get(name)
            whole[name] = (before if isinstance(before, str) else "") + value
        elif name == "tool_calls":
            calls = whole.setdefault(name, {})
            for call in _objects(value):
                index = call.get("index", len(calls))
                _add(calls.setdefault(str(index), {"index": index}), call)
        elif name == "function" and isinstance(value, Mapping):
            _add(whole.setdefault(name, {}), value)
        elif value is not None:
            whole[name] = value


def _objects(value: Any) -> list[Mapping[str, Any]]:
    return [each for each in value if isinstance(each, Mapping)] if isinstance(value, list) else []
