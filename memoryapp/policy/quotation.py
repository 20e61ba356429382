"""Finds what a message quotes: text that its author has not said, but shows. Pure.

Quoted are what others say in a pasted chat or behind a colon (see `policy.speech`), lines behind
">", fenced blocks, tagged documents, long passages in quotation marks, mails with their headers,
what follows an introduction such as "Summarise this article:", and in long messages the paragraphs
that nobody speaks in. Marks around the whole of a message quote nothing: some clients send each
message so. Takes time linear in the length of the message.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memoryapp.policy.speech import spans_of_others

#: Characters of a line that are looked at; the rest has no header and no introduction.
MAX_LINE_CHARACTERS = 400
#: Characters from which a passage in quotation marks is quoted, and at most.
MIN_PASSAGE, MAX_PASSAGE = 40, 5_000
#: Characters of blank lines between "Ana wrote:" and the marks before what she wrote.
MAX_GAP = 20
#: Characters of what follows an introduction.
MIN_INTRODUCED = 30
#: Characters of a message from which paragraphs without a speaker are taken for a pasted page.
LONG_MESSAGE = 1_500

_FENCE = re.compile(r" {0,3}(?:```|~~~)")
_TAG_OPENS = re.compile(
    r"\s{0,8}<(document|documents|attachment|file|page|webpage|article|email|mail|source|context|"
    r"content|quote|blockquote|result|html|body|pre)\b",
    re.IGNORECASE,
)
_HEADER = re.compile(
    r"\s{0,4}(?:from|to|cc|sent|date|subject|received date|email_from|content|von|an|gesendet|"
    r"datum|betreff|da|a|inviato|data|oggetto|de|para|enviado|fecha|asunto|à|envoyé|objet)"
    r"\s?:\s{0,3}\S",
    re.IGNORECASE,
)
_FORWARDED = re.compile(
    r"[\s\-_*>]{0,40}(?:original message|forwarded message|begin forwarded message|"
    r"ursprüngliche nachricht|weitergeleitete nachricht|messaggio originale|mensaje original|"
    r"message d'origine|message transféré)",
    re.IGNORECASE,
)
_WROTE = re.compile(
    r"(?:on|am|il|el|le) [^\n]{4,200} (?:wrote|schrieb|ha scritto|escribió|a écrit)\s?:?\s{0,4}$",
    re.IGNORECASE,
)
#: What is shown: a kind of text, or what is to be done with it.
_INTRODUCTION = re.compile(
    r"\b(?:e-?mail|mail|article|web ?page|page|website|document|letter|text|transcript|post|file|"
    r"contract|log|output|snippet|passage|excerpt|review|newsletter|result|attachment|pdf|"
    r"summari[sz]e|translate|proofread|rephrase|"
    r"artikel|seite|dokument|brief|nachricht|anhang|auszug|übersetze|fasse|"
    r"articolo|pagina|documento|lettera|testo|traduci|riassumi|"
    r"artículo|página|carta|texto|traduce|resume|"
    r"lettre|texte|traduis|résume)\w{0,3}\b",
    re.IGNORECASE,
)
#: Words with which people speak of themselves.
_OF_ONESELF = re.compile(
    r"(?<!\w)(?:i|i'm|i've|my|me|mine|we|our|us|ich|mir|mich|mein\w{0,2}|wir|uns\w{0,4}|io|mi|mio|"
    r"mia|miei|mie|noi|yo|mis|nosotros|je|j'\w{1,20}|moi|mon|ma|mes|nous|notre)(?!\w)",
    re.IGNORECASE,
)
_MARKS = {"“": "”", "„": "“", "«": "»", '"': '"'}
#: The marks that stand around a whole message; one that opens may be closed in several ways.
_ENCLOSING = {
    '"': '"',
    "'": "'",
    "“": "”",
    "„": "“”",
    "«": "»",
    "»": "«",
    "‘": "’",
    "‚": "‘’",
    "‹": "›",
    "›": "‹",
    "「": "」",
    "『": "』",
}
#: The marks before a line of a list, a heading or a quotation.
_LINE_MARKS = re.compile(r"(?:[-*+>#•–]+\s+|\d{1,3}[.)]\s+)+")
#: The marks other than quotation marks that set off a whole message.
_AROUND = (("(", ")"), ("[", "]"), ("**", "**"), ("__", "__"), ("*", "*"), ("_", "_"), ("`", "`"))


def unenclosed(text: str) -> str:
    """Return the message *text* without one pair of quotation marks around the whole of it."""
    start, end = _enclosed(text)
    return text[start:end] if end - start < len(text) else text


def unmarked(text: str) -> str:
    """Return the message *text*, a line, without the marks that set off the whole of it: those of a
    list, a heading or a quotation before it, and brackets, asterisks or the like around it.
    """
    text = text.strip()
    bare = text[match.end() :] if (match := _LINE_MARKS.match(text)) else text
    for start, end in _AROUND:
        inside = bare[len(start) : -len(end)]
        encloses = bare.startswith(start) and bare.endswith(end)
        if encloses and start not in inside and end not in inside:
            bare = inside
    return unmarked(bare) if bare and bare != text else text


def own_words(text: str, author: str = "") -> str:
    """Return *text*, by an *author* of that name, without what it quotes."""
    text = unenclosed(text)
    return _without(text, quoted_spans(text, author))


def quoted_words(text: str, author: str = "") -> str:
    """Return only what *text* quotes."""
    return "\n".join(text[start:end] for start, end in quoted_spans(text, author)).strip()


def quoted_spans(text: str, author: str = "") -> list[tuple[int, int]]:
    """Return where *text*, by an *author* of that name, quotes: in order, as (start, end)."""
    offset, end = _enclosed(text)
    text = text[offset:end]
    spans = list(_blocks(text))
    if len(text) >= LONG_MESSAGE:
        spans += _paragraphs_of_nobody(text)
    spans += _passages(text)
    spans += spans_of_others(text, author)
    return [(offset + start, offset + end) for start, end in _joined(spans)]


def _enclosed(text: str) -> tuple[int, int]:
    """Return where the words between the marks around all of *text* begin and end; without such
    marks, the whole text.
    """
    start, end = len(text) - len(text.lstrip()), len(text.rstrip()) - 1
    if end <= start or text[end] not in _ENCLOSING.get(text[start], ""):
        return 0, len(text)
    opening, closing = text[start], text[end]
    depth = 1
    for at in range(start + 1, end):
        character = text[at]
        # Not an apostrophe.
        if text[at - 1].isalnum() and text[at + 1].isalnum():
            continue
        if character == closing:
            depth -= 1
        elif character == opening:
            depth += 1
        if not depth:
            return 0, len(text)  # Several passages.
    return (start + 1, end) if depth == 1 else (0, len(text))


def _lines(text: str) -> Iterator[tuple[int, int, str]]:
    """The lines of *text* with where they begin and end; the text is cut."""
    start = 0
    for line in text.splitlines(keepends=True):
        yield start, start + len(line), line[:MAX_LINE_CHARACTERS].rstrip("\r\n")
        start += len(line)


@dataclass(frozen=True)
class _Block:
    """A fence or a tagged document that was opened."""

    start: int
    #: The tag that ends it, in small letters; empty for a fence.
    closing: str = ""

    @classmethod
    def opened_by(cls, line: str, start: int) -> "_Block | None":
        if _FENCE.match(line):
            return cls(start)
        if opened := _TAG_OPENS.match(line):
            return cls(start, f"</{opened[1].lower()}")
        return None

    def is_closed_by(self, line: str) -> bool:
        return self.closing in line.lower() if self.closing else bool(_FENCE.match(line))


class _Rest:
    """Finds the place from which on all of *text* is quoted, line by line."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._first_header: int | None = None

    def begins(self, start: int, end: int, line: str) -> int | None:
        """Return that place if *line* tells it; None if the author still speaks behind it."""
        if _FORWARDED.match(line) or _WROTE.match(line):
            return start
        if _HEADER.match(line):
            follows = self._first_header is not None
            self._first_header = start if self._first_header is None else self._first_header
            return self._first_header if follows or "|content:" in line.lower() else None
        if not line.strip():
            return None
        self._first_header = None
        if _introduces(line) and len(self._text) - end >= MIN_INTRODUCED:
            return end
        at = _introduced_at(line)
        return start + at if at and end - start - at >= MIN_INTRODUCED else None


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """The spans that whole lines begin."""
    block: _Block | None = None
    rest = _Rest(text)
    for start, end, line in _lines(text):
        if block is not None:
            if block.is_closed_by(line):
                yield block.start, end
                block = None
        elif (opened := _Block.opened_by(line, start)) is not None:
            if opened.closing and opened.is_closed_by(line):
                yield start, end
            else:
                block = opened
        elif line.lstrip().startswith(">") or _is_before_marks(line, text[end : end + MAX_GAP]):
            yield start, end
        elif (quoted := rest.begins(start, end, line)) is not None:
            yield quoted, len(text)
            return
    if block is not None:
        yield block.start, len(text)


