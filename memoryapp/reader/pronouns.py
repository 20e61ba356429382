"""Persons for whom a pronoun stands: "My dad is 70. He likes trains." Pure."""

import re
from collections.abc import Container, Iterator
from itertools import takewhile

from memoryapp.language.vocabularies import VOCABULARIES
from memoryapp.policy.word_lists import ARTICLES
from memoryapp.reader.languages.language import Language
from memoryapp.reader.languages.pronouns import WHICH, Reference
from memoryapp.reader.sentences import without_opener
from memoryapp.reader.statement import MAX_DESCRIBING, MAX_NAMES

#: A word with what is joined to it: a "brother-in-law" is no brother.
_HYPHENATED = re.compile(r"[^\W_]+(?:['-][^\W\d_]+)*")


#: What only people and pets are or have: "morto", "años".
_OF_PEOPLE = re.compile(
    r"(?:mort|nat|malat|cadut|andat|incint|sposat|operat|ricoverat|disoccupat|muert|enferm|"
    r"embarazad|jubilad|casad|operad|ingresad|diab|alérg|allerg|cel[ií]a|vegan|veget)|"
    r"\d{1,3} (?:ann|años)",
    re.IGNORECASE,
)


def without_pronoun(
    clause: str, before: str, language: Language, *, is_spoken: bool = False
) -> str:
    """*clause* with the relative of its author that *before* names in place of the pronoun that it
    begins with, which may be left out where the language does, unless it *is_spoken*. Only the
    clause if it begins otherwise, or if somebody else may be meant.
    """
    told, is_begun = without_opener(clause, language), False
    for reference in language.referring:
        begun = reference.pattern.match(told)
        if begun is None or (is_spoken and not begun[0]):
            continue
        verb = begun.groupdict().get("verb")
        if verb and not (
            _is_third(verb, told, language) and _is_of_person(verb, told, before, language)
        ):
            continue
        is_begun = True
        if meant := _meant(before, language, reference):
            rest = told[begun.end() :]
            if not begun[0]:
                rest = rest[0].lower() + rest[1:]
            return f"{meant}{reference.verb}{rest}"
    return clause if is_begun else _with_inner(clause, before, language)


def begins_with_pronoun(clause: str, language: Language) -> bool:
    """True if *clause* begins with a pronoun that is its subject, or with the verb of one that
    is left out.
    """
    told = without_opener(clause, language)
    return any(reference.pattern.match(told) for reference in language.referring)


def _with_inner(clause: str, before: str, language: Language) -> str:
    """The same for a pronoun in its middle: "I took over his bakery"."""
    for reference in language.referring_within:
        found = reference.pattern.search(clause)
        if found is None or list(_named(clause[: found.start()], language, reference.relatives)):
            continue
        if meant := _meant(before, language, reference):
            return clause[: found.start()] + meant + reference.verb + clause[found.end() :]
    return clause


def _meant(before: str, language: Language, reference: Reference) -> str:
    """The relative in *before* for whom the *reference* stands; empty if it is not sure."""
    meant = list(_named(before, language, reference.relatives))
    if len(meant) != 1 or not meant[0]:
        return ""
    if reference.is_of_subject:
        first = _HYPHENATED.findall(without_opener(before, language).lower())
        nouns = (at for at, word in enumerate(first) if _noun(word) in reference.relatives)
        if language.owners.isdisjoint(first[:2]) or next(nouns) > MAX_DESCRIBING + 1:
            return ""
    words = _HYPHENATED.findall(before)
    at = [_noun(word.lower()) for word in words].index(meant[0])
    which = [word for word in words[max(0, at - 1) : at] if word in WHICH]
    following = words[at + 1 :][: MAX_NAMES + 1]
    names = takewhile(lambda word: word in WHICH or _is_name(word), following)
    noun = language.noun(meant[0])
    return " ".join([reference.relatives[meant[0]], *which, noun, *names])


def _is_name(word: str) -> bool:
    return word[0].isupper() and "'" not in word


def _is_of_person(verb: str, clause: str, before: str, language: Language) -> bool:
    """True if the *verb* of a *clause* is not that of a thing in the one *before*: "my grandpa left
    me the car, is a Panda". People die and are ill.
    """
    if verb.lower() not in language.copulas:
        return True
    rest = clause.partition(f"{verb} ")[2]
    if _OF_PEOPLE.match(rest):
        return True
    told = _HYPHENATED.findall(before.lower())[MAX_DESCRIBING:]
    first = rest.split()[:1]
    is_thing = bool(first) and (first[0].lower() in ARTICLES or first[0][0].isupper())
    return not is_thing and ARTICLES.isdisjoint(told)


def _is_third(verb: str, clause: str, language: Language) -> bool:
    """True if *verb*, in a *clause* without a subject, is of somebody who was named before: neither
    of the author nor a call to do something.
    """
    if verb.lower() in language.first_person or language.asking.begins.match(clause):
        return False
    return language.agrees("", verb.lower())


def _noun(word: str) -> str:
    """*word* without what an apostrophe joins to it."""
    return word.partition("'")[0]


def _named(text: str, language: Language, relatives: Container[str]) -> Iterator[str]:
    """Each of *relatives* in *text*; empty if it is nobody's of the author."""
    owners = VOCABULARIES[language.name].possessives
    words = _HYPHENATED.findall(text.lower())
    for at, word in enumerate(words):
        noun = _noun(word)
        if noun not in relatives:
            continue
        near = words[max(0, at - MAX_DESCRIBING - 1) : at]
        # "I have a dog": of one who is had, no more need be said.
        is_had = language.having.search(" ".join([*words[:at], ""]))
        is_own = is_had or not owners.isdisjoint(near)
        # Of "my dad's car", it is another that is spoken of, maybe.
        is_meant = noun == word or not language.naming.isdisjoint(words[at + 1 : at + 2])
        yield noun if is_own and is_meant else ""
