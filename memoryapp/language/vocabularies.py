"""The languages that are known. One more is a module like those here, and its line. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import Any, TypeVar

from memoryapp.language.command_words import CommandWords
from memoryapp.language.english import ENGLISH
from memoryapp.language.fact_words import FactWords
from memoryapp.language.french import FRENCH
from memoryapp.language.german import GERMAN
from memoryapp.language.italian import ITALIAN
from memoryapp.language.joining_words import JoiningWords
from memoryapp.language.narration_words import NarrationWords
from memoryapp.language.portuguese import PORTUGUESE
from memoryapp.language.spanish import SPANISH
from memoryapp.language.vocabulary import Vocabulary

_Words = TypeVar("_Words", CommandWords, FactWords, JoiningWords, NarrationWords)

#: By PostgreSQL's names of the languages.
VOCABULARIES: dict[str, Vocabulary] = {
    each.name: each for each in (ENGLISH, GERMAN, ITALIAN, SPANISH, FRENCH, PORTUGUESE)
}
#: The function words of each.
FUNCTION_WORDS = {name: known.function_words for name, known in VOCABULARIES.items()}
#: Those of all together.
ALL_FUNCTION_WORDS = frozenset[str]().union(*FUNCTION_WORDS.values())


def _together(kind: type[_Words], several: Iterable[_Words]) -> _Words:
    """The words of *several* languages in one: any of their words, any of their patterns."""
    return kind(
        **{
            each.name: _joined([getattr(one, each.name) for one in several])
            for each in fields(kind)
        }
    )


def _joined(values: Sequence[Any]) -> Any:
    match values[0]:
        case str():
            return "|".join(values)
        case frozenset():
            return frozenset().union(*values)
        case _:
            return {key: value for each in values for key, value in each.items()}


#: What the languages know together: see each class.
JOINING = _together(JoiningWords, [known.joins for known in VOCABULARIES.values()])
COMMANDS = _together(CommandWords, [known.commands for known in VOCABULARIES.values()])
FACTS = _together(FactWords, [known.facts for known in VOCABULARIES.values()])
NARRATION = _together(NarrationWords, [known.narration for known in VOCABULARIES.values()])
