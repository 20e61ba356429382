"""Compares two sentences: numbers, dates, negations, names, and the person they are about. Pure."""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from conversations.scripts import HAN_COMPATIBILITY, UNSPACED
from memoryapp.language.denials import DENYING_VERBS, is_denial
from memoryapp.language.vocabularies import FACTS
from memoryapp.policy.normal_form import comparable
from memoryapp.policy.word_lists import (
    ARTICLES,
    COMPANY,
    COPULAS,
    DATES,
    FUNCTION_WORDS,
    KIN,
    LINKING_WORDS,
    NUMBER_WORDS,
    OPENERS,
    OPPOSITES,
    PREFIXES,
    QUALIFIERS,
    TENS,
    TIMES_OF_DAY,
    USERS,
)
from memoryapp.policy.word_order import exchanges, is_list, with_same_part


@dataclass(frozen=True)
class FactSignature:
    """The particulars that all wordings of a fact have in common."""

    numbers: tuple[str, ...]
    negations: int
    names: tuple[str, ...]
    #: Signs such as the plus of a blood type, and words that change the meaning: left, right.
    qualifiers: tuple[str, ...]
    #: Parts of the day, which a wording may leave out.
    times: tuple[str, ...] = field(default=(), compare=False)


@lru_cache(maxsize=2_048)
def fact_signature(text: str, beside: str = "") -> FactSignature:
    """Collect the particulars of *text* in order, since "from Rome to Paris" and "from Paris to
    Rome" differ only in their order. In scripts without capital letters, every word counts as a
    name. The first word is none if the text *beside* it has it in lower case: "Lately, Ana paints"
    and "Ana paints lately".
    """
    words = words_of(text)
    if words and words[0].lower() in words_of(beside):
        words[0] = words[0].lower()
    return FactSignature(
        tuple(_numbers(words)),
        # The count, not its parity: in languages, two negations are not always an affirmation.
        sum(is_negation(word) for word in words),
        tuple(_names(words)),
        tuple(_qualifiers(words)),
        tuple(_times(words)),
    )


def same_particulars(one: str, other: str) -> bool:
    """True if both have the same particulars, or one no time of the day, no word was replaced by
    its opposite, and nobody has changed places with another.
    """
    first, second = fact_signature(one, other), fact_signature(other, one)
    return (
        first == second
        and (first.times == second.times or not (first.times and second.times))
        and not has_opposite(one, other)
        and not exchanges(folded_words(one), folded_words(other))
        and not _does_it_to_the_other(one, other)
    )


def tells_when(one: str, other: str) -> bool:
    """True if *one* tells a time of the day, and *other* none."""
    return bool(fact_signature(one).times) and not fact_signature(other).times


