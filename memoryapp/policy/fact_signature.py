"""Compares two sentences: numbers, dates, negations, names, and the person they are about. Pure."""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from conversations.scripts import HAN_COMPATIBILITY, UNSPACED
from memoryapp.policy.word_lists import (
    ARTICLES,
    COMPANY,
    DATES,
    FUNCTION_WORDS,
    KIN,
    MONTHS,
    NEGATIONS,
    NUMBER_WORDS,
    OPENERS,
    OPPOSITES,
    PLACING,
    PREFIXES,
    QUALIFIERS,
    TENS,
    USERS,
)
from memoryapp.policy.word_order import exchanges


@dataclass(frozen=True)
class FactSignature:
    """The particulars that all wordings of a fact have in common."""

    numbers: tuple[str, ...]
    negations: int
    names: tuple[str, ...]
    #: Signs such as the plus of a blood type, and words that change the meaning: left, right.
    qualifiers: tuple[str, ...]


@lru_cache(maxsize=2_048)
def fact_signature(text: str, beside: str = "") -> FactSignature:
    """Collect the particulars of *text* in order, since "from Rome to Paris" and "from Paris to
    Rome" differ only in their order. In scripts without capital letters, every word counts as a
    name. The first word is none if the text *beside* it has it in lower case: "Lately, Ana paints"
    and "Ana paints lately".
    """
    words = _words(text)
    if words and words[0].lower() in _words(beside):
        words[0] = words[0].lower()
    return FactSignature(
        tuple(_numbers(words)),
        # The count, not its parity: in languages, two negations are not always an affirmation.
        sum(is_negation(word) for word in words),
        tuple(_names(words)),
        tuple(_turn(word) for word in words if _is_turn(word)),
    )


def same_particulars(one: str, other: str) -> bool:
    """Whether both have the same particulars, no word was replaced by its opposite, and nobody has
    changed places with another.
    """
    same = fact_signature(one, other) == fact_signature(other, one)
    return (
        same
        and not has_opposite(one, other)
        and not exchanges(folded_words(one), folded_words(other))
    )


def differ_in_words_only(one: str, other: str) -> bool:
    """Whether both have the same numbers, names and negations, and no word was replaced by its
    opposite.
    """
    first, second = fact_signature(one, other), fact_signature(other, one)
    same = (first.numbers, first.names, first.negations) == (
        second.numbers,
        second.names,
        second.negations,
    )
    return same and not has_opposite(one, other)


def keeps_particulars(merged: str, *texts: str) -> bool:
    """Whether *merged* has all particulars of *texts* and no others. It needs as many negations as
    the text with the most.
    """
    whole, parts = fact_signature(merged), [fact_signature(text) for text in texts]
    words = {word for text in texts for word in map(_bare, _words(text))}
    negations = [part.negations for part in parts]
    return (
        all(
            Counter(before) <= Counter(after)
            for part in parts
            for before, after in [
                (part.numbers, whole.numbers),
                (part.names, whole.names),
                (part.qualifiers, whole.qualifiers),
            ]
        )
        and max(negations) <= whole.negations <= sum(negations)
        and {*whole.numbers} <= {number for part in parts for number in part.numbers}
        # The first word has a capital in any case.
        and {*_names(_words(merged)[1:])} <= words
        and not any(has_opposite(merged, text) for text in texts)
    )


def same_words(one: str, other: str) -> bool:
    """Whether the two are the same but for case, spaces and punctuation."""
    return folded_words(one) == folded_words(other)


def folded_words(text: str) -> tuple[str, ...]:
    """Return what two texts with the `same_words` have in common."""
    # A text without words, such as "…", is compared as it is.
    return tuple(word.casefold() for word in _words(text)) or (text,)


def mostly_same_words(one: str, other: str) -> bool:
    """Whether both have the same content words, in any order and with any endings; one text may
    have up to a quarter more. A replaced word, "the violin" for "the piano", makes them different.
    """
    fewer, more = sorted((content_stems(one), content_stems(other)), key=Counter.total)
    return fewer.total() > 0 and fewer <= more and fewer.total() >= 0.75 * more.total()


def about_someone_else(one: str, other: str) -> bool:
    """Whether the two are about different people.

    "Ana moved to Lyon" and "Ben moved to Lyon" are two facts; "The user's manager is Ana" and
    "The user's manager is Ben" are two versions of one. In languages that put the subject first,
    word order tells them apart: the differing person opens the sentence, or the same words follow
    them. People are names, the user, and relatives such as "sister". At the end of a sentence, a
    person counts who took part ("painted by Ana", "went with Ana"), or if no other is named.

    "Ana is a nurse" and "Ana's sister is a nurse" are about two people as well. In scripts without
    capitals, the texts must differ within their first two characters.
    """
    ours, theirs = _words(one), _words(other)
    our_people, their_people = _people_of(one), _people_of(other)
    ours_only, theirs_only = (
        set(our_people) - set(their_people),
        set(their_people) - set(our_people),
    )
    if _about_a_relative(one, other):
        return True
    if not (ours_only and theirs_only):
        return False
    if all(_has_no_case(name) for name in ours_only | theirs_only):
        return "".join(ours)[:2] != "".join(theirs)[:2]
    our_subject, their_subject = _subject(ours), _subject(theirs)
    if our_subject and their_subject and our_subject != their_subject:
        return True
    shared_tail = 0
    for mine, yours in zip(reversed(ours), reversed(theirs), strict=False):
        if mine.casefold() != yours.casefold():
            break
        shared_tail += 1
    if shared_tail >= 2:
        return True
    before = [
        words[-2 - shared_tail].casefold()
        for words in (ours, theirs)
        if len(words) >= 2 + shared_tail
    ]
    if any(word in COMPANY for word in before):
        return True
    shared = set(our_people) & set(their_people)
    return not shared and not any(word in PLACING for word in before)


