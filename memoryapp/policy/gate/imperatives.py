"""Imperatives: does the first word of a sentence command, or name its subject? Pure.

"Book", "order", "call" and "mostra" are verbs and nouns. What follows tells: an imperative goes on
with its object ("Book a table"), a noun with its number ("Book 4: …"), with what belongs to it
("Call with Anna"), or with the verb of the sentence ("Order 17 arrived").
"""

from collections.abc import Sequence

from memoryapp.language.vocabularies import COMMANDS
from memoryapp.policy.gate.words import Token

#: Verbs with the prepositions that they take as commands.
_PHRASAL = {
    verb: frozenset(prepositions.split())
    for verbs, prepositions in COMMANDS.phrasal.items()
    for verb in verbs.split()
}
_FOLLOWS_PAST = COMMANDS.prepositions | COMMANDS.after_past
#: Words of a sentence that are looked at.
MAX_WORDS = 14


def is_named(words: Sequence[Token], at: int) -> bool:
    """True if the word number *at* of *words*, which looks like a command, is what the sentence
    is about: "Play is …", "Answer: 42", "Book 4: …", "Order 17 arrived", "Call with Anna".
    """
    clause = [
        word for word in words[at + 1 : at + 1 + MAX_WORDS] if word.clause == words[at].clause
    ]
    if not clause:
        return at + 1 < len(words)
    first = clause[0]
    if first.bare in COMMANDS.finite or first.bare in COMMANDS.breaking_off:
        return True
    if at and words[at - 1].bare == "no" and first.bare not in COMMANDS.of_object:
        return True
    if _is_label(first):
        rest = clause[1:]
        return not rest or rest[0].bare in COMMANDS.prepositions or _states(clause, from_=1)
    if first.bare in COMMANDS.of_object:
        return False
    if first.bare in COMMANDS.prepositions:
        return not _takes(words[at].bare, first.bare) or _states(clause, from_=1)
    return _states(clause)


def _is_label(word: Token) -> bool:
    """True if *word* is the number or the letter of a thing: "Order 17", "Plan B"."""
    return word.is_number or (len(word.bare) == 1 and word.bare not in "aeiouy")


def _takes(verb: str, preposition: str) -> bool:
    return preposition in _PHRASAL.get(verb, ())


def _states(clause: Sequence[Token], from_: int = 0) -> bool:
    """True if *clause*, behind its first word, has a verb that is not of a clause within it."""
    for place, word in enumerate(clause[from_:], from_):
        if word.bare in COMMANDS.subordinating:
            return False
        if word.bare in COMMANDS.finite or _is_past(clause, place):
            return True
    return False


def _is_past(clause: Sequence[Token], place: int) -> bool:
    """True if the word at *place* is a verb in the past, and not as in "archived messages" or, with
    something before it, "books recommended by Ana".
    """
    word = clause[place].bare
    if not word.endswith("ed") or len(word) < 5:
        return False
    if place + 1 == len(clause):
        return True
    following = clause[place + 1]
    if following.bare == "by":
        return place == 0 or clause[place - 1].is_number
    return (
        following.bare in _FOLLOWS_PAST
        or following.bare in COMMANDS.of_object
        or following.is_number
    )
