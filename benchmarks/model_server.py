"""A language model's server that answers at once, in the form of the OpenAI API: an ASGI
application, ``uvicorn benchmarks.model_server:application``.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

#: What it says, in pieces.
REPLY = ("Nothing", " with", " peanuts", ".")
#: Seconds between two pieces.
PACE = 0.01


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
        choice = {
            "index": 0,
            "message": {"role": "assistant", "content": "".join(REPLY)},
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
