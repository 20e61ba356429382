"""Finds the fiction in a message: "In my novel, I am a knight. I live in a castle." Pure.

A frame holds from the sentence that opens it to the one that leaves it ("back to reality"), or to
the end of the message. What stands in it says nothing about its author. Takes time linear in the
length of the message.
"""

import re
from collections.abc import Iterator

from memoryapp.language.vocabularies import VOCABULARIES
from memoryapp.policy.speaker_labels import talks

#: Characters of a sentence that are looked at.
MAX_SENTENCE_CHARACTERS = 300

_FICTION = [known.fiction for known in VOCABULARIES.values()]
_SENTENCE = re.compile(r"[.!?…][\"'”’»)\]*]{0,2}\s|[\r\n]")
#: Marks, greetings and links before the first word that counts.
_BEFORE = re.compile(
    rf"(?:[\s*_#>\"'“„«([¡¿•–—-]|(?:{'|'.join(each.before for each in _FICTION)})\b[,.!:]?\s)"
    r"{0,6}",
    re.IGNORECASE,
)
#: The heading of a part of a song or a book, alone on its line.
_HEADING = re.compile(
    rf"\W{{0,4}}(?:{'|'.join(each.headings for each in _FICTION)})\b"
    r"[\s.:]{0,3}[\divx]{0,4}\W{0,4}$",
    re.IGNORECASE,
)
_PAUSE = re.compile(r"\s?[,:：–—-]\s")
_COLON = re.compile(r"[:：](?!\d|//)")


def spans_of_fiction(text: str) -> Iterator[tuple[int, int]]:
    """The stretches of *text* that a frame of fiction holds, in order, as (start, end)."""
    opened_at = -1
    for start, end in _sentences(text):
        sentence = text[start : min(end, start + MAX_SENTENCE_CHARACTERS)].replace("’", "'")
        begin = _BEFORE.match(sentence)
        bare = sentence[begin.end() if begin else 0 :]
        if opened_at < 0:
            opened_at = start if _opens(sentence, bare) else -1
        elif left := next(filter(None, (each.leaves.match(bare) for each in _FICTION)), None):
            # "Back to reality: …"
            length = len(sentence) - len(bare) + left.end()
            behind = _PAUSE.match(sentence, length)
            yield opened_at, start + (behind.end() if behind else 0)
            opened_at = -1
    if opened_at >= 0:
        yield opened_at, len(text)


def without_fiction(text: str) -> str:
    """Return *text* without its fiction."""
    kept, at = list[str](), 0
    for start, end in spans_of_fiction(text):
        kept.append(text[at:start])
        at = end
    return "\n".join([*kept, text[at:]]).strip() if at else text


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for end in [*(found.end() for found in _SENTENCE.finditer(text)), len(text)]:
        if text[start:end].strip():
            yield start, end
        start = end


def marvels(sentence: str) -> bool:
    """True if *sentence* wonders at what was so: "Imagine my surprise!"."""
    return any(each.marvels.match(sentence) for each in _FICTION)


def _opens(sentence: str, bare: str) -> bool:
    if any(each.begins.match(bare) or each.tells.search(sentence) for each in _FICTION):
        return not marvels(bare)
    if _HEADING.fullmatch(sentence.strip()):
        return True
    colon = _COLON.search(sentence)
    if not colon or not any(each.works.search(sentence[: colon.start()]) for each in _FICTION):
        return False
    # "Favourite song: Yellow" names one.
    shown = sentence[colon.end() :]
    return not shown.strip() or talks(shown)
