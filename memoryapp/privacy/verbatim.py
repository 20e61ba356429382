"""Masks what is stored word for word: placeholders stand for the secrets in it. Pure.

To look for secrets takes a second for half a million characters, and lists show the same texts
again and again: the places of secrets, never the secrets, are remembered by a digest of the text.
"""

import hashlib
import re
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from threading import Lock
from typing import Any, NamedTuple

from memoryapp.language.shortening import ELLIPSIS
from memoryapp.privacy.pii import PIIKind, PIIMode, examine, says_more

#: Stands for a sentence that announces a secret and does not show where it is.
UNCLEAR = "[REDACTED:SECRET]"
#: Everything that may stand for a secret.
PLACEHOLDERS = frozenset({UNCLEAR, *(kind.placeholder for kind in PIIKind)})

SENTENCE = re.compile(r"[^.!?。！？\n]*[.!?。！？\n]*")

#: Characters behind the beginning of a text that are read with it: they may show what is secret.
MARGIN = 4_000
#: Places of secrets, and texts without any, that are remembered.
_MAX_REMEMBERED = 50_000
#: A word of ASCII at the end, of which the rest may be missing: secrets are such words.
_LAST_WORD = re.compile(r"(?<![!-~])[!-~]+\Z")


class Mask(NamedTuple):
    """The characters of a text from start to end (exclusive) that a placeholder stands for."""

    start: int
    end: int
    placeholder: str


class Secrets(NamedTuple):
    """Secrets in a text."""

    masks: tuple[Mask, ...]
    #: True if it announces a secret and does not show where that is.
    is_unclear: bool


def masked(text: str, policy: str, *, unclear: str = UNCLEAR) -> str:
    """*text* with placeholders for what is secret, unless the *policy* of its instance is off.

    Where it is not clear which part of a sentence is secret, *unclear* stands for the sentence.
    """
    if policy == PIIMode.OFF or not text:
        return text
    return _with_placeholders(text, _secrets(text).masks, len(text), unclear)


def masked_beginning(text: str, most: int, policy: str) -> str:
    """The first *most* characters of *text*, masked, with an ellipsis if it has more.

    The time depends on *most*, not on the length of *text*.
    """
    if len(text) <= most:
        return masked(text, policy)
    end = max(0, most - len(ELLIPSIS))
    if policy == PIIMode.OFF:
        return text[:end].rstrip() + ELLIPSIS
    read = text[: most + MARGIN]
    if len(read) < len(text):
        read = _LAST_WORD.sub("", read)
    shown = _with_placeholders(read, _secrets(read).masks, end, UNCLEAR)
    return shown.rstrip() + ELLIPSIS


def tellable(text: str, policy: str) -> str:
    """*text* as a model may be told it by the *policy*; empty if that refuses it, if it is not
    clear what is secret in it, or if nothing is left.
    """
    if policy == PIIMode.OFF or not text:
        return text
    masks, is_unclear = _secrets(text)
    if is_unclear or (masks and policy == PIIMode.REJECT):
        return ""
    shown = _with_placeholders(text, masks, len(text), UNCLEAR)
    return "" if masks and not says_more(shown) else shown


def masked_within(value: Any, policy: str) -> Any:
    """Mask each text in a JSON value; names and numbers stay."""
    if isinstance(value, str):
        return masked(value, policy)
    if isinstance(value, list):
        return [masked_within(item, policy) for item in value]
    if isinstance(value, dict):
        return {name: masked_within(item, policy) for name, item in value.items()}
    return value


def _with_placeholders(text: str, masks: Sequence[Mask], end: int, unclear: str) -> str:
    """*text* up to *end*, with placeholders; one that reaches beyond it stands there whole."""
    pieces, done = [], 0
    for mask in masks:
        if mask.start >= end:
            break
        placeholder = unclear if mask.placeholder == UNCLEAR else mask.placeholder
        pieces += [text[done : mask.start], placeholder]
        done = mask.end
    return "".join([*pieces, text[done:end]]) if pieces else text[:end]


def _found(text: str) -> Secrets:
    examined = examine(text)
    if examined.refusal:
        return Secrets(tuple(_masks_of_sentences(text)), is_unclear=True)
    masks = (Mask(each.start, each.end, each.kind.placeholder) for each in examined.findings)
    return Secrets(tuple(masks), is_unclear=False)


def _masks_of_sentences(text: str) -> Iterator[Mask]:
    for sentence in SENTENCE.finditer(text):
        start, end = sentence.span()
        examined = examine(sentence[0])
        if examined.refusal:
            yield Mask(start, end - sentence[0].endswith(" "), UNCLEAR)
            continue
        for each in examined.findings:
            yield Mask(start + each.start, start + each.end, each.kind.placeholder)


class _Remembered:
    """The secrets of the texts that were read last, by digests of the texts."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._size = 0
        self._known: OrderedDict[bytes, Secrets] = OrderedDict()
        self._lock = Lock()

    def __call__(self, text: str) -> Secrets:
        digest = hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=16).digest()
        with self._lock:
            if (known := self._known.get(digest)) is not None:
                self._known.move_to_end(digest)
                return known
        found = _found(text)
        with self._lock:
            if digest not in self._known:
                self._known[digest] = found
                self._size += 1 + len(found.masks)
            while self._size > self._most and len(self._known) > 1:
                self._size -= 1 + len(self._known.popitem(last=False)[1].masks)
        return found


_secrets = _Remembered(_MAX_REMEMBERED)
