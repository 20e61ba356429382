"""Keyed MinHash signatures, which compare texts without storing them.

The content words of a text are hashed with a key. Of each of many permutations of the hashes, one
byte of the minimum is stored (Broder 1997; Li and König 2010 for the single byte). The share of
equal bytes in two signatures estimates the share of common words. Names, which tell people apart,
are hashed one by one. Without the key, guessed words cannot be tested.
"""

import hashlib
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from conversations.scripts import HAN, KANA, THAI
from memoryapp.policy.fact_signature import fact_signature

#: Bytes of a signature, which estimates the share to about 0.04.
SIZE = 128
#: Bytes of the hash of a name.
NAME = 4
#: Letters that are compared: "allergic" and "allergy", "peanut" and "peanuts" are equal.
STEM = 5
#: Bytes that agree by chance.
CHANCE = 1 / 256

_PRIME = np.uint64(2**31 - 1)
#: A run of letters or of digits; a single character in scripts without spaces.
_WORD = re.compile(rf"[{KANA}{HAN}{THAI}]|\d+|[^\W\d_]+")
#: Of plurals, and of verbs in the third person.
_ENDING_S = re.compile(r"(?<=[^\W\d_]{3})(?<!s)s$")
#: Function words, which vary between wordings of a fact. Not those of `memoryapp.language`, which
#: may change: stored signatures are compared with new ones.
_LITTLE_WORDS = frozenset(
    "a an the this that these those he she it they i you we his her its their my your our him "
    "them me us who whom whose which what and or but nor so if as than then of in on at by for "
    "from to with into onto about over under out up off is are was were be been being am has have "
    "had having do does did done will would can could may might must shall should there here very "
    "really quite also just only still already now user users s t ve re d ll m der die das den "
    "dem des ein eine einen einem einer und oder in im an am auf bei mit nach von vom zu zum zur "
    "ist sind war waren hat haben hatte er sie es sein seine ihr ihre nutzer benutzer le la les "
    "un une des du de et ou dans sur avec pour par est sont a ont il elle son sa ses el los las "
    "una unos y o en con por para es son ha han su sus lo gli uno e nel nella con per da o os um "
    "uma no na em com foi het een van met voor".split()
)


@dataclass(frozen=True)
class Signature:
    """The signature of one text, or of several wordings of it."""

    #: `SIZE` bytes for each wording.
    words: bytes
    #: `NAME` bytes for each name.
    names: bytes

    def of_someone_else(self, other: "Signature") -> bool:
        """True if each names a person that the other does not."""
        ours, theirs = _split(self.names), _split(other.names)
        return bool(ours - theirs and theirs - ours)


def signature(texts: Iterable[str], key: bytes) -> Signature:
    """Return the signature of *texts*, the wordings of one fact, for *key*."""
    words, names = [], set[bytes]()
    for text in texts:
        words.append(_minima(stems(text), key))
        names |= {_hash(name, key, NAME) for name in fact_signature(text).names}
    return Signature(b"".join(words), b"".join(sorted(names)))


def likeness(one: Signature, other: Signature) -> float:
    """Estimate the share of common words (0 to 1) of the most similar two wordings of *one* and
    *other*; 0 if they are about different people.
    """
    if one.of_someone_else(other) or not (one.words and other.words):
        return 0.0
    ours = np.frombuffer(one.words, np.uint8).reshape(-1, 1, SIZE)
    theirs = np.frombuffer(other.words, np.uint8).reshape(1, -1, SIZE)
    agree = float((ours == theirs).mean(axis=2).max())
    return max(0.0, (agree - CHANCE) / (1 - CHANCE))


def _minima(words: set[str], key: bytes) -> bytes:
    if not words:
        return b""
    hashes = np.array(
        [int.from_bytes(_hash(word, key, 4)) for word in sorted(words)], dtype=np.uint64
    )
    factors, terms = _permutations()
    permuted = (factors[:, None] * (hashes % _PRIME)[None, :] + terms[:, None]) % _PRIME
    least: NDArray[np.uint8] = (permuted.min(axis=1) & np.uint64(0xFF)).astype(np.uint8)
    return least.tobytes()


def _hash(word: str, key: bytes, size: int) -> bytes:
    return hashlib.blake2b(word.encode(), key=key, digest_size=size).digest()


def _split(names: bytes) -> set[bytes]:
    return {names[at : at + NAME] for at in range(0, len(names), NAME)}


def content_words(text: str) -> list[str]:
    """Return the words of *text*, in lower case and without accents: all but the little ones, which
    vary between wordings of a fact, unless there are no others.
    """
    plain = unicodedata.normalize("NFKD", text.casefold())
    words = _WORD.findall("".join(c for c in plain if not unicodedata.combining(c)))
    return [word for word in words if word not in _LITTLE_WORDS] or words


def stems(text: str) -> set[str]:
    """Return the beginnings of the `content_words` of *text*, by which they are compared, without
    an ending -s: "live" and "lives" count as the same word.
    """
    return {_ENDING_S.sub("", word)[:STEM] for word in content_words(text)}


@cache
def _permutations() -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    # Must never change, since stored signatures are compared with new ones.
    drawn = np.frombuffer(hashlib.shake_256(b"keepsake likeness").digest(SIZE * 16), np.uint64)
    return drawn[:SIZE] % (_PRIME - np.uint64(1)) + np.uint64(1), drawn[SIZE:] % _PRIME
