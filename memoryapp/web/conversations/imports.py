"""The preview of an import of memories: what will become of each row."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator

from conversations.models import Import
from memoryapp.imports.preview import Fate, PreviewRow, fates_of, rows_of
from memoryapp.models import Memory

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
