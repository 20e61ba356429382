"""Recognises statements about health, religion, politics, sexuality, finances and minors by their
words, in five languages. Pure.
"""

from collections.abc import Collection

from memoryapp.language.vocabularies import FUNCTION_WORDS
from memoryapp.language.words import words
from memoryapp.policy.sensitivity.areas import SensitiveArea
from memoryapp.policy.sensitivity.english import ENGLISH
from memoryapp.policy.sensitivity.french import FRENCH
from memoryapp.policy.sensitivity.german import GERMAN
from memoryapp.policy.sensitivity.italian import ITALIAN
from memoryapp.policy.sensitivity.spanish import SPANISH
from memoryapp.policy.sensitivity.wordings import folded

__all__ = ["LANGUAGES", "SensitiveArea", "areas_of"]

#: The words of each language.
LANGUAGES = {
    "english": ENGLISH,
    "german": GERMAN,
    "italian": ITALIAN,
    "spanish": SPANISH,
    "french": FRENCH,
}


#: Words of a text that are looked at to tell its language.
_MAX_WORDS = 60


def areas_of(
    text: str, among: Collection[SensitiveArea] = tuple(SensitiveArea)
) -> frozenset[SensitiveArea]:
    """The areas that *text* tells of, of those *among* which it is asked."""
    if not among:
        return frozenset()
    plain = folded(text)
    languages = [LANGUAGES[each] for each in _languages_of(text)]
    return frozenset(
        area for area in among if any(each[area].found_in(plain) for each in languages)
    )


def _languages_of(text: str) -> list[str]:
    """The languages that *text* may be in: all that have most of its function words, and every one
    if it has none.
    """
    found = words(text)[:_MAX_WORDS]
    counts = {name: sum(map(FUNCTION_WORDS[name].__contains__, found)) for name in LANGUAGES}
    most = max(counts.values())
    return [name for name, count in counts.items() if count == most]
