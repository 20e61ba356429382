"""Need of a message for memory: greetings, thanks and general tasks have none. Pure.

The test reads the message alone, and knows whether it names a person in the conversations. It is
cautious: what is about the user or a known name is never silenced, and what it cannot tell is left
to the relevance of what is found; see `memoryapp.policy.relevance`.
"""

import re
from collections.abc import Sequence
from enum import IntEnum

from conversations.scripts import UNSPACED
from memoryapp.language.vocabularies import VOCABULARIES
from memoryapp.language.words import (
    content_words,
    function_words_of,
    is_function_word,
    languages_of_question,
    words,
)
from memoryapp.policy.request_words import (
    ABOUT_MEMORY,
    ABOUT_SPEAKERS_ANYWHERE,
    ARITHMETIC,
    BENEFICIARIES,
    COMPLIMENTS,
    COURTESIES,
    DAY_WISHES,
    DAYS,
    FILLERS,
    FORMATS,
    GENERAL_WORK,
    GERMAN_ARTICLES,
    HOW_TO,
    INDEFINITE,
    MAX_PHRASE_WORDS,
    MEASURES,
    NAME_QUESTIONS,
    POLITE_OPENINGS,
    QUESTION_OPENINGS,
    QUESTION_WORDS,
    RENOWNED,
    TASK_VERBS,
    TELLERS,
    UNSPACED_FILLERS,
    WHO,
    WORLD_FACTS,
    Phrases,
)

#: Characters that are looked at: what a message is about shows at its beginning.
MAX_CHARACTERS = 2_000
#: A message of more words, or characters without spaces, is more than small talk.
MAX_FILLER_WORDS, MAX_FILLER_CHARACTERS = 12, 24

#: Words among which the one that thanks or greets is.
COURTESY_AT = 2
#: The number of first words among which an indefinite article tells that the subject is anybody:
#: "if a man buys …".
_ANYONE_AT = 2

_UNSPACED = re.compile(f"[{UNSPACED}]")
#: Text that a task works on.
_QUOTED = re.compile(r"[\"“„«»”‘]|(?<!\w)'|'(?!\w)")
_SUM = re.compile(r"\d\s?[-+*/×÷^%]\s?\d")
#: Letters that stand next to each other on a keyboard.
_KEYBOARD_ROWS = ("qwertyuiop", "qwertzuiop", "azertyuiop", "asdfghjkl", "zxcvbnm", "yxcvbnm")
_KEYBOARD_RUN = 4
_REPEATED = re.compile(r"(.)\1{3}")
#: A letter that is held: "yesss".
_RUN = re.compile(r"(.)\1{2,}")
#: In which "I" and "my" tell nothing of the one who speaks.
_SET_PHRASE = re.compile(
    r"\bi (?:see|understand|understood|agree|know|think so|think|guess so|guess|mean|hope so|meant|"
    r"appreciate (?:it|that)|(?:love|like) (?:it|that|this)|(?:got|get) it|don t know|"
    r"(?:m|am) (?:good|fine|ok|okay|sorry|glad|kidding))\b"
    r"|\bich (?:verstehe|weiß|danke)\b|\b(?:mach|verstehe|weiß) ich\b"
    r"|\bnever mind\b|\bmy (?:bad|mistake|apologies|pleasure|god)\b|\boh my\b"
    r"|\bho capito\b|\bsto bene\b|\bestoy de acuerdo\b|\bbin da\b"
    r"|\bje (?:vois|comprends|sais)\b|\bj ai compris\b"
)
#: Italian "ci" that means "there" and not "us".
_IMPERSONAL = re.compile(r"\bci (?:sono|è|sia|siano|era|erano|sarà|saranno|vuole|vogliono)\b")


class Need(IntEnum):
    """How much a message depends on memory, the least first."""

    #: A greeting, thanks, a filler: nothing is remembered for it.
    NONE = 0
    #: A task or a calculation that stands by itself ("write a haiku about rain"), keys hit at
    #: random.
    TASK = 1
    #: It may or may not: a question of fact, a few keywords.
    OPEN = 2
    #: It is about the user, or about a person named by a pronoun.
    PERSON = 3
    #: It names a person in the conversations, or asks what is remembered.
    NAMED = 4


def need_of(message: str, *, names_known: bool = False, language: str = "english") -> Need:
    """How much *message* needs memory. ``names_known``: it names somebody of the conversations.
    *language* is the one that most messages are in.
    """
    message = message[:MAX_CHARACTERS]
    found = words(message)
    if not found:
        return Need.NONE
    if names_known or any(_begins_at(found, at, ABOUT_MEMORY) for at in range(len(found))):
        return Need.NAMED
    request = _without_openings(found)
    is_task = _begins_task(request, is_polite=len(request) < len(found))
    if is_task:
        # Of a task only the instruction counts, not the text that it works on.
        request = _without_openings(words(_instruction(message)))
        request = _without_beneficiary(request)
    is_personal = _is_personal(request, languages_of_question(message, language))
    asks = "?" in message or "？" in message or found[0] in QUESTION_OPENINGS
    content = content_words(message, function_words_of(message, language))
    says_nothing = not content or (
        (_is_small_talk(message, found) or _is_courtesy(message, found))
        and (DAYS.isdisjoint(found) or QUESTION_WORDS.isdisjoint(found))
    )
    if says_nothing and not (is_personal and asks):
        return Need.NONE
    if is_personal:
        return Need.PERSON
    is_task = (
        is_task
        or _is_calculation(message, content)
        or _is_about_the_world(request, asks=asks)
        or FORMATS.issuperset(found)
        or all(map(_is_mash, content))
    )
    return Need.TASK if is_task else Need.OPEN


