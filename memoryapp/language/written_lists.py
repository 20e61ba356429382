"""Lists that people and models write as text: an item on each line, behind a bullet or a number, or
in an element of XML. Pure; linear time.
"""

import re

from memoryapp.language.entities import without_entities

#: A bullet, or the number of an item, at the beginning of a line.
_MARK = re.compile(r"\s*(?:[-*•–—]|\d{1,4}[.)])\s+")
#: Characters of a line that are looked at for a mark.
MAX_LOOKED_AT = 200
#: An element in which models write an item, with nothing but text in it.
_ELEMENT = re.compile(
    r"<(?P<name>memory|fact|item|li|content|text|statement|sentence)(?:\s[^<>]*+)?>"
    r"(?P<text>[^<>]++)</(?P=name)>",
    re.IGNORECASE,
)


def items_in(text: str) -> list[str]:
    """Return the items of the lists in *text*, without the prose around them."""
    elements = [found["text"] for found in _ELEMENT.finditer(without_entities(text))]
    if elements:
        return _sentences(elements)
    marked = [line for line in text.splitlines() if without_mark(line) != line]
    return _sentences(marked)


def lines_in(text: str) -> list[str]:
    """Return each line of *text* as an item."""
    return _sentences(text.splitlines())


def without_mark(line: str) -> str:
    """Return *line* without its bullet or number."""
    marked = _MARK.match(line[:MAX_LOOKED_AT])
    return line[marked.end() :] if marked else line


def _sentences(lines: list[str]) -> list[str]:
    """The *lines* without their marks and those of bold type; a word alone, such as “none”, states
    nothing.
    """
    said = [without_mark(line).replace("**", "").strip() for line in lines]
    return [line for line in said if " " in line or not line.isascii()]
