"""Anthropic's Messages API in terms of chat completions: requests, answers and streams. Pure.

The shapes are those of https://docs.anthropic.com/en/api/messages. What has no equivalent and only
steers the model (thinking, ``top_k``, cache marks) is left out.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from memoryapp.api.v1.chat_chunks import first_choice, text_of
from memoryapp.api.v1.request import BadRequest

_SAME = ("model", "max_tokens", "temperature", "top_p", "stream", "metadata")
_STOP_REASONS = {
    "stop": "end_turn",
    "length": "max_tokens",
    "tool_calls": "tool_use",
    "function_call": "tool_use",
    "content_filter": "refusal",
}
_CHOICES = {"auto": "auto", "any": "required", "none": "none"}


def chat_request(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the chat completions request for *body*; raises `BadRequest`."""
    messages: list[dict[str, Any]] = []
    if system := _plain_text(body.get("system"), "system"):
        messages.append({"role": "system", "content": system})
    for message in _list(body.get("messages"), "messages"):
        messages += _messages(message)
    chat: dict[str, Any] = {name: body[name] for name in _SAME if body.get(name) is not None}
    chat["messages"] = messages
    if body.get("stop_sequences"):
        chat["stop"] = body["stop_sequences"]
    if body.get("stream"):
        chat["stream_options"] = {"include_usage": True}
    # Tools that Anthropic's own servers run have no schema.
    functions = [tool for tool in body.get("tools") or () if _schema(tool) is not None]
    if functions:
        chat["tools"] = [_tool(tool) for tool in functions]
        choice = body.get("tool_choice")
        if isinstance(choice, Mapping) and choice.get("type") == "tool":
            chat["tool_choice"] = {"type": "function", "function": {"name": choice.get("name")}}
        elif isinstance(choice, Mapping) and choice.get("type") in ("any", "none"):
            chat["tool_choice"] = _CHOICES[choice["type"]]
        if isinstance(choice, Mapping) and choice.get("disable_parallel_tool_use"):
            chat["parallel_tool_calls"] = False
    return chat


def message(name: str, body: Mapping[str, Any], answer: Mapping[str, Any]) -> dict[str, Any]:
    """Return the message called *name* that answers *body*, for a complete chat *answer*."""
    choices = answer.get("choices") or [{}]
    reply = choices[0].get("message") or {}
    content: list[dict[str, Any]] = []
    if text := reply.get("content") or reply.get("refusal"):
        content.append({"type": "text", "text": text})
    for call in reply.get("tool_calls") or ():
        function = call.get("function") or {}
        content.append(
            {
                "type": "tool_use",
                "id": str(call.get("id") or f"toolu_{len(content)}"),
                "name": str(function.get("name") or ""),
                "input": _input(function.get("arguments")),
            }
        )
    return {
        "id": name,
        "type": "message",
        "role": "assistant",
        "model": str(answer.get("model") or body.get("model") or ""),
        "content": content,
        "stop_reason": _STOP_REASONS.get(choices[0].get("finish_reason"), "end_turn"),
        "stop_sequence": None,
        "usage": _usage(answer.get("usage")),
    }


