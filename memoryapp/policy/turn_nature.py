"""The nature of a message: whether it states something, asks, requests, or is small talk. Pure.

It is known once, when a message is stored: what only asks or acknowledges is no answer to a
question asked later. The test is cautious: one sentence that states something makes a statement of
all.
"""

import re

from conversations.models import Nature, Role
from conversations.scripts import UNSPACED
from memoryapp.policy.memory_need import is_filler, is_task
from memoryapp.policy.quotation import own_words
from memoryapp.policy.request_words import FILLERS
from memoryapp.policy.turn_words import (
    BESIDE,
    EMPTY,
    JOINTS,
    NOT_KNOWN,
    OF_ONESELF,
    QUESTIONS,
    any_of,
)
from memoryapp.text.excerpts import split_sentences
from memoryapp.text.function_words import content_words, function_words_of, words
from memoryapp.text.recalled_context import without_recalled

#: Characters of a message that are looked at; a longer one states something somewhere.
MAX_CHARACTERS = 2_000
#: Words up to which a sentence without a question mark is a question by its first words.
MAX_QUESTION_WORDS = 14
#: Words up to which an assistant's sentence can be empty.
MAX_EMPTY_WORDS = 16
#: Words up to which a whole message without a name or a number says nothing by itself: of an
#: assistant, and of a person whom nobody has asked.
MAX_BARE_WORDS = {Role.ASSISTANT: 6, Role.USER: 3}

_QUESTION_MARK = re.compile(r"[?？؟]['\"”’»)\]*_`\s]*$")
_INTERROGATIVE = re.compile(rf"(?:{any_of(JOINTS)}[ ,]+)?{any_of(QUESTIONS)}", re.IGNORECASE)
#: What parts a sentence into clauses.
_CLAUSES = re.compile(r"[,;:()]|\s[-–—]\s")
_OF_ONESELF = re.compile(rf"(?:{any_of(JOINTS)} )?{any_of(OF_ONESELF)}\b", re.IGNORECASE)
#: Words of a clause in which people tell of themselves, at least.
MIN_TOLD_WORDS = 3
_UNSPACED_QUESTION = re.compile(r"(?:か|吗|嗎|呢|の？)[。.!！]?$")
_UNSPACED = re.compile(f"[{UNSPACED}]")
_BESIDE = re.compile(rf"\b{any_of(BESIDE)}\b", re.IGNORECASE)
_NOT_KNOWN = re.compile(rf"\b{any_of(NOT_KNOWN)}\b", re.IGNORECASE)


def nature_of(text: str, *, role: str, language: str = "english", before: str = "") -> Nature:
    """The nature of a message with this *text*, said by *role* in this *language*, after the text
    *before*: "Rex." states something where "What is his name?" was asked.
    """
    if len(text) > MAX_CHARACTERS:
        return Nature.STATEMENT
    own = own_words(without_recalled(text)).replace("’", "'")
    found = {
        _nature_of_sentence(sentence, role, language)
        for line in own.splitlines()
        for sentence in split_sentences(line)
        if words(sentence)
    }
    if not found:
        # Only signs and pictures, or only what is quoted.
        return Nature.STATEMENT if words(text) else Nature.ACKNOWLEDGEMENT
    order = (Nature.STATEMENT, Nature.REQUEST, Nature.QUESTION, Nature.ACKNOWLEDGEMENT)
    nature = next(nature for nature in order if nature in found)
    if nature is Nature.STATEMENT and not _QUESTION_MARK.search(before) and _is_bare(own, role):
        return Nature.ACKNOWLEDGEMENT
    return nature


def _is_bare(text: str, role: str) -> bool:
    """Whether *text* is a few words without a name or a number."""
    found = words(text)
    if len(found) > MAX_BARE_WORDS.get(Role(role), 0) or _UNSPACED.search(text):
        return False
    # The first word of a sentence has a capital anyway.
    return not re.search(r"\d|[^.!?…\s]\s+[A-Z]", text)


def _nature_of_sentence(sentence: str, role: str, language: str) -> Nature:
    if role != Role.ASSISTANT and _tells(sentence):
        return Nature.STATEMENT
    if _asks(sentence):
        names = role != Role.ASSISTANT and _BESIDE.search(sentence)
        return Nature.STATEMENT if names else Nature.QUESTION
    if is_filler(sentence, language):
        return Nature.ACKNOWLEDGEMENT
    if role == Role.ASSISTANT:
        return Nature.ACKNOWLEDGEMENT if _is_empty(sentence, language) else Nature.STATEMENT
    return Nature.REQUEST if is_task(sentence) else Nature.STATEMENT


def _tells(sentence: str) -> bool:
    """Whether people tell of themselves in a clause of *sentence*, whatever they ask in another:
    "I'm allergic to nuts, what can I eat?".
    """
    # Behind a colon stands the text that a task works on.
    told = sentence.split(":", 1)[0] if is_task(sentence) else sentence
    clauses = [clause.strip() for clause in _CLAUSES.split(told) if clause.strip()]
    asked = clauses[-1:] if _QUESTION_MARK.search(sentence) else []
    return any(
        _OF_ONESELF.match(clause) and len(words(clause)) >= MIN_TOLD_WORDS
        for clause in clauses
        if clause not in asked and not _INTERROGATIVE.match(clause)
    )


def _asks(sentence: str) -> bool:
    if _QUESTION_MARK.search(sentence):
        return True
    if sentence.endswith(("!", "！")):
        return False
    if _UNSPACED.search(sentence):
        return bool(_UNSPACED_QUESTION.search(sentence))
    return len(words(sentence)) <= MAX_QUESTION_WORDS and bool(
        _INTERROGATIVE.match(sentence.lstrip("*_\"'“„«- "))
    )


def _is_empty(sentence: str, language: str) -> bool:
    """Whether an assistant's *sentence* says nothing: assent, good wishes, or that it does not
    know.
    """
    found = words(sentence)
    if len(found) > MAX_EMPTY_WORDS or any(word.isdigit() for word in found):
        return False
    if _NOT_KNOWN.search(sentence):
        return True
    told = _without_address(sentence)
    content = content_words(told, function_words_of(told, language))
    return all(word in EMPTY or word in FILLERS for word in content)


def _without_address(sentence: str) -> str:
    """*sentence* without the name that it calls: "…, Kim."."""
    before, comma, name = sentence.rpartition(",")
    return before if comma and name.strip(" .!").istitle() and len(name.split()) == 1 else sentence
