"""Detection of the language of a text, as far as it tells, without knowing every language. Pure.

What search stores with a text is the language whose word endings fit best, so that every text has
one. Here a text may also be in a language that is not known, or tell none.
"""

import unicodedata
from collections import Counter

from memoryapp.language.vocabularies import FUNCTION_WORDS
from memoryapp.language.words import language_of, words

#: A language that is not known.
UNKNOWN = "unknown"
#: Scripts that tell the language, by the first word of the Unicode names of their letters; Japanese
#: before Chinese, whose characters it has as well.
_LANGUAGE_OF_SCRIPT = {
    "HIRAGANA": "japanese",
    "KATAKANA": "japanese",
    "CJK": "chinese",
    "HANGUL": "korean",
    "THAI": "thai",
    "LAO": "lao",
    "KHMER": "khmer",
    "GREEK": "greek",
    "ARMENIAN": "armenian",
    "GEORGIAN": "georgian",
    "TAMIL": "tamil",
    "TELUGU": "telugu",
}
#: Letters that are looked at, and the share of them that a script has at least to tell a language.
_MAX_LETTERS, _SCRIPT_SHARE = 100, 0.1
#: How many words a text in Latin letters has at least to tell a language, and the share of English
#: function words among them from which it counts as English. Measured: under 1% of English turns
#: and facts have less, and of sentences in seven languages that are not known, nine in ten.
_MIN_WORDS, _ENGLISH_SHARE = 5, 0.15


def detected_language(text: str) -> str | None:
    """The language of *text*, in lower case; `UNKNOWN` if it is one that is not known; None if the
    text is too short to tell, or has no letters.
    """
    letters = [letter for letter in text[: 5 * _MAX_LETTERS] if letter.isalpha()][:_MAX_LETTERS]
    scripts = Counter(map(_script_of, letters))
    if scripts["LATIN"] < len(letters) / 2:
        least = _SCRIPT_SHARE * len(letters)
        told = (name for script, name in _LANGUAGE_OF_SCRIPT.items() if scripts[script] > least)
        return next(told, UNKNOWN)
    if clear := language_of(text, usual=""):
        return clear
    found = [word for word in words(text) if word.isalpha()]
    if len(found) < _MIN_WORDS:
        return None
    english = sum(word in FUNCTION_WORDS["english"] for word in found)
    return "english" if english >= _ENGLISH_SHARE * len(found) else UNKNOWN


def _script_of(letter: str) -> str:
    return "LATIN" if letter.isascii() else unicodedata.name(letter, "").partition(" ")[0]
