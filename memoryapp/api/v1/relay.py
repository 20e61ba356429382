"""From the thread that asks the language model to the response."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Any, Protocol

from django.http import JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

from memoryapp.api.v1.request import ProxyRequest
from memoryapp.api.v1.worker_threads import ProxyThread, start
from memoryapp.providers.field_values import utf8

#: Seconds between two comments in a stream, so that no proxy closes the connection.
KEEPALIVE_SECONDS = 15.0

Part = dict[str, Any]


class Events(Protocol):
    """Writes the events of one API's stream from the chunks of a chat completion."""

    def begin(self) -> Iterable[bytes]:
        """The events before the first chunk."""

    def take(self, chunk: Part) -> Iterable[bytes]:
        """The events for a chunk."""

    def end(self) -> Iterable[bytes]:
        """The events after the last chunk."""

    def fail(self, error: Exception) -> Iterable[bytes]:
        """The events for an error in the middle of the answer."""


class EventStream(Protocol):
    """Makes the events of an API from the chunks of a chat completion, each with its ``type``."""

    def begin(self) -> Iterable[Part]: ...

    def take(self, chunk: Part, /) -> Iterable[Part]: ...

    def end(self) -> Iterable[Part]: ...


class NamedEvents:
    """The events of *stream*, each named by its type; of an error, those that *failing* makes."""

    def __init__(self, stream: EventStream, failing: Callable[[Exception], Iterable[Part]]) -> None:
        self._stream = stream
        self._failing = failing

    def begin(self) -> Iterable[bytes]:
        return self._written(self._stream.begin())

    def take(self, chunk: Part) -> Iterable[bytes]:
        return self._written(self._stream.take(chunk))

    def end(self) -> Iterable[bytes]:
        return self._written(self._stream.end())

    def fail(self, error: Exception) -> Iterable[bytes]:
        return self._written(self._failing(error))

    def _written(self, events: Iterable[Part]) -> Iterable[bytes]:
        return (event(each, each["type"]) for each in events)


async def relay(
    parsed: ProxyRequest, events: Events, answer: Callable[[Part], Part]
) -> HttpResponseBase:
    """Ask the language model, and return its answer: a stream of *events*, or the complete one, of
    which *answer* makes the body.
    """
    thread = start(parsed)
    try:
        # Errors before the first part can still be reported by the status.
        first = await thread.next()
        if not parsed.streams:
            await thread.next()  # The end: the reply is stored.
    except asyncio.CancelledError:
        if parsed.streams:
            thread.stop.set()
        raise
    stored = thread.answer.stored
    if parsed.streams:
        response: HttpResponseBase = StreamingHttpResponse(
            _stream(thread, first, events), content_type="text/event-stream"
        )
        response["X-Accel-Buffering"] = "no"  # nginx would buffer it otherwise.
    else:
        response = JsonResponse(answer(first or {}))
    if stored is not None:
        response["X-Keepsake-Conversation"] = str(stored.conversation.pk)
    return response


def event(data: Part, name: str = "") -> bytes:
    """Write a server-sent event."""
    # JSON has no line breaks, so one line of data is enough.
    head = f"event: {name}\n" if name else ""
    return utf8(f"{head}data: {json.dumps(data, ensure_ascii=False)}\n\n").encode()


async def _stream(thread: ProxyThread, part: Part | None, events: Events) -> AsyncIterator[bytes]:
    """Yield the answer as server-sent events, from its first *part* on."""
    following: asyncio.Future[Part | None] | None = None
    try:
        for each in events.begin():
            yield each
        while part is not None:
            for each in events.take(part):
                yield each
            following = asyncio.ensure_future(thread.next())
            while not (await asyncio.wait({following}, timeout=KEEPALIVE_SECONDS))[0]:
                yield b": still here\n\n"
            part = following.result()
        for each in events.end():
            yield each
    except Exception as error:
        for each in events.fail(error):
            yield each
    finally:
        # The client may have disconnected: the text so far is stored.
        thread.stop.set()
        if following is not None:
            following.cancel()
