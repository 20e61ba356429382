"""Category, importance, key and value of a statement. Pure."""

import re
from dataclasses import dataclass

from memoryapp.language.denials import is_denial
from memoryapp.language.vocabularies import JOINING
from memoryapp.policy.keyed_facts import is_single_valued, normalised
from memoryapp.reader.languages.language import Language
from memoryapp.reader.languages.topics import Topic

#: Importance by category.
_IMPORTANCE = {"fact": 5, "preference": 5, "event": 5, "relationship": 6, "decision": 6}
_END = " .,;!"
#: Words within which a denial stands before what it denies, and what ends its clause.
_MAX_DENIED = 3
#: "Without" in Spanish, and no denial elsewhere.
_WITHOUT = "sin"
_CLAUSE = re.compile(r"[,;:.!?()]")
_WORD = re.compile(r"[^\W\d_]+")
#: Joins statements: no value ends with such a word.
_JOINS = re.compile(
    rf"\b(?:{'|'.join(sorted(JOINING.adding | JOINING.opposing))})\b", re.IGNORECASE
)


@dataclass(frozen=True)
class Label:
    """Kind of a fact, with key and value if it has one value at a time."""

    category: str
    importance: int
    key: str = ""
    value: str = ""


#: That of how the author wants the assistant to be.
STANDING_WISH = Label("preference", 7)


def label(text: str, language: Language, *, is_dated: bool) -> Label:
    """Label *text*, a statement in the first person in which dates are real; *is_dated* if it tells
    when something happens.
    """
    health = topic_of(text, language, only_health=True)
    least = health.importance if health else 0
    for slot in language.slots:
        if found := slot.pattern.search(text):
            importance = max(slot.importance, least)
            named = found.groupdict()
            key = normalised(slot.key.format(what=(named.get("what") or "").lower()))
            key = language.keys.get(key, key)
            last = named["value"].strip(_END).split()[-1:]
            if not is_single_valued(key):
                # "Allergic to wasps and bees."
                last += [text[: found.start()], text[found.end() :]]
            is_other = not key or _names_relative(text[: found.start()], language)
            if is_other or _JOINS.search(" ".join(last)) or language.beside.search(text):
                return Label(slot.category, importance)
            return Label(slot.category, importance, key, named["value"].strip(_END))
    category = category_of(text, language, is_dated=is_dated) or "fact"
    if health and not is_dated and category in ("relationship", "event"):
        # What ails a relative, or was found out once, is first of all about health.
        category = health.category
    return Label(category, max(_IMPORTANCE[category], least))


def _names_relative(before: str, language: Language) -> bool:
    """True if the words *before* a value name a relative of the author, of whom it is told then."""
    said = _WORD.findall(before.lower())
    near = zip(said, [*said[1:], ""], [*said[2:], "", ""], strict=False)
    return any(
        one in language.owners and not language.kin.isdisjoint(following)
        for one, *following in near
    )


def label_of_anyone(text: str, language: Language, *, is_dated: bool) -> Label | None:
    """Label *text*, which may tell of anybody and need not be a whole sentence; None if the rules
    say nothing about it.
    """
    told = label(text, language, is_dated=is_dated)
    topic = topic_of(text, language)
    if told.key or topic is None:
        category = category_of(text, language, is_dated=is_dated)
        return Label(told.category, told.importance) if told.key or category else None
    if topic.is_health:
        return Label(told.category, max(told.importance, topic.importance))
    category = topic.category
    if category == "fact":
        category = category_of(text, language, is_dated=is_dated) or category
    return Label(category, max(_IMPORTANCE[category], topic.importance))


def topic_of(text: str, language: Language, *, only_health: bool = False) -> Topic | None:
    """The first topic that *text* affirms."""
    for topic in language.topics:
        if only_health and not topic.is_health:
            continue
        if any(not _denied(text[: each.start()]) for each in topic.pattern.finditer(text)):
            return topic
    return None


def _denied(before: str) -> bool:
    """True if what stands *before* a word denies it, in its clause."""
    words = _CLAUSE.split(before)[-1].lower().split()[-_MAX_DENIED:]
    return any(is_denial(word) or word == _WITHOUT for word in words)


def category_of(text: str, language: Language, *, is_dated: bool) -> str:
    """The category that the words of *text* tell; empty if they tell none."""
    if language.decision.search(text):
        return "decision"
    if language.relationship.search(text):
        return "relationship"
    # What is so since a day is no event.
    since = language.times.beginnings - language.times.openings
    lasts = not since.isdisjoint(text.lower().split())
    if is_dated and not lasts:
        return "event"
    if language.preference.search(text):
        return "preference"
    return "event" if not lasts and language.past.search(text) else ""
