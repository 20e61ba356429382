"""A text as the detectors see it: in plain spelling, with findings masked."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from memoryapp.privacy.pii.normalisation import MARK, PlainText, Span


class Masked:
    """A text in which each finding is a single `MARK`, whatever its length.

    A redacted text therefore looks the same when it is examined again. ``mask`` returns places in
    the original text.
    """

    def __init__(self, text: str, placeholders: Sequence[str]) -> None:
        self.text = ""
        self._original = text
        self._masked = list(_places(text, placeholders))
        self._starts: list[int] = []
        self._ends: list[int] = []
        self.read()

    def read(self) -> None:
        """Spell the text anew: what was masked since may have changed what stands beside it."""
        plain = PlainText()
        done = 0
        for start, end in sorted(self._masked):
            plain.read(self._original, done, start)
            plain.mark(start, end)
            done = end
        plain.read(self._original, done, len(self._original))
        self.text = plain.spelled()
        self._starts, self._ends = plain.starts, plain.ends

    def mask(self, spans: Iterable[Span]) -> list[Span]:
        """Mask *spans* of the text as it is now; return their places in the original text. Spans
        that overlap with a mask are ignored.
        """
        origins: list[Span] = []
        seen: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        done = 0
        for start, end in sorted(map(self._whole, spans)):
            if start < done or start >= end or MARK in self.text[start:end]:
                continue
            origin = (self._starts[start], self._ends[end - 1])
            seen += [self.text[done:start], MARK]
            starts += [*self._starts[done:start], origin[0]]
            ends += [*self._ends[done:start], origin[1]]
            origins.append(origin)
            done = end
        if origins:
            self.text = "".join([*seen, self.text[done:]])
            self._starts = starts + self._starts[done:]
            self._ends = ends + self._ends[done:]
            self._masked += origins
        return origins

    def _whole(self, span: Span) -> Span:
        """Extend *span* so that it divides no character of the original text."""
        start, end = span
        while 0 < start < len(self.text) and self._ends[start - 1] > self._starts[start]:
            start -= 1
        while 0 < end < len(self.text) and self._ends[end - 1] > self._starts[end]:
            end += 1
        return start, end


def _places(text: str, placeholders: Sequence[str]) -> Iterator[Span]:
    if any(placeholder in text for placeholder in placeholders):
        for match in re.finditer("|".join(map(re.escape, placeholders)), text):
            yield match.span()


def plain(text: str) -> str:
    """*text* as the detectors see it, in lower case."""
    return Masked(text, []).text.casefold()


def places_of(words: Iterable[str], text: str) -> Iterator[Span]:
    """The places of *words*, which are in lower case, in *text*, each as a whole word. In one pass
    over the text, however many words there are.
    """
    beginning_with: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
    for word in words:
        if first := _RUN.search(word):
            beginning_with[first[0]].append((first.start(), word))
    # Lower case of the same length: "İ" has two characters in lower case.
    lower = "".join(low if len(low := sign.lower()) == 1 else sign for sign in text)
    for run in _RUN.finditer(lower):
        for offset, word in beginning_with.get(run[0], ()):
            start = run.start() - offset
            end = start + len(word)
            beside = lower[max(0, start - 1) : max(0, start)] + lower[end : end + 1]
            if start >= 0 and lower.startswith(word, start) and not _RUN.search(beside):
                yield start, end


_RUN = re.compile(r"\w+")
