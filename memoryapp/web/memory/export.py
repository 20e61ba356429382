"""Taking away what the list shows: all of it, not only its page, as JSONL or CSV."""

import csv
import io
import json
from collections.abc import AsyncIterator, Generator, Iterable, Iterator
from typing import Any

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import Http404, HttpRequest, HttpResponseBase, StreamingHttpResponse
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_GET

from instances.access import needs, signed_in
from instances.models import InstanceRole
from memoryapp.imports.file_format import GUARDED
from memoryapp.models import Memory, MemorySource
from memoryapp.web.memory.listing import SORTS, MemoryList
from memoryapp.web.memory.page import listing_of

#: Rows that are read, written out and sent at a time.
CHUNK_SIZE = 500

TYPES = {"jsonl": "application/x-ndjson", "csv": "text/csv; charset=utf-8"}
COLUMNS = (
    "id",
    "content",
    "category",
    "importance",
    "tags",
    "end_user",
    "key",
    "value",
    "valid_until",
    "origin",
    "confidence",
    "assessed",
    "external_id",
    "metadata",
    "created_at",
    "updated_at",
    "recall_count",
    "last_recalled_at",
)


@require_GET
@needs(InstanceRole.MEMBER)
def export(request: HttpRequest) -> HttpResponseBase:
    """Send all that matches the filter, line by line, however much it is."""
    request = signed_in(request)
    current = listing_of(request)
    kind = request.GET.get("format", "")
    if kind not in TYPES:
        raise Http404
    parts = _jsonl(_memories(current)) if kind == "jsonl" else _csv(_memories(current))
    # A server that is asynchronous would read a synchronous answer to its end before it sends it.
    stream = _from_thread(parts) if isinstance(request, ASGIRequest) else parts
    response = StreamingHttpResponse(stream, content_type=TYPES[kind])
    day = timezone.localdate().isoformat()
    name = f"keepsake-{current.instance.slug}-{day}.{kind}"
    response["Content-Disposition"] = content_disposition_header(True, name) or ""
    return response


def _memories(current: MemoryList) -> Iterator[Memory]:
    """What *current* shows on all its pages, in its order, by a cursor of the server."""
    related = ("sources__conversation", "sources__message")
    if current.q and not current.sort:
        ids = list(current.matching_ids())
        found = Memory.objects.defer("search").prefetch_related(*related).in_bulk(ids)
        yield from (found[pk] for pk in ids if pk in found)
        return
    memories = Memory.objects.filter(pk__in=current.matching_ids()) if current.q else None
    rows = (current.filtered() if memories is None else memories).defer("search")
    order = SORTS[current.sort or "newest"][1]
    yield from rows.order_by(*order).prefetch_related(*related).iterator(chunk_size=CHUNK_SIZE)


def _fields(memory: Memory) -> dict[str, Any]:
    return {name: getattr(memory, name) for name in COLUMNS} | {
        "sources": [_source(source) for source in memory.sources.all()]
    }


def _source(source: MemorySource) -> dict[str, Any]:
    message = source.message
    return {
        "conversation_id": source.conversation_id,
        "conversation": str(source.conversation),
        "position": message.position if message else None,
        "said_at": message.sent_at if message else None,
        "action": source.action,
    }


def _jsonl(memories: Iterable[Memory]) -> Generator[str]:
    lines = []
    for memory in memories:
        lines.append(json.dumps(_fields(memory), default=_written, ensure_ascii=False) + "\n")
        if len(lines) == CHUNK_SIZE:
            yield "".join(lines)
            lines.clear()
    yield "".join(lines)


def _csv(memories: Iterable[Memory]) -> Generator[str]:
    out = io.StringIO()
    writer = csv.writer(out)
    # The mark by which spreadsheets know that it is UTF-8.
    out.write("\ufeff")
    writer.writerow([*COLUMNS, "sources"])
    for number, memory in enumerate(memories, 1):
        fields = _fields(memory)
        fields["tags"] = ", ".join(fields["tags"])
        attached = fields["metadata"]
        fields["metadata"] = json.dumps(attached, ensure_ascii=False) if attached else ""
        fields["sources"] = "; ".join(
            source["conversation"] + (f" #{source['position']}" if source["position"] else "")
            for source in fields["sources"]
        )
        writer.writerow([_cell(value) for value in fields.values()])
        if number % CHUNK_SIZE == 0:
            yield out.getvalue()
            out.seek(0)
            out.truncate()
    yield out.getvalue()


def _cell(value: Any) -> Any:
    """What a spreadsheet may be shown: a text that it would take for a formula gets an apostrophe
    in front, as it has in the spreadsheet itself.
    """
    if not isinstance(value, str):
        return "" if value is None else _written(value)
    return f"'{value}" if GUARDED.match(value) else value


def _written(value: Any) -> Any:
    return value.isoformat() if hasattr(value, "isoformat") else value


async def _from_thread(parts: Generator[str]) -> AsyncIterator[str]:
    """The *parts*, each made in the thread that holds the connection to the database."""
    try:
        while (part := await sync_to_async(lambda: next(parts, None))()) is not None:
            yield part
    finally:
        # Also when the client disconnects: the cursor must not stay open.
        await sync_to_async(parts.close)()
