"""Anthropic's Messages API of the scripted provider, as strict as the real one about what matters
here: the headers, and the order of calls and results.
"""

import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from tests.provider_script import Blocks, Request, Says

if TYPE_CHECKING:
    from tests.provider_http import RequestHandler

Event = dict[str, Any]
OVERLOADED = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}


def send_message(handler: "RequestHandler", body: Request, fault: str, seconds: float) -> None:
    """Answer a request for a message."""
    if problem := _problem(handler, body):
        error = {"type": "invalid_request_error", "message": problem}
        return handler._json({"type": "error", "error": error}, 400)
    answer = handler.provider.blocks_for(body)
    blocks = [dict(block) for block in answer.blocks]
    calls = any(block["type"] == "tool_use" for block in blocks)
    usage = {"input_tokens": 10, "output_tokens": 5, **answer.usage}
    whole = {
        "id": f"msg_{len(handler.provider.requests)}",
        "type": "message",
        "role": "assistant",
        "model": body["model"],
        "content": blocks,
        "stop_reason": answer.stop_reason or ("tool_use" if calls else "end_turn"),
        "stop_sequence": None,
        "usage": usage,
    }
    if not body.get("stream") or fault == "no_stream":
        return handler._json(whole)
    handler.send_response(200)
    handler.send_header("Content-Type", "text/event-stream")
    handler.send_header("Connection", "close")
    handler.end_headers()
    handler.close_connection = True
    events = list(_events(whole))
    for number, event in enumerate(events):
        if answer.before:
            answer.before(number)
        if number >= len(events) / 2:
            if fault == "error_stream":
                return _send(handler, OVERLOADED)
            if handler._breaks(fault, seconds):
                return None
        _send(handler, event)
    return None


def _send(handler: "RequestHandler", event: Event) -> None:
    handler.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())


def _events(whole: Event) -> Iterator[Event]:
    usage = whole["usage"]
    begun = {**whole, "content": [], "stop_reason": None, "usage": {**usage, "output_tokens": 1}}
    yield {"type": "message_start", "message": begun}
    yield {"type": "ping"}
    for index, block in enumerate(whole["content"]):
        start, deltas = _pieces(block)
        yield {"type": "content_block_start", "index": index, "content_block": start}
        for delta in deltas:
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    end = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
    delta = {"type": "message_delta", "delta": end}
    yield {**delta, "usage": {"output_tokens": usage["output_tokens"]}}
    yield {"type": "message_stop"}


def _pieces(block: Event) -> tuple[Event, list[Event]]:
    """Return how a block begins, and the deltas that follow."""
    match block["type"]:
        case "text":
            cited = [{"type": "citations_delta", "citation": c} for c in block.get("citations", ())]
            words = re.findall(r"\s*\S+|\s+$", block["text"])
            texts = [{"type": "text_delta", "text": word} for word in words]
            return {"type": "text", "text": ""}, [*texts, *cited]
        case "thinking":
            words = re.findall(r"\s*\S+|\s+$", block["thinking"])
            thoughts = [{"type": "thinking_delta", "thinking": word} for word in words]
            signature = {"type": "signature_delta", "signature": block["signature"]}
            return {"type": "thinking", "thinking": "", "signature": ""}, [*thoughts, signature]
        case "tool_use" | "server_tool_use":
            written = json.dumps(block["input"])
            parts = [written[at : at + 7] for at in range(0, len(written), 7)]
            deltas = [{"type": "input_json_delta", "partial_json": part} for part in ["", *parts]]
            return {**block, "input": {}}, deltas
        case _:
            return block, []


def blocks_of(says: Says) -> Blocks:
    """Return what *says* has as blocks."""
    text = [{"type": "text", "text": says.text}] if says.text else []
    calls = [
        {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": arguments}
        for number, (name, arguments) in enumerate(says.calls)
    ]
    return Blocks([*text, *calls], before=says.before)


def _problem(handler: "RequestHandler", body: Request) -> str:
    """Return what the real API would refuse; empty if it would answer."""
    if "anthropic-version" not in handler.headers:
        return "anthropic-version: header is required"
    if not isinstance(body.get("max_tokens"), int):
        return "max_tokens: Field required"
    if set(body.get("metadata", {})) - {"user_id"}:
        return "metadata: Extra inputs are not permitted"
    messages = body["messages"]
    for number, message in enumerate(messages):
        if message.get("role") not in ("user", "assistant"):
            return f"messages.{number}.role: Input should be 'user' or 'assistant'"
        blocks = message["content"] if isinstance(message["content"], list) else []
        kinds = [block["type"] for block in blocks]
        if "tool_result" in kinds and kinds != sorted(
            kinds, key=lambda kind: kind != "tool_result"
        ):
            return f"messages.{number}: tool_result blocks must come first"
        if any(block["type"] == "text" and not block["text"].strip() for block in blocks):
            return f"messages.{number}: text content blocks must contain non-whitespace text"
        called = {block["id"] for block in blocks if block["type"] == "tool_use"}
        following = messages[number + 1]["content"] if number + 1 < len(messages) else []
        answered = {each["tool_use_id"] for each in following if "tool_use_id" in each}
        if called - answered:
            return f"messages.{number}: tool_use ids were found without tool_result blocks"
    return ""
