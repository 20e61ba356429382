"""Whom a pronoun stands for: "My dad is 70. He likes trains." Pure."""

import re
from collections.abc import Iterator

from memoryapp.builtin_reader.languages.language import Language
from memoryapp.builtin_reader.sentences import without_opener
from memoryapp.builtin_reader.statement import MAX_DESCRIBING
from memoryapp.language.vocabularies import VOCABULARIES

#: A word with what is joined to it: a "brother-in-law" is no brother.
_HYPHENATED = re.compile(r"[^\W_]+(?:['-][^\W\d_]+)*")


def without_pronoun(clause: str, before: str, language: Language) -> str:
    """*clause* with the relative of its author that *before* names in place of the pronoun that it
    begins with. Only the clause if it begins otherwise, or if somebody else may be meant.
    """
    told = without_opener(clause, language)
    for reference in language.referring:
        begun = reference.pattern.match(told)
        if begun is None:
            continue
        meant = list(_named(before, language, reference.relatives))
        if len(meant) != 1 or not meant[0]:
            return clause
        return f"{reference.owner} {meant[0]}{reference.verb}{told[begun.end() :]}"
    return _with_inner(clause, before, language)


def _with_inner(clause: str, before: str, language: Language) -> str:
    """The same for a pronoun in its middle: "I took over his bakery"."""
    for reference in language.referring_within:
        found = reference.pattern.search(clause)
        if found is None or list(_named(clause[: found.start()], language, reference.relatives)):
            continue
        meant = list(_named(before, language, reference.relatives))
        if len(meant) == 1 and meant[0]:
            relative = f"{reference.owner} {meant[0]}{reference.verb}"
            return clause[: found.start()] + relative + clause[found.end() :]
    return clause


def _named(text: str, language: Language, relatives: frozenset[str]) -> Iterator[str]:
    """Each of *relatives* in *text*; empty if it is nobody's of the author."""
    owners = VOCABULARIES[language.name].possessives
    words = _HYPHENATED.findall(text.lower())
    for at, word in enumerate(words):
        noun, _, possessive = word.partition("'")
        if noun not in relatives:
            continue
        is_own = not owners.isdisjoint(words[max(0, at - MAX_DESCRIBING - 1) : at])
        # Of "my dad's car", it is another that is spoken of, maybe.
        yield language.noun(noun) if is_own and not possessive else ""
