"""Reads tables of memories: CSV with a heading, as Keepsake, spreadsheets and databases write it.

The separator is a comma, a semicolon, a tab or a bar, or another sign between known names: the
heading tells, or a line such as ``sep=;`` before it, which spreadsheets write. Lines of comments
may stand before a heading with known names. Cells are texts; what their columns are called is for
`columns` to understand.
"""

import contextlib
import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from conversations import bounded_json
from conversations.importers.jsonl import BadLine, decoded
from conversations.importers.reader import BrokenFile, Reader, UnknownFormat
from conversations.importers.report import Report
from instances.translatable import translatable
from memoryapp.imports.columns import CONTENT, has_text

#: The columns of Keepsake's own tables, beside `CONTENT`.
_COLUMNS = (
    "category importance tags end_user key value valid_until confidence pinned external_id labels "
    "metadata created_at updated_at"
).split()

_SEPARATORS = ",;\t|"
#: Signs that separate known names, but may stand in any other text.
_RARE_SEPARATORS = ":^~!#&/\\"
#: Separates nothing: a table of one column has no separator, and its texts may hold any.
_NO_SEPARATOR = "\x1f"
#: The line before the heading that names the separator.
_NAMED = re.compile(r'"?sep=(?P<separator>[^\w\s"]|\t)"?[ \t]{0,9}\r?\n', re.IGNORECASE)
#: Lines of comments before the heading.
_COMMENTS = re.compile(r"(?:[#%][^\r\n]*\r?\n\s*)+")
#: Bytes at the beginning of a file that hold its heading, and rows that show that it is one.
_START_BYTES, _ROWS_TO_TRY = 64 * 1024, 10
#: Characters and words of the name of a column.
_MAX_NAME, _MAX_WORDS = 40, 3
#: Other names of the column of memories, and names that columns beside it often have.
_OTHER_NAMES = frozenset(
    "data date fact facts id memories memory message note notes role statement text type"
    " user_id".split()
)
_KNOWN = frozenset((CONTENT, *_COLUMNS, *_OTHER_NAMES))
#: Names of columns that only tables of messages have.
_OF_MESSAGES = frozenset("role conversation conversation_id".split())
#: Columns of the export whose cells are JSON.
_JSON = ("labels", "metadata")
#: Cells that the export prefixes with an apostrophe, so that spreadsheets do not run them as a
#: formula or command. Some spreadsheets trim leading spaces; some treat full-width characters as
#: plain.
GUARDED = re.compile(r"'*(?:[\t\r\n]|\s*[=+\-@|＝＋－＠])")


@dataclass(frozen=True)
class Heading:
    """The first row of a table."""

    #: In small letters.
    names: Sequence[str]
    separator: str = _NO_SEPARATOR
    #: Lines of the file before it.
    lines_before: int = 0


def heading_of(reader: Reader) -> Heading | None:
    """Return the heading of a table, with a column of texts if one separator gives it that; None if
    the file looks like any other text.
    """
    whole = (reader.read(_START_BYTES) or b"").decode(errors="replace")
    named = _NAMED.match(whole.lstrip("\r\n"))
    text = (named.string[named.end() :] if named else whole).lstrip("\r\n")
    blank = whole[: len(whole) - len(text)].count("\n")
    if named:
        names = _names(text, named["separator"])
        return Heading(names, named["separator"], blank) if names else None
    if comments := _COMMENTS.match(text):
        below = comments.string[comments.end() :]
        known = _known_heading(below, blank + comments[0].count("\n"))
        if known:
            return known
    if known := _known_heading(text, blank, _RARE_SEPARATORS):
        return known
    headings = [Heading(_names(text, each), each, blank) for each in _SEPARATORS]
    widest = max(headings, key=lambda heading: len(heading.names))
    if len(widest.names) == 1:
        widest = Heading(widest.names, lines_before=blank)
        return widest if widest.names[0] in _KNOWN else None
    with_content = [heading for heading in headings if CONTENT in heading.names]
    with_text = [heading for heading in headings if has_text(heading.names)]
    others = [heading for heading in (*with_text, widest) if _is_heading(heading, text)]
    return next(iter([*with_content, *others]), None)


def _known_heading(
    text: str, lines_before: int, separators: str = _SEPARATORS + _RARE_SEPARATORS
) -> Heading | None:
    """Return the heading in which all of several names are known, and `CONTENT` is one."""
    for separator in separators:
        names = _names(text, separator)
        if len(names) > 1 and CONTENT in names and _KNOWN.issuperset(names):
            return Heading(names, separator, lines_before)
    return None


