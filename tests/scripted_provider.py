"""An OpenAI-compatible server that does what a test tells it, on a loopback port.

It is a real server, so that the real client and real worker processes are what is tested::

    with ScriptedProvider() as server:
        server.reply_with({"memories": []})          # every chat answer from now on
        server.fail_next("429", retry_after=1)       # but first this
        ...
        assert server.count("chat/completions") == 2

Without a script it is useful too: a request with a JSON schema gets an answer that follows the
schema, with one fact for each line of the conversation in which somebody speaks of themselves;
any other chat gets an echo; embeddings are hashed bags of words, so that alike texts are near
each other.

By hand: ``python -m tests.scripted_provider --port 9999``. Other processes script it with
``POST /control``: ``{"fail": {"fault": "500", "times": 2}}``, ``{"reply": …}``,
``{"reset": true}``; ``GET /control`` tells what it was asked.
"""

import argparse
import base64
import contextlib
import json
import re
import socket
import struct
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

from tests.scripted_answers import bag_of_words, unscripted

Request = dict[str, Any]
Reply = object | Callable[[Request], object]

#: What each fault does, and where it happens: "" is everywhere.
FAULTS: Mapping[str, str] = {
    "429": "",  # with Retry-After: `retry_after` seconds, 1 unless told
    "500": "",
    "401": "",  # echoing the key, partly masked, as some providers do
    "hang": "",  # for `seconds`, 60 unless told, or until the server closes
    "drop": "",  # close the connection without an answer
    "truncated_json": "",  # the body is cut in half
    "html": "",  # a web page, with status 200
    "empty": "",  # no body at all, with status 200
    "error_in_200": "",  # an error object, with status 200
    "half_content": "chat/completions",  # a valid answer whose message is half a JSON
    "empty_content": "chat/completions",
    "length": "chat/completions",  # cut off at the limit of tokens
    "refusal": "chat/completions",
    "reject_response_format": "chat/completions",  # 400, of requests that have one
    "reject_tools": "chat/completions",  # 400, of requests that have some
    "second_system": "chat/completions",  # 400, of requests with more than one system message
    "reject_stream_options": "chat/completions",  # likewise
    "no_stream": "chat/completions",  # the whole answer as JSON, whatever was asked for
    "cut_stream": "chat/completions",  # the connection breaks in the middle
    "end_stream": "chat/completions",  # it ends in the middle, as if that were all
    "garbage_stream": "chat/completions",  # half a JSON in the middle
    "error_stream": "chat/completions",  # an error object in the middle
    "hang_stream": "chat/completions",  # silence in the middle, for `seconds`
    "wrong_dimension": "embeddings",  # one too few
    "nan": "embeddings",
    "zero": "embeddings",
    "too_few": "embeddings",  # one vector is missing
    "shuffled": "embeddings",  # in reverse order, with the right index: not an error
}


@dataclass(frozen=True)
class Says:
    """What the model says to a chat: text, and calls of tools as name and arguments.

    ``before``, if given, is called with the number of each piece of text before it is sent.
    """

    text: str = ""
    calls: Sequence[tuple[str, object]] = ()
    before: Callable[[int], object] | None = None


@dataclass(frozen=True)
class Recorded:
    """A request as it came. ``at`` is on the monotonic clock, in seconds."""

    path: str
    body: Request
    headers: dict[str, str]
    at: float


@dataclass
class Fault:
    """A fault that is yet to happen. ``left`` is None for "until the next reset"."""

    name: str
    left: int | None
    path: str
    seconds: float
    retry_after: float


@dataclass
class Script:
    """What the server is told to do, and what it was asked. Guarded by ``lock``."""

    reply: Reply | None = None
    once: list[Reply] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    requests: list[Recorded] = field(default_factory=list)
    #: By the end of a path: the status and the body to answer with.
    bodies: dict[str, tuple[int, object]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)


