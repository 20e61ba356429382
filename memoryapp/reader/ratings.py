"""Category, importance and last day of a statement on its own, about anybody. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date

from memoryapp.policy.endings import without_ending
from memoryapp.reader.dates import dated
from memoryapp.reader.languages import LANGUAGES
from memoryapp.reader.languages.language import Language
from memoryapp.reader.last_days import last_day
from memoryapp.reader.reader import MAX_TOLD_BY, told_language
from memoryapp.reader.sentences import has_question_mark, whole_sentences, without_opener
from memoryapp.reader.slots import STANDING_WISH, label_of_anyone, topic_of

#: A text that is told to be in either of these by default is in a language that its words do not
#: tell.
_TWO = ("english", "german")


@dataclass(frozen=True)
class Rating:
    """Rating of a statement by the rules. Where they say nothing, it is general and of middling
    importance.
    """

    category: str = "general"
    importance: int = 5
    #: When what it plans is over.
    last_day: date | None = None


def rate(text: str, said_on: date, *, usual_language: str = "english") -> Rating:
    """Rate *text*: a sentence in any person, words without a subject, or several sentences, the
    most important of which counts.
    """
    plain = text.replace("’", "'")
    for language in _languages_of(plain[:MAX_TOLD_BY], usual_language):
        rating = _rated_in(language, plain, said_on)
        if rating != Rating():
            return rating
    return Rating()


def tells_of_health(text: str, *, usual_language: str = "english") -> bool:
    """True if *text* says that a person has an allergy, an illness, a diet or a medicine."""
    plain = text.replace("’", "'")
    return any(
        topic_of(plain, language, only_health=True) is not None
        for language in _languages_of(plain[:MAX_TOLD_BY], usual_language)
    )


def _languages_of(text: str, usual_language: str) -> list[Language]:
    """The language of *text*; where its words do not tell it, as of two words, all of them."""
    told = [told_language(text, LANGUAGES[name]) for name in _TWO]
    if told[0] is told[1]:
        return told[:1]
    usual = LANGUAGES.get(usual_language, LANGUAGES["english"])
    return [usual, *(language for language in LANGUAGES.values() if language is not usual)]


def _rated_in(language: Language, text: str, said_on: date) -> Rating:
    ratings = [_rated(each, language, said_on) for each in _sentences(text)]
    if not ratings:
        return Rating()
    best = max(ratings, key=lambda each: (each.importance, each.category != Rating.category))
    # What the other sentences say may last.
    return best if len(ratings) == 1 else replace(best, last_day=None)


def _sentences(text: str) -> Iterator[str]:
    for line in text.splitlines():
        yield from whole_sentences(line)


def _rated(sentence: str, language: Language, said_on: date) -> Rating:
    told = sentence.strip()
    if not told or has_question_mark(told):
        return Rating()
    if language.standing_wish.match(without_opener(told, language)):
        return Rating(STANDING_WISH.category, STANDING_WISH.importance)
    _, moments = dated(told, language, said_on)
    last = last_day(told, language, said_on)
    affirmed = without_ending(told) or told
    label = label_of_anyone(affirmed, language, is_dated=bool(moments or last))
    if label is None:
        return Rating(last_day=last)
    return Rating(label.category, label.importance, last)
