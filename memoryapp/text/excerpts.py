"""Which part of a text has to do with a question, by their words. Pure."""

import re
from collections import Counter
from collections.abc import Iterable

from memoryapp.text.scripts import HAN, HAN_COMPATIBILITY, KANA, LAO, THAI
from memoryapp.text.shortening import ELLIPSIS

#: Letters by which words are compared: "painting" is found by "paints", without knowing a language.
_STEM = 4
_WORD = re.compile(r"\w+")
#: Scripts that put no spaces between words: pairs of their letters are looked for.
_UNSPACED = re.compile(f"[{THAI}{LAO}{KANA}{HAN}{HAN_COMPATIBILITY}]+")
#: Too short to tell anything, in scripts with spaces.
_MIN_WORD_CHARACTERS = 3


def excerpt(text: str, question: str, most: int) -> str:
    """Return at most *most* characters of *text*: the part in which most of the rarer words of
    *question* stand, or the beginning where none does.

    What is left out at an end is shown by an ellipsis, and no word is cut that need not be.
    """
    if len(text) <= most:
        return text
    room = most - 2 * (len(ELLIPSIS) + 1)
    if room <= 0:
        return ""
    start = _best_start(text, question, room)
    end = min(len(text), start + room)
    start = max(0, end - room)
    start, end = _at_words(text, start, end)
    before = f"{ELLIPSIS} " if start > 0 else ""
    behind = f" {ELLIPSIS}" if end < len(text) else ""
    return f"{before}{text[start:end].strip()}{behind}"


def shared(text: str, question: str) -> int:
    """How many of the words of *question* stand in *text*, as they are compared here."""
    return len(set(_terms(text)) & set(_terms(question)))


def _best_start(text: str, question: str, room: int) -> int:
    """Where the part of so many characters begins that holds most of what was asked for."""
    wanted = set(_terms(question))
    places = [(at, term) for at, term in _placed(text) if term in wanted]
    if not places:
        return 0
    often = Counter(term for _, term in places)
    best, best_worth, first = places[0][0], 0.0, 0
    inside: Counter[str] = Counter()
    worth = 0.0
    # A window that slides from one found word to the next: each is added and taken out once.
    for at, term in places:
        if not inside[term]:
            worth += 1 / often[term]
        inside[term] += 1
        while at - places[first][0] > room * 0.8:
            left = places[first][1]
            inside[left] -= 1
            if not inside[left]:
                worth -= 1 / often[left]
            first += 1
        if worth > best_worth + 1e-9:
            best, best_worth = places[first][0], worth
    # A little of what leads to it.
    return max(0, best - room // 8)


def _terms(text: str) -> Iterable[str]:
    return (term for _, term in _placed(text))


def _placed(text: str) -> Iterable[tuple[int, str]]:
    """The words of *text* with where they begin, as they are compared."""
    for word in _WORD.finditer(text):
        if _UNSPACED.search(word[0]):
            for run in _UNSPACED.finditer(word[0]):
                letters, at = run[0], word.start() + run.start()
                pairs = range(max(1, len(letters) - 1))
                yield from ((at + i, letters[i : i + 2]) for i in pairs)
        elif len(word[0]) >= _MIN_WORD_CHARACTERS or word[0].isdigit():
            yield word.start(), word[0].casefold()[:_STEM]


def _at_words(text: str, start: int, end: int) -> tuple[int, int]:
    """Move both ends inwards to where words begin and end, if that is near."""
    if start > 0 and (space := re.compile(r"\s").search(text, start - 1, start + 30)):
        start = space.end()
    if end < len(text):
        space_at = max(text.rfind(" ", end - 30, end + 1), text.rfind("\n", end - 30, end + 1))
        if space_at > start:
            end = space_at
    return start, end
