"""A language model's server that answers wrongly, each way under a path of its own.

``python -m benchmarks.hostile.provider --port N``; the address to give to an instance is
``http://127.0.0.1:N/WAY/v1``, where the way is one of `WAYS`.
"""

import argparse
import contextlib
import functools
import gzip
import json
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

#: Seconds after which a server that hangs or drips gives up by itself.
MAX_SECONDS = 120
#: What an endless answer and an unpacked one come to, at the most.
MAX_BYTES = 300 * 1024 * 1024


class Server(ThreadingHTTPServer):
    """One thread for each connection."""

    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of callers who hang up."""


class Handler(BaseHTTPRequestHandler):
    """Answers each request in the way that its path names."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        """Read the request, then answer it."""
        asked = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
        way = WAYS.get(self.path.split("/")[1], good)
        # The caller hangs up on most of these answers.
        with contextlib.suppress(ConnectionError):
            way(self, asked)

    do_GET = do_POST

    def log_message(self, *arguments: Any) -> None:
        """Write no log."""

    def begin(self, status: int, length: int, **headers: str) -> None:
        """Send the head of an answer of *length* bytes."""
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(length))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def send(self, status: int, payload: object) -> None:
        """Send a whole answer as JSON."""
        body = json.dumps(payload).encode()
        self.begin(status, len(body))
        self.wfile.write(body)


def completion(text: str) -> dict[str, Any]:
    """Return a chat completion that says *text*."""
    message = {"role": "assistant", "content": text}
    return {
        "id": "c",
        "object": "chat.completion",
        "created": 0,
        "model": "m",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }


def good(handler: Handler, asked: dict[str, Any]) -> None:
    """Answer at once, as a well-behaved server does."""
    wants_json = "response_format" in asked
    handler.send(200, completion('{"memories": []}' if wants_json else "Hello."))


def unknown_model(handler: Handler, asked: dict[str, Any]) -> None:
    """Refuse the model, and repeat its name."""
    handler.send(404, {"error": {"message": f"There is no model {asked.get('model')}."}})


def long_error(handler: Handler, asked: dict[str, Any]) -> None:
    """Send an error message of 100,000 characters."""
    handler.send(400, {"error": {"message": "e" * 100_000}})


def hang(handler: Handler, asked: dict[str, Any]) -> None:
    """Send nothing."""
    time.sleep(MAX_SECONDS)


def drip(handler: Handler, asked: dict[str, Any]) -> None:
    """Send one byte a second."""
    handler.begin(200, MAX_SECONDS)
    for _ in range(MAX_SECONDS):
        handler.wfile.write(b" ")
        handler.wfile.flush()
        time.sleep(1)


def endless(handler: Handler, asked: dict[str, Any]) -> None:
    """Send a reply of 300 MB."""
    head, tail = json.dumps(completion("§")).encode().split(b"\\u00a7")
    handler.begin(200, len(head) + MAX_BYTES + len(tail))
    handler.wfile.write(head)
    for _ in range(MAX_BYTES // 1024 // 1024):
        handler.wfile.write(b"a" * 1024 * 1024)
    handler.wfile.write(tail)


def bomb(handler: Handler, asked: dict[str, Any]) -> None:
    """Send a few hundred kilobytes that unpack to 300 MB."""
    packed = _packed()
    handler.begin(200, len(packed), Content_Encoding="gzip")
    handler.wfile.write(packed)


@functools.cache
def _packed() -> bytes:
    """Return the reply of `bomb`. It is packed at the first call, which takes seconds."""
    return gzip.compress(json.dumps(completion("a" * MAX_BYTES)).encode(), 6)


WAYS: dict[str, Callable[[Handler, dict[str, Any]], None]] = {
    "good": good,
    "unknown-model": unknown_model,
    "long-error": long_error,
    "hang": hang,
    "drip": drip,
    "endless": endless,
    "bomb": bomb,
}


def main() -> None:
    """Serve until the process is ended."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    Server(("127.0.0.1", parser.parse_args().port), Handler).serve_forever()


if __name__ == "__main__":
    main()
