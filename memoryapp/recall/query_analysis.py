"""Analyses a question: whom it is about, when, and whether it is about the present. Pure.

People say "I" where a question about them says their name. So a question that names a speaker is
compared with messages in the form that this person would use: "What does Ana's sister play?"
becomes "What does my sister play?". This works in English only.
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date

from memoryapp.recall.dates import Span, spans
from memoryapp.text.function_words import languages_of_question
from memoryapp.text.shortening import one_line

#: Minimum length of a short name, such as "Mel" for Melanie.
MIN_NAME_CHARACTERS = 3

_FIRST_PERSON = re.compile(r"\b(?:I|[Mm]e|[Mm]y|[Mm]ine|[Mm]yself|i)\b")
#: Phrases for what the assistant said or did; not "can you remind me".
_ASSISTANT_SAID = re.compile(
    r"\byou (?:\w+ed|said|say|told|tell|gave|give|wrote|write|made|suggest|recommend|mention"
    r"|explain|describe|list|provide|propose|advise)\b|\byour (?:answer|advice|suggestion|reply)",
    re.IGNORECASE,
)
_NOW = re.compile(
    r"\b(?:now|nowadays|currently|current|latest|recent|recently|lately|newest|today|tonight"
    r"|at the moment|these days|at present|most recent|still)\b",
    re.IGNORECASE,
)
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
    dates: tuple[Span, ...] = ()
    #: Whether newer results answer it better.
    about_now: bool = False


def analyse(
    question: str, *, participants: Collection[str] = (), language: str = "english", today: date
) -> AnalysedQuery:
    """Analyse *question*, asked on *today*; *participants* are the names of message authors, and
    *language* is that of most questions.
    """
    languages = languages_of_question(question, language)
    english = "english" in languages
    named = named_in(question, participants)
    first_person = question
    if english and len(named) == 1:
        ((_, forms),) = named.items()
        first_person = _as_said_by(forms, question)
    role = _role(question) if english and not named else ""
    return AnalysedQuery(
        question,
        first_person,
        frozenset(named)
        if len(named) < len(participants) or len(participants) == 1
        else frozenset(),
        role,
        spans(question, today, languages),
        bool(_NOW.search(question)),
    )


def named_in(question: str, participants: Collection[str]) -> dict[str, set[str]]:
    """The *participants* whom *question* names, each with the forms in which it does so."""
    capitalised = {
        word for word in _words(question) if len(word) >= MIN_NAME_CHARACTERS and word[0].isupper()
    }
    named = {
        name: forms
        for name in participants
        if (forms := _forms_in(question, name) or _short_for(name, capitalised))
    }
    exact = {name: forms for name, forms in named.items() if not _is_short(forms, name)}
    return exact or named


def _forms_in(question: str, name: str) -> set[str]:
    """The forms of *name* in *question*: the full name or the first name."""
    name = one_line(name)
    if not name:
        return set()
    first = name.split()[0]
    return {form for form in (name, first) if len(form) > 1 and _contains(question, form)}


def _short_for(name: str, words: Collection[str]) -> set[str]:
    """The *words* that may be short for *name*."""
    first = name.split()[:1]
    return {word for word in words if first and first[0].startswith(word)}


def _words(text: str) -> Iterable[str]:
    # The possessive is no part of the name.
    return (re.sub(r"['’]s$", "", word) for word in _WORD.findall(text))


def _contains(question: str, form: str) -> bool:
    if form.casefold() not in question.casefold():
        return False  # A fast answer for most names.
    if not form.isascii() and not any(letter.isupper() for letter in form):
        # Scripts without capitals often have no spaces, or attach words to names.
        return form in question
    return bool(re.search(rf"(?<!\w){re.escape(form)}(?!\w)", question, re.IGNORECASE))


def _is_short(forms: Collection[str], name: str) -> bool:
    return not any(_contains(form, part) for form in forms for part in (name, name.split()[0]))


def _as_said_by(forms: Collection[str], question: str) -> str:
    any_form = "|".join(map(re.escape, sorted(forms, key=len, reverse=True)))
    mine = re.sub(rf"(?<!\w)(?:{any_form})['’]s(?!\w)", "my", question, flags=re.IGNORECASE)
    return re.sub(rf"(?<!\w)(?:{any_form})(?!\w)", "I", mine, flags=re.IGNORECASE)


def _role(question: str) -> str:
    if _ASSISTANT_SAID.search(question):
        return "assistant"
    return "user" if _FIRST_PERSON.search(question) else ""
