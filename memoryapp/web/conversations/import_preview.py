"""The preview of an import of memories: what will become of each row."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator
from django.utils.translation import gettext_lazy as _

from conversations.models import Import
from memoryapp.imports.file_format import EXPORTS
from memoryapp.imports.preview import PreviewRow, RowOutcome, fates_of, reasons_of, rows_of
from memoryapp.models import HeldStatement, Memory

#: Rows of the preview on one page.
ROWS_PER_PAGE = 50
#: Labels of the outcomes of a row.
LABELS = {
    RowOutcome.NEW: _("New"),
    RowOutcome.BESIDE: _("New, may contradict"),
    RowOutcome.REPLACES: _("Replaces"),
    RowOutcome.KNOWN: _("Already known"),
    RowOutcome.HEARD: _("History only"),
    RowOutcome.HELD: _("Needs review"),
    RowOutcome.IGNORED: _("Ignored"),
    RowOutcome.REFUSED: _("Not imported"),
}
#: How a row relates to the memories and rows that are named behind it.
RELATIONS = {
    RowOutcome.BESIDE: _("may contradict:"),
    RowOutcome.REPLACES: _("replaces:"),
    RowOutcome.KNOWN: _("same as:"),
    RowOutcome.HEARD: _("less trusted than:"),
}
#: The places of rows, by the words that the preview stores.
PLACES = {
    "line": _("line %(number)s"),
    "memory": _("memory %(number)s"),
}


@dataclass(frozen=True)
class ShownRow:
    """A row of the preview, with the memories that it is about as they are now."""

    row: PreviewRow
    #: The stored memories that it repeats, changes or may contradict.
    memories: Sequence[Memory]

    @property
    def label(self) -> str:
        return str(LABELS[self.row.fate])

    @property
    def relation(self) -> str:
        """How it relates to the memories and rows that are shown with it."""
        return str(RELATIONS.get(self.row.fate, "")) if self.memories or self.others else ""

    @property
    def place(self) -> str:
        return place_in_words(self.row.place)

    @property
    def reason(self) -> str:
        """Why it waits for review; empty if it does not."""
        return str(HeldStatement.Reason(self.row.reason).label) if self.row.reason else ""

    @property
    def others(self) -> list[str]:
        """The places of the rows of this file that it repeats, changes or may contradict."""
        places = [self.row.row, *self.row.beside_rows] if self.row.row else self.row.beside_rows
        return [place_in_words(place) for place in places]


def place_in_words(place: str) -> str:
    """Return a *place* in a file, such as "line 5", in the language of the screen."""
    word, _space, number = place.rpartition(" ")
    return str(PLACES[word]) % {"number": number} if word in PLACES else place


def preview_context(import_: Import, fate: str, number: str) -> dict[str, Any]:
    """Return the context of page *number* of the preview of *import_*: of all rows, or of those
    with this *fate*.
    """
    counts = fates_of(import_)
    fate = fate if fate in counts else ""
    total = counts[fate] if fate else sum(counts.values())
    page = Paginator[int](range(total), ROWS_PER_PAGE).get_page(number)
    begin = max(page.start_index() - 1, 0)
    rows = rows_of(import_, fate, begin=begin, count=ROWS_PER_PAGE)
    ids = {pk for row in rows for pk in (row.memory, *row.beside) if pk is not None}
    memories = import_.instance.memories.only("instance", "content").in_bulk(ids)
    return {
        "is_export": import_.format in EXPORTS,
        "fates": [
            (each.value, str(LABELS[each]), counts[each]) for each in RowOutcome if counts[each]
        ],
        "fate": fate,
        "reasons": [
            (HeldStatement.Reason(reason).label, count)
            for reason, count in sorted(reasons_of(import_).items(), key=lambda item: -item[1])
        ],
        "total": sum(counts.values()),
        "page": page,
        "rows": [
            ShownRow(row, [memories[pk] for pk in (row.memory, *row.beside) if pk in memories])
            for row in rows
        ],
    }
