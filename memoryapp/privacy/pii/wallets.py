"""Detects keys of wallets: private keys by check digits, recovery phrases by their words."""

import hashlib
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from mnemonic import Mnemonic

from memoryapp.privacy.pii.normalisation import Span

_BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
#: Bitcoin's wallet import format, and the extended private keys of BIP-32.
_PRIVATE_KEY = re.compile(
    r"(?<![A-Za-z0-9])(?:[5KL9c][1-9A-HJ-NP-Za-km-z]{50,51}|[xyztuv]prv[1-9A-HJ-NP-Za-km-z]{107,108})"
    r"(?![A-Za-z0-9])"
)
#: Nostr's, in Bech32.
_BECH32_KEY = re.compile(r"(?<![a-z0-9])nsec1[02-9ac-hj-np-z]{58}(?![a-z0-9])")

#: The languages of BIP-39 that write with spaces and in letters.
_LANGUAGES = ("english", "spanish", "french", "italian", "portuguese", "czech", "turkish")
#: The fewest words of a recovery phrase. Prose has not half as many of the list in a row.
MIN_PHRASE_WORDS = 12
_WORD = re.compile(r"[^\W\d_]{1,30}")
#: Between two words: a space, a comma, a line with a number.
_BETWEEN = re.compile(r"[\s\d.,;:)|-]{1,8}")


def private_keys(text: str) -> Iterable[Span]:
    """Private keys, by their form and check digits."""
    for match in _PRIVATE_KEY.finditer(text):
        if _checks(match[0]):
            yield match.span()
    for match in _BECH32_KEY.finditer(text):
        yield match.span()


def recovery_phrases(text: str) -> Iterable[Span]:
    """Twelve or more words of BIP-39 in a row, in one language."""
    # Of twelve words in a row, one is the last of a dozen.
    last_of_dozens = _WORD.findall(text)[MIN_PHRASE_WORDS - 1 :: MIN_PHRASE_WORDS]
    if not any(word.lower() in _languages() for word in last_of_dozens):
        return
    words = list(_WORD.finditer(text))
    languages = [_languages().get(word[0].lower(), frozenset()) for word in words]
    begun: dict[str, int] = {}
    for number, word in enumerate(words):
        here = languages[number]
        if not here and not begun:
            continue
        before = words[number - 1].end() if number else 0
        joined = bool(here and begun and _BETWEEN.fullmatch(text, before, word.start()))
        kept = {name: first for name, first in begun.items() if joined and name in here}
        ended = [first for name, first in begun.items() if name not in kept]
        yield from _phrase(words, min(ended, default=number), number)
        begun = {name: kept.get(name, number) for name in here}
    yield from _phrase(words, min(begun.values(), default=len(words)), len(words))


def _phrase(words: Sequence[re.Match[str]], first: int, end: int) -> Iterator[Span]:
    if end - first >= MIN_PHRASE_WORDS:
        yield words[first].start(), words[end - 1].end()


@cache
def _languages() -> dict[str, frozenset[str]]:
    """The languages of each word of BIP-39."""
    found: dict[str, set[str]] = defaultdict(set)
    for name in _LANGUAGES:
        for word in Mnemonic(name).wordlist:
            found[unicodedata.normalize("NFC", word)].add(name)
    # Words of the same languages share one set: it is larger than its word.
    sets: dict[frozenset[str], frozenset[str]] = {}
    languages = {}
    for word, names in found.items():
        combination = frozenset(names)
        languages[word] = sets.setdefault(combination, combination)
    return languages


def _checks(key: str) -> bool:
    """True if the last four bytes are the checksum of the others (Base58Check)."""
    number = 0
    for character in key:
        number = number * 58 + _BASE58.index(character)
    raw = number.to_bytes((number.bit_length() + 7) // 8, "big")
    digest = hashlib.sha256(hashlib.sha256(raw[:-4]).digest()).digest()
    return raw[-4:] == digest[:4]
