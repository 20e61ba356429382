"""Statements that something holds no longer, and the statements that they end. Pure.

"The user no longer works at Acme" and "The user does not work at Acme" end "The user works at Acme"
and "The user works at Acme as a nurse", but no statement in other words: that "The user left Acme"
means the same takes a language model to know.
"""

import re
from functools import lru_cache

from memoryapp.language.denials import DENYING
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
#: Joins another statement, which may still hold.
_JOINS = re.compile(
    r"[,;:]|\b(?:and|but|or|because|und|aber|oder|weil|e|ed|ma|o|perché|y|pero|porque|et|mais|ou)\b"
)
#: The date of an ending, and what it says of what was believed.
_BEHIND = re.compile(
    r",? (?:(?:since|as of|in|on|seit|im|ab|dal|da|nel|desde|en|depuis) "
    r"(?:19|20)\d\d(?:-\d\d){0,2}|after all|actually|in fact|dopotutto|in realtà|al final|"
    r"en realidad|finalement|en fait)\W*$"
)
_ELIDED = re.compile(r"\b(?P<article>[^\W\d_]{1,2})'(?=[^\W\d_]{2})")
_WORD = re.compile(r"[^\W_]+(?:[.'-][^\W_]+)*")
#: English forms that a negation changes: "has", "does not have".
_FORMS = {
    form: group.split()[0]
    for group in ("be is are am was were been", "have has had")
    for form in group.split()
}
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
    """Return *text* without the word that denies it: "I am a nurse" for "I am not a nurse"; None if
    nothing plainly does.
    """
    plain = text[:MAX_CHARACTERS].replace("’", "'")
    affirmed = _PLAIN.sub(" ", plain)
    return " ".join(affirmed.split()) if affirmed != plain else None


def ends(text: str, old: str) -> bool:
    """Whether *text* says that what *old* says does not hold, or no longer: in the same words,
    after which *old* may say more of the same.
    """
    affirmed = without_ending(text) or without_denial(text)
    if affirmed is None or _denies(old):
        return False
    ours, theirs = _content(_BEHIND.sub("", normalised(affirmed))), _content(old)
    if not 2 <= len(ours) <= len(theirs):
        return False
    if len(ours) < len(theirs) and (len(ours) < MIN_WORDS or _JOINS.search(old.casefold())):
        return False
    different = [(one, other) for one, other in zip(ours, theirs, strict=False) if one != other]
    return not different or (
        _tells_stopping(text) and len(different) == 1 and _alike(*different[0])
    )


def is_ended(value: str, text: str) -> bool:
    """Whether *text* says that what it says of *value* holds no longer."""
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


@lru_cache(maxsize=2_048)
def _content(text: str) -> list[str]:
    """The stems of the words of *text* that tell what is so of whom, in order."""
    return [_FORMS.get(word) or stem(word) for word in _words(text) if word not in _IGNORED]


def _words(text: str) -> list[str]:
    # "isn't" is "is" and a negation; "l'ami" is an article and a noun.
    plain = normalised(text).casefold().replace("n't", " not")
    return _WORD.findall(_ELIDED.sub(r"\g<article> ", plain))


def _alike(one: str, other: str) -> bool:
    """Whether both may be forms of one verb: smoke, smoking; fume, fumer."""
    alike = max(_MIN_BEGINNING, min(len(one), len(other)) - _MAX_ENDING)
    return min(len(one), len(other)) >= alike and one[:alike] == other[:alike]
