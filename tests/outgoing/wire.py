"""A server that sends exactly the bytes that a test tells it, on a loopback port."""

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator

#: Answers one connection. It ends when the caller hangs up.
Handler = Callable[[socket.socket], None]


class Wire:
    """What a server has seen: connections, and the bytes that it got rid of."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.connections = 0
        self.sent = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@contextlib.contextmanager
def wire(handler: Callable[[socket.socket, Wire], None]) -> Iterator[Wire]:
    """Serve connections with *handler*, each in a thread of its own."""
    listener = socket.create_server(("127.0.0.1", 0))
    seen = Wire(listener.getsockname()[1])
    threads: list[threading.Thread] = []

    def answer(connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            connection.settimeout(20)
            handler(connection, seen)

    def accept() -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = listener.accept()
                seen.connections += 1
                threads.append(threading.Thread(target=answer, args=(connection,), daemon=True))
                threads[-1].start()

    accepting = threading.Thread(target=accept, daemon=True)
    accepting.start()
    try:
        yield seen
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        accepting.join(5)
        for thread in threads:
            thread.join(5)


def request(connection: socket.socket) -> bytes:
    """Read one request to the end of its body; empty when the caller has gone."""
    data = b""
    while b"\r\n\r\n" not in data:
        if not (more := connection.recv(65536)):
            return b""
        data += more
    head, _, body = data.partition(b"\r\n\r\n")
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            while len(body) < int(value):
                body += connection.recv(65536)
    return head + b"\r\n\r\n" + body


def whole(body: bytes, *headers: str, status: str = "200 OK") -> bytes:
    """Write an answer with its length."""
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body
