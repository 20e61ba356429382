"""Words of a sentence, their stems, and the small words of all languages. Pure."""

import re
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache

from conversations.scripts import HAN_COMPATIBILITY, UNSPACED
from memoryapp.language.denials import DENIALS
from memoryapp.language.vocabularies import ALL_FUNCTION_WORDS, FUNCTION_WORDS, JOINING, NARRATION

#: Characters of a text that are looked at.
MAX_TEXT = 20_000
#: Letters of a stem: "allergic" and "allergy", "counselling" and "counselor" have the same.
STEM = 5

_UNSPACED = UNSPACED + HAN_COMPATIBILITY
_MARKS = r"\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u0900-\u0963\u0970-\u0dff"
_LETTERS = rf"(?:[^\W\d_{_UNSPACED}]|[{_MARKS}])+"
_TOKEN = re.compile(
    rf"\d(?:[\d.,:/-]*\d)?|[{_UNSPACED}]|{_LETTERS}(?:'{_LETTERS})*|[.!?…。！？¿¡;:,\n\"“”«»()—]"
)
_ALIKE = str.maketrans({"’": "'", "ʼ": "'", "−": "-", "–": "-"})
_ENDS = frozenset(".!?…。！？¿¡;:\n")
_OPENING = _ENDS | frozenset('"“«')
_BREAKS = _ENDS | frozenset(',"“”«»()—')

#: Words that begin another clause without a comma.
_CONJUNCTIONS = JOINING.opposing | JOINING.giving_reasons

#: Words that only join others. Denials are no such words: they turn what is said round; and "won"
#: is one only as a part of "won't", which is whole here.
_LITTLE = (NARRATION.vague | ALL_FUNCTION_WORDS) - DENIALS - {"won"}

_ENDINGS = ("ings", "ing", "ies", "ers", "ed", "er", "es", "en", "ly", "s", "e", "y", "o", "a", "i")


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a text."""

    text: str
    #: In small letters, without what follows an apostrophe as in "Ana's".
    bare: str
    #: True if it begins a sentence, or a quotation.
    opens: bool
    #: The number of its clause within the text.
    clause: int

    @property
    def is_number(self) -> bool:
        return self.text[0].isdigit()

    @property
    def has_capital(self) -> bool:
        return self.text[0].isupper()

    @property
    def is_unspaced(self) -> bool:
        """True if it is one character of a script without spaces."""
        return bool(_ONE_CHARACTER.fullmatch(self.text))


#: Stands for a secret in what a model was shown, and may stand in what it proposes.
_PLACEHOLDER = re.compile(r"\[REDACTED:[A-Z_]{1,30}\]")
_ONE_CHARACTER = re.compile(rf"[{_UNSPACED}]")


def normalised(text: str) -> str:
    """*text*, cut, with one kind of apostrophe and hyphen, and without placeholders of secrets."""
    plain = unicodedata.normalize("NFKC", text[:MAX_TEXT]).translate(_ALIKE)
    return _PLACEHOLDER.sub(" ", plain).replace(" - ", " — ").replace("--", " — ")


def words_of(text: str) -> list[Token]:
    """The words and numbers of *text* in order."""
    words = []
    opens, clause = True, 0
    for found in _TOKEN.findall(normalised(text)):
        if not found[0].isalnum():
            opens = opens or found in _OPENING
            clause += found in _BREAKS
            continue
        clause += found in _CONJUNCTIONS
        words.append(Token(found, bare(found), opens, clause))
        opens = False
    return words


def bare(token: str) -> str:
    """*token* in small letters, without a possessive or a shortened verb, and without an elided
    article: "Ana's" and "l'Ana" are "ana". "don't" keeps what negates it, and "n'ai" is "ne".
    """
    folded = token.casefold()
    if "'" not in folded or folded.endswith("n't"):
        return folded
    first, _, rest = folded.partition("'")
    if len(first) <= 2 and len(rest) > 2:
        return rest
    return "ne" if first == "n" else first


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """The stem of a *word* in small letters: its first letters, with accents taken off."""
    word = NARRATION.forms.get(word, word)
    plain = "".join(c for c in unicodedata.normalize("NFKD", word) if not "\u0300" <= c <= "\u036f")
    for ending in _ENDINGS:
        if plain.endswith(ending) and len(plain) - len(ending) >= 3:
            if ending == "y" and plain[-2] in "aeou":
                break  # As "plays" has "play".
            plain = plain[: -len(ending)]
            if len(plain) > 3 and plain[-1] == plain[-2]:
                plain = plain[:-1]
            break
    return plain[:STEM]


def is_attitude(word: Token) -> bool:
    """True if *word* is a verb for what somebody says, thinks or feels."""
    forms = (word.bare, word.bare[:-1], word.bare[:-2], word.bare[:-1] + "e", word.bare + "e")
    return word.bare.endswith(("s", "ed")) and any(form in NARRATION.attitudes for form in forms)


def is_little(word: Token) -> bool:
    """True if *word* only joins others."""
    if word.is_unspaced:
        # Hiragana mostly holds endings and particles.
        return "\u3040" <= word.text <= "\u309f"
    return word.bare in _LITTLE or (len(word.bare) < 3 and not word.has_capital)


def is_small(word: Token) -> bool:
    """True if *word* says too little to tell one fact from another."""
    return (
        is_little(word) or word.bare in NARRATION.narration or stem(word.bare) in _narration_stems()
    )


@cache
def _narration_stems() -> frozenset[str]:
    return frozenset(stem(word) for word in NARRATION.narration if len(word) > 4)


def language_of(words: list[Token]) -> str:
    """The language of *words* by their small words; empty if they do not tell."""
    counts = {
        language: sum(word.bare in known for word in words)
        for language, known in FUNCTION_WORDS.items()
    }
    best, second = sorted(counts, key=lambda language: -counts[language])[:2]
    return best if counts[best] >= 2 and counts[best] > counts[second] else ""