#: Scripts without spaces (Thai, Lao, Burmese, Khmer, Japanese, Chinese): each character is a word.
_UNSPACED = UNSPACED + HAN_COMPATIBILITY
#: Parts of words that are no letters for Python: accents, and vowel signs of Indic scripts.
_MARKS = r"\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u0900-\u0963\u0970-\u0dff"
_LETTERS = rf"(?:[^\W\d_{_UNSPACED}]|[{_MARKS}])+"
_WORD = re.compile(
    rf"\d[\d.,:/-]*\d|\d+|[{_UNSPACED}]|{_LETTERS}(?:'{_LETTERS})*"
    # A hyphen is a minus before a number and at the end of a word: -5, blood type A-.
    r"|(?<![\w.,-])-(?=\d)|(?<=\w)-(?![\w-])"
    r"|[^\w\s-]"
)
_ALIKE = str.maketrans({"’": "'", "−": "-", "–": "-"})
#: Punctuation that changes the meaning, besides the symbols of Unicode: + € ° = 👍.
_SIGNS = frozenset("#%&@")
_MONTH = "|".join(MONTHS)
#: Dates with the month in letters: 7 May 2023, May 7th, May 2023.
_SPELT_DATE = re.compile(
    rf"\b(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<month>{_MONTH})\b\.?"
    rf"|(?P<month2>{_MONTH})\.? (?P<day2>\d{{1,2}})(?:st|nd|rd|th)?(?!\d))"
    rf"(?:,? (?P<year>\d{{4}}))?\b"
    rf"|\b(?P<month3>{_MONTH})\.?,? (?P<year3>\d{{4}})\b",
    re.IGNORECASE,
)
_OPPOSITES_OF = {
    word: frozenset[str]().union(*(pair - {word} for pair in OPPOSITES if word in pair))
    for word in frozenset[str]().union(*OPPOSITES)
}
_RELATIVES = "|".join(KIN)
#: Ana's younger sister, Ana's sister's dog; the sister of Ana. No word is longer than 60 letters.
_CHAIN = re.compile(
    r"(?<![^\W\d_])(?P<owner>[^\W\d_]{1,60}+)'s?"
    r"(?P<kin>(?: (?!(?:\w{1,60}ing|and|is|has|was|her|his|their|the|an?)\b)"
    rf"[\w-]{{1,60}}+){{0,2}}? (?:{_RELATIVES})\b(?:'s? (?:\w{{1,60}}+ )?(?:{_RELATIVES})\b)*)"
    rf"|\b(?P<kin2>{_RELATIVES}) of (?:the )?(?P<owner2>[^\W\d_]{{1,60}})",
    re.IGNORECASE,
)


def normalised(text: str) -> str:
    """Return *text* with one kind of apostrophe and minus, and its dates in one form."""
    return _SPELT_DATE.sub(_iso, unicodedata.normalize("NFC", text).translate(_ALIKE))


def _iso(match: re.Match[str]) -> str:
    year = match["year"] or match["year3"]
    month = MONTHS[(match["month"] or match["month2"] or match["month3"]).casefold()]
    day = match["day"] or match["day2"]
    # "0000" for an unknown year, so that the date is one word.
    return "-".join([year or "0000", f"{month:02}", *([f"{int(day):02}"] if day else [])])


def _words(text: str) -> list[str]:
    return list(_cached_words(text))


# Each new fact is compared with several memories, in several ways.
@lru_cache(maxsize=2_048)
def _cached_words(text: str) -> tuple[str, ...]:
    words = _WORD.findall(normalised(text))
    return tuple(word for word in words if word[0].isalnum() or _is_sign(word) or len(word) > 1)


def stem(word: str) -> str:
    """Return *word* without its ending: a rough stem for English."""
    return re.sub(r"(?<=\w{3})(?:ies|ing|ed|es|s|y|e)$", "", _bare(word))


def content_stems(text: str, *, with_negations: bool = True) -> Counter[str]:
    """Return the stems of the content words of *text*, without the people that it is about."""
    words = _words(text)
    people = set(_people(words))
    return Counter(
        stem(word)
        for word in words
        if word.casefold() not in FUNCTION_WORDS
        and _bare(word) not in people
        and (with_negations or not is_negation(word))
    )


def has_opposite(one: str, other: str) -> bool:
    """Return whether a word of one text is replaced by its opposite in the other."""
    ours, theirs = set(folded_words(one)), set(folded_words(other))
    return _turned_round(ours - theirs, theirs - ours) or _turned_round(
        theirs - ours, ours - theirs
    )


