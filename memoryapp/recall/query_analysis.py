"""A question taken apart: whom it is about, when, and whether the present is what counts.

A turn speaks of its speaker as "I", a question about it by name. So a question that names one of
those who speak is compared with turns as that person would put it: "What does Ana's sister play?"
becomes "What does my sister play?". Pure; the forms of words are English, and a question in another
language is compared as it was asked.
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date

from memoryapp.recall.dates import Span, spans
from memoryapp.text.shortening import one_line

#: Letters of a name that one may go by: "Mel" for Melanie.
MIN_NAME_CHARACTERS = 3

_FIRST_PERSON = re.compile(r"\b(?:I|[Mm]e|[Mm]y|[Mm]ine|[Mm]yself|i)\b")
#: What the assistant did, as people put it; "can you remind me" asks for no turn of it.
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
    """A question, and what is to be known of it beside its words."""

    text: str
    #: As the one person whom it names would put it; else the text.
    in_first_person: str
    #: Those of the participants whom it names, unless it names all of them.
    speakers: frozenset[str] = frozenset()
    #: ``user`` or ``assistant``, when it asks for what one of the two said.
    role: str = ""
    dates: tuple[Span, ...] = ()
    #: Whether what is newer answers it better.
    about_now: bool = False


def analyse(
    question: str, *, participants: Collection[str] = (), english: bool = True, today: date
) -> AnalysedQuery:
    """Take *question* apart, asked on *today* among *participants*: names, as they sign turns."""
    capitalised = {
        word for word in _words(question) if len(word) >= MIN_NAME_CHARACTERS and word[0].isupper()
    }
    named = {
        name: forms
        for name in participants
        if (forms := _forms_in(question, name) or _short_for(name, capitalised))
    }
    exact = {name: forms for name, forms in named.items() if not _is_short(forms, name)}
    named = exact or named
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
        spans(question, today),
        bool(_NOW.search(question)),
    )


def _forms_in(question: str, name: str) -> set[str]:
    """How *question* calls the person of this *name*: in full, or by the first name."""
    name = one_line(name)
    if not name:
        return set()
    first = name.split()[0]
    return {form for form in (name, first) if len(form) > 1 and _contains(question, form)}


def _short_for(name: str, words: Collection[str]) -> set[str]:
    """Those of *words* by which the person of this *name* may be called for short."""
    first = name.split()[:1]
    return {word for word in words if first and first[0].startswith(word)}


def _words(text: str) -> Iterable[str]:
    # The possessive is no part of the name.
    return (re.sub(r"['’]s$", "", word) for word in _WORD.findall(text))


def _contains(question: str, form: str) -> bool:
    if form.casefold() not in question.casefold():
        return False  # Of many names, this is said quickly of most.
    if not form.isascii() and not any(letter.isupper() for letter in form):
        # Scripts without capitals often write without spaces, or join words to names.
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
