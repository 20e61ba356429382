"""The columns of a file of memories: what each becomes, and the choice of something else."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from conversations.models import Import
from instances.translatable import translated
from memoryapp.imports.columns import CONTENT, FIELDS, MAX_COLUMNS, OF_SEVERAL, FileColumn
from memoryapp.imports.file_format import MAPPED, mapping_of
from memoryapp.privacy.verbatim import masked_beginning

#: The fields in the words of the screen, in the order in which they are offered.
LABELS = {
    CONTENT: _("Text"),
    "category": _("Category"),
    "importance": _("Importance"),
    "tags": _("Tags"),
    "end_user": _("Person"),
    "created_at": _("Said on"),
    "valid_until": _("Valid until"),
    "updated_at": _("Changed on"),
    "confidence": _("Confidence"),
    "key": _("Key"),
    "value": _("Value"),
    "labels": _("Labels"),
    "metadata": _("Metadata"),
    "external_id": _("ID elsewhere"),
}
#: Characters of an example.
MAX_EXAMPLE = 60


@dataclass(frozen=True)
class ShownColumn:
    """A column as the preview shows it."""

    column: FileColumn
    #: The beginning of its first value, masked.
    example: str

    @property
    def change(self) -> str:
        """The conversion of its values, in words; empty if they are taken as they are."""
        return translated(self.column.change)

    @property
    def label(self) -> str:
        """The field that it fills, in words; empty if it is left out."""
        return str(LABELS[self.column.field]) if self.column.field else ""


def columns_of(import_: Import) -> list[FileColumn]:
    """Return the columns of the file of the checked *import_*; none of a file of a known system."""
    if import_.format not in MAPPED:
        return []
    try:
        with import_.file.open() as file:
            return mapping_of(import_.format, file, import_.columns).columns
    except (OSError, ValueError):
        return []  # It is over.


def columns_context(import_: Import) -> dict[str, Any]:
    """Return the context of the columns: all, those that need a word, and those left out."""
    policy = import_.instance.pii_policy
    columns = [
        ShownColumn(column, masked_beginning(column.example, MAX_EXAMPLE, policy))
        for column in columns_of(import_)
    ]
    return {
        "columns": columns,
        "renamed": [each for each in columns if each.label and not each.column.is_as_named],
        "left_out_columns": [each.column.name for each in columns if not each.label],
        "fields": [("", gettext("Leave out")), *LABELS.items()],
    }


def chosen_columns(post: QueryDict, import_: Import) -> Mapping[str, str] | None:
    """Return the fields that the form chooses for columns; None if it does not ask, or chooses what
    is so already.
    """
    names, fields = post.getlist("column"), post.getlist("field")
    if not names or len(names) != len(fields):
        return None
    current = {column.name: column.field for column in columns_of(import_)}
    asked = dict(zip(names[:MAX_COLUMNS], fields, strict=False))
    chosen = {name: asked.get(name, field) for name, field in current.items()}
    chosen = {name: field if field in FIELDS else "" for name, field in chosen.items()}
    return None if chosen == current else chosen


def problem_of(chosen: Mapping[str, str]) -> str:
    """Say why a file cannot be read with these fields; empty if it can."""
    fields = [field for field in chosen.values() if field]
    if CONTENT not in fields:
        return gettext("Choose the column that holds the text.")
    twice = next((f for f in fields if fields.count(f) > 1 and f not in OF_SEVERAL), "")
    if twice:
        return gettext("Two columns cannot both be: %(field)s.") % {"field": LABELS[twice]}
    return ""
