"""uvicorn's HTTP protocol with a deadline: ``--http memoryapp.http_protocol:HttpProtocol``.

uvicorn waits forever for the head of a request, so connections that never send one could take up
all file descriptors of the process.
"""

import asyncio

import h11
from django.conf import settings
from uvicorn.protocols.http.h11_impl import H11Protocol


class HttpProtocol(H11Protocol):
    """uvicorn's own protocol, with a deadline for the head of each request."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # As uvicorn's.
        """Start the deadline of the first request."""
        super().connection_made(transport)
        self._expect_head()

    def data_received(self, data: bytes) -> None:
        """Stop the deadline once the head of a request is complete."""
        super().data_received(data)
        if self.conn.their_state is h11.IDLE:
            self._expect_head()
        else:
            self._stop_expecting()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the deadline."""
        self._stop_expecting()
        super().connection_lost(exc)

    def _expect_head(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(settings.HEAD_SECONDS, self._hang_up)

    def _stop_expecting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _hang_up(self) -> None:
        self.transport.close()
