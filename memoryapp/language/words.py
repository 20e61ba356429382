"""The words of a text, and which language they are in. Pure.

Function words (articles, pronouns, prepositions, auxiliary verbs, question words) say nothing about
the subject of a text. In a large store their frequency shows that; in one of ten memories it does
not, nor for words of a language that full-text search is not set to.
"""

import re

from memoryapp.language.vocabularies import ALL_FUNCTION_WORDS, FUNCTION_WORDS, VOCABULARIES

_WORD = re.compile(r"[^\W_]+")
#: Words of a text that are looked at to tell its language.
_MAX_WORDS = 60
#: How many more of a text's words have to be function words of another language than of the usual
#: one: "car", "die" and "war" are words of several languages.
_LEAD = 2
#: Where the usual language is not one of them: the function words that a text in one has at least,
#: and their share of its words.
_MIN_CLEAR_WORDS, _CLEAR_SHARE = 3, 0.4
_NONE: frozenset[str] = frozenset()
#: The last letter of Latin Extended-B.
_LAST_LATIN = "\u024f"


def words(text: str) -> list[str]:
    """The words and numbers of *text*, case-folded; "what's" is two."""
    return _WORD.findall(text.casefold())


def language_of(text: str, usual: str = "english") -> str:
    """The language of *text* among those of `FUNCTION_WORDS`, or the *usual* one if too few words
    tell another.
    """
    found = words(text)[:_MAX_WORDS]
    counts = {
        language: sum(map(known.__contains__, found)) for language, known in FUNCTION_WORDS.items()
    }
    best = max(counts, key=counts.__getitem__)
    if usual in counts:
        return best if counts[best] >= counts[usual] + _LEAD else usual
    # Portuguese shares many words with Spanish, and Dutch with German: in a text of one of them
    # they are fewer.
    is_clear = counts[best] >= max(_MIN_CLEAR_WORDS, _CLEAR_SHARE * len(found))
    return best if is_clear else usual


def languages_of_question(question: str, usual: str = "english") -> tuple[str, ...]:
    """The languages that *question* may be in, the likeliest first. One word is enough to tell:
    with a wrong guess, nothing is lost. Without any, it is in the *usual* language or in English,
    but in neither if its letters are of another script than Latin.
    """
    found = words(question)[:_MAX_WORDS]
    counts = {
        language: sum(word in known.function_words for word in found)
        + (not known.own_signs.isdisjoint(question))
        for language, known in VOCABULARIES.items()
    }
    most = max(counts.values())
    if not most:
        other_script = any(letter > _LAST_LATIN for word in found for letter in word)
        return () if other_script else tuple(dict.fromkeys([usual, "english"]))
    likeliest = [language for language, count in counts.items() if count == most]
    return tuple(sorted(likeliest, key=lambda language: language != usual))


def is_english(text: str, usual: str = "english") -> bool:
    """True if *text* seems to be in English, when most texts are in the *usual* language."""
    if language_of(text, usual) != "english":
        return False
    return text.isascii() or not FUNCTION_WORDS["english"].isdisjoint(words(text))


def function_words_of(text: str, usual: str = "english") -> frozenset[str]:
    """The function words of the *usual* language, and of those that *text* may be in instead."""
    languages = languages_of_question(text, usual)
    told = {usual} if usual in languages else {usual, *languages}
    return _NONE.union(*(FUNCTION_WORDS.get(language, _NONE) for language in told))


def content_words(text: str, function_words: frozenset[str]) -> list[str]:
    """The words of *text* that are not among *function_words*."""
    return [word for word in words(text) if word not in function_words]


def is_function_word(word: str) -> bool:
    """True if *word* is a function word of any of the languages."""
    return word in ALL_FUNCTION_WORDS
