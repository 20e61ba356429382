"""Export of the memories that match the list's filters, or of the selected ones, to a file."""

import csv
import io
import json
from collections.abc import Generator, Iterable, Iterator
from typing import Any

from django.db.models import QuerySet
from django.http import Http404, HttpResponseBase
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from conversations.downloads import download
from instances.access import Request, needs
from instances.models import InstanceRole
from memoryapp.imports import export_lines
from memoryapp.imports.export_lines import (
    COLUMNS,
    JSONL_TYPE,
    fields_of,
    iso_format,
    jsonl,
    sources_of_memories,
)
from memoryapp.imports.tables import GUARDED
from memoryapp.models import Memory
from memoryapp.web.memory.listing import SORTS, MemoryList
from memoryapp.web.memory.page import listing_of
from memoryapp.web.row_selection import RowSelection

TYPES = {"jsonl": JSONL_TYPE, "csv": "text/csv; charset=utf-8"}


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
    parts = jsonl(memories) if kind == "jsonl" else _csv(memories)
    day = timezone.localdate().isoformat()
    name = f"keepsake-{current.instance.slug}-{day}.{kind}"
    return download(request, parts, name=name, content_type=TYPES[kind])


def _memories(current: MemoryList, selection: RowSelection | None = None) -> Iterator[Memory]:
    """Yield the memories of all pages of the list, or the selected ones, in the order of the list,
    with a server-side cursor.
    """
    related = (sources_of_memories(),)
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
    yield from (
        rows.order_by(*order)
        .prefetch_related(*related)
        .iterator(chunk_size=export_lines.CHUNK_SIZE)
    )


def _csv(memories: Iterable[Memory]) -> Generator[str]:
    out = io.StringIO()
    writer = csv.writer(out)
    # The byte order mark, by which spreadsheets recognise UTF-8.
    out.write("\ufeff")
    writer.writerow([*COLUMNS, "sources"])
    for number, memory in enumerate(memories, 1):
        fields = fields_of(memory)
        fields["tags"] = ", ".join(fields["tags"])
        for name in ("labels", "metadata"):
            attached = fields[name]
            fields[name] = json.dumps(attached, ensure_ascii=False) if attached else ""
        fields["sources"] = "; ".join(
            source["conversation"] + (f" #{source['position']}" if source["position"] else "")
            for source in fields["sources"]
        )
        writer.writerow([cell(value) for value in fields.values()])
        if number % export_lines.CHUNK_SIZE == 0:
            yield out.getvalue()
            out.seek(0)
            out.truncate()
    yield out.getvalue()


def cell(value: Any) -> Any:
    """Return *value* as a cell; a text that a spreadsheet would evaluate as a formula is quoted
    with an apostrophe.
    """
    if not isinstance(value, str):
        return "" if value is None else iso_format(value)
    return f"'{value}" if GUARDED.match(value) else value
