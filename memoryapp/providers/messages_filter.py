"""Which parts of a server's answer are passed on: those in the format of Anthropic's Messages API.

A message is recognised by its type, its role and its list of blocks, a stream by the message that
it begins with. Behind it, what the API may add later passes as well, within `MAX_DEPTH` levels.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from conversations.bounded_json import MAX_DEPTH
from memoryapp.providers.field_values import MAX_MODEL_CHARACTERS, MAX_TOKENS
from memoryapp.providers.nesting import depth_within

#: Blocks of one message.
MAX_BLOCKS = 10_000
#: Values in what a server says it has used.
MAX_USAGE_VALUES = 1_000
_MAX_NAME = MAX_MODEL_CHARACTERS


def message(payload: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return *payload* if it is a whole message, else None."""
    content = payload.get("content")
    if (
        payload.get("type") != "message"
        or payload.get("role") != "assistant"
        or not isinstance(content, list)
        or len(content) > MAX_BLOCKS
        or not all(_is_named(block) for block in content)
        or not depth_within(payload, MAX_DEPTH)
        or not _is_usage(payload.get("usage"))
    ):
        return None
    return dict(payload)


def event(payload: object) -> dict[str, Any] | None:
    """Return *payload* if it is an event of a stream, else None."""
    if not isinstance(payload, dict) or not _is_named(payload):
        return None
    if not depth_within(payload, MAX_DEPTH):
        return None
    match payload["type"]:
        case "message_start":
            begun = payload.get("message")
            fits = isinstance(begun, dict) and message(begun) is not None
        case "content_block_start":
            fits = _has_index(payload) and _is_named(payload.get("content_block"))
        case "content_block_delta":
            fits = _has_index(payload) and _is_named(payload.get("delta"))
        case "content_block_stop":
            fits = _has_index(payload)
        case "message_delta":
            fits = isinstance(payload.get("delta", {}), dict) and _is_usage(payload.get("usage"))
        case _:
            fits = True
    return payload if fits else None


def events_of(whole: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the events of a *whole* message: each block comes complete with its start."""
    begun = {**whole, "content": [], "stop_reason": None, "stop_sequence": None}
    yield {"type": "message_start", "message": begun}
    for index, block in enumerate(whole["content"]):
        yield {"type": "content_block_start", "index": index, "content_block": block}
        yield {"type": "content_block_stop", "index": index}
    end = {name: whole.get(name) for name in ("stop_reason", "stop_sequence")}
    yield {"type": "message_delta", "delta": end, "usage": whole.get("usage") or {}}
    yield {"type": "message_stop"}


def token_counts(payload: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the number of tokens in *payload*, with what they would be without changes by the
    server; None if there is none.
    """
    if not _is_count(payload.get("input_tokens")):
        return None
    counts: dict[str, Any] = {"input_tokens": payload["input_tokens"]}
    management = payload.get("context_management")
    if isinstance(management, dict) and _is_count(management.get("original_input_tokens")):
        original = management["original_input_tokens"]
        counts["context_management"] = {"original_input_tokens": original}
    return counts


def _is_named(value: object) -> bool:
    kind = value.get("type") if isinstance(value, dict) else None
    return isinstance(kind, str) and len(kind) <= _MAX_NAME


def _has_index(payload: Mapping[str, Any]) -> bool:
    index = payload.get("index")
    return isinstance(index, int) and 0 <= index < MAX_BLOCKS


def _is_usage(value: object) -> bool:
    """Whether *value* may be what was used; it is added up for each event."""
    return value is None or (isinstance(value, dict) and _values(value) <= MAX_USAGE_VALUES)


def _values(value: object) -> int:
    if not isinstance(value, dict | list):
        return 1
    return 1 + sum(map(_values, value.values() if isinstance(value, dict) else value))


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_TOKENS
