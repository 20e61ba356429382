"""Splits what assistants write about a person into statements. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memoryapp.language.written_lists import MAX_LOOKED_AT, without_mark
from memoryapp.privacy.excerpts import split_sentences

#: Characters of a paragraph that stays one statement.
MAX_PARAGRAPH = 600
_DATE = re.compile(r"\[(\d{4}-\d{2}-\d{2})\]\s?[.:\-–—]?\s*")
_ITEM = re.compile(r"^\d{1,4}\. (?=\[\d{4}-\d{2}-\d{2}\])", re.MULTILINE)
_HEADING = re.compile(r"(?:#{1,6}\s+(?P<title>\S.*)|\*\*(?P<bold>[^*]+)\*\*:?)\s*")


@dataclass(frozen=True)
class Written:
    """A statement, with the day on which it was written, in ISO 8601, and its heading, if any."""

    text: str
    day: str = ""
    heading: str = ""


def items(text: str) -> Iterator[Written]:
    """Yield the items of a list: ``1. [2024-05-01]. Keeps bees.``, or else one on each line."""
    dated = _ITEM.split(text)
    for item in dated if len(dated) > 1 else text.splitlines():
        if found := item_of(item):
            yield found


def item_of(line: str) -> Written | None:
    """Return the item on *line*, without its bullet or number; None if it holds nothing."""
    rest = without_mark(line).strip()
    dated = _DATE.match(rest[:MAX_LOOKED_AT])
    said = rest[dated.end() :].strip() if dated else rest.strip()
    if not any(map(str.isalnum, said)):
        return None
    return Written(said, dated[1] if dated else "")


def paragraphs(markdown: str) -> Iterator[Written]:
    """Yield each paragraph and each item of a list in *markdown*, with the heading above it. A long
    paragraph is split between sentences.
    """
    heading = ""
    open_lines: list[str] = []

    def ended() -> Iterator[Written]:
        text = " ".join(open_lines)
        open_lines.clear()
        for part in _parts(text):
            yield Written(part, heading=heading)

    for line in markdown.splitlines():
        plain = line.strip()
        found = _HEADING.fullmatch(plain) if len(plain) <= MAX_LOOKED_AT else None
        unmarked = without_mark(line)
        if found or unmarked != line or not plain:
            yield from ended()
        if found:
            heading = (found["title"] or found["bold"]).strip(" *:")
        elif plain:
            open_lines.append(unmarked.strip())
    yield from ended()


def _parts(paragraph: str) -> Iterator[str]:
    """Yield *paragraph*, in parts of at most `MAX_PARAGRAPH` characters unless a sentence is
    longer.
    """
    part = ""
    for sentence in split_sentences(paragraph):
        if part and len(part) + len(sentence) >= MAX_PARAGRAPH:
            yield part
            part = ""
        part = f"{part} {sentence}".strip()
    if any(map(str.isalnum, part)):
        yield part
