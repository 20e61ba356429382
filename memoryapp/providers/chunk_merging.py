"""Makes a whole answer of OpenAI's API from its chunks, or of Anthropic's from its events. Pure."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from conversations import bounded_json

#: The fields of a delta that are pieces of a text.
_PIECES = frozenset(
    "content refusal reasoning reasoning_content arguments text thinking partial_json".split()
)


def merged(chunks: Iterable[Any]) -> dict[str, Any]:
    """Return the answer of which *chunks* are the parts, without those that say nothing."""
    answer: dict[str, Any] = {}
    choices: dict[Any, dict[str, Any]] = {}
    chunks = [chunk for chunk in chunks if isinstance(chunk, Mapping)]
    if any(chunk.get("type") == "message_start" for chunk in chunks):
        return _message(chunks)
    for chunk in chunks:
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


def _message(events: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the message that *events* of Anthropic’s API make, with an error if one is in them."""
    message: dict[str, Any] = {}
    blocks: dict[Any, dict[str, Any]] = {}
    for event in events:
        for part in (event.get("message"), event.get("delta") if "index" not in event else None):
            message |= part if isinstance(part, Mapping) else {}
        if event.get("error"):
            message["error"] = event["error"]
        before, used = message.get("usage"), event.get("usage")
        if isinstance(used, Mapping):
            message["usage"] = {**(before if isinstance(before, Mapping) else {}), **used}
        block, delta = event.get("content_block"), event.get("delta")
        if isinstance(block, Mapping):
            blocks[str(event.get("index"))] = dict(block)
        elif "index" in event and isinstance(delta, Mapping):
            kind = str(delta.get("type")).removesuffix("_delta")
            whole = blocks.setdefault(str(event["index"]), {"type": kind})
            _add(whole, {name: value for name, value in delta.items() if name != "type"})
    for whole in blocks.values():
        if written := whole.pop("partial_json", ""):
            with suppress(ValueError, RecursionError):
                whole["input"] = bounded_json.parse(written)
    return {**message, "content": list(blocks.values())}


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
