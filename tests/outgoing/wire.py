"""A server on a loopback port that sends exactly the bytes of a test."""

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator

#: Handles one connection. It ends when the client disconnects.
Handler = Callable[[socket.socket], None]


class Wire:
    """State of the server: connections, and bytes that were sent."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.connections = 0
        self.sent = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@contextlib.contextmanager
def wire(handler: Callable[[socket.socket, Wire], None]) -> Iterator[Wire]:
    """Serve connections with *handler*, each in its own thread."""
    listener = socket.create_server(("127.0.0.1", 0))
    state = Wire(listener.getsockname()[1])
    threads: list[threading.Thread] = []
    connections: list[socket.socket] = []

    def answer(connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            connection.settimeout(20)
            handler(connection, state)

    def accept() -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = listener.accept()
                state.connections += 1
                connections.append(connection)
                threads.append(threading.Thread(target=answer, args=(connection,), daemon=True))
                threads[-1].start()

    accepting = threading.Thread(target=accept, daemon=True)
    accepting.start()
    try:
        yield state
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        accepting.join(5)
        for connection in connections:
            # The client may keep its connection for further requests.
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RD)
        for thread in threads:
            thread.join(5)


def request(connection: socket.socket) -> bytes:
    """Read one complete request; empty if the client has disconnected."""
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
    """Build a response with a Content-Length."""
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body
