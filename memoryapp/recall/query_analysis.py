"""Analyses a question: whom it is about, when, and whether it is about the present. Pure.

People say "I" where a question about them says their name. So a question that names a speaker is
compared with messages in the form that this person would use: "What does Ana's sister play?"
becomes "What does my sister play?", and "Was spielt Anas Schwester?" becomes "Was spielt meine
Schwester?". `language` knows the words of each.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from memoryapp.language.question_words import QuestionWords
from memoryapp.language.shortening import one_line
from memoryapp.language.vocabularies import VOCABULARIES
from memoryapp.reader.languages import LANGUAGES
from memoryapp.recall.dates import Span, spans
from memoryapp.recall.rephrasing import in_first_person

#: Minimum length of a short name, such as "Mel" for Melanie.
MIN_NAME_CHARACTERS = 3

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


@dataclass(frozen=True)
class AnalysedQuery:
    """A question with what its words tell."""

    text: str
    #: As the person whom it names would ask it; else the text.
    in_first_person: str
    #: The participants whom it names, unless it names all of them.
    speakers: frozenset[str] = frozenset()
    #: ``user`` or ``assistant`` if it asks for what one of the two said.
    role: str = ""
    #: The days on which an answer may have been said.
    dates: tuple[Span, ...] = ()
    #: True if newer results answer it better.
    about_now: bool = False
    #: True if it asks what was asked or said, so that questions and replies may be the answer.
    about_talk: bool = False
    #: True if it asks in the past about a speaker whom it names: what happened stays as it was.
    of_past_events: bool = False
    #: True if it is about food, drink or medicine: what may harm somebody matters then.
    about_intake: bool = False


def analyse(
    question: str,
    *,
    participants: Collection[str] = (),
    languages: Sequence[str] = ("english",),
    today: date,
) -> AnalysedQuery:
    """Analyse *question*, asked on *today*; *participants* are the names of message authors, and
    *languages* those that it may be in, the likeliest first.
    """
    named = named_in(question, participants, languages)
    about_talk = is_about_talk(question, languages)
    found = spans(question, today, languages)
    in_the_past = bool(found or named) and _looks_back(question, languages)
    looks_back = bool(found) and (about_talk or in_the_past)
    first_person = question
    if len(named) == 1:
        ((_, forms),) = named.items()
        first_person = in_first_person(question, forms, languages)
    return AnalysedQuery(
        question,
        first_person,
        frozenset(named)
        if len(named) < len(participants) or len(participants) == 1
        else frozenset(),
        "" if named else role_asked_for(question, languages),
        tuple(span for span in found if looks_back or span.last < today),
        any(words.now.search(question) for words in _known(languages)),
        about_talk,
        bool(named) and in_the_past,
        any(words.intake.search(question) for words in _known(languages)),
    )


def is_about_talk(question: str, languages: Sequence[str]) -> bool:
    """True if *question* asks what was asked or said."""
    return any(words.talk.search(question) for words in _known(languages))


def _looks_back(question: str, languages: Sequence[str]) -> bool:
    """True if *question* asks what was or happened: only then does "today" date an answer. In
    "What shall I cook tonight?", it is the day of the question, and any day may have the answer.
    """
    known = (LANGUAGES[language] for language in languages if language in LANGUAGES)
    return any(language.past.search(question) for language in known)


def named_in(
    question: str, participants: Collection[str], languages: Sequence[str] = ()
) -> dict[str, set[str]]:
    """The *participants* whom *question*, in one of these *languages*, names, each with the forms
    in which it does so.
    """
    endings = "|".join(words.name_ending for words in _known(languages) if words.name_ending)
    capitalised = {
        word for word in _words(question) if len(word) >= MIN_NAME_CHARACTERS and word[0].isupper()
    }
    named = {
        name: forms
        for name in participants
        if (forms := _forms_in(question, name, endings) or _short_for(name, capitalised))
    }
    exact = {name: forms for name, forms in named.items() if not _is_short(forms, name)}
    return exact or named


def _forms_in(question: str, name: str, endings: str) -> set[str]:
    """The forms of *name* in *question*: the full name or the first name, maybe with one of
    *endings*.
    """
    name = one_line(name)
    if not name:
        return set()
    first = name.split()[0]
    return {form for form in (name, first) if len(form) > 1 and _contains(question, form, endings)}


def _short_for(name: str, words: Collection[str]) -> set[str]:
    """The *words* that may be short for *name*."""
    first = name.split()[:1]
    return {word for word in words if first and first[0].startswith(word)}


def _words(text: str) -> Iterable[str]:
    # The possessive is no part of the name.
    return (re.sub(r"['’]s$", "", word) for word in _WORD.findall(text))


def _contains(question: str, form: str, endings: str = "") -> bool:
    if form.casefold() not in question.casefold():
        return False  # A fast answer for most names.
    if not form.isascii() and not any(letter.isupper() for letter in form):
        # Scripts without capitals often have no spaces, or attach words to names.
        return form in question
    return bool(
        re.search(rf"(?<!\w){re.escape(form)}(?:{endings})?(?!\w)", question, re.IGNORECASE)
    )


def _is_short(forms: Collection[str], name: str) -> bool:
    return not any(_contains(form, part) for form in forms for part in (name, name.split()[0]))


def role_asked_for(question: str, languages: Sequence[str]) -> str:
    """``user`` or ``assistant`` if *question* asks for what one of the two said; else empty."""
    known = _known(languages)
    if any(words.assistant_said.search(question) for words in known):
        return "assistant"
    return "user" if any(words.first_person.search(question) for words in known) else ""


def _known(languages: Sequence[str]) -> list[QuestionWords]:
    return [VOCABULARIES[each].questions for each in languages if each in VOCABULARIES]
