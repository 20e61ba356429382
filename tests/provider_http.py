"""HTTP server of the scripted provider: reads requests, sends responses and faults."""

import base64
import contextlib
import json
import re
import socket
import struct
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

from tests.provider_messages import send_message
from tests.provider_script import Fault, Recorded, Request, Says
from tests.scripted_answers import FAST, to_measurement

if TYPE_CHECKING:
    from tests.scripted_provider import ScriptedProvider


#: Faults that only answer with an error: its status, message and code.
_ERRORS: dict[str, tuple[int, str, str | None]] = {
    "500": (500, "The server had an error.", None),
    "reject_response_format": (400, "'response_format.type' must be 'text'", "invalid_value"),
    "reject_temperature": (400, "'temperature' does not support 0 with this model", None),
    "reject_tools": (400, "scripted does not support tools", None),
    "no_system": (400, "System role not supported", None),
    "second_system": (400, "System message must be at the beginning.", None),
    "reject_stream_options": (
        400,
        "Unrecognized request argument supplied: stream_options",
        None,
    ),
}


class ScriptedServer(ThreadingHTTPServer):
    daemon_threads = True
    # Allow many connections at once: a suite's worker processes start together.
    request_queue_size = 128
    provider: "ScriptedProvider"

    def __init__(self, *args: Any) -> None:
        self._open: dict[socket.socket, threading.Thread] = {}
        self._open_lock = threading.Lock()
        super().__init__(*args)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        with self._open_lock:
            self._open[request] = threading.current_thread()
        try:
            super().process_request_thread(request, client_address)
        finally:
            with self._open_lock:
                self._open.pop(request, None)

    def close_connections(self) -> None:
        with self._open_lock:
            connections = dict(self._open)
        for connection, thread in connections.items():
            with contextlib.suppress(OSError):  # closed already
                connection.shutdown(socket.SHUT_RDWR)
            thread.join(timeout=5)

    def handle_error(self, request: Any, client_address: Any) -> None:
        # A client that stopped waiting is not an error.
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class RequestHandler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: ScriptedServer

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing: requests are recorded in ``requests``."""

    @property
    def provider(self) -> "ScriptedProvider":
        return self.server.provider

    def do_GET(self) -> None:
        if self.path == "/control":
            provider = self.provider
            return self._json(
                {
                    "counts": provider.counts,
                    "requests": [{"path": r.path, "body": r.body} for r in provider.requests],
                }
            )
        return self._answer({})

    def do_POST(self) -> None:
        try:
            body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)))
        except ValueError:
            return self._error(400, "The body is not JSON.")
        if not isinstance(body, dict):
            return self._error(400, "The body is not a JSON object.")
        if self.path == "/control":
            return self._control(body)
        return self._answer(body)

    def _control(self, body: Request) -> None:
        provider = self.provider
        if body.get("reset"):
            provider.reset()
        try:
            if "fail" in body:
                provider.fail_next(**body["fail"])
        except (TypeError, ValueError) as error:
            return self._error(400, str(error))
        if "reply" in body:
            provider.reply_with(body["reply"], times=body.get("times"))
        return self._json({"ok": True})

    def _answer(self, body: Request) -> None:
        provider, (path, _, query) = self.provider, self.path.partition("?")
        path = path.rstrip("/")
        if provider.capable and (says := to_measurement(body)):
            return self._say(says, body, timings=FAST)
        headers = {name.lower(): value for name, value in self.headers.items()}
        recorded = Recorded(path, body, headers, time.monotonic(), query)
        with provider.script.lock:
            provider.script.requests.append(recorded)
        key = self.headers.get("authorization", "").removeprefix("Bearer ")
        key = key or self.headers.get("x-api-key", "")
        if provider.api_key and key != provider.api_key:
            return self._refuse_key(key)
        fault = provider.take_fault(path, body)
        if fault and self._fails(fault, key):
            return None
        name = fault.name if fault else ""
        for end, (status, sent, content_type) in provider.script.bodies.items():
            if path.endswith(end):
                return self._send(status, sent, content_type)
        if path == "/v1/chat/completions":
            return self._chat(body, name, fault.seconds if fault else 0)
        if path == "/v1/messages":
            return send_message(self, body, name, fault.seconds if fault else 0)
        if path == "/v1/messages/count_tokens":
            return self._json({"input_tokens": len(json.dumps(body))})
        if path == "/v1/embeddings":
            return self._embeddings(body, name)
        if path == "/v1/models":
            return self._json({"object": "list", "data": [{"id": "scripted", "object": "model"}]})
        return self._error(404, f"There is no {path} here.")

    def _fails(self, fault: Fault, key: str) -> bool:
        """Apply the fault; return False if it only changes the content of the answer."""
        match fault.name:
            case "429":
                self._error(
                    429,
                    "Rate limit reached.",
                    code="rate_limit_exceeded",
                    headers={"Retry-After": f"{fault.retry_after:g}"},
                )
            case "401":
                self._refuse_key(key)
            case "hang":
                self.provider.closing.wait(fault.seconds)
                self._drop()
            case "drop":
                self._drop()
            case "html":
                page = b"<!doctype html><html><body><h1>Welcome to nginx</h1></body></html>"
                self._send(200, page, "text/html")
            case "empty":
                self._send(200, b"", "application/json")
            case "truncated_json":
                self._send(200, b'{"id": "x", "object": "list", "data": [{"ind', "application/json")
            case "error_in_200":
                self._json({"error": {"message": "Upstream is overloaded.", "code": 503}})
            case name if name in _ERRORS:
                status, message, code = _ERRORS[name]
                self._error(status, message, code=code)
            case _:
                return False
        return True

    def _chat(self, body: Request, fault: str, seconds: float) -> None:
        self._say(self.provider.says_to(body), body, fault, seconds)

    def _say(
        self, says: Says, body: Request, fault: str = "", seconds: float = 0, **more: object
    ) -> None:
        text = says.text
        message: dict[str, object] = {"role": "assistant", "content": text}
        if says.calls:
            message["tool_calls"] = [
                {
                    "id": f"call-{number}",
                    "type": "function",
                    "function": {"name": name, "arguments": _arguments(arguments)},
                }
                for number, (name, arguments) in enumerate(says.calls)
            ]
        finish_reason = "tool_calls" if says.calls else "stop"
        if fault == "half_content":
            message["content"] = text = text[: len(text) // 2]
        elif fault == "length":
            message["content"], finish_reason = text[: len(text) // 2], "length"
        elif fault == "empty_content":
            message["content"] = ""
        elif fault == "refusal":
            message["content"], message["refusal"] = None, "I cannot help with that."
        prompt_tokens = sum(len(str(m.get("content")).split()) for m in body.get("messages", []))
        usage = {"prompt_tokens": prompt_tokens, "completion_tokens": len(text.split())}
        usage["total_tokens"] = sum(usage.values())
        answer = {"id": "chatcmpl-1", "created": int(time.time()), "model": body.get("model")}
        answer |= more
        if body.get("stream") and fault != "no_stream":
            return self._stream(answer, says, usage, fault, seconds)
        choice = {"index": 0, "message": message, "finish_reason": finish_reason}
        return self._json(
            {**answer, "object": "chat.completion", "choices": [choice], "usage": usage}
        )

    def _stream(
        self, answer: dict[str, Any], says: Says, usage: dict[str, int], fault: str, seconds: float
    ) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
        pieces = re.findall(r"\s*\S+|\s+$", says.text)
        deltas += [{"content": piece} for piece in pieces]
        deltas += _fragments(says.calls)
        for number, delta in enumerate([*deltas, {}]):
            if says.before and "content" in delta:
                says.before(number)
            if number >= 2 and number >= len(deltas) / 2 and self._breaks(fault, seconds):
                return
            reason = None if delta else "tool_calls" if says.calls else "stop"
            if fault == "length" and reason:
                reason = "length"
            choice = {"index": 0, "delta": delta, "finish_reason": reason}
            self._event({**answer, "object": "chat.completion.chunk", "choices": [choice]})
        self._event({**answer, "object": "chat.completion.chunk", "choices": [], "usage": usage})
        self.wfile.write(b"data: [DONE]\n\n")

    def _breaks(self, fault: str, seconds: float) -> bool:
        """Apply the fault in the middle of a stream; return False if it has no effect there."""
        match fault:
            case "cut_stream":
                self._drop()
            case "end_stream":
                pass
            case "hang_stream":
                self.provider.closing.wait(seconds)
                self._drop()
            case "garbage_stream":
                self.wfile.write(b'data: {"choices": [{"delta": {"con\n\n')
            case "error_stream":
                self._event({"error": {"message": "Upstream is overloaded.", "code": 503}})
            case _:
                return False
        return True

    def _event(self, chunk: dict[str, Any]) -> None:
        self.wfile.write(b"data: " + json.dumps(chunk).encode() + b"\n\n")

    def _embeddings(self, body: Request, fault: str) -> None:
        texts = body.get("input")
        texts = [texts] if isinstance(texts, str) else texts
        if not isinstance(texts, list) or not texts or not all(isinstance(t, str) for t in texts):
            return self._error(400, "'input' must be a text or a list of texts.")
        if not all(texts):
            return self._error(400, "'input' cannot be an empty text.")
        dimensions = int(body.get("dimensions") or self.provider.dimensions)
        if fault == "wrong_dimension":
            dimensions -= 1
        vectors = [self.provider.vector_of(text, dimensions) for text in texts]
        if fault == "nan":
            vectors[-1][0] = float("nan")
        elif fault == "zero":
            vectors[-1] = [0.0] * dimensions
        elif fault == "too_few":
            vectors.pop()
        as_base64 = body.get("encoding_format") == "base64"
        data = [
            {
                "object": "embedding",
                "index": index,
                "embedding": _base64(vector) if as_base64 else vector,
            }
            for index, vector in enumerate(vectors)
        ]
        if fault == "shuffled":
            data.reverse()
        tokens = sum(len(text.split()) for text in texts)
        usage = {"prompt_tokens": tokens, "total_tokens": tokens}
        return self._json(
            {"object": "list", "data": data, "model": body.get("model"), "usage": usage}
        )

    def _refuse_key(self, key: str) -> None:
        masked = f"{key[:7]}{'*' * 8}{key[-4:]}"
        self._error(401, f"Incorrect API key provided: {masked}.", code="invalid_api_key")

    def _drop(self) -> None:
        # A linger time of zero sends a reset, so the client notices at once.
        linger = struct.pack("ii", 1, 0)
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.close_connection = True

    def _error(
        self,
        status: int,
        message: str,
        *,
        code: str | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        error = {"message": message, "type": "scripted", "param": None, "code": code}
        self._json({"error": error}, status, headers)

    def _json(
        self, payload: object, status: int = 200, headers: dict[str, str] | None = None
    ) -> None:
        self._send(status, json.dumps(payload).encode(), "application/json", headers)

    def _send(
        self, status: int, body: bytes, kind: str, headers: dict[str, str] | None = None
    ) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _arguments(arguments: object) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments)


def _fragments(calls: Sequence[tuple[str, object]]) -> Iterator[dict[str, Any]]:
    """Yield tool calls as servers stream them: name first, then the arguments in pieces, with the
    pieces of several calls interleaved.
    """
    texts = [_arguments(arguments) for _, arguments in calls]
    for index, (name, _) in enumerate(calls):
        function = {"name": name, "arguments": ""}
        call = {"index": index, "id": f"call-{index}", "type": "function", "function": function}
        yield {"tool_calls": [call]}
    for start in range(0, max(map(len, texts), default=0), 7):
        for index, text in enumerate(texts):
            if piece := text[start : start + 7]:
                yield {"tool_calls": [{"index": index, "function": {"arguments": piece}}]}


def _base64(vector: list[float]) -> str:
    return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()
