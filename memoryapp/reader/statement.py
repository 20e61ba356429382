"""Statements of an author about themselves, and what shows that they are worth keeping. Pure."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log

from memoryapp.language.vocabularies import VOCABULARIES
from memoryapp.language.words import is_function_word
from memoryapp.policy.word_lists import ARTICLES, PLACING
from memoryapp.reader.languages.language import Language
from memoryapp.reader.opening_moment import without_moment
from memoryapp.reader.sentences import has_question_mark, quotes, without_opener

#: Words of a sentence that can be a fact.
MIN_WORDS, MAX_WORDS = 2, 60
#: Words between a possessive and its noun, "my two little brothers", and names behind that.
MAX_DESCRIBING, MAX_NAMES = 3, 3
#: Words within which a statement comes to the person that it is about.
MAX_WORDS_BEFORE = 8
_WORD = re.compile(r"[^\W_]+(?:'[^\W\d_]+)*")
_END = " ,;:-–—!….("
#: A place with its preposition: "to Utrecht".
_PLACE = re.compile(rf"\b(?:{'|'.join(sorted(PLACING))}) [^\W\d_a-zà-ÿ]")


@dataclass(frozen=True)
class FirstPersonStatement:
    """Statement of a sentence about its author, in the first person, with its words in small
    letters.
    """

    text: str
    words: Sequence[str]


def words_of(text: str) -> list[str]:
    """The words of *text* in small letters; "don't" is one."""
    return _WORD.findall(text.lower())


def cased_words_of(text: str) -> list[str]:
    """The same as they are written."""
    return _WORD.findall(text)


def has_person(sentence: str, language: Language) -> bool:
    """True if *sentence* has a word for its author: no statement about them goes without."""
    words = split_words(words_of(sentence.replace("’", "'")))
    return not (language.first_person.isdisjoint(words) and language.subjects.isdisjoint(words))


def statement(sentence: str, language: Language) -> FirstPersonStatement | None:
    """The statement that *sentence* makes, without what needs another sentence; None if it asks,
    wants, supposes, quotes, or has no person in it.
    """
    text = without_opener(sentence.replace("’", "'").lstrip("¡ "), language)
    if quotes(text) or language.question.match(text):
        return None
    if has_question_mark(text) and not language.request.search(text):
        return None
    part = _on_its_own(text, language)
    words = words_of(part)
    if not MIN_WORDS <= len(words) <= MAX_WORDS:
        return None
    told = without_moment(part, language.times)
    is_own = _has_subject(told, language, is_dated=told != part)
    if not language.concerning.match(told) and (not is_own or language.no_subject.match(told)):
        return None
    return FirstPersonStatement(f"{part}.", words)


def _has_subject(told: str, language: Language, *, is_dated: bool) -> bool:
    """True if the author, or something of theirs, is the subject: "I", or first of all "my". Behind
    a moment the verb may come before: "yesterday was my", "gestern hat meine".
    """
    words = words_of(told)
    first = split_words(words[:MAX_WORDS_BEFORE])
    if any(word in language.subjects and word not in language.owners for word in first):
        return True
    if any(word in language.owners for word in words[: language.owner_within + is_dated]):
        return True
    if is_dated or ARTICLES.isdisjoint(words[:1]):
        return False
    # "The vet operates on my cat", "the dentist moved my appointment": another is the subject, of
    # what matters to the author.
    near = words[:MAX_WORDS_BEFORE]
    is_known = not language.kin.isdisjoint(near[1:2])
    owners = VOCABULARIES[language.name].possessives
    return any(
        one in owners and (is_known or other in language.kin) for one, other in pairwise(near)
    )


def split_words(words: Sequence[str]) -> list[str]:
    """*words* with those around an apostrophe apart as well: "j'habite" has "j"."""
    return [*words, *(part for word in words if "'" in word for part in word.split("'"))]


def _on_its_own(text: str, language: Language) -> str:
    """*text* up to the clause that speaks to another, supposes, or points elsewhere."""
    if language.conditional.search(text):
        return ""
    ends = [
        found.start()
        for pattern in (language.request, language.hypothetical, language.addressing)
        if (found := pattern.search(text))
    ]
    ends += [found.start() for found in language.pointer.finditer(text) if _points(found, language)]
    if not ends:
        return text.rstrip(_END)
    cuts = [0, *(cut.start() for cut in language.clause.finditer(text[: min(ends)]))]
    while len(cuts) > 1:
        told = text[: cuts.pop()].rstrip(_END)
        # "…, me and Tom gave it up": what is left of a subject goes with its verb.
        if len(cuts) == 1 or len(words_of(told[cuts[-1] :])) >= MIN_WORDS:
            return told
    return ""


def _points(found: re.Match[str], language: Language) -> bool:
    """True if the pronoun that was *found* stands for something outside of its sentence."""
    before = found.string[: found.start()]
    if found[0].lower() in language.places:
        return not _PLACE.search(before)
    if found[0].lower() not in language.personal:
        return True
    if language.concerning.match(found.string):
        return False
    return language.kin.isdisjoint(split_words(words_of(before)))


def features(
    said: FirstPersonStatement, language: Language, *, turn_words: int
) -> Mapping[str, float]:
    """Features that the surface of *said* shows, within a message of *turn_words*."""
    words = said.words
    content = [word for word in words if not is_function_word(word.partition("'")[0])]
    rest = said.text[1:]
    share = 1 / max(len(words), 1)
    return {
        "words": log(len(words)),
        "turn_words": log(max(turn_words, 1)),
        "content_words": log(1 + len(content)),
        "past": float(bool(language.past.search(said.text))),
        "number": float(any(character.isdigit() for character in said.text)),
        "name": float(any(_is_name(word) for word in _WORD.findall(rest))),
        "kin": float(any(word in language.kin for word in words)),
        "feelings": sum(word in language.feelings for word in words) * share * 5,
        "hedges": float(any(word in language.hedges for word in words)),
        "lasting": float(min(sum(word in language.lasting for word in words), 3)),
        "preference": float(bool(language.preference.search(said.text))),
    }


def _is_name(word: str) -> bool:
    return word[0].isupper() and word not in ("I", "I'm", "I've", "I'd", "I'll")
