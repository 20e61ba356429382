"""The languages that are known. One more is a module like those here, and its line. Pure."""

from dataclasses import fields

from memoryapp.language.english import ENGLISH
from memoryapp.language.french import FRENCH
from memoryapp.language.german import GERMAN
from memoryapp.language.italian import ITALIAN
from memoryapp.language.joining_words import JoiningWords
from memoryapp.language.portuguese import PORTUGUESE
from memoryapp.language.spanish import SPANISH
from memoryapp.language.vocabulary import Vocabulary

#: By PostgreSQL's names of the languages.
VOCABULARIES: dict[str, Vocabulary] = {
    each.name: each for each in (ENGLISH, GERMAN, ITALIAN, SPANISH, FRENCH, PORTUGUESE)
}
#: The function words of each.
FUNCTION_WORDS = {name: known.function_words for name, known in VOCABULARIES.items()}
#: Those of all together.
ALL_FUNCTION_WORDS = frozenset[str]().union(*FUNCTION_WORDS.values())
#: The joining words of all together.
JOINING = JoiningWords(
    **{
        each.name: frozenset[str]().union(
            *(getattr(known.joins, each.name) for known in VOCABULARIES.values())
        )
        for each in fields(JoiningWords)
    }
)
