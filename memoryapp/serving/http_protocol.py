"""uvicorn's HTTP protocol for untrusted clients, ``--http``
``memoryapp.serving.http_protocol:HttpProtocol``.

uvicorn waits forever for the head of a request and accepts any number of connections, so clients
that send nothing could take all file descriptors of the process, and a request would find none for
the database.
"""

import asyncio
import resource
from itertools import islice
from typing import ClassVar

import h11
from django.conf import settings
from uvicorn.protocols.http.h11_impl import H11Protocol

#: The share of the file descriptors for connections without a request, and the one for all. A
#: request needs more of them: for the database, a model's server, a stored body.
WAITING_SHARE, CONNECTIONS_SHARE = 0.25, 0.5
#: Seconds after which what has arrived at a new connection is read.
READ_SECONDS = 0.01


class HttpProtocol(H11Protocol):
    """uvicorn's own protocol, with a deadline for the head of each request, and with file
    descriptors left for the requests.

    Where connections without a request take more than a quarter of the file descriptors, those that
    have waited longest are closed. Where all take more than half, the next request is answered with
    503.
    """

    #: When the connections of the process without a request began to wait, the earliest first.
    _waiting: ClassVar[dict["HttpProtocol", float]] = {}
    _closing_soon: ClassVar[bool] = False

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # As uvicorn's.
        """Start the deadline of the first request, and limit how many connections are open."""
        super().connection_made(transport)
        self.limit_concurrency = _share_of_files(CONNECTIONS_SHARE)
        self._expect_head()
        if self._too_many_wait() and not HttpProtocol._closing_soon:
            HttpProtocol._closing_soon = True
            self.loop.call_later(READ_SECONDS, self._close_silent)

    def data_received(self, data: bytes) -> None:
        """Stop the deadline once the head of a request is complete."""
        super().data_received(data)
        if self.conn.their_state is h11.IDLE:
            self._expect_head()
        else:
            self._stop_expecting()

    def on_response_complete(self) -> None:
        """Wait for the next request; its deadline starts with its first byte."""
        super().on_response_complete()
        if self.conn.their_state is h11.IDLE:
            self._waiting[self] = self.loop.time()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the deadline."""
        self._stop_expecting()
        super().connection_lost(exc)

    def _expect_head(self) -> None:
        self._waiting.setdefault(self, self.loop.time())
        if self._deadline is None:
            self._deadline = self.loop.call_later(settings.HEAD_SECONDS, self._hang_up)

    def _stop_expecting(self) -> None:
        self._waiting.pop(self, None)
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _close_silent(self) -> None:
        HttpProtocol._closing_soon = False
        # The request of a newer one may have arrived and not be read yet.
        latest = self.loop.time() - READ_SECONDS
        for connection, since in list(islice(self._waiting.items(), self._too_many_wait())):
            if since <= latest:
                connection._stop_expecting()
                connection._hang_up()

    def _too_many_wait(self) -> int:
        """How many connections without a request there are more than there should be."""
        return max(0, len(self._waiting) - _share_of_files(WAITING_SHARE))

    def _hang_up(self) -> None:
        self.transport.close()


def _share_of_files(share: float) -> int:
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return int(share * files)