class MessageStream:
    """Makes the events of a message from the chunks of a chat completion."""

    def __init__(self, name: str, body: Mapping[str, Any]) -> None:
        self._name = name
        self._model = str(body.get("model") or "")
        self._usage: Any = None
        self._reason = "end_turn"
        #: The number of blocks so far, and what the open one is: "text", or the index and id of a
        #: call.
        self._blocks = 0
        self._open: Any = None

    def begin(self) -> Iterator[dict[str, Any]]:
        """Yield the events before the first chunk."""
        begun: dict[str, Any] = {
            "id": self._name,
            "type": "message",
            "role": "assistant",
            "model": self._model,
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": _usage(None),
        }
        yield {"type": "message_start", "message": begun}
        yield {"type": "ping"}

    def take(self, chunk: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield the events for *chunk*."""
        if isinstance(chunk.get("usage"), Mapping):
            self._usage = chunk["usage"]
        choice, delta = first_choice(chunk)
        if text := text_of(delta):
            yield from self._opened("text", {"type": "text", "text": ""})
            yield self._delta({"type": "text_delta", "text": text})
        for call in delta.get("tool_calls") or ():
            yield from self._call(call)
        if choice.get("finish_reason"):
            self._reason = _STOP_REASONS.get(choice["finish_reason"], "end_turn")

    def end(self) -> Iterator[dict[str, Any]]:
        """Yield the events after the last chunk."""
        yield from self._closed()
        yield {
            "type": "message_delta",
            "delta": {"stop_reason": self._reason, "stop_sequence": None},
            "usage": _usage(self._usage),
        }
        yield {"type": "message_stop"}

    def _call(self, call: Any) -> Iterator[dict[str, Any]]:
        function = call.get("function") if isinstance(call, Mapping) else None
        if not isinstance(function, Mapping):
            return
        begun = self._open if isinstance(self._open, tuple) else (None, None)
        # Some servers give no index, and some give all calls the same one; but each has an id.
        which = (call.get("index"), call.get("id") or begun[1])
        if which != self._open:
            block = {
                "type": "tool_use",
                "id": str(call.get("id") or f"toolu_{self._blocks}"),
                "name": str(function.get("name") or ""),
                "input": {},
            }
            yield from self._opened(which, block)
        if piece := str(function.get("arguments") or ""):
            yield self._delta({"type": "input_json_delta", "partial_json": piece})

    def _opened(self, what: Any, block: dict[str, Any]) -> Iterator[dict[str, Any]]:
        if self._open == what:
            return
        yield from self._closed()
        self._open = what
        yield {"type": "content_block_start", "index": self._blocks, "content_block": block}

    def _closed(self) -> Iterator[dict[str, Any]]:
        if self._open is None:
            return
        yield {"type": "content_block_stop", "index": self._blocks}
        self._open = None
        self._blocks += 1

    def _delta(self, delta: dict[str, Any]) -> dict[str, Any]:
        return {"type": "content_block_delta", "index": self._blocks, "delta": delta}


def texts_of(body: Mapping[str, Any]) -> Iterator[str]:
    """Yield all that a model reads of the request *body*, for an estimate of its length."""
    chat = chat_request(body)
    for each in chat["messages"]:
        content = each.get("content")
        parts = content if isinstance(content, list) else [{"text": content}]
        yield from (part["text"] for part in parts if isinstance(part.get("text"), str))
        yield from (json.dumps(call["function"]) for call in each.get("tool_calls", ()))
    yield from (json.dumps(tool["function"]) for tool in chat.get("tools", ()))


# The request.


def _messages(given: Any) -> Iterator[dict[str, Any]]:
    """Yield a message in the other form: results of tools are messages of their own there."""
    role = given.get("role") if isinstance(given, Mapping) else None
    if role not in ("user", "assistant", "system"):
        raise BadRequest("The “role” of a message must be “user” or “assistant”.", "messages")
    content = given.get("content")
    if isinstance(content, str):
        yield {"role": role, "content": content}
        return
    blocks = _list(content, "messages")
    parts: list[dict[str, Any]] = []
    calls: list[dict[str, Any]] = []
    for block in blocks:
        kind = block.get("type") if isinstance(block, Mapping) else None
        if kind == "tool_result":
            yield {
                "role": "tool",
                "tool_call_id": str(block.get("tool_use_id") or ""),
                "content": _plain_text(block.get("content"), "messages"),
            }
        elif kind == "tool_use":
            arguments = json.dumps(block.get("input") or {}, ensure_ascii=False)
            function = {"name": str(block.get("name") or ""), "arguments": arguments}
            call_id = str(block.get("id") or "")
            calls.append({"id": call_id, "type": "function", "function": function})
        elif kind not in ("thinking", "redacted_thinking"):
            parts.append(_part(block))
    if not parts and not calls:
        return
    shown: Any = parts
    if all(part["type"] == "text" for part in parts):
        shown = "\n".join(part["text"] for part in parts) or None
    yield {"role": role, "content": shown} | ({"tool_calls": calls} if calls else {})


def _part(block: Any) -> dict[str, Any]:
    kind = block.get("type") if isinstance(block, Mapping) else None
    source = block.get("source") if isinstance(block, Mapping) else None
    if kind == "text":
        return {"type": "text", "text": str(block.get("text") or "")}
    if kind in ("image", "document") and isinstance(source, Mapping):
        if source.get("type") == "text":
            return {"type": "text", "text": str(source.get("data") or "")}
        url = source.get("url") or f"data:{source.get('media_type')};base64,{source.get('data')}"
        if kind == "image":
            return {"type": "image_url", "image_url": {"url": url}}
        return {"type": "file", "file": {"file_data": url}}
    raise BadRequest(f"Content of the type “{kind}” is not supported.", "messages")


def _plain_text(content: Any, name: str) -> str:
    """Return the text of *content*, with a word for what is none."""
    if content is None or isinstance(content, str):
        return content or ""
    texts = (
        str(block.get("text") or "") if block.get("type") == "text" else f"[{block.get('type')}]"
        for block in _list(content, name)
        if isinstance(block, Mapping)
    )
    return "\n".join(texts)


def _schema(tool: Any) -> Any:
    return tool.get("input_schema") if isinstance(tool, Mapping) else None


def _tool(tool: Mapping[str, Any]) -> dict[str, Any]:
    function = {"name": tool.get("name"), "parameters": tool["input_schema"]}
    if tool.get("description"):
        function["description"] = tool["description"]
    return {"type": "function", "function": function}


def _list(value: Any, name: str) -> list[Any]:
    if not isinstance(value, list):
        raise BadRequest(f"“{name}” must be a list.", name)
    return value


# The answer.


def _input(arguments: Any) -> Any:
    """Return the arguments of a call as an object, which a model may have written badly."""
    try:
        value = json.loads(arguments or "{}")
    except (TypeError, ValueError, RecursionError):
        return {"arguments": arguments}
    return value if isinstance(value, dict) else {"arguments": value}


def _usage(usage: Any) -> dict[str, Any]:
    known = usage if isinstance(usage, Mapping) else {}
    details = known.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, Mapping) else 0
    cached = cached if isinstance(cached, int) else 0
    read = known.get("prompt_tokens") or 0
    return {
        "input_tokens": max(0, read - cached),
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": cached,
        "output_tokens": known.get("completion_tokens") or 0,
    }
