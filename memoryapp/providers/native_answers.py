"""Answers in the forms of other APIs, as the chat completions that are read here. Pure.

Some servers answer under the address of OpenAI's chat as their own API does: Ollama, llama.cpp,
Gemini, Anthropic, Bedrock, OpenAI's Responses; and some put the answer into an envelope.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from memoryapp.providers.field_values import said_in

#: Where the text of an answer stands, and what an answer stands in.
_TEXTS = ("response", "generated_text", "output_text", "completion", "text")
_LISTS = ("candidates", "results", "generations", "outputs")
_ENVELOPES = ("output", "result", "data", "response", "body")
#: Envelopes around each other.
_MOST_ENVELOPES = 2
#: The kinds of whole answers; others are of the events of a stream.
_KINDS = ("message", "response", None)
_REASONS = ("finish_reason", "finishReason", "stop_reason", "stopReason", "done_reason", "reason")
#: The reasons for which a model has said nothing.
_REFUSED = frozenset(("safety", "refusal", "blocklist", "prohibited_content", "recitation"))
#: Where the counts of tokens stand, and their names.
_USED = ("usage", "usageMetadata", "meta")
_ASKED = (
    *("prompt_tokens", "input_tokens", "inputTokens", "promptTokenCount", "prompt_eval_count"),
    "tokens_evaluated",
)
_ANSWERED = (
    *("completion_tokens", "output_tokens", "outputTokens", "candidatesTokenCount", "eval_count"),
    "tokens_predicted",
)


def as_completion(payload: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the chat completion that *payload* stands for; itself if it is one, or no answer."""
    return _completion(payload, _MOST_ENVELOPES) or payload


def _completion(payload: Mapping[str, Any], envelopes: int) -> Mapping[str, Any] | None:
    if payload.get("choices"):
        return payload
    if payload.get("error") or payload.get("type") not in _KINDS:
        return None
    if message := _message(payload):
        holders = [payload, *_first_of_lists(payload), _object(payload, "incomplete_details")]
        reason = str(
            _first(holders, _REASONS) or ("length" if payload.get("stopped_limit") else "")
        )
        reason = "content_filter" if reason.lower() in _REFUSED else reason
        used = [*(_object(payload, name) for name in _USED), payload]
        return {
            "id": payload.get("id") or payload.get("responseId") or "completion",
            "object": "chat.completion",
            "created": 0,
            "model": payload.get("model") or payload.get("modelVersion"),
            "choices": [{"index": 0, "message": message, "finish_reason": reason or None}],
            "usage": {
                "prompt_tokens": _first(used, _ASKED),
                "completion_tokens": _first(used, _ANSWERED),
            },
        }
    outside = {name: payload[name] for name in ("model", *_USED, *_REASONS) if payload.get(name)}
    for name in _ENVELOPES if envelopes else ():
        inside = payload.get(name)
        around = outside | dict(inside) if isinstance(inside, Mapping) else {}
        if found := _completion(around, envelopes - 1):
            return found
    return None


def _message(payload: Mapping[str, Any]) -> dict[str, Any] | None:
    if message := _object(payload, "message"):
        return {**message, "content": _content(message.get("content"))}
    for first in _first_of_lists(payload):
        content = first.get("content")
        found = _object(first, "content").get("parts") if isinstance(content, Mapping) else content
        if said := _of_parts(found if found is not None else first.get("text")):
            return said
    if isinstance(items := payload.get("output"), list):
        parts = [item for item in items if isinstance(item, Mapping)]
        texts = [each for item in parts for each in _list(item, "content") or [item]]
        if said := _of_parts(texts):
            return said
    texts = [payload[name] for name in _TEXTS if isinstance(payload.get(name), str)]
    return _of_parts(payload.get("content") or next(iter(texts), None))


def _of_parts(content: Any) -> dict[str, Any] | None:
    """Return the message with *content*, which may be a list of parts with calls among them; None
    if it says nothing.
    """
    calls = [call for part in content if (call := _call(part))] if isinstance(content, list) else []
    text = _content(content)
    if not (text or calls):
        return None
    return {"role": "assistant", "content": text} | ({"tool_calls": calls} if calls else {})


def _content(content: Any) -> Any:
    return said_in(content) if isinstance(content, list) else content


def _call(part: Any) -> dict[str, Any] | None:
    """Return the call that a *part* of a message is."""
    if not isinstance(part, Mapping):
        return None
    called = _object(part, "functionCall") or _object(part, "toolUse")
    if part.get("type") in ("tool_use", "function_call"):
        called = part
    if not called:
        return None
    arguments = _first([called], ("input", "args", "arguments"))
    return {"type": "function", "function": {"name": called.get("name"), "arguments": arguments}}


def _first_of_lists(payload: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    lists = (_list(payload, name) for name in _LISTS)
    return [items[0] for items in lists if items and isinstance(items[0], Mapping)]


def _first(holders: Iterable[Mapping[str, Any]], names: Iterable[str]) -> Any:
    holders = list(holders)
    found = (holder.get(name) for name in names for holder in holders)
    return next((value for value in found if value is not None), None)


def _object(payload: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = payload.get(name)
    return value if isinstance(value, Mapping) else {}


def _list(payload: Mapping[str, Any], name: str) -> list[Any]:
    value = payload.get(name)
    return value if isinstance(value, list) else []
