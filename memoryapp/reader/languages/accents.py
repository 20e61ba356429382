"""Words that are typed without their accents, in the Romance languages. Pure."""

import re
import unicodedata
from collections.abc import Iterable, Mapping

from memoryapp.language.vocabularies import VOCABULARIES
from memoryapp.reader.languages.romance_verbs import Verbs

#: The letters whose marks people leave out. "Ñ" is a letter of its own.
_MARKED = re.compile(r"[àáâèéêëìíîïòóôùúûç]")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


def without_accents(word: str) -> str:
    """*word* without the marks that people leave out."""
    return _MARKED.sub(lambda found: unicodedata.normalize("NFD", found[0])[0], word)


def accented(words: Iterable[str], others: Iterable[str]) -> dict[str, str]:
    """Each of *words* that has an accent by its form without, if that is none of the *others*."""
    unmarked = {word for word in (*words, *others) if not _MARKED.search(word)}
    plain = {without_accents(word): word for word in words if _MARKED.search(word)}
    return {form: word for form, word in plain.items() if form not in unmarked}


def with_accents(text: str, words: Mapping[str, str]) -> str:
    """*text* with the accents that its *words* in small letters are known to have."""
    begins = text[:1].lower() + text[1:]
    spelled = _WORD.sub(lambda found: words.get(found[0], found[0]), begins)
    return spelled if begins == text else spelled[:1].upper() + spelled[1:]


def known(language: str, words: str, verbs: Iterable[str], others: str) -> dict[str, str]:
    """The accented words of a *language* that are frequent, with its *verbs* and small words, but
    none whose form without the accent is another word.
    """
    vocabulary = VOCABULARIES[language]
    times = vocabulary.times
    small = vocabulary.function_words.union(times.weekdays, times.months, times.units)
    return accented([*words.split(), *verbs, *small], others.split())


def with_endings(verbs: Iterable[str], endings: tuple[str, ...]) -> Iterable[str]:
    """Members of *verbs* whose form without accents is no other word, as these *endings* tell."""
    return (verb for verb in verbs if verb.endswith(endings) or not _MARKED.search(verb))


def forms(verbs: Verbs) -> frozenset[str]:
    """All forms of *verbs*."""
    return verbs.thirds | verbs.plurals | frozenset(verbs.third)
