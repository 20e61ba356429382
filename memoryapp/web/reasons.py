"""Why a search found something, in words: the only place that names the signals of a score."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memoryapp.language.words import languages_of_question
from memoryapp.privacy.excerpts import shared_words
from memoryapp.recall.pins import PINNED
from memoryapp.recall.pointers import POINTER
from memoryapp.recall.precedence import NEWER, REPLY
from memoryapp.recall.query_analysis import role_asked_for
from memoryapp.recall.results import (
    DRAWER_MEANING,
    DRAWER_WORDS,
    LISTS,
    MEANING,
    MESSAGE_WORDS,
    WORDS,
    Hit,
)

#: Reasons that are given for one result, and words of the question that are named.
MAX_REASONS, MAX_WORDS = 4, 3
#: The part of a score from which importance is a reason: that of a memory of importance 8.
MIN_IMPORTANCE = 0.15


#: The signals that only lower a score.
LOSSES = ("expired", "stale")


class Signal(NamedTuple):
    """A signal of the score: its label, and what it means."""

    label: str | Promise
    says: str | Promise


#: By the name of a signal of the measured ranking, or of a list of the plain one, in the order in
#: which a bar stacks them.
SIGNALS = {
    MEANING: Signal(
        gettext_lazy("similar meaning"), gettext_lazy("Its meaning is close to the question.")
    ),
    WORDS: Signal(
        gettext_lazy("same words"),
        gettext_lazy("It contains words of the question; rare words count more."),
    ),
    MESSAGE_WORDS: Signal(
        gettext_lazy("its source"),
        gettext_lazy("The message it was learned from is closer to the question."),
    ),
    DRAWER_MEANING: Signal(
        gettext_lazy("similar message"),
        gettext_lazy("The meaning of the message is close to the question."),
    ),
    DRAWER_WORDS: Signal(
        gettext_lazy("words nearby"),
        gettext_lazy("The message, or the one before it, contains words of the question."),
    ),
    "kept": Signal(
        gettext_lazy("memory"),
        gettext_lazy("It is a memory, and not only a message."),
    ),
    "source": Signal(
        gettext_lazy("who says it"),
        gettext_lazy(
            "What a person entered counts more; what an assistant, a tool or a document says, less."
        ),
    ),
    "speaker": Signal(
        gettext_lazy("speaker"),
        gettext_lazy("It was said by the person the question is about."),
    ),
    "answers": Signal(
        gettext_lazy("answer"), gettext_lazy("It answers a question that is like this one.")
    ),
    "following": Signal(
        gettext_lazy("next message"), gettext_lazy("The next message is about the question.")
    ),
    "session": Signal(
        gettext_lazy("conversation"), gettext_lazy("Its conversation is about the question.")
    ),
    "date": Signal(gettext_lazy("date"), gettext_lazy("It is from a day the question names.")),
    "importance": Signal(
        gettext_lazy("importance"), gettext_lazy("It is more important than most, or less.")
    ),
    "recency": Signal(
        gettext_lazy("recent"), gettext_lazy("It is recent, and the question is about now.")
    ),
    NEWER: Signal(
        gettext_lazy("newer"),
        gettext_lazy("It is newer than another result about the same thing, or tells of a change."),
    ),
    REPLY: Signal(
        gettext_lazy("reply"), gettext_lazy("It is the reply to a question that was found, too.")
    ),
    "preference": Signal(
        gettext_lazy("said repeatedly"),
        gettext_lazy("It is a preference that was said more than once."),
    ),
    "health": Signal(
        gettext_lazy("health"),
        gettext_lazy(
            "It tells what may harm somebody, and the question is about food or medicine."
        ),
    ),
    PINNED: Signal(
        gettext_lazy("pinned"), gettext_lazy("It is pinned: the assistant is always told it.")
    ),
    POINTER: Signal(gettext_lazy("pointer"), gettext_lazy("The question contains its pointer.")),
    "expired": Signal(gettext_lazy("expired"), gettext_lazy("It is no longer valid.")),
    "stale": Signal(
        gettext_lazy("not used"), gettext_lazy("It has not been used for a long time.")
    ),
}


def label_of(name: str) -> str:
    """Return the label of a signal; for one that a later version has added, its name."""
    return str(SIGNALS[name].label) if name in SIGNALS else name


def reasons(hit: Hit, question: str) -> list[str]:
    """Say why *hit* was found for *question*, the best reasons first."""
    return reasons_for(
        hit.ranks, hit.parts, hit.content, question, is_memory=hit.memory is not None
    )


def reasons_for(
    ranks: Mapping[str, int],
    parts: Mapping[str, float],
    text: str,
    question: str,
    *,
    is_memory: bool,
) -> list[str]:
    """Say why a *text* was found: by its *ranks* in the lists, and the *parts* of its score."""
    found = [_("pinned")] if PINNED in parts else []
    found += [*_by_meaning(ranks, is_memory), *_by_words(ranks, shared_words(text, question))]
    further = {
        POINTER: _("has this pointer"),
        "date": _("from that time"),
        "answers": _("answers a similar question"),
        "following": _("next to a match"),
        NEWER: _("newer about the same thing"),
        REPLY: _("answers a similar question"),
        "health": _("matters for health"),
        "preference": _("said more than once"),
        "recency": _("recent"),
        "session": _("from a conversation about it"),
    }
    found += dict.fromkeys(text for name, text in further.items() if parts.get(name, 0) > 0)
    if parts.get("speaker", 0) > 0:
        found.append(_said_by(question))
    if parts.get("importance", 0) >= MIN_IMPORTANCE:
        found.append(_("important"))
    return list(dict.fromkeys(found))[:MAX_REASONS]


def against(parts: Mapping[str, float]) -> list[str]:
    """Say what lowered a score with these *parts*: no reason why something was found."""
    return [label_of(name) for name in LOSSES if parts.get(name, 0) < 0]


def _said_by(question: str) -> str:
    """Name of the speaker whom the *question* asks for: a person by name, or one of the two who
    talk.
    """
    role = role_asked_for(question, languages_of_question(question, "english"))
    if role == "assistant":
        return _("said by the assistant")
    return _("said by the user") if role else _("said by the person asked about")


def _by_meaning(ranks: Mapping[str, int], is_memory: bool) -> list[str]:
    if MEANING in ranks or (DRAWER_MEANING in ranks and not is_memory):
        return [_("similar meaning")]
    return [_("similar to what was said")] if DRAWER_MEANING in ranks else []


def _by_words(ranks: Mapping[str, int], contained: Sequence[str]) -> list[str]:
    if contained:
        words = ", ".join(_("“%(word)s”") % {"word": word} for word in contained[:MAX_WORDS])
        return [_("contains %(words)s") % {"words": words}]
    if WORDS in ranks:
        return [_("same words")]
    return [_("next to a match")] if MESSAGE_WORDS in ranks or DRAWER_WORDS in ranks else []


def places(ranks: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return the rank in each list that has it, by the label of the list."""
    return [(label_of(name), ranks[name]) for name in LISTS if name in ranks]
