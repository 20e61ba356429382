"""Parts of a server's answer that are passed on: those in the format of Anthropic's Messages API.

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
#: How a block begins of which a server sends only the rest, by the type of its deltas.
_BEGUN = {
    "text_delta": {"type": "text", "text": ""},
    "thinking_delta": {"type": "thinking", "thinking": "", "signature": ""},
}
#: The field of a delta in which its text is.
_TEXTS = {"text_delta": "text", "thinking_delta": "thinking", "input_json_delta": "partial_json"}
#: Values in what a server says it has used.
MAX_USAGE_VALUES = 1_000
_MAX_NAME = MAX_MODEL_CHARACTERS
#: What clients expect where a server does not say what was used.
_NO_USAGE = {"input_tokens": 0, "output_tokens": 0}


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


def says_nothing(payload: object) -> bool:
    """True if *payload* carries nothing of an answer, as some servers send to keep a connection."""
    if not isinstance(payload, dict) or not payload.get("type"):
        return True
    if payload["type"] != "content_block_delta":
        return False
    delta = payload.get("delta")
    name = _TEXTS.get(str(delta.get("type"))) if isinstance(delta, dict) else None
    return not delta or (name is not None and delta.get(name) is None)


def event(payload: object) -> dict[str, Any] | None:
    """Return *payload* if it is an event of a stream, else None."""
    if not isinstance(payload, dict) or not _is_named(payload):
        return None
    if not depth_within(payload, MAX_DEPTH):
        return None
    match payload["type"]:
        case "message_start":
            begun = payload.get("message")
            if isinstance(begun, dict):
                begun = {**begun, "content": begun.get("content") or []}
                begun["usage"] = begun.get("usage") or dict(_NO_USAGE)
                payload = {**payload, "message": begun}
            fits = isinstance(begun, dict) and message(begun) is not None
        case "content_block_start":
            fits = _has_index(payload) and _is_named(payload.get("content_block"))
        case "content_block_delta":
            fits = _has_index(payload) and _is_named(payload.get("delta"))
        case "content_block_stop":
            fits = _has_index(payload)
        case "message_delta":
            payload = {**payload, "delta": payload.get("delta") or {}}
            fits = isinstance(payload["delta"], dict) and _is_usage(payload.get("usage"))
        case _:
            fits = True
    return payload if fits else None


class CompletedEvents:
    """The events of one message, with the beginnings and ends that some servers leave out."""

    def __init__(self) -> None:
        #: True if the message has begun.
        self.begun = False
        #: True if the server has said why it ends.
        self.ended = False
        self._open: set[int] = set()
        self._calls = False
        self._usage: Any = _NO_USAGE

    def take(self, event: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield *event* behind what is missing before it."""
        match event["type"]:
            case "message_start":
                self.begun = True
                self._usage = event["message"]["usage"]
            case "content_block_start":
                self._begin(event["index"], event["content_block"])
            case "content_block_delta" if event["index"] not in self._open:
                if block := _BEGUN.get(event["delta"]["type"]):
                    yield self._begin(event["index"], block)
            case "content_block_stop":
                self._open.discard(event["index"])
            case "message_delta":
                event = {**event, "usage": event.get("usage") or self._usage}
                if event["delta"].get("stop_reason"):
                    yield from self._stops()
                    self.ended = True
            case "message_stop":
                yield from self.end()
        yield event

    def end(self) -> Iterator[dict[str, Any]]:
        """Yield what is missing of the end, now that the server has said all."""
        yield from self._stops()
        if not self.ended:
            self.ended = True
            reason = "tool_use" if self._calls else "end_turn"
            delta = {"stop_reason": reason, "stop_sequence": None}
            yield {"type": "message_delta", "delta": delta, "usage": self._usage}

    def _begin(self, index: int, block: dict[str, Any]) -> dict[str, Any]:
        self._open.add(index)
        self._calls = self._calls or block["type"] == "tool_use"
        return {"type": "content_block_start", "index": index, "content_block": block}

    def _stops(self) -> Iterator[dict[str, Any]]:
        for index in sorted(self._open):
            yield {"type": "content_block_stop", "index": index}
        self._open.clear()


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
    """True if *value* may be what was used; it is added up for each event."""
    return value is None or (isinstance(value, dict) and _values(value) <= MAX_USAGE_VALUES)


def _values(value: object) -> int:
    if not isinstance(value, dict | list):
        return 1
    return 1 + sum(map(_values, value.values() if isinstance(value, dict) else value))


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_TOKENS
