"""Whether a new fact is an old one: a pure decision over similarities, texts and thresholds.

Similarity alone cannot decide. With the built-in model a rewrite of a fact scores 0.95 and more,
but a changed number keeps 0.98 and a negation often 0.90. So the particulars of the two texts
(numbers, dates, negations, names) are compared as well: where they differ, the new text becomes a
new version of the fact and the old one stays in its history.
"""

import re
import unicodedata
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
    language that puts its subject first: the differing name opens the sentence, or the same words
    go on after it. Where every word counts as a name, since the script has no capitals, the texts
    must differ from the start on (or from the second character on, for people who share a family
    name).
    """
    ours, theirs = _words(one), _words(other)
    our_names, their_names = set(_names(ours)), set(_names(theirs))
    if not (our_names - their_names and their_names - our_names):
        return False
    if all(_has_no_case(name) for name in our_names ^ their_names):
        return "".join(ours)[:2] != "".join(theirs)[:2]
    our_first, their_first = _names(ours[:1]), _names(theirs[:1])
    if our_first and their_first and our_first != their_first:
        return True
    shared_tail = 0
    for mine, yours in zip(reversed(ours), reversed(theirs), strict=False):
        if mine.casefold() != yours.casefold():
            break
        shared_tail += 1
    return shared_tail >= 2


#: Scripts without spaces (Thai, Lao, Burmese, Khmer, Japanese, Chinese): each character is a word.
_UNSPACED = r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
#: Parts of words that Python does not take for letters: accents, and the vowels of India.
_MARKS = r"\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u0900-\u0963\u0970-\u0dff"
_LETTERS = rf"(?:[^\W\d_{_UNSPACED}]|[{_MARKS}])+"
_WORD = re.compile(
    rf"\d[\d.,:/-]*\d|\d+|[{_UNSPACED}]|{_LETTERS}(?:'{_LETTERS})*"
    # A hyphen is a minus before a number and at the end of a word: -5, blood type A-.
    r"|(?<![\w.,-])-(?=\d)|(?<=\w)-(?![\w-])"
    r"|[^\w\s-]"
)
_ALIKE = str.maketrans({"’": "'", "−": "-", "–": "-"})
#: Punctuation that changes what is said, beside all that Unicode calls a symbol: + € ° = 👍.
_SIGNS = frozenset("#%&@")
_NEGATIONS = frozenset(
    # English
    "no not never none nobody nothing neither nor cannot without longer stopped stops stop quit "
    "quits avoids avoid dislikes dislike hates hate former formerly used ex unable refuses refuse "
    "except "
    # German, Dutch
    "nicht kein keine keinen keinem keiner keines nie niemals niemand nichts ohne "
    "niet geen nooit niets zonder "
    # French
    "ne pas jamais aucun aucune rien personne sans plus "
    # Italian, Spanish, Portuguese
    "non mai nessun nessuno nessuna niente senza nunca jamás ningún ninguna nadie nada sin "
    "não nenhum nenhuma ninguém sem "
    # Swedish, Danish, Norwegian, Polish, Russian
    "inte aldrig ingen inget utan ikke aldri intet uden uten nigdy bez не нет никогда без".split()
)
#: Words that stand for each other's opposite in sentences that models hardly tell apart: "the left
#: knee" and "the right knee" have a cosine of 0.985.
_TURNS = frozenset(
    "left right am pm before after until since more less most least up down over under first last "
    "always often sometimes rarely seldom morning noon afternoon evening night mg g kg ml l".split()
)
_NUMBER_WORDS = {
    word: str(number)
    for number, words in enumerate(
        [
            "zero null nul",
            "one once eins",
            "two twice zwei twee deux dos dois duas",
            "three drei drie trois tre tres três",
            "four vier quatre quattro cuatro quatro",
            "five fünf vijf cinq cinque cinco",
            "six sechs zes seis",
            "seven sieben zeven sept sette siete sete",
            "eight acht huit otto ocho oito",
            "nine neun negen neuf nove nueve",
            "ten zehn tien dix dieci diez dez",
            "eleven elf onze undici",
            "twelve dozen zwölf twaalf douze dodici doce",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
            "twenty zwanzig twintig vingt venti veinte vinte",
        ]
    )
    for word in words.split()
} | {
    word: str(10 * number)
    for number, word in enumerate(
        "thirty forty fifty sixty seventy eighty ninety hundred".split(), 3
    )
}
#: Where they are written with a capital, they would count as names anyway.
_DATES = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may "
    "june july august september october november december today tomorrow yesterday daily weekly "
    "monthly yearly annually "
    # Spanish, Portuguese
    "lunes martes miércoles jueves viernes sábado domingo enero febrero marzo abril mayo junio "
    "julio agosto septiembre octubre noviembre diciembre "
    "janeiro fevereiro março maio junho julho setembro outubro novembro dezembro "
    # French, Italian
    "lundi mardi mercredi jeudi vendredi samedi dimanche janvier février mars avril mai juin "
    "juillet août septembre octobre novembre décembre "
    "lunedì martedì mercoledì giovedì venerdì sabato domenica gennaio febbraio aprile maggio "
    "giugno luglio settembre ottobre dicembre".split()
)
#: Capitalised at the start of a sentence without being a name.
_OPENERS = frozenset(
    "the a an user users they he she it his her their its this that these those in on at for from "
    "with when while after before since until every each some many most all there as by to of and "
    "but if both decided "
    "der die das ein eine er sie es ihr sein le la les un une il elle lo gli i el los las una o os "
    "um uma él ella".split()
)


def _words(text: str) -> list[str]:
    words = _WORD.findall(unicodedata.normalize("NFC", text).translate(_ALIKE))
    return [word for word in words if word[0].isalnum() or _is_sign(word) or len(word) > 1]


def _folded(text: str) -> list[str]:
    # Without any word, as in "…", nothing but the text itself can be compared.
    return [word.casefold() for word in _words(text)] or [text]


def _is_sign(word: str) -> bool:
    """Whether *word* is no word but a single character that changes what is said."""
    kind = unicodedata.category(word[0])
    return word in _SIGNS or kind == "Pd" or (kind[0] in "SM" and kind != "Sk")


def _is_turn(word: str) -> bool:
    return not word[0].isalnum() or word.casefold() in _TURNS


def _number(word: str) -> str:
    """The number or date that *word* stands for, in one spelling; empty for other words."""
    folded = word.casefold()
    if folded[0].isdigit():
        # 1,000 is 1000, but 1,5 is not 15.
        return re.sub(r",(?=\d{3}(?!\d))", "", folded)
    return _NUMBER_WORDS.get(folded, folded if folded in _DATES else "")


def _is_negation(word: str) -> bool:
    folded = word.casefold()
    return folded in _NEGATIONS or folded.endswith("n't")


def _has_no_case(word: str) -> bool:
    return word.lower() == word.upper()


def _names(words: Sequence[str]) -> list[str]:
    names = []
    for position, word in enumerate(words):
        folded = re.sub(r"'s?$", "", word.casefold())
        if not word[0].isalpha() or _number(word) or _is_negation(word):
            continue
        if _has_no_case(word) or (word[0].isupper() and (position > 0 or folded not in _OPENERS)):
            names.append(folded)
    return [name for name in names if name not in ("user", "i")]
