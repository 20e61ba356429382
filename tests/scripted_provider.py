"""An OpenAI-compatible server on a loopback port, scripted by tests.

It is a real server, so that tests use the real client and real worker processes::

    with ScriptedProvider() as server:
        server.reply_with({"memories": []})          # every chat answer from now on
        server.fail_next("429", retry_after=1)       # but first this
        ...
        assert server.count("chat/completions") == 2

Without a script, a request with a JSON schema gets an answer that follows the schema, with one
fact for each line of the conversation in the first person; any other chat gets an echo.
Embeddings are hashed bags of words, so that similar texts are near each other. It answers messages
of Anthropic's API, too, with ``Blocks``.

By hand: ``python -m tests.scripted_provider --port 9999``. Other processes script it with
``POST /control``: ``{"fail": {"fault": "500", "times": 2}}``, ``{"reply": …}``,
``{"reset": true}``; ``GET /control`` returns the requests.
"""

import argparse
import contextlib
import json
import threading
from collections import Counter
from types import TracebackType
from typing import Self

from tests.provider_http import RequestHandler, ScriptedServer
from tests.provider_messages import blocks_of
from tests.provider_script import (
    FAULTS,
    HANG_SECONDS,
    Blocks,
    Fault,
    Recorded,
    Reply,
    Request,
    Says,
    Script,
)
from tests.scripted_answers import bag_of_words, unscripted

__all__ = [
    "FAULTS",
    "HANG_SECONDS",
    "Blocks",
    "Fault",
    "Recorded",
    "Request",
    "Says",
    "ScriptedProvider",
]


class ScriptedProvider:
    """The server, as a context manager.

    ``port`` 0 takes a free one; ``host`` is for one in a container. ``dimensions`` is the length of
    the vectors unless the request asks for another; ``api_key``, if given, is required in every
    request. A ``capable`` one answers measurements of what it can do by itself: they are neither
    scripted nor recorded.
    """

    def __init__(
        self,
        port: int = 0,
        *,
        host: str = "127.0.0.1",
        dimensions: int = 1536,
        api_key: str = "",
        capable: bool = False,
    ) -> None:
        self.capable = capable
        self.dimensions = dimensions
        self.api_key = api_key
        self.script = Script()
        self.closing = threading.Event()
        self._server = ScriptedServer((host, port), RequestHandler)
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
        """The base URL for a client: ``http://127.0.0.1:…/v1``."""
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def requests(self) -> list[Recorded]:
        """All requests so far, including failed ones, except those to ``/control``."""
        with self.script.lock:
            return list(self.script.requests)

    @property
    def counts(self) -> Counter[str]:
        """Number of requests for each path, such as ``/v1/embeddings``."""
        return Counter(request.path for request in self.requests)

    def count(self, path: str) -> int:
        """Return the number of requests for a path, such as ``embeddings``."""
        return sum(n for p, n in self.counts.items() if p.endswith(path))

    def reply_with(self, reply: Reply, *, times: int | None = None) -> None:
        """Answer chats with this: text, something to send as JSON, or a function of the request.

        With ``times``, only the next ones; they take precedence over other replies.
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
        seconds: float = HANG_SECONDS,
        retry_after: float = 1.0,
    ) -> None:
        """Let the next requests (``times`` None: all) fail; see ``FAULTS``.

        ``path`` such as ``embeddings`` narrows it down. Faults are used up in order.
        """
        name = str(fault)
        if name not in FAULTS:
            raise ValueError(f"{name} is not among the faults: {', '.join(FAULTS)}")
        with self.script.lock:
            self.script.faults.append(
                Fault(name, times, path or FAULTS[name], seconds, retry_after)
            )

    def answer_with(
        self, path: str, body: object, *, status: int = 200, content_type: str = "application/json"
    ) -> None:
        """Answer requests for a path, such as ``models``, with this JSON, or with these bytes."""
        sent = body if isinstance(body, bytes) else json.dumps(body).encode()
        with self.script.lock:
            self.script.bodies[path] = (status, sent, content_type)

    def reset(self) -> None:
        """Clear the script and the requests."""
        with self.script.lock:
            self.script.bodies.clear()
            self.script.reply = None
            self.script.once.clear()
            self.script.faults.clear()
            self.script.requests.clear()

    def close(self) -> None:
        """Stop immediately, even while requests are hanging."""
        self.closing.set()
        self._server.shutdown()
        self._server.close_connections()
        self._server.server_close()
        self._thread.join()

    def vector_of(self, text: str, dimensions: int) -> list[float]:
        """Return the embedding of a text."""
        return bag_of_words(text, dimensions)

    def take_fault(self, path: str, body: Request) -> Fault | None:
        """Return the next fault for this request, if any, and mark it as used."""
        with self.script.lock:
            for fault in self.script.faults:
                if not path.endswith(fault.path):
                    continue
                option = fault.name.removeprefix("reject_")
                if option != fault.name and body.get(option) is None:
                    continue
                system_messages = [m for m in body.get("messages", []) if m.get("role") == "system"]
                needed = {"no_system": 1, "second_system": 2}.get(fault.name, 0)
                if len(system_messages) < needed:
                    continue
                if fault.left is not None:
                    fault.left -= 1
                    if fault.left <= 0:
                        self.script.faults.remove(fault)
                return fault
        return None

    def says_to(self, body: Request) -> Says:
        """Return the answer to a chat request."""
        reply = self._next_reply(body)
        if reply is None:
            reply = unscripted(body)
        if isinstance(reply, Says):
            return reply
        return Says(reply if isinstance(reply, str) else json.dumps(reply))

    def blocks_for(self, body: Request) -> Blocks:
        """Return the answer to a request for a message of Anthropic's API."""
        reply = self._next_reply(body)
        if isinstance(reply, Blocks):
            return reply
        if not isinstance(reply, Says):
            reply = Says("Hello." if reply is None else str(reply))
        return blocks_of(reply)

    def _next_reply(self, body: Request) -> Reply | None:
        with self.script.lock:
            reply = self.script.once.pop(0) if self.script.once else self.script.reply
        return reply(body) if callable(reply) else reply


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(description="A scripted OpenAI-compatible server.")
    parser.add_argument("--port", type=int, default=0, help="by default a free one")
    parser.add_argument("--dimensions", type=int, default=1536)
    parser.add_argument("--api-key", default="", help="require this key")
    options = parser.parse_args()
    server = ScriptedProvider(options.port, dimensions=options.dimensions, api_key=options.api_key)
    with server:
        print(f"Listening at {server.base_url}", flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            threading.Event().wait()


if __name__ == "__main__":
    main()
