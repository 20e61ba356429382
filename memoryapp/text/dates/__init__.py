"""How each language names dates, and the reading of relative ones. Pure."""

from memoryapp.text.dates.english import ENGLISH
from memoryapp.text.dates.french import FRENCH
from memoryapp.text.dates.german import GERMAN
from memoryapp.text.dates.italian import ITALIAN
from memoryapp.text.dates.spanish import SPANISH
from memoryapp.text.dates.words import TimeWords

#: By PostgreSQL's names of the languages.
TIME_WORDS: dict[str, TimeWords] = {
    "english": ENGLISH,
    "german": GERMAN,
    "italian": ITALIAN,
    "spanish": SPANISH,
    "french": FRENCH,
}

__all__ = ["ENGLISH", "FRENCH", "GERMAN", "ITALIAN", "SPANISH", "TIME_WORDS", "TimeWords"]
