"""Whether a new fact is an old one: a pure decision over similarities, texts and thresholds.

Similarity alone cannot decide. With the built-in model a rewrite of a fact scores 0.95 and more,
but a changed number keeps 0.98 and a negation often 0.90. So the particulars of the two texts
(numbers, dates, negations, names) are compared as well: where they differ, the new text becomes a
new version of the fact and the old one stays in its history.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Action(StrEnum):
    """What is done with a new fact."""

    #: A row of its own.
    STORED = "stored_new"
    #: The new version of an existing memory, whose old text becomes a revision.
    UPDATED = "updated_existing"
    #: Said already, with the same particulars: nothing is written.
    DUPLICATE = "duplicate_exact"


@dataclass(frozen=True)
class Neighbour:
    """An existing memory near the new text, with their cosine similarity (-1 to 1)."""

    id: int
    content: str
    similarity: float


@dataclass(frozen=True)
class Decision:
    """What to do, and with which existing memory."""

    action: Action
    existing_id: int | None = None


def decide(
    content: str, neighbours: Sequence[Neighbour], *, exact: float = 0.98, update: float = 0.90
) -> Decision:
    """Decide what becomes of *content* beside its *neighbours*, whatever their order.

    - the same words: a duplicate, however similar the vectors say they are;
    - at ``exact`` or more, with the same particulars: a duplicate;
    - above ``update``: a new version of that memory, unless the two are about different people;
    - otherwise: a memory of its own.

    A neighbour with the same particulars goes before a nearer one without: beside "has 3 cats" and
    "has two cats", "has 2 cats" is the second one again and not a new version of the first.
    """
    nearest_first = sorted(neighbours, key=lambda near: (-near.similarity, near.id))
    for near in nearest_first:
        if _folded(content) == _folded(near.content):
            return Decision(Action.DUPLICATE, near.id)
    kin = [near for near in nearest_first if near.similarity > update or near.similarity >= exact]
    ours = particulars(content)
    for near in kin:
        if particulars(near.content) == ours:
            action = Action.DUPLICATE if near.similarity >= exact else Action.UPDATED
            return Decision(action, near.id)
    for near in kin:
        if not about_someone_else(content, near.content):
            return Decision(Action.UPDATED, near.id)
    return Decision(Action.STORED)


@dataclass(frozen=True)
class Particulars:
    """What two wordings of one fact must have in common."""

    numbers: tuple[str, ...]
    negations: int
    names: tuple[str, ...]
    #: Signs such as the plus of a blood type, and words that turn a sentence round: left, right.
    turns: tuple[str, ...]


def particulars(text: str) -> Particulars:
    """Collect the numbers, dates, negations and names of *text*, in their order: "from Rome to
    Paris" and "from Paris to Rome" differ in nothing else.

    Scripts without capital letters hide their names, so there every word counts as one.
    """
    words = _words(text)
    return Particulars(
        tuple(_number(word) for word in words if _number(word)),
        # An even number of negations would be an affirmation, were languages logic; they are not,
        # so the count itself is compared.
        sum(_is_negation(word) for word in words),
        tuple(_names(words)),
        tuple(word.casefold() for word in words if _is_turn(word)),
    )


def about_someone_else(one: str, other: str) -> bool:
    """Whether a differing name stands where the subject does: the same is said of someone else.

    "Ana moved to Lyon" and "Ben moved to Lyon" are two facts; "The user's manager is Ana" and
    "The user's manager is Ben" are two versions of one. Word order tells them apart in any
    language that puts its subject first: after the differing name, the same words go on.
    """
    ours, theirs = _words(one), _words(other)
    our_names, their_names = set(_names(ours)), set(_names(theirs))
    if not (our_names - their_names and their_names - our_names):
        return False
    shared_tail = 0
    for mine, yours in zip(reversed(ours), reversed(theirs), strict=False):
        if mine.casefold() != yours.casefold():
            break
        shared_tail += 1
    return shared_tail >= 2


# Chinese and Japanese put no spaces between words, so there each character is one.
_UNSPACED = r"\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WORD = re.compile(
    rf"\d[\d.,:/-]*\d|\d+|[{_UNSPACED}]"
    rf"|[^\W\d_{_UNSPACED}]+(?:['’][^\W\d_{_UNSPACED}]+)*"
    # A minus is a sign when it stands before a number, or ends a word: -5, A-.
    r"|(?<![\w.,-])[-−–](?=\d)|(?<=\w)[-−–](?![\w-])"
    # Whatever else is not mere punctuation: + # % € 👍, and the vowels of Hindi or Thai.
    r"""|[^\w\s.,:;!?…'’‘"“”„«»()\[\]{}\-−–—·。、，！？；：「」『』（）¿¡/*`|\\]"""
)
_NEGATIONS = frozenset(
    # English
    "no not never none nobody nothing neither nor cannot without longer stopped quit avoids avoid "
    "dislikes dislike hates hate former formerly unable refuses refuse except "
    # German, Dutch
    "nicht kein keine keinen keinem keiner keines nie niemals niemand nichts ohne "
    "niet geen nooit niemand niets zonder "
    # French
    "ne pas jamais aucun aucune rien personne sans plus "
    # Italian, Spanish, Portuguese
    "non mai nessun nessuno nessuna niente senza nunca jamás ningún ninguna nadie nada sin "
    "não nunca nenhum nenhuma ninguém sem "
    # Swedish, Danish, Norwegian, Polish, Russian
    "inte aldrig ingen inget utan ikke aldri intet uden uten nie nigdy bez не нет никогда "
    "без".split()
)
_NUMBER_WORDS = {
    word: str(number)
    for number, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
            "twenty",
        ]
    )
} | {"once": "1", "twice": "2", "thirty": "30", "forty": "40", "fifty": "50", "hundred": "100"}
_DAYS = frozenset(
    [
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ]
)
#: Capitalised at the start of a sentence without being a name.
_OPENERS = frozenset(
    [
        "the",
        "a",
        "an",
        "user",
        "users",
        "they",
        "he",
        "she",
        "it",
        "his",
        "her",
        "their",
        "its",
        "this",
        "that",
        "these",
        "those",
        "in",
        "on",
        "at",
        "for",
        "from",
        "with",
        "when",
        "while",
        "after",
        "before",
        "since",
        "until",
        "every",
        "each",
        "some",
        "many",
        "most",
        "all",
        "there",
        "as",
        "by",
        "to",
        "of",
        "and",
        "but",
        "if",
        "both",
        "decided",
        "der",
        "die",
        "das",
        "ein",
        "eine",
        "er",
        "sie",
        "es",
        "ihr",
        "sein",
        "le",
        "la",
        "les",
        "un",
        "une",
        "il",
        "elle",
        "lo",
        "gli",
        "i",
        "el",
        "los",
        "las",
        "una",
        "o",
        "os",
        "as",
        "um",
        "uma",
        "él",
        "ella",
    ]
)


def _words(text: str) -> list[str]:
    return _WORD.findall(text)


def _folded(text: str) -> list[str]:
    return [word.casefold() for word in _words(text)]


def _number(word: str) -> str:
    """The number or date that *word* stands for, in one spelling; empty for other words."""
    folded = word.casefold()
    if folded[0].isdigit():
        return folded.replace(",", "")
    return _NUMBER_WORDS.get(folded, folded if folded in _DAYS else "")


def _is_negation(word: str) -> bool:
    folded = word.casefold().replace("’", "'")
    return folded in _NEGATIONS or folded.endswith("n't")


def _names(words: Sequence[str]) -> list[str]:
    names = []
    for position, word in enumerate(words):
        folded = re.sub(r"['’]s?$", "", word.casefold())
        if _number(word) or _is_negation(word):
            continue
        has_no_case = word.lower() == word.upper()
        capitalised = word[0].isupper()
        if has_no_case or (capitalised and not (position == 0 and folded in _OPENERS)):
            names.append(folded)
    return [name for name in names if name not in ("user", "i")]
