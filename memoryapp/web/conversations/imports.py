"""Imports of memories: what will become of each row, and taking all of it back."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from conversations.models import Import
from instances.access import Request, needs, visible_row
from instances.models import InstanceRole
from memoryapp.imports.preview import Fate, PreviewRow, fates_of, rows_of
from memoryapp.models import Memory
from memoryapp.pipeline import rollback, undo_buffer
from memoryapp.pipeline.change_source import ChangeSource
from memoryapp.text.plurals import memories as counted_memories
from memoryapp.web.memory.listing import MemoryList
from memoryapp.web.memory.page import answer

#: Rows of the preview on one page.
ROWS_PER_PAGE = 50
#: What becomes of a row, as a label.
LABELS = {
    Fate.NEW: "New",
    Fate.BESIDE: "Beside another",
    Fate.REPLACES: "Replaces",
    Fate.KNOWN: "Known already",
    Fate.HEARD: "Only noted",
    Fate.HELD: "Waits for review",
    Fate.IGNORED: "Ignored",
    Fate.REFUSED: "Left out",
}
#: What a row does to the memories and rows that are named behind it.
RELATIONS = {
    Fate.BESIDE: ", beside",
    Fate.REPLACES: ", instead of",
    Fate.KNOWN: ", the same as",
    Fate.HEARD: ", believed less than",
}


@dataclass(frozen=True)
class ShownRow:
    """A row of the preview, with the memories that it is about as they are now."""

    row: PreviewRow
    memory: Memory | None
    beside: Sequence[Memory]

    @property
    def label(self) -> str:
        return LABELS[self.row.fate]

    @property
    def relation(self) -> str:
        """What it does to the memories and rows that are shown with it."""
        return RELATIONS.get(self.row.fate, "")


def preview_context(import_: Import, fate: str, page: str) -> dict[str, Any]:
    """Fill `conversations.hooks.import_preview`."""
    counts = fates_of(import_)
    fate = fate if fate in counts else ""
    total = counts[fate] if fate else sum(counts.values())
    pages = Paginator[int](range(total), ROWS_PER_PAGE).get_page(page)
    begin = max(pages.start_index() - 1, 0)
    rows = rows_of(import_, fate, begin=begin, count=ROWS_PER_PAGE)
    ids = {pk for row in rows for pk in (row.memory, *row.beside) if pk is not None}
    memories = import_.instance.memories.only("instance", "content").in_bulk(ids)
    return {
        "fates": [(each.value, LABELS[each], counts[each]) for each in Fate if counts[each]],
        "fate": fate,
        "total": sum(counts.values()),
        "pages": pages,
        "rows": [
            ShownRow(
                row,
                memories.get(row.memory or 0),
                [memories[pk] for pk in row.beside if pk in memories],
            )
            for row in rows
        ],
    }


@require_http_methods(["GET", "POST"])
@needs(InstanceRole.MEMBER)
def take_back(request: Request, pk: int) -> HttpResponse:
    """Show what taking back an import would do; a POST does it."""
    import_ = visible_row(request, Import.objects.all(), pk)
    instance = import_.instance
    source = ChangeSource(instance, import_=import_)
    if request.method == "POST":
        effect, result = rollback.take_back(source, by=request.user)
        if not (effect.count or effect.waiting):
            messages.warning(request, "There was nothing to take back any more.")
            return redirect(import_)
        messages.success(
            request,
            f"Took back {counted_memories(effect.count)} of {import_.filename}: "
            f"{len(effect.stored):,} in the bin, {len(effect.changed):,} as they were before.",
        )
        listing = MemoryList.parse(QueryDict(), instance=instance)
        return answer(request, listing, ticket=result.ticket)
    effect = rollback.effect_of(source)
    context = {
        "section": "memory",
        "import": import_,
        "effect": effect,
        "stored": counted_memories(len(effect.stored)),
        "changed": counted_memories(len(effect.changed)),
        "staying": counted_memories(len(effect.staying)),
        "undoable": undo_buffer.fits([*effect.stored, *effect.changed]),
        "seconds": undo_buffer.UNDO_SECONDS,
    }
    return render(request, "conversations/import_take_back.html", context)