def _turned_round(words: set[str], others: set[str]) -> bool:
    """Whether the opposite of one of *words* is among *others*: "unhappy" for "happy"."""
    return any(
        not _OPPOSITES_OF.get(word, frozenset()).isdisjoint(others)
        or any(prefix + word in others for prefix in PREFIXES)
        for word in words
    )


def _is_sign(word: str) -> bool:
    """Whether *word* is a single sign that changes the meaning."""
    kind = unicodedata.category(word[0])
    return word in _SIGNS or kind == "Pd" or (kind[0] in "SM" and kind != "Sk")


def _is_turn(word: str) -> bool:
    return not word[0].isalnum() or _turn(word) in QUALIFIERS


def _turn(word: str) -> str:
    """*word* in small letters, and a time of the day in the singular: in the mornings."""
    folded = word.casefold()
    return folded.removesuffix("s") if folded.endswith(("ings", "noons", "nights")) else folded


def _numbers(words: Sequence[str]) -> list[str]:
    """The numbers and dates among *words*; "twenty-five" is 25."""
    numbers: list[str] = []
    tens = False
    for word in words:
        number = _number(word)
        if number and tens and len(number) == 1 and number != "0" and word[0].isalpha():
            numbers[-1] = str(int(numbers[-1]) + int(number))
        elif number:
            numbers.append(number)
        tens = number in TENS and word[0].isalpha()
    return numbers


def _number(word: str) -> str:
    """The number or date that *word* stands for, in one spelling; empty for other words."""
    folded = word.casefold()
    if folded[0].isdigit():
        # 1,000 is 1000, but 1,5 is not 15.
        return re.sub(r",(?=\d{3}(?!\d))", "", folded)
    return NUMBER_WORDS.get(folded, folded if folded in DATES else "")


def is_negation(word: str) -> bool:
    """Return whether *word* negates: not, never, doesn't."""
    folded = word.casefold()
    return folded in NEGATIONS or folded.endswith("n't")


def _has_no_case(word: str) -> bool:
    return word.lower() == word.upper()


def _bare(word: str) -> str:
    """*word* in lower case, without what follows an apostrophe: Ana's, Ana'll."""
    return re.sub(r"'(?:s|ll|d|ve|re|m)?$", "", word.casefold())


def _names(words: Sequence[str]) -> list[str]:
    names = []
    for position, word in enumerate(words):
        bare = _bare(word)
        if not word[0].isalpha() or _number(word) or is_negation(word):
            continue
        if _has_no_case(word) or (word[0].isupper() and (position > 0 or bare not in OPENERS)):
            names.append(bare)
    return [name for name in names if name not in ("user", "i")]


def _people(words: Sequence[str]) -> list[str]:
    """The people that *words* may be about: names, the user, relatives."""
    names = set(_names(words))
    people = []
    for word in words:
        bare = _bare(word)
        if bare in USERS:
            people.append("user")
        elif bare in KIN:
            people.append(KIN[bare])
        elif bare in names:
            people.append(bare)
    return people


@lru_cache(maxsize=2_048)
def _people_of(text: str) -> tuple[str, ...]:
    """The people that *text* may be about."""
    return tuple(_people(_words(text)))


def _subject(words: Sequence[str]) -> str:
    """The person at the beginning of the sentence; empty if there is none."""
    if words and words[0].casefold() in ARTICLES:
        return "user" if _people(words[1:2]) == ["user"] else ""
    return next(iter(_people(words[:1])), "")


def _about_a_relative(one: str, other: str) -> bool:
    """Whether one text is about a person and the other about a relative of theirs, or both about
    different relatives. The first relative in each text counts.
    """
    ours, theirs = _relatives(one)[:1], _relatives(other)[:1]
    our_people, their_people = _people_of(one), _people_of(other)
    owners = {owner for owner, _ in ours + theirs}
    return (
        ours != theirs
        and len(owners) == 1
        and owners <= set(our_people) & set(their_people)
        # "Ana has a brother" is about the same people as "Ana's brother".
        and sorted(our_people) != sorted(their_people)
    )


def opens_with_relative(text: str) -> bool:
    """Whether *text* begins with a person's relative, as "Ana's sister lives in Rome" does."""
    text = normalised(text)
    first, _, rest = text.partition(" ")
    if first.casefold() not in ARTICLES:
        return _CHAIN.match(text) is not None
    noun = "".join(_words(rest)[:1]).casefold()
    return noun in KIN or _CHAIN.match(rest) is not None


@lru_cache(maxsize=2_048)
def _relatives(text: str) -> list[tuple[str, list[str]]]:
    """The relatives in *text*, each as an owner and a chain of relations."""
    relatives = []
    for match in _CHAIN.finditer(normalised(text)):
        owner = (match["owner"] or match["owner2"]).casefold()
        words = re.findall(r"\w+", (match["kin"] or match["kin2"]).casefold())
        kin = [KIN[word] for word in words if word in KIN]
        relatives.append(("user" if owner in USERS else owner, kin))
    return relatives
