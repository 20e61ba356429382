"""A text as the detectors see it: normalised, with findings masked."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

#: Start and end (exclusive).
Span = tuple[int, int]

#: Stands for one finding: a private-use character.
MARK = "\ue000"

_QUOTES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"'})


class Masked:
    """A text in which each finding is a single mark, whatever its length.

    A redacted text therefore looks the same when it is examined again. Digits and punctuation of
    other scripts become those of ASCII, and invisible characters are left out; ``mask`` returns
    places in the original text.
    """

    def __init__(self, text: str, placeholders: Sequence[str]) -> None:
        self.text = ""
        #: The place of each character in the original text.
        self._places: list[Span] = []
        seen: list[str] = []
        done = 0
        for match in re.finditer("|".join(map(re.escape, placeholders)) or "(?!)", text):
            self._read(text, done, match.start(), seen)
            seen.append(MARK)
            self._places.append(match.span())
            done = match.end()
        self._read(text, done, len(text), seen)
        self.text = "".join(seen)

    def _read(self, text: str, start: int, end: int, seen: list[str]) -> None:
        for place in range(start, end):
            plain = _plain(text[place])
            if plain:
                seen.append(plain)
                self._places.append((place, place + 1))

    def mask(self, spans: Iterable[Span]) -> list[Span]:
        """Mask *spans* of the text as it is now; return their places in the original text. Spans
        that overlap with a mask are ignored.
        """
        origins: list[Span] = []
        seen: list[str] = []
        places: list[Span] = []
        done = 0
        for start, end in sorted(spans):
            if start < done or start >= end or MARK in self.text[start:end]:
                continue
            origin = (self._places[start][0], self._places[end - 1][1])
            seen += [self.text[done:start], MARK]
            places += [*self._places[done:start], origin]
            origins.append(origin)
            done = end
        if origins:
            self.text = "".join([*seen, self.text[done:]])
            self._places = [*places, *self._places[done:]]
        return origins


def plain(text: str) -> str:
    """*text* as the detectors see it, in lower case."""
    return Masked(text, []).text.casefold()


def occurrences(word: str, text: str) -> Iterator[Span]:
    """The places of *word* in *text* as a whole word, in upper or lower case."""
    for match in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE):
        yield match.span()


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
