"""Files that are made while they are sent."""

from collections.abc import AsyncIterator, Generator
from typing import TypeVar

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, StreamingHttpResponse
from django.utils.http import content_disposition_header

Part = TypeVar("Part", str, bytes)


def download(
    request: HttpRequest, parts: Generator[Part], *, name: str, content_type: str
) -> StreamingHttpResponse:
    """Return a response with the file *name*, which consists of *parts*."""
    # An asynchronous server would read a synchronous stream to its end before sending anything.
    stream = _from_thread(parts) if isinstance(request, ASGIRequest) else parts
    response = StreamingHttpResponse(stream, content_type=content_type)
    response["Content-Disposition"] = content_disposition_header(True, name) or ""
    return response


async def _from_thread(parts: Generator[Part]) -> AsyncIterator[Part]:
    """Yield *parts*, each made in the thread with the database connection."""
    try:
        while (part := await sync_to_async(lambda: next(parts, None))()) is not None:
            yield part
    finally:
        # Also when the client disconnects: the cursor must not stay open.
        await sync_to_async(parts.close)()