class ScriptedProvider:
    """The server, as a context manager.

    ``port`` 0 takes a free one. ``dimensions`` is the length of the vectors when a request does
    not ask for another; ``api_key``, if given, is demanded of every request.
    """

    def __init__(self, port: int = 0, *, dimensions: int = 1536, api_key: str = "") -> None:
        self.dimensions = dimensions
        self.api_key = api_key
        self.script = Script()
        self.closing = threading.Event()
        self._server = _Server(("127.0.0.1", port), _Handler)
        self._server.provider = self
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def port(self) -> int:
        """The port it listens on."""
        return int(self._server.server_address[1])

    @property
    def base_url(self) -> str:
        """What to give to a client: ``http://127.0.0.1:…/v1``."""
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def requests(self) -> list[Recorded]:
        """Every request so far, control aside, those that met a fault included."""
        with self.script.lock:
            return list(self.script.requests)

    @property
    def counts(self) -> Counter[str]:
        """How many requests came for each path, such as ``/v1/embeddings``."""
        return Counter(request.path for request in self.requests)

    def count(self, path: str) -> int:
        """How many requests came for a path, such as ``embeddings``."""
        return sum(n for p, n in self.counts.items() if p.endswith(path))

    def reply_with(self, reply: Reply, *, times: int | None = None) -> None:
        """Answer chats with this: text, something to send as JSON, or a function of the request.

        With ``times``, only the next ones, before whatever else is set.
        """
        with self.script.lock:
            if times is None:
                self.script.reply = reply
            else:
                self.script.once.extend([reply] * times)

    def fail_next(
        self,
        fault: str | int,
        times: int | None = 1,
        path: str | None = None,
        *,
        seconds: float = 60.0,
        retry_after: float = 1.0,
    ) -> None:
        """Let the next requests (``times`` None: all) meet a fault; see ``FAULTS``.

        ``path`` such as ``embeddings`` narrows it down. Faults are used up in order.
        """
        name = str(fault)
        if name not in FAULTS:
            raise ValueError(f"{name} is not among the faults: {', '.join(FAULTS)}")
        with self.script.lock:
            self.script.faults.append(
                Fault(name, times, path or FAULTS[name], seconds, retry_after)
            )

    def answer_with(self, path: str, body: object, *, status: int = 200) -> None:
        """Answer requests for a path, such as ``models``, with this very JSON."""
        with self.script.lock:
            self.script.bodies[path] = (status, body)

    def reset(self) -> None:
        """Forget the script and the requests."""
        with self.script.lock:
            self.script.bodies.clear()
            self.script.reply = None
            self.script.once.clear()
            self.script.faults.clear()
            self.script.requests.clear()

    def close(self) -> None:
        """Stop at once, whatever requests are hanging."""
        self.closing.set()
        self._server.shutdown()
        self._server.close_connections()
        self._server.server_close()
        self._thread.join()

    def vector_of(self, text: str, dimensions: int) -> list[float]:
        """Return what the model makes of a text."""
        return bag_of_words(text, dimensions)

    def take_fault(self, path: str, body: Request) -> Fault | None:
        """Use up the next fault that concerns this request."""
        with self.script.lock:
            for fault in self.script.faults:
                if not path.endswith(fault.path):
                    continue
                option = fault.name.removeprefix("reject_")
                if option != fault.name and not body.get(option):
                    continue
                told = [m for m in body.get("messages", []) if m.get("role") == "system"]
                if fault.name == "second_system" and len(told) < 2:
                    continue
                if fault.left is not None:
                    fault.left -= 1
                    if fault.left <= 0:
                        self.script.faults.remove(fault)
                return fault
        return None

    def says_to(self, body: Request) -> Says:
        """Return what the model says to a chat request."""
        with self.script.lock:
            reply = self.script.once.pop(0) if self.script.once else self.script.reply
        if callable(reply):
            reply = reply(body)
        if reply is None:
            reply = unscripted(body)
        if isinstance(reply, Says):
            return reply
        return Says(reply if isinstance(reply, str) else json.dumps(reply))


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    # Many connections at once: a suite's worker processes start together.
    request_queue_size = 128
    provider: ScriptedProvider

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
        # A client that gave up waiting is nothing to report.
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def log_message(self, format: str, *args: Any) -> None:
        """Stay silent: what came is in ``requests``."""

    @property
    def provider(self) -> ScriptedProvider:
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
        provider, path = self.provider, self.path.partition("?")[0].rstrip("/")
        recorded = Recorded(
            path, body, {k.lower(): v for k, v in self.headers.items()}, time.monotonic()
        )
        with provider.script.lock:
            provider.script.requests.append(recorded)
        key = self.headers.get("authorization", "").removeprefix("Bearer ")
        if provider.api_key and key != provider.api_key:
            return self._refuse_key(key)
        fault = provider.take_fault(path, body)
        if fault and self._fails(fault, key):
            return None
        name = fault.name if fault else ""
        for end, (status, answer) in provider.script.bodies.items():
            if path.endswith(end):
                return self._send(status, json.dumps(answer).encode(), "application/json")
        if path == "/v1/chat/completions":
            return self._chat(body, name, fault.seconds if fault else 0)
        if path == "/v1/embeddings":
            return self._embeddings(body, name)
        if path == "/v1/models":
            return self._json({"object": "list", "data": [{"id": "scripted", "object": "model"}]})
        return self._error(404, f"There is no {path} here.")

    def _fails(self, fault: Fault, key: str) -> bool:
        """Do what the fault says; False if it concerns only what the answer will contain."""
        match fault.name:
            case "429":
                self._error(
                    429,
                    "Rate limit reached.",
                    code="rate_limit_exceeded",
                    headers={"Retry-After": f"{fault.retry_after:g}"},
                )
            case "500":
                self._error(500, "The server had an error.")
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
            case "reject_response_format":
                self._error(400, "'response_format.type' must be 'text'", code="invalid_value")
            case "reject_tools":
                self._error(400, "scripted does not support tools")
            case "second_system":
                self._error(400, "System message must be at the beginning.")
            case "reject_stream_options":
                self._error(400, "Unrecognized request argument supplied: stream_options")
            case _:
                return False
        return True

    def _chat(self, body: Request, fault: str, seconds: float) -> None:
        says = self.provider.says_to(body)
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
        asked = sum(len(str(m.get("content")).split()) for m in body.get("messages", []))
        usage = {"prompt_tokens": asked, "completion_tokens": len(text.split())}
        usage["total_tokens"] = sum(usage.values())
        answer = {"id": "chatcmpl-1", "created": int(time.time()), "model": body.get("model")}
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
        """Do what the fault does in the middle of a stream; False if it does nothing."""
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
        # Lingering for no time makes it a reset, so the client notices at once.
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
    """Calls as servers stream them: name first, then the arguments in pieces, one call's among
    the other's.
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


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(description="A scripted OpenAI-compatible server.")
    parser.add_argument("--port", type=int, default=0, help="a free one unless given")
    parser.add_argument("--dimensions", type=int, default=1536)
    parser.add_argument("--api-key", default="", help="demand this key")
    options = parser.parse_args()
    server = ScriptedProvider(options.port, dimensions=options.dimensions, api_key=options.api_key)
    with server:
        print(f"Listening at {server.base_url}", flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            threading.Event().wait()


if __name__ == "__main__":
    main()