def _is_personal(request: list[str], languages: Sequence[str]) -> bool:
    """True if *request* is about the user, or about a person named by a pronoun."""
    known = [VOCABULARIES[each] for each in languages if each in VOCABULARIES]
    people = frozenset[str]().union(*(each.first_person | each.own_verbs for each in known))
    # "If a man buys a car …, how much did he make?" asks about no one in particular.
    if INDEFINITE.isdisjoint(request[:_ANYONE_AT]):
        people = people.union(*(each.third_person for each in known))
    request = _IMPERSONAL.sub("", " ".join(request)).split()
    if request[-1:] == ["i"] and not is_function_word(" ".join(request[-2:-1])):
        request = request[:-1]  # World War I
    return any(word in people or word in ABOUT_SPEAKERS_ANYWHERE for word in request)


def _begins_at(found: Sequence[str], at: int, phrases: Phrases) -> int:
    """The length of the longest of *phrases* that stands at this place; 0 if none does."""
    lengths = range(MAX_PHRASE_WORDS, 0, -1)
    return next((n for n in lengths if tuple(found[at : at + n]) in phrases), 0)


def _without_openings(found: list[str]) -> list[str]:
    at = 0
    while length := _begins_at(found, at, POLITE_OPENINGS):
        at += length
    return found[at:]


def is_small_talk(message: str) -> bool:
    """True if *message* greets, thanks, assents or steers the conversation, and tells nothing:
    "see you tomorrow" does, and neither "test tomorrow" nor "she said yes".
    """
    message = message[:MAX_CHARACTERS]
    return _is_small_talk(message, words(message))


def _begins_task(request: Sequence[str], *, is_polite: bool) -> bool:
    if not request:
        return False
    # German has the verb at the end: "Kannst du mir ein Gedicht schreiben?"
    at_end = is_polite and request[-1] in TASK_VERBS
    return request[0] in TASK_VERBS or at_end or bool(_how_to(request))


def _how_to(request: Sequence[str]) -> int:
    """The number of words with which *request* asks how something is done; 0 if it does not."""
    if _begins_at(request, 0, NAME_QUESTIONS):
        return 0
    if (
        request[0] == "wie"
        and request[2:3] == ["ich"]
        and not GERMAN_ARTICLES.isdisjoint(request[3:4])
    ):
        return 3
    return _begins_at(request, 0, HOW_TO)


def _without_beneficiary(request: list[str]) -> list[str]:
    """Leave out the first words of a task, with whom it is done for: "write me", "how do I"."""
    if length := _how_to(request):
        return request[length:]
    if request[:1] and request[0] in TASK_VERBS:
        return request[1 + _begins_at(request, 1, BENEFICIARIES) :]
    return request


def _instruction(message: str) -> str:
    """The part of a task before a colon and before a quotation."""
    before = message.split(":", 1)[0]
    return _QUOTED.split(before, maxsplit=1)[0]


def _is_small_talk(message: str, found: Sequence[str]) -> bool:
    if _UNSPACED.search(message):
        rest = "".join(found)
        if len(rest) > MAX_FILLER_CHARACTERS:
            return False
        for filler in UNSPACED_FILLERS:
            rest = rest.replace(filler, "")
        return not rest
    if len(found) > MAX_FILLER_WORDS:
        return False
    found = [_RUN.sub(r"\1", word) for word in found]
    if not all(word in FILLERS or is_function_word(word) for word in found):
        return False
    # Many are too short to tell their language: "Danke, das war's".
    return any(word in FILLERS for word in found) and not _tells(found)


def _tells(found: Sequence[str]) -> bool:
    """True if words of small talk tell of somebody, or of what is on some day."""
    if not TELLERS.isdisjoint(_SET_PHRASE.sub("", " ".join(found)).split()):
        return True
    return len(found) > 1 and not DAYS.isdisjoint(found) and DAY_WISHES.isdisjoint(found)


def _is_courtesy(message: str, found: Sequence[str]) -> bool:
    """True if *message* thanks or greets, with nothing but compliments: "Thanks, you're a star",
    "Buondì capo".
    """
    at = next((n for n, word in enumerate(found[:COURTESY_AT]) if word in COURTESIES), None)
    return (
        at is not None
        and "?" not in message
        and all(
            word in FILLERS or word in COURTESIES or word in COMPLIMENTS or is_function_word(word)
            for word in found
        )
        and not any(
            each.first_person.intersection(found[at + 1 :]) for each in VOCABULARIES.values()
        )
    )


def _is_calculation(message: str, content: Sequence[str]) -> bool:
    numbers = [word for word in content if word.isdigit()]
    if not numbers:
        return False
    return bool(_SUM.search(message)) or all(
        word.isdigit() or word in ARITHMETIC for word in content
    )


def _is_about_the_world(request: Sequence[str], *, asks: bool) -> bool:
    """True if *request* asks for what anybody can look up or write: the capital of a country, who
    painted something, a limerick, a line of SQL, or how many of one thing another has that is named
    by its kind ("how many legs does a spider have").
    """
    length = _begins_at(request, 0, MEASURES)
    if length and not INDEFINITE.isdisjoint(request[length + 1 :]):
        return True
    if len(request) > 1 and not GENERAL_WORK.isdisjoint(request):
        return True
    if not WHO.isdisjoint(request[:1]) and not RENOWNED.isdisjoint(request):
        return True
    return (asks or length > 0) and not WORLD_FACTS.isdisjoint(request)


def _is_mash(word: str) -> bool:
    """True if *word* looks like keys hit at random."""
    runs = (word[at : at + _KEYBOARD_RUN] for at in range(len(word) - _KEYBOARD_RUN + 1))
    return bool(_REPEATED.search(word)) or any(
        run in row or run[::-1] in row for run in runs for row in _KEYBOARD_ROWS
    )
