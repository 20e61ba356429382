"""Statements that something holds no longer, and the statements that they end. Pure.

"The user no longer works at Acme", "The user does not work at Acme" and "It is not true that the
user works at Acme" end "The user works at Acme" and "The user works at Acme as a nurse", but no
statement in other words: that "The user left Acme" means the same takes a language model to know.
"The user has no children" ends those with any number of them.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from memoryapp.language.denials import DENYING
from memoryapp.language.numerals import number_in_words
from memoryapp.language.vocabularies import JOINING, VOCABULARIES
from memoryapp.policy.fact_signature import is_negation, stem
from memoryapp.policy.normal_form import normalised
from memoryapp.policy.word_lists import ARTICLES, LINKING_WORDS

#: Characters of a statement that are looked at.
MAX_CHARACTERS = 400
#: Content words from which a statement also ends one that says more: a subject, a verb, an object.
MIN_WORDS = 3
#: Letters that two forms of a verb begin with at least, and in which the shorter one may differ.
_MIN_BEGINNING, _MAX_ENDING = 3, 2

_ENDINGS = [pattern for each in DENYING for pattern in each.no_longer]
_STOPPING = [each.stopping for each in DENYING]
_PLAIN = re.compile(
    rf"(?:{'|'.join(each.plain for each in DENYING)})"
    rf"(?! (?:{'|'.join(each.limits for each in DENYING)})\b)",
    re.IGNORECASE,
)
_STRESS = re.compile(rf",? ?\b(?:{'|'.join(each.stress for each in DENYING)})\b,?", re.IGNORECASE)
#: What is so instead, behind a denial of the same language: "ma" is Italian for "but".
_INSTEAD = [(re.compile(each.plain, re.IGNORECASE), each.instead) for each in DENYING]
_UNTRUE = re.compile("|".join(each.untrue.pattern for each in DENYING), re.IGNORECASE)
_NEVER = [(each.never, each.am) for each in DENYING]
#: Joins another statement, which may still hold.
_JOINING = JOINING.adding | JOINING.choosing | JOINING.opposing | JOINING.giving_reasons
_JOINS = re.compile(rf"[,;:]|\b(?:{'|'.join(sorted(_JOINING))})\b")
_BEFORE_DATES = frozenset[str]().union(
    *(known.times.kept | known.times.dropped for known in VOCABULARIES.values())
)
#: The date of an ending.
_BEHIND = re.compile(rf",? (?:{'|'.join(sorted(_BEFORE_DATES))}) (?:19|20)\d\d(?:-\d\d){{0,2}}\W*$")
_ELIDED = re.compile(r"\b(?P<article>[^\W\d_]{1,2})'(?=[^\W\d_]{2})")
_WORD = re.compile(r"[^\W_]+(?:[.'-][^\W_]+)*")
#: What the forms of a verb that a denial changes have in common: "has", "does not have".
_FORMS: dict[str, str] = {}
for _group in (group.split() for each in DENYING for group in each.forms):
    # Languages share forms: "era".
    _FORMS.update(
        dict.fromkeys(_group, next((_FORMS[form] for form in _group if form in _FORMS), _group[0]))
    )
#: What the forms of "have" have in common.
_HAVING = frozenset(_FORMS[each.forms[1].split()[0]] for each in DENYING)
#: Endings in which the forms of a noun for one and for several differ, behind what `stem` leaves.
_PLURALS = frozenset[tuple[str, str]]().union(*(each.plurals for each in DENYING))
_IGNORED = ARTICLES | LINKING_WORDS


@lru_cache(maxsize=2_048)
def without_ending(text: str) -> str | None:
    """Return *text* without the words that tell an end: "The user works at Acme" for "The user no
    longer works at Acme"; None if it tells none.
    """
    plain = text[:MAX_CHARACTERS].replace("’", "'")
    for pattern in (*_ENDINGS, *_STOPPING):
        if found := pattern.search(plain):
            kept = found.groupdict().get("kept") or ""
            return " ".join(f"{plain[: found.start()]} {kept} {plain[found.end() :]}".split())
    return None


def without_denial(text: str) -> str | None:
    """Return *text* without the word that denies it, and what is so instead: "I am a nurse" for "I
    am not a nurse but a doctor"; None if nothing plainly does.
    """
    plain = text[:MAX_CHARACTERS].replace("’", "'")
    answer = _PLAIN.match(plain)
    if answer and plain.startswith(",", answer.end()):
        # "No, I am a nurse" affirms it.
        plain = plain[answer.end() + 1 :].lstrip()
    if untrue := _untrue(plain):
        return plain[untrue:]
    for never, am in _NEVER:
        if found := never.search(plain):
            return " ".join(f"{plain[: found.start()]} {am} {plain[found.end() :]}".split())
    if not (found := _PLAIN.search(plain)):
        return None
    others = [
        other.start()
        for denial, instead in _INSTEAD
        if denial.search(plain) and (other := instead.search(plain, found.end()))
    ]
    denied = plain[: min(others, default=len(plain))]
    return " ".join(_PLAIN.sub(" ", _STRESS.sub(" ", denied)).split())


def untrue_length(text: str) -> int:
    """How many characters of *text* say that what follows is not so: "It is not true that …"."""
    return _untrue(text[:MAX_CHARACTERS].replace("’", "'"))


def ends(text: str, old: str) -> bool:
    """True if *text* says that what *old* says does not hold, or no longer: in the same words,
    after which *old* may say more of the same.
    """
    affirmed = without_ending(text) or without_denial(text)
    if affirmed is None or _denies(old):
        return False
    said = _words(_BEHIND.sub("", normalised(affirmed)))
    # Who has no children does not have two.
    ours, theirs = _content(said), _content(_words(old), any_number=not any(map(_is_number, said)))
    if not 2 <= len(ours) <= len(theirs):
        return False
    if len(ours) < len(theirs) and (len(ours) < MIN_WORDS or _JOINS.search(old.casefold())):
        return False
    if _untrue(text):
        # In some languages, the verb comes last behind "that".
        *before, last = ours
        return any(_same([*before[:at], last, *before[at:]], theirs) for at in range(1, len(ours)))
    return _same(ours, theirs, may_change=_tells_stopping(text))


def is_ended(value: str, text: str) -> bool:
    """True if *text* says that what it says of *value* holds no longer."""
    affirmed = without_ending(text)
    if affirmed is None:
        return False
    said, sought = (
        f" {' '.join(_words(each))} " for each in (_JOINS.split(affirmed.casefold())[0], value)
    )
    return sought in said


def _denies(text: str) -> bool:
    return without_ending(text) is not None or any(map(is_negation, _words(text)))


def _tells_stopping(text: str) -> bool:
    return any(pattern.search(text) for pattern in _STOPPING)


def _content(words: Sequence[str], *, any_number: bool = False) -> list[str]:
    """The stems of those of *words* that tell what is so of whom, in order; with *any_number*,
    without those that tell how many.
    """
    return [
        _FORMS.get(word) or stem(word)
        for word in words
        # "Am" is a form of "be" in English, and a preposition in German.
        if word in _FORMS or word not in _IGNORED
        if not (any_number and _is_number(word))
    ]


@lru_cache(maxsize=2_048)
def _words(text: str) -> list[str]:
    # "isn't" is "is" and a negation; "l'ami" is an article and a noun.
    plain = normalised(text).casefold().replace("n't", " not")
    return _WORD.findall(_ELIDED.sub(r"\g<article> ", plain))


def _untrue(text: str) -> int:
    found = _UNTRUE.match(text)
    return found.end() if found else 0


def _same(ours: Sequence[str], theirs: Sequence[str], *, may_change: bool = False) -> bool:
    """True if *theirs* begins as *ours*, but for one noun in its other number, that of what
    somebody has, and, if it *may_change*, one verb.
    """
    different = [at for at, pair in enumerate(zip(ours, theirs, strict=False)) if len({*pair}) > 1]
    if len(different) != 1:
        return not different
    (at,) = different
    one, other = ours[at], theirs[at]
    # Elsewhere, two names may differ so: Martin, Martina.
    is_owned = at > 0 and ours[at - 1] in _HAVING
    return (is_owned and _is_plural(one, other)) or (may_change and _alike(one, other))


def _is_number(word: str) -> bool:
    return word.isdecimal() or number_in_words(word) is not None


def _is_plural(one: str, other: str) -> bool:
    """True if both are forms of one noun: Kind, Kinder; Tochter, Töchter; gatto, gatti."""
    one, other = map(_without_accents, (one, other))
    common = next(
        (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b),
        min(len(one), len(other)),
    )
    rest = one[common:], other[common:]
    return common >= _MIN_BEGINNING and (
        rest[0] == rest[1] or not _PLURALS.isdisjoint([rest, rest[::-1]])
    )


def _without_accents(word: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))


def _alike(one: str, other: str) -> bool:
    """True if both may be forms of one verb: smoke, smoking; fume, fumer."""
    alike = max(_MIN_BEGINNING, min(len(one), len(other)) - _MAX_ENDING)
    return min(len(one), len(other)) >= alike and one[:alike] == other[:alike]