def _names(text: str, separator: str) -> list[str]:
    return [name.strip().lower() for name in next(_parsed(text, separator), [])]


def _parsed(text: str, separator: str) -> Iterator[list[str]]:
    """Yield the rows of *text*, as far as it is CSV."""
    with contextlib.suppress(csv.Error):
        yield from csv.reader(io.StringIO(text, newline=""), delimiter=separator)


def _is_heading(heading: Heading, text: str) -> bool:
    """True if the names look like those of columns: at least one is known, or no row has more or
    fewer cells, and no separator stands before a space as in a sentence.
    """
    names = [name for name in heading.names if name]
    if len(set(names)) < len(names) or not all(map(_is_name, names)):
        return False
    if not _KNOWN.isdisjoint(names):
        return True
    first_line = text.partition("\n")[0]
    rows = list(zip(range(_ROWS_TO_TRY), _parsed(text, heading.separator), strict=False))
    return (
        f"{heading.separator} " not in first_line
        and len(rows) > 1
        and {len(row) for _, row in rows if row} == {len(heading.names)}
    )


def _is_name(text: str) -> bool:
    short = len(text) <= _MAX_NAME and len(text.split()) <= _MAX_WORDS
    return short and not text.endswith((".", "!", "?"))


def rows(reader: Reader, report: Report) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield (place, cells) of each row, as they stand in the file; what is no row is skipped and
    reported. Raises `UnknownFormat` if the table holds messages, `BrokenFile` if the file is no
    table any further.
    """
    heading = heading_of(reader) or Heading([])
    if messages := next((name for name in heading.names if name in _OF_MESSAGES), ""):
        raise UnknownFormat(
            translatable(
                "This table has a column “%(name)s”, so it holds messages. They are read from JSON "
                "and JSONL, and memories from tables.",
                name=messages,
            )
        )
    reader = reader.again()
    text = io.TextIOWrapper(
        io.BufferedReader(reader), encoding="utf-8", errors="surrogateescape", newline=""
    )
    for _ in range(heading.lines_before):
        text.readline()
    found_rows = csv.reader(text, delimiter=heading.separator)
    try:
        next(found_rows, [])
        for row in found_rows:
            reader.next_piece()
            number = heading.lines_before + found_rows.line_num
            place = translatable("line %(number)s", number=str(number))
            try:
                if cells := _cells(heading, row):
                    yield place, cells
            except BadLine as reason:
                report.skip(place, str(reason))
    except csv.Error as error:
        raise BrokenFile(
            translatable(
                "The file is not CSV after line %(line)s: %(reason)s.",
                line=heading.lines_before + found_rows.line_num,
                reason=str(error),
            )
        ) from None


def _cells(heading: Heading, row: list[str]) -> dict[str, str]:
    """Return the cells of a *row* by their names, nothing of one that is blank, a line between rows
    or the heading of another table behind this one. Raises `BadLine`.
    """
    row = [decoded(cell.encode(errors="surrogateescape")) for cell in row]
    if not "".join(row).strip(" \t:-"):
        return {}
    if [cell.strip().lower() for cell in row] == [*heading.names]:
        return {}
    if any(row[len(heading.names) :]):
        raise BadLine(translatable("it has more cells than the first line"))
    return dict(zip(heading.names, row, strict=False))


def unguarded(row: Mapping[str, str]) -> dict[str, str]:
    """Return the cells of a row that hold something, without the export's apostrophes."""
    return {
        name: cell[1:] if cell.startswith("'") and GUARDED.match(cell) else cell
        for name, cell in row.items()
        if cell
    }


def parse_cells(row: Mapping[str, str]) -> dict[str, Any]:
    """Return the fields in the cells of a row of Keepsake's own export."""
    cells: dict[str, Any] = {**unguarded(row)}
    cells["tags"] = [tag.strip() for tag in cells.get("tags", "").split(",") if tag.strip()]
    for name in ("importance", "confidence", "assessed", "pinned", *_JSON):
        if name in cells:
            # A text that is not a number stays a text, and is refused later.
            text = cells[name].strip()
            with contextlib.suppress(ValueError):
                cells[name] = bounded_json.parse(text if name in _JSON else text.lower())
    return cells
