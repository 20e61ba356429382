"""Tables of figures in the documentation, updated row by row by the benchmarks.

A table stands between two comments that name it, ``<!-- figures: NAME -->`` and ``<!-- end -->``.
A row is identified by its first cell: a new measurement replaces it and keeps all other rows.
"""

import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path


class NoTable(ValueError):
    """The page has no such table; the message says what to add."""


def write(
    page: Path, name: str, headings: Sequence[str], rows: Mapping[str, Sequence[str]]
) -> None:
    """Replace *rows* in the table called *name* of *page*. Raises `NoTable` if it has none."""
    text = page.read_text()
    place = re.compile(rf"(<!-- figures: {re.escape(name)} -->\n)(.*?)(<!-- end -->)", re.DOTALL)
    matched = place.search(text)
    if matched is None:
        raise NoTable(
            f"{page} has no table of that name. Add the lines “<!-- figures: {name} -->” and "
            "“<!-- end -->” where it is to stand."
        )
    known = _rows(matched[2]) if _headings(matched[2]) == list(headings) else {}
    lines = [_line(["", *headings]), _line(["---"] * (len(headings) + 1))]
    ordered = sorted((known | dict(rows)).items(), key=lambda row: (_number(row[0]), row[0]))
    lines += [_line([label, *cells]) for label, cells in ordered]
    table = "\n".join(["", *lines, "", ""])
    page.write_text(text[: matched.end(1)] + table + text[matched.start(3) :])


def _number(label: str) -> float:
    """The number that a label is, such as 10,000; labels that are none come last."""
    digits = label.replace(",", "")
    return int(digits) if digits.isdecimal() else math.inf


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split("|")]


def _rows(table: str) -> dict[str, Sequence[str]]:
    """Return the cells of each row by its first cell; of no table, nothing."""
    lines = [_cells(line) for line in table.splitlines() if line.startswith("|")]
    return {label: cells for label, *cells in lines[2:]}


def _headings(table: str) -> list[str]:
    return next((_cells(line)[1:] for line in table.splitlines() if line.startswith("|")), [])
