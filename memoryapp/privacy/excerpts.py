"""Excerpts: the part of a text that shares the most words with a question. Pure."""

import re
from collections import Counter
from collections.abc import Iterable

from conversations.scripts import HAN, HAN_COMPATIBILITY, KANA, LAO, THAI
from memoryapp.language.shortening import ELLIPSIS
from memoryapp.language.words import is_function_word

#: Letters that are compared: "paints" finds "painting", in any language.
_STEM = 4
_WORD = re.compile(r"\w+")
#: Scripts without spaces, which are compared by pairs of letters.
_UNSPACED = re.compile(f"[{THAI}{LAO}{KANA}{HAN}{HAN_COMPATIBILITY}]+")
#: Letters of the longest ending by which two forms of a word differ.
_ENDING = 4
_CONSONANTS = frozenset("bcdfghjklmnpqrstvwxz")
#: Shorter words are ignored in scripts with spaces.
_MIN_WORD_CHARACTERS = 3


#: The end of a sentence: a mark and a space, or a full stop of scripts without spaces.
_SENTENCE_END = re.compile(r"(?<=[.!?…])\s|(?<=[。！？])")


def split_sentences(text: str) -> list[str]:
    """Split *text* into its sentences, without the spaces between them."""
    return [part.strip() for part in _SENTENCE_END.split(text) if part.strip()]


def first_sentence(text: str) -> str:
    """Return the first sentence of *text*, which has its details where it is shown in full."""
    return next(iter(split_sentences(text)), "")


def excerpt(text: str, question: str, most: int) -> str:
    """Return at most *most* characters of *text*: the part with most of the rarer words of
    *question*, or else the beginning. An ellipsis marks what is left out at either end.
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
    """The number of words of *question* that *text* contains."""
    return len(set(_terms(text)) & set(_terms(question)))


def shared_words(text: str, question: str) -> list[str]:
    """The content words of *question* that *text* contains, in their order and as they are written
    there. Inflected words count as the same: "cooks" contains "cook".
    """
    own = {word.casefold() for word in _WORD.findall(text)}
    found = []
    for word in dict.fromkeys(_WORD.findall(question)):
        folded = word.casefold()
        if _UNSPACED.search(word):
            found += _common_runs(word, text)
        elif len(folded) < _MIN_WORD_CHARACTERS and not folded.isdigit():
            continue
        elif not is_function_word(folded) and any(
            _is_inflection(folded, each, named=word[0].isupper()) for each in own
        ):
            found.append(word)
    return list(dict.fromkeys(found))


def _common_runs(word: str, text: str) -> list[str]:
    """The longest parts of *word*, in a script without spaces, that *text* contains."""
    runs, start = [], 0
    while start < len(word) - 1:
        end = start + 2
        if word[start:end] not in text:
            start += 1
            continue
        while end < len(word) and word[start : end + 1] in text:
            end += 1
        runs.append(word[start:end])
        start = end
    return runs


def _is_inflection(first: str, second: str, *, named: bool) -> bool:
    """True if two words differ by their endings at most. One that is *named*, with a capital,
    only gets an ending: "Anas" is of Ana, and Maria is not Mario.
    """
    shorter, longer = sorted((len(first), len(second)))
    pairs = enumerate(zip(first, second, strict=False))
    alike = next((n for n, (one, other) in pairs if one != other), shorter)
    if first.isdigit() or second.isdigit():
        return first == second
    endings = (first[alike:], second[alike:])
    if all(endings) and (named or any(ending[0] in _CONSONANTS for ending in endings)):
        # "march" and "mara": an ending that takes the place of another begins with a vowel.
        return False
    return alike >= max(_MIN_WORD_CHARACTERS, shorter - 1) and longer - alike <= _ENDING


def _best_start(text: str, question: str, room: int) -> int:
    """The start of the part with *room* characters that has most of the wanted words."""
    wanted = set(_terms(question))
    places = [(at, term) for at, term in _placed(text) if term in wanted]
    if not places:
        return 0
    often = Counter(term for _, term in places)
    best, best_worth, first = places[0][0], 0.0, 0
    inside: Counter[str] = Counter()
    worth = 0.0
    # A sliding window: each match is added and removed once.
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
    # With a little text before the first match.
    return max(0, best - room // 8)


def _terms(text: str) -> Iterable[str]:
    return (term for _, term in _placed(text))


def _placed(text: str) -> Iterable[tuple[int, str]]:
    """The words of *text* in the form in which they are compared, with their positions."""
    for word in _WORD.finditer(text):
        if _UNSPACED.search(word[0]):
            for run in _UNSPACED.finditer(word[0]):
                letters, at = run[0], word.start() + run.start()
                pairs = range(max(1, len(letters) - 1))
                yield from ((at + i, letters[i : i + 2]) for i in pairs)
        elif len(word[0]) >= _MIN_WORD_CHARACTERS or word[0].isdigit():
            yield word.start(), word[0].casefold()[:_STEM]


def _at_words(text: str, start: int, end: int) -> tuple[int, int]:
    """Move both ends inwards to word boundaries that are near."""
    if start > 0 and (space := re.compile(r"\s").search(text, start - 1, start + 30)):
        start = space.end()
    if end < len(text):
        space_at = max(text.rfind(" ", end - 30, end + 1), text.rfind("\n", end - 30, end + 1))
        if space_at > start:
            end = space_at
    return start, end