def _is_before_marks(line: str, behind: str) -> bool:
    """True if *line* is as "Ana wrote:", and what was written stands behind marks."""
    return bool(_WROTE.match(line)) and behind.lstrip().startswith(">")


def _introduces(line: str) -> bool:
    return line.rstrip().endswith(":") and bool(_INTRODUCTION.search(line))


def _introduced_at(line: str) -> int:
    """Where the text begins that the same *line* introduces; 0 if it introduces none."""
    colon = line.find(":")
    return colon + 1 if 0 < colon < 120 and _INTRODUCTION.search(line[:colon]) else 0


def _paragraphs_of_nobody(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for end in [*(found.end() for found in re.finditer(r"\n[ \t]{0,20}\n", text)), len(text)]:
        paragraph = text[start:end]
        if paragraph.strip() and not _OF_ONESELF.search(paragraph):
            yield start, end
        start = end


def _passages(text: str) -> Iterator[tuple[int, int]]:
    """Long passages in quotation marks."""
    opened_at, closing = -1, ""
    for at, character in enumerate(text):
        if opened_at >= 0 and (character == closing or at - opened_at > MAX_PASSAGE):
            if character == closing and at - opened_at > MIN_PASSAGE:
                yield opened_at, at + 1
            opened_at = -1
        elif (
            opened_at < 0
            and character in _MARKS
            # An inch sign, or the end of something, opens nothing.
            and (character != '"' or at == 0 or not text[at - 1].isalnum())
        ):
            opened_at, closing = at, _MARKS[character]


def _joined(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _without(text: str, spans: Sequence[tuple[int, int]]) -> str:
    parts, at = [], 0
    for start, end in spans:
        parts.append(text[at:start])
        at = end
    return "\n".join([*parts, text[at:]]).strip()
