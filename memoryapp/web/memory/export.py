"""Export of the memories that match the list's filters, or of the selected ones, to a file."""

import csv
import io
import json
from collections.abc import Generator, Iterable, Iterator
from typing import Any

from django.db.models import Prefetch, QuerySet
from django.http import Http404, HttpResponseBase
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from conversations.downloads import download
from instances.access import Request, needs
from instances.models import InstanceRole
from instances.tiers import Tier
from memoryapp.imports.file_format import GUARDED
from memoryapp.models import Memory, MemorySource
from memoryapp.web.memory.listing import SORTS, MemoryList
from memoryapp.web.memory.page import listing_of
from memoryapp.web.row_selection import RowSelection

#: Rows that are read, formatted and sent at a time.
CHUNK_SIZE = 500

TYPES = {"jsonl": "application/x-ndjson", "csv": "text/csv; charset=utf-8"}
COLUMNS = """
id content category importance tags end_user key value valid_until origin tier confidence assessed
external_id labels metadata created_at updated_at recall_count last_recalled_at
""".split()


@require_http_methods(["GET", "POST"])
@needs(InstanceRole.MEMBER)
def export(request: Request) -> HttpResponseBase:
    """Stream all memories that match the filters, line by line; a POST only the selected ones."""
    current = listing_of(request)
    kind = request.GET.get("format", "")
    if kind not in TYPES:
        raise Http404
    selection = RowSelection.parse(request.POST) if request.method == "POST" else None
    memories = _memories(current, selection)
    parts = _jsonl(memories) if kind == "jsonl" else _csv(memories)
    day = timezone.localdate().isoformat()
    name = f"keepsake-{current.instance.slug}-{day}.{kind}"
    return download(request, parts, name=name, content_type=TYPES[kind])


def _memories(current: MemoryList, selection: RowSelection | None = None) -> Iterator[Memory]:
    """Yield the memories of all pages of the list, or the selected ones, in the order of the list,
    with a server-side cursor.
    """
    said = MemorySource.objects.in_conversations().select_related("message")
    related = (Prefetch("sources", said.defer("message__search")),)
    every: QuerySet[Memory] = Memory.objects.in_instance(current.instance).defer("search")
    if current.q and not current.sort:
        ids = list(current.matches().ids)
        if selection is not None:
            ids = selection.in_order(ids)
        by_id = every.prefetch_related(*related).in_bulk(ids)
        yield from (by_id[pk] for pk in ids if pk in by_id)
        return
    matching = every.filter(pk__in=current.matches().ids) if current.q else current.filtered()
    rows = selection.of(every, lambda: matching) if selection else matching.defer("search")
    order = SORTS[current.sort or "newest"][1]
    yield from rows.order_by(*order).prefetch_related(*related).iterator(chunk_size=CHUNK_SIZE)


def _fields(memory: Memory) -> dict[str, Any]:
    return {name: getattr(memory, name) for name in COLUMNS} | {
        "valid_until": memory.end,
        "tier": Tier(memory.tier).api_name,
        "sources": [_source(source) for source in memory.sources.all()],
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
        lines.append(json.dumps(_fields(memory), default=_iso_format, ensure_ascii=False) + "\n")
        if len(lines) == CHUNK_SIZE:
            yield "".join(lines)
            lines.clear()
    yield "".join(lines)


def _csv(memories: Iterable[Memory]) -> Generator[str]:
    out = io.StringIO()
    writer = csv.writer(out)
    # The byte order mark, by which spreadsheets recognise UTF-8.
    out.write("\ufeff")
    writer.writerow([*COLUMNS, "sources"])
    for number, memory in enumerate(memories, 1):
        fields = _fields(memory)
        fields["tags"] = ", ".join(fields["tags"])
        for name in ("labels", "metadata"):
            attached = fields[name]
            fields[name] = json.dumps(attached, ensure_ascii=False) if attached else ""
        fields["sources"] = "; ".join(
            source["conversation"] + (f" #{source['position']}" if source["position"] else "")
            for source in fields["sources"]
        )
        writer.writerow([cell(value) for value in fields.values()])
        if number % CHUNK_SIZE == 0:
            yield out.getvalue()
            out.seek(0)
            out.truncate()
    yield out.getvalue()


def cell(value: Any) -> Any:
    """Return *value* as a cell; a text that a spreadsheet would evaluate as a formula is quoted
    with an apostrophe.
    """
    if not isinstance(value, str):
        return "" if value is None else _iso_format(value)
    return f"'{value}" if GUARDED.match(value) else value


def _iso_format(value: Any) -> Any:
    return value.isoformat() if hasattr(value, "isoformat") else value
