"""Numbers in the words of any of the languages: a statement and its source may be in two. Pure."""

from functools import lru_cache

from memoryapp.language.vocabularies import VOCABULARIES

#: Dutch, which has no vocabulary.
_ELSEWHERE = {
    **{"nul": 0, "twee": 2, "drie": 3, "vier": 4, "vijf": 5, "zes": 6, "zeven": 7, "acht": 8},
    **{"negen": 9, "tien": 10, "elf": 11, "twaalf": 12, "twintig": 20},
}
#: The first language that has a word counts: "once" is a number in English and in Spanish.
NUMERALS: dict[str, float] = {
    word: number
    for numerals in (_ELSEWHERE, *(known.numerals for known in reversed(VOCABULARIES.values())))
    for word, number in numerals.items()
}
#: Numbers in one language that say something else in another, or of themselves.
AMBIGUOUS_NUMERALS = frozenset(
    "one once first couple null nul half elf sei dos sept eins due mil cent".split()
)
_GERMAN_ONES = {
    "ein": 1, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6, "sieben": 7, "acht": 8,
    "neun": 9,
}  # fmt: skip


@lru_cache(maxsize=10_000)
def number_in_words(word: str) -> float | None:
    """The number that *word*, in small letters, stands for; None for other words."""
    if word in NUMERALS:
        return NUMERALS[word]
    ones, und, tens = word.partition("und")
    if und and ones in _GERMAN_ONES and tens in NUMERALS:
        return _GERMAN_ONES[ones] + NUMERALS[tens]
    return None
