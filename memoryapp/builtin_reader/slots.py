"""Category, importance, key and value of a statement in the first person. Pure."""

import re
from dataclasses import dataclass

from memoryapp.builtin_reader.languages.language import Language
from memoryapp.policy.keyed_facts import normalised

#: Importance by category.
_IMPORTANCE = {"fact": 5, "preference": 5, "event": 5, "relationship": 6, "decision": 6}
_END = " .,;!"
#: Joins statements. Such a sentence gets no key: a new value would replace the other statement too.
_JOINS = re.compile(r"\b(?:and|but|und|aber|e|ed|ma|y|pero|et|mais)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Label:
    """What kind of fact it is, with key and value if it has one value at a time."""

    category: str
    importance: int
    key: str = ""
    value: str = ""


def label(text: str, language: Language, *, is_dated: bool) -> Label:
    """Label *text*, in which dates are real; *is_dated* if it tells when something happens."""
    for slot in language.slots:
        if found := slot.pattern.search(text):
            named = found.groupdict()
            last = named["value"].strip(_END).split()[-1:]
            rest = text[: found.start()] + text[found.end() :]
            if _JOINS.search(" ".join([rest, *last])):
                return Label(slot.category, slot.importance)
            key = normalised(slot.key.format(what=(named.get("what") or "").lower()))
            key = language.keys.get(key, key)
            return Label(slot.category, slot.importance, key, named["value"].strip(_END))
    category = _category(text, language, is_dated=is_dated)
    return Label(category, _IMPORTANCE[category])


def _category(text: str, language: Language, *, is_dated: bool) -> str:
    if language.decision.search(text):
        return "decision"
    if language.relationship.search(text):
        return "relationship"
    if is_dated:
        return "event"
    if language.preference.search(text):
        return "preference"
    return "event" if language.past.search(text) else "fact"
