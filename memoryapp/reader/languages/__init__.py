"""Knowledge of the built-in reader about each language, as data."""

from memoryapp.reader.languages.english import ENGLISH
from memoryapp.reader.languages.french import FRENCH
from memoryapp.reader.languages.german import GERMAN
from memoryapp.reader.languages.italian import ITALIAN
from memoryapp.reader.languages.language import Language
from memoryapp.reader.languages.spanish import SPANISH

#: By PostgreSQL's names of the languages.
LANGUAGES: dict[str, Language] = {
    language.name: language for language in (ENGLISH, GERMAN, ITALIAN, SPANISH, FRENCH)
}
