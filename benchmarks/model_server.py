"""A language model's server that answers at once, in the form of the OpenAI API: an ASGI
application, ``uvicorn benchmarks.model_server:application``.

Asked for the facts of a conversation, it finds one in each numbered line that begins with "I have";
asked where to file messages, it files all of them under one topic.
"""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

#: What it says, in pieces.
REPLY = ("Nothing", " with", " peanuts", ".")
#: Seconds between two pieces.
PACE = 0.01

_LINE = re.compile(r"^\[(\d+) · ", re.MULTILINE)
_STATEMENT = re.compile(r"^\[(\d+) · [^\]]*\] User: I have ([^.\n]+)\.", re.MULTILINE)


async def application(
    scope: Mapping[str, Any],
    receive: Callable[[], Awaitable[Any]],
    send: Callable[[Any], Awaitable[None]],
) -> None:
    """Answer each request, whatever it asks: as a stream if it wants one."""
    if scope["type"] != "http":
        return
    body = b""
    while (message := await receive()).get("more_body"):
        body += message["body"]
    asked = json.loads((body + message.get("body", b"")) or b"{}")
    streams = bool(asked.get("stream"))
    content_type = b"text/event-stream" if streams else b"application/json"
    headers = [(b"content-type", content_type)]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    if not streams:
        text = _structured(asked) if "response_format" in asked else "".join(REPLY)
        choice = {
            "index": 0,
            "message": {"role": "assistant", "content": text},
            "finish_reason": "stop",
        }
        answer = json.dumps(_described("chat.completion", choice)).encode()
        await send({"type": "http.response.body", "body": answer})
        return
    for piece in (*REPLY, None):
        delta = {} if piece is None else {"role": "assistant", "content": piece}
        choice = {"index": 0, "delta": delta, "finish_reason": None if piece else "stop"}
        event = json.dumps(_described("chat.completion.chunk", choice))
        await send(
            {
                "type": "http.response.body",
                "body": f"data: {event}\n\n".encode(),
                "more_body": True,
            }
        )
        await asyncio.sleep(PACE)
    await send({"type": "http.response.body", "body": b"data: [DONE]\n\n"})


def _described(kind: str, choice: dict[str, Any]) -> dict[str, Any]:
    return {"id": "chatcmpl-1", "object": kind, "created": 0, "model": "quick", "choices": [choice]}


def _structured(asked: Mapping[str, Any]) -> str:
    prompt = "\n".join(str(each.get("content")) for each in asked["messages"])
    schema = asked["response_format"].get("json_schema", {}).get("schema", {})
    if "turns" in schema.get("properties", {}):
        return json.dumps(_filing(prompt))
    return json.dumps({"memories": _facts(prompt)})


def _facts(prompt: str) -> list[dict[str, Any]]:
    return [
        {
            "message": int(number),
            "content": f"The user has {what}.",
            "category": "fact",
            "importance": 5,
            "tags": ["belongings"],
            "valid_until": None,
            "key": None,
            "value": None,
            "source": "conversation",
            "confidence": 90,
        }
        for number, what in _STATEMENT.findall(prompt)
    ]


def _filing(prompt: str) -> dict[str, Any]:
    tags: dict[str, list[str]] = {
        kind: [] for kind in ("people", "places", "events", "items", "times")
    }
    return {
        "subject": {"name": "Talk", "kind": "topic", "aliases": []},
        "turns": [
            {"turn": int(number), "topic": "anything", **tags} for number in _LINE.findall(prompt)
        ],
        "entities": [],
        "relations": [],
    }
