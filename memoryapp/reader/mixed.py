"""The parts of a sentence that changes its language: "Ich wohne in Kiel and I bake bread." Pure.

It changes where a clause begins with a subject that only another language has. In Spanish and
Italian, that may be a verb.
"""

import re
from collections.abc import Iterator

from memoryapp.language.vocabularies import FUNCTION_WORDS, JOINING, VOCABULARIES
from memoryapp.language.words import words
from memoryapp.reader.languages import LANGUAGES
from memoryapp.reader.languages.language import Language
from memoryapp.reader.sentences import has_question_mark

#: Pronouns that only one language has.
_PRONOUN = re.compile(
    "(?<![\\w'-])(?:"
    + "|".join(f"(?P<{each.name}>{each.own_pronoun})" for each in LANGUAGES.values())
    + ")",
    re.IGNORECASE,
)
#: Words before a clause, behind a mark and without one.
_AFTER = "|".join(sorted(JOINING.adding | JOINING.opposing | JOINING.concluding))
_LINKING = "|".join(sorted(JOINING.adding | JOINING.opposing | JOINING.giving_reasons))
#: Where a clause may begin, with the word that links it.
_CLAUSE = re.compile(
    rf"(?:[,;:]\s|\s[-–—]\s)(?P<after>(?:{_AFTER})\s)?|\s(?P<link>(?:{_LINKING})\s)",
    re.IGNORECASE,
)
_FIRST_WORD = re.compile(r"[^\W\d_]{1,20}(?=\s)")
_JOINS = {name: VOCABULARIES[name].joins for name in LANGUAGES}
#: The words that link clauses in the languages whose verbs need no subject.
_DROPPING = {
    word: name
    for name, joins in _JOINS.items()
    if VOCABULARIES[name].own_verbs
    for word in joins.adding | joins.opposing
}
#: Those that link clauses in the others, or give a reason.
_LINKS = {
    word: name
    for name, joins in _JOINS.items()
    for word in joins.adding | joins.opposing | joins.giving_reasons
    if word not in _DROPPING
}
#: Possessives that only one language has.
_OWNERS = {
    word: each.name
    for each in LANGUAGES.values()
    for word in each.owners
    if not any(
        word in known.function_words or word in known.times.units
        for name, known in VOCABULARIES.items()
        if name != each.name
    )
}
_END = " ,;:-–—"


def by_language(sentence: str, usual: Language) -> list[tuple[str, Language]]:
    """Return the parts of *sentence* with the language of each, which is the *usual* one where
    nothing else shows. Left out is a part with a pronoun of another language in its middle, a part
    with which a question begins, and all that begins with one.
    """
    begins = list(_begins(sentence, usual))
    asks = len(begins) > 1 and has_question_mark(sentence)
    if asks and _asks(sentence, 0):
        return []
    ends = [end for end, _, _ in begins[1:]] + [len(sentence)]
    return [
        (sentence[start:end].rstrip(_END) if end < len(sentence) else sentence[start:], language)
        for (_, start, language), end in zip(begins, ends, strict=True)
        if all(
            LANGUAGES[found.lastgroup or ""] is language
            for found in _PRONOUN.finditer(sentence, start, end)
        )
        and not _has_foreign_verb(sentence[start:end], language)
        and not (asks and _asks(sentence, start))
    ]


def _asks(sentence: str, start: int) -> bool:
    """True if a question in any language begins at *start*."""
    return any(each.question.match(sentence, start) for each in LANGUAGES.values())


def _begins(sentence: str, usual: Language) -> Iterator[tuple[int, int, Language]]:
    """Where each part begins: the end of the part before, the place, and the language."""
    first = _told(sentence, 0, usual)
    found = [
        (clause, told)
        for clause in _CLAUSE.finditer(sentence)
        if (
            told := _told(
                sentence, clause.end(), first or usual, clause["after"] or clause["link"] or ""
            )
        )
    ]
    language = first or usual
    if found and not first:
        language = _dropping(sentence[: found[0][0].start()], usual)
    yield 0, 0, language
    for clause, told in found:
        if told is not language:
            yield clause.start(), clause.end(), told
            language = told


def _told(sentence: str, start: int, usual: Language, link: str = "") -> Language | None:
    """The language of the clause that begins at *start* behind *link*, if its subject tells it."""
    if pronoun := _PRONOUN.match(sentence, start):
        return LANGUAGES[pronoun.lastgroup or ""]
    first = _FIRST_WORD.match(sentence, start)
    if first is None:
        return None
    if name := _OWNERS.get(first[0].casefold()):
        return LANGUAGES[name]
    linked = LANGUAGES.get(_LINKS.get(link.strip().casefold(), ""))
    if (
        linked
        and linked is not usual
        # Of a question, a part is none.
        and not has_question_mark(sentence)
        and first[0].islower()
        and _is_in(sentence[start:], linked, usual)
    ):
        return linked
    dropping = _DROPPING.get(link.strip().casefold())
    if dropping and first[0].casefold() in LANGUAGES[dropping].subjects:
        return LANGUAGES[dropping]
    return None


def _is_in(text: str, language: Language, other: Language) -> bool:
    """True if the little words of *text* tell that it is in *language* and not in the *other*."""
    said = words(text)
    known, others = FUNCTION_WORDS[language.name], FUNCTION_WORDS[other.name]
    return sum(word in known for word in said) > sum(word in others for word in said)


def _has_foreign_verb(text: str, language: Language) -> bool:
    """True if a relative in *text* is the subject of another language's verb: "my sister wohnt"."""
    said = text.split()
    if language.owners.isdisjoint(map(str.lower, said)):
        return False
    for owner, noun, verb in zip(said, said[1:], said[2:], strict=False):
        kin = noun.lower()
        if owner.lower() in language.owners and kin in language.kin and verb.islower():
            # "None of my children lives": the verb may be that of the first word.
            subjects, forms = (kin, said[0].lower()), (verb, verb.rpartition("'")[2])
            return (
                FUNCTION_WORDS[language.name].isdisjoint(forms)
                and not any(language.agrees(one, form) for one in subjects for form in forms)
                and any(each.agrees(kin, verb) for each in LANGUAGES.values())
            )
    return False


def _dropping(text: str, usual: Language) -> Language:
    """The language in which *text* begins with a verb that needs no subject; the *usual* one if
    there is none.
    """
    first = _FIRST_WORD.match(text)
    names = dict.fromkeys(_DROPPING.values())
    if first is None or usual.name in names or first[0].casefold() in FUNCTION_WORDS[usual.name]:
        return usual
    said = set(words(text))
    return max(
        (LANGUAGES[name] for name in names if first[0].casefold() in LANGUAGES[name].subjects),
        key=lambda each: len(said & FUNCTION_WORDS[each.name]),
        default=usual,
    )
