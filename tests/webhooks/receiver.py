"""A program that receives webhooks: an HTTP server on a loopback port."""

import contextlib
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from instances.models import Instance, User, Webhook, WebhookEvent


@dataclass
class Received:
    """One request."""

    headers: dict[str, str]
    body: bytes

    @property
    def document(self) -> Any:
        return json.loads(self.body)


@dataclass
class Receiver:
    """What has arrived, and what to answer."""

    url: str
    status: int = 204
    headers: dict[str, str] = field(default_factory=dict)
    received: list[Received] = field(default_factory=list)

    @property
    def documents(self) -> list[Any]:
        return [each.document for each in self.received]


@contextlib.contextmanager
def receiving() -> Iterator[Receiver]:
    """Run a receiver."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            receiver.received.append(Received(headers, body))
            self.send_response(receiver.status)
            for name, value in receiver.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    receiver = Receiver(f"http://127.0.0.1:{server.server_port}/hook?for=keepsake")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def add_webhook(
    instance: Instance, url: str, *, by: User | None = None, **columns: Any
) -> tuple[Webhook, str]:
    """Add a webhook for all events; return it with its secret."""
    columns = {"events": WebhookEvent.values} | columns
    webhook = Webhook(instance=instance, url=url, created_by=by, **columns)
    secret = webhook.make_secret()
    webhook.save()
    return webhook, secret
