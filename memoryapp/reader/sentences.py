"""The sentences that the author of a message says, without what they quote or show. Pure."""

import re
from collections.abc import Container, Iterable, Iterator
from functools import lru_cache

from memoryapp.policy.fiction import marvels, without_fiction
from memoryapp.policy.quotation import own_words
from memoryapp.policy.recalled_context import without_recalled
from memoryapp.privacy.excerpts import split_sentences
from memoryapp.reader.languages.language import Language

#: Characters of a message that are read, and of a sentence; a longer one says too much at once.
MAX_MESSAGE, MAX_SENTENCE = 20_000, 400
#: Letters from which a shortened name is known: Mel for Melanie.
_MIN_NAME = 3
_OPENERS = 6

_BULLET = re.compile(r"\s{0,8}(?:[-*•]|\d{1,2}[.)])\s{1,4}")
#: Code, addresses, tables and mark-up: no sentence has them.
_CODE = re.compile(r"[`{}<>=|\\_#@$]|https?:|www\.|\(\)|\]\(|;$|::|->|[^\W\d_]\.[^\W\d_]{2,5}\(")
_PICTURES = re.compile(
    "[\U0001f000-\U0001faff\u2600-\u27bf\ufe0f\u200d\u2764]+|(?<!\\w)[:;]-?[)(DPp]"
)
_ABBREVIATED = re.compile(
    r"(?:\b(?:dr|mr|mrs|ms|st|prof|dott|sig|sra?|mme|no|nr|approx|e\.g|i\.e|z\.b|ca|bzw|vs)|"
    r"(?<!\d)\d{1,2})\.$",
    re.IGNORECASE,
)
#: What may follow a mark at the end of a sentence, or of a part of one.
_CLOSING = " ,;:-–—)]"
_QUOTED = re.compile(r"[\"“”«»„]")


def sentences(
    text: str, language: Language, *, to_assistant: bool, author: str = ""
) -> Iterator[str]:
    """The sentences of *text*, by an *author* of that name, in order. Behind a text that an
    assistant is to work on, nothing is read: it may say "I" without meaning its author.
    """
    said = own_words(without_recalled(text[:MAX_MESSAGE]), author)
    if to_assistant:
        said = without_fiction(said)
    for line in said.splitlines():
        plain = _PICTURES.sub(" ", line.replace("’", "'"))
        if bullet := _BULLET.match(plain):
            plain = plain[bullet.end() :]
        for sentence in whole_sentences(plain, language.subjects):
            bare = " ".join(sentence.split())
            if to_assistant and _hands_over(without_opener(bare, language), language):
                return
            if bare and len(bare) <= MAX_SENTENCE and not _CODE.search(bare):
                yield bare


def _hands_over(sentence: str, language: Language) -> bool:
    """True if *sentence* is a task behind which others than its author may say "I"."""
    if not language.task.match(sentence) or marvels(sentence):
        return False
    asking = language.asking
    if not asking.creates.match(sentence):
        return True
    return bool(asking.invents.search(asking.dedicated.sub("", sentence)))


def whole_sentences(line: str, subjects: Container[str] = ()) -> Iterator[str]:
    """The sentences of *line*, which do not end at an abbreviation: "Dr. Klein", "am 5. Mai". With
    a capital, one of *subjects* begins a sentence all the same: "Typ 1. Mein Hund".
    """
    before = ""
    for part in split_sentences(line):
        if before and part[:1].isupper() and part.partition(" ")[0].lower() in subjects:
            yield before
            before = ""
        whole = f"{before} {part}".strip()
        if _ABBREVIATED.search(whole[-12:]) and len(whole) < MAX_SENTENCE:
            before = whole
            continue
        before = ""
        yield whole
    if before:
        yield before


def has_question_mark(sentence: str) -> bool:
    """True if *sentence* has a question mark at its end."""
    return sentence.rstrip(_CLOSING).endswith(("?", "？"))


def quotes(sentence: str) -> bool:
    """True if *sentence* has quotation marks: it may be another person who says "I"."""
    return bool(_QUOTED.search(sentence))


@lru_cache(maxsize=256)
def without_opener(sentence: str, language: Language) -> str:
    """*sentence* without greetings and interjections at its beginning."""
    for _ in range(_OPENERS):
        opener = language.opener.match(sentence)
        if opener is None or not opener.end():
            break
        sentence = sentence[opener.end() :]
    return sentence


def wishes(sentence: str, language: Language) -> bool:
    """True if *sentence* tells how its author always wants to be answered, or asks for it."""
    if language.asked_wish.match(sentence):
        return True
    return bool(language.standing_wish.match(sentence)) and not has_question_mark(sentence)


def without_address(sentence: str, people: Iterable[str]) -> str:
    """*sentence* without a name of *people* that it calls: "Mel, …", "…, Caroline!"."""
    first, comma, rest = sentence.partition(",")
    if comma and _is_one_of(first, people):
        return rest.strip()
    start, comma, last = sentence.rpartition(",")
    if comma and _is_one_of(last.strip(" .!…"), people):
        return start.strip() + "."
    return sentence


def _is_one_of(word: str, people: Iterable[str]) -> bool:
    return (
        len(word) >= _MIN_NAME
        and word[0].isupper()
        and any(person.startswith(word) for person in people)
    )