def differ_in_words_only(one: str, other: str) -> bool:
    """True if both have the same numbers, names and negations, and no word was replaced by its
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
    """True if *merged* has all particulars of *texts* and no others. It needs as many negations as
    the text with the most.
    """
    whole, parts = fact_signature(merged), [fact_signature(text) for text in texts]
    words = {word for text in texts for word in map(_bare, words_of(text))}
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
        and {*whole.times} == {time for part in parts for time in part.times}
        and max(negations) <= whole.negations <= sum(negations)
        and {*whole.numbers} <= {number for part in parts for number in part.numbers}
        # The first word has a capital in any case.
        and {*_names(words_of(merged)[1:])} <= words
        and not any(has_opposite(merged, text) for text in texts)
    )


def same_words(one: str, other: str) -> bool:
    """True if the two are the same but for case, spaces and punctuation."""
    return folded_words(one) == folded_words(other)


def folded_words(text: str) -> tuple[str, ...]:
    """Return what two texts with the `same_words` have in common."""
    # A text without words, such as "…", is compared as it is.
    return tuple(word.casefold() for word in words_of(text)) or (text,)


def mostly_same_words(one: str, other: str) -> bool:
    """True if both have the same content words, in any order and with any endings; one text may
    have up to a quarter more. A replaced word, "the violin" for "the piano", makes them different.
    """
    fewer, more = sorted((content_stems(one), content_stems(other)), key=Counter.total)
    return fewer.total() > 0 and fewer <= more and fewer.total() >= 0.75 * more.total()


def repeats(one: str, other: str) -> bool:
    """True if all content words of one are in the other, and both have the same particulars: who
    said both said one thing twice.
    """
    fewer, more = sorted((_content_words(one), _content_words(other)), key=len)
    return bool(fewer) and fewer <= more and same_particulars(one, other)


def _content_words(text: str) -> set[str]:
    """The stems of all words of *text* that are no function words, people included."""
    words = {word.casefold() for word in words_of(text) if any(map(str.isalnum, word))}
    return {stem(word) for word in words - FUNCTION_WORDS}


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
#: Words that take something from what a sentence says, besides denials.
NEGATING = DENYING_VERBS | frozenset("longer former formerly used ex except plus".split())
#: Punctuation that changes the meaning, besides the symbols of Unicode: + € ° = 👍.
_SIGNS = frozenset("#%&@")
_OPPOSITES_OF = {
    word: frozenset[str]().union(*(pair - {word} for pair in OPPOSITES if word in pair))
    for word in frozenset[str]().union(*OPPOSITES)
}


def words_of(text: str) -> list[str]:
    return list(_cached_words(text))


# Each new fact is compared with several memories, in several ways.
@lru_cache(maxsize=2_048)
def _cached_words(text: str) -> tuple[str, ...]:
    words = _WORD.findall(comparable(text))
    return tuple(word for word in words if word[0].isalnum() or _is_sign(word) or len(word) > 1)


def stem(word: str) -> str:
    """Return *word* without its ending: a rough stem for English."""
    return re.sub(r"(?<=\w{3})(?:ies|ing|ed|es|s|y|e)$", "", _bare(word))


def content_stems(text: str, *, with_negations: bool = True) -> Counter[str]:
    """Return the stems of the content words of *text*, without the people that it is about."""
    words = words_of(text)
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
    """True if the opposite of one of *words* is among *others*: "unhappy" for "happy"."""
    return any(
        not _OPPOSITES_OF.get(word, frozenset()).isdisjoint(others)
        or any(prefix + word in others for prefix in PREFIXES)
        for word in words
    )


def _is_sign(word: str) -> bool:
    """True if *word* is a single sign that changes the meaning."""
    kind = unicodedata.category(word[0])
    return word in _SIGNS or kind == "Pd" or (kind[0] in "SM" and kind != "Sk")


def _qualifiers(words: Sequence[str]) -> list[str]:
    """The signs among *words*, and those that change the meaning; "over" is only "to" after a verb
    of preferring.
    """
    folded = [word.casefold() for word in words]
    passed_over = () if FACTS.preferring.isdisjoint(folded) else ("over",)
    return [
        word
        for word in folded
        if (not word[0].isalnum() or word in QUALIFIERS) and word not in passed_over
    ]


def _times(words: Sequence[str]) -> list[str]:
    """The parts of the day among *words*; "am" is one after a number only."""
    folded = [word.casefold() for word in words]
    return [
        TIMES_OF_DAY[word]
        for before, word in zip(["", *folded], folded, strict=False)
        if word in TIMES_OF_DAY and (word != "am" or before[:1].isdigit())
    ]


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
    """Return whether *word* negates: not, never, doesn't, stopped, former."""
    folded = word.casefold()
    return is_denial(folded) or folded in NEGATING


def has_no_case(word: str) -> bool:
    return word.lower() == word.upper()


def _bare(word: str) -> str:
    """*word* in lower case, without what follows an apostrophe: Ana's, Ana'll."""
    return re.sub(r"'(?:s|ll|d|ve|re|m)?$", "", word.casefold())


def _names(words: Sequence[str]) -> list[str]:
    names = []
    first, second = (_bare(word) for word in (*words, "", "")[:2])
    # "Al usuario" is "a el usuario"; another Al is a name.
    begins = first in OPENERS or (first == "al" and second in USERS)
    for position, word in enumerate(words):
        bare = _bare(word)
        if not word[0].isalpha() or _number(word) or is_negation(word) or bare in TIMES_OF_DAY:
            continue
        if has_no_case(word) or (word[0].isupper() and (position > 0 or not begins)):
            names.append(bare)
    return [name for name in names if name not in USERS and name != "i"]


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
def people_of(text: str) -> tuple[str, ...]:
    """The people that *text* may be about."""
    return tuple(_people(words_of(text)))


def subject_of(words: Sequence[str]) -> str:
    """The person at the beginning of the sentence; empty if there is none."""
    if words and words[0].casefold() in ARTICLES:
        return "user" if _people(words[1:2]) == ["user"] else ""
    return next(iter(_people(words[:1])), "")


def _does_it_to_the_other(one: str, other: str) -> bool:
    """True if both say the same of the same people, and another one of them does it: "The user lent
    a drill to Tom", "Tom lent the user a drill".
    """
    ours, theirs = folded_words(one), folded_words(other)
    subjects = {subject_of(words_of(one)), subject_of(words_of(other))}
    return (
        len(subjects) == 2
        and "" not in subjects
        and set(people_of(one)) == set(people_of(other))
        and subjects.isdisjoint(_people(sorted(with_same_part(ours, theirs))))
        and COPULAS.isdisjoint([*ours, *theirs])
        # In a passive, the one who does it comes last.
        and COMPANY.intersection(ours) == COMPANY.intersection(theirs)
        and not is_list(ours)
        and _deed(one) == _deed(other)
    )


def _deed(text: str) -> Counter[str]:
    """The words of *text* that tell neither who nor to whom."""
    linking = {stem(word) for word in LINKING_WORDS | ARTICLES}
    return Counter(
        {word: number for word, number in content_stems(text).items() if word not in linking}
    )
