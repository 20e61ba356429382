"""A text as the detectors see it: in plain characters, with what was found taken out."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

#: From here to there, the end exclusive.
Span = tuple[int, int]

#: Stands for one thing that was found. A character that no text has a use for.
MARK = "\ue000"

_QUOTES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"'})


class Masked:
    """A text in which each thing found is a single mark, whatever its length.

    So a text cleaned before looks just as it did when it had been cleaned, and nothing more is
    found in it. Digits and punctuation of other scripts become those of ASCII, and characters
    that are not to be seen are left out; ``mask`` gives the places in the text as it came.
    """

    def __init__(self, text: str, placeholders: Sequence[str]) -> None:
        self.text = ""
        #: Where each character came from: first and behind the last.
        self._places: list[Span] = []
        seen: list[str] = []
        done = 0
        for found in re.finditer("|".join(map(re.escape, placeholders)) or "(?!)", text):
            self._read(text, done, found.start(), seen)
            seen.append(MARK)
            self._places.append(found.span())
            done = found.end()
        self._read(text, done, len(text), seen)
        self.text = "".join(seen)

    def _read(self, text: str, start: int, end: int, seen: list[str]) -> None:
        for place in range(start, end):
            plain = _plain(text[place])
            if plain:
                seen.append(plain)
                self._places.append((place, place + 1))

    def mask(self, spans: Iterable[Span]) -> list[Span]:
        """Take out *spans* of the text as it is now; return where they stood in the text as it
        came. What overlaps with what was found before stays.
        """
        found: list[Span] = []
        seen: list[str] = []
        places: list[Span] = []
        done = 0
        for start, end in sorted(spans):
            if start < done or start >= end or MARK in self.text[start:end]:
                continue
            origin = (self._places[start][0], self._places[end - 1][1])
            seen += [self.text[done:start], MARK]
            places += [*self._places[done:start], origin]
            found.append(origin)
            done = end
        if found:
            self.text = "".join([*seen, self.text[done:]])
            self._places = [*places, *self._places[done:]]
        return found


def plain(text: str) -> str:
    """*text* in the characters in which the detectors see it, small."""
    return Masked(text, []).text.casefold()


def occurrences(word: str, text: str) -> Iterator[Span]:
    """Where *text* holds *word*, and not as a part of a longer one, in any case."""
    for found in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE):
        yield found.span()


def _plain(character: str) -> str:
    if character < "\x7f":
        return character
    if character == MARK:
        return " "
    kind = unicodedata.category(character)
    if kind == "Cf":
        return ""
    if kind == "Nd":
        return str(unicodedata.digit(character))
    if kind == "Zs":
        return " "
    if kind == "Pd" or character == "−":
        return "-"
    usual = unicodedata.normalize("NFKC", character.translate(_QUOTES))
    return usual if len(usual) == 1 else character
