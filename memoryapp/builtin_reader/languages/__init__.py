"""Knowledge of the built-in reader about each language, as data."""

from memoryapp.builtin_reader.languages.english import ENGLISH
from memoryapp.builtin_reader.languages.french import FRENCH
from memoryapp.builtin_reader.languages.german import GERMAN
from memoryapp.builtin_reader.languages.italian import ITALIAN
from memoryapp.builtin_reader.languages.language import Language
from memoryapp.builtin_reader.languages.spanish import SPANISH

#: By PostgreSQL's names of the languages.
LANGUAGES: dict[str, Language] = {
    language.name: language for language in (ENGLISH, GERMAN, ITALIAN, SPANISH, FRENCH)
}
