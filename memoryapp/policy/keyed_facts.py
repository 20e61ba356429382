"""Decides between two facts with the same key, such as ``home_city`` = ``Munich``. Pure.

Equal keys mean that two texts are about the same thing, so similarity plays no part: the value of
the higher tier counts. A text that says more than its value does not go with the value, and no
value goes where both may hold.
"""

import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime
from enum import Enum, auto

from memoryapp.language.vocabularies import JOINING
from memoryapp.policy.fact_signature import stem
from memoryapp.policy.statement_change import is_reversal
from memoryapp.policy.succession import tells_change
from memoryapp.policy.word_lists import FUNCTION_WORDS, KIN, TOGETHER

MAX_KEY = 100
MAX_VALUE = 500

#: Keys that have one value at a time. A new value replaces the present one; of any other key, such
#: as ``allergy``, a person has as many as are stated.
SINGLE_VALUED_KEYS = frozenset(
    "name full_name first_name last_name nickname date_of_birth birthday age gender pronouns "
    "home_address address home_city city home_country country birthplace location "
    "time_zone timezone language native_language employer company job job_title occupation "
    "profession role workplace salary rent marital_status relationship_status spouse husband wife "
    "partner boss manager doctor dentist bank landlord emergency_contact diet religion "
    "blood_type height weight shoe_size email email_address phone phone_number "
    "budget reply_language reply_length reply_style response_length response_style".split()
)
#: How the names of other such keys begin: ``favourite_colour``.
SINGLE_VALUED_PREFIXES = ("favourite_", "favorite_", "preferred_", "current_", "primary_", "main_")
#: Keys that most people have one value of, and some several: a new value replaces the present one
#: only if its sentence tells of a change, as "I drive a Golf now" does.
MOSTLY_SINGLE_VALUED_KEYS = frozenset(
    "car bicycle mobile_phone computer gym home_town hometown nationality vet therapist "
    "physiotherapist hairdresser trainer midwife".split()
)
#: How the names of such keys of a relative end: ``wife_employer``.
SINGLE_VALUED_SUFFIXES = ("_employer", "_home_city", "_occupation")
#: How the names of keys that are mostly single-valued end: ``yoga_days``.
MOSTLY_SINGLE_VALUED_SUFFIXES = ("_days",)

#: Names that models give to one thing, and the one that is used.
_SYNONYMS = {
    "birth_date": "date_of_birth",
    "birthday": "date_of_birth",
    "city": "home_city",
    "company": "employer",
    "email_address": "email",
    "job": "occupation",
    "job_title": "occupation",
    "phone_number": "phone",
    "profession": "occupation",
}

#: Keys of which a date is the value.
_DATES = frozenset(("date_of_birth", "birthday"))
#: A year, a month or a day; no number of another kind.
_DATE = re.compile(r"(?<![\d.,-])(?:19|20)\d\d(?:-\d\d(?:-\d\d)?)?(?![\d-])")
#: Words within which a sentence names whom it is about: "The user's wife".
_MAX_SUBJECT = 4
#: Words that no other sentence has, from which on one tells more.
_MIN_MORE = 2
#: Words that join another statement to that of a value.
_TOGETHER = JOINING.adding | JOINING.opposing | TOGETHER

#: A fact with less confidence is a guess.
GUESS = 50


@dataclass(frozen=True)
class KeyedFact:
    """The value of a key, and where it comes from."""

    content: str
    #: Empty for a new wording without a value of its own.
    value: str
    #: How far its source is believed: a higher number counts more.
    tier: int
    #: When it was stated.
    said_at: datetime
    #: The last day on which it holds; None: without end.
    valid_until: date | None = None
    #: How sure its source is of it, 0 to 100. It counts only among facts of one tier.
    confidence: int = 70
    key: str = ""


class KeyedVerdict(Enum):
    """Effect of a new fact to the present one."""

    #: The same value.
    CONFIRMS = auto()
    #: The same value, with a later end.
    EXTENDS = auto()
    #: The same value, in a sentence that tells more than the present one.
    ADDS = auto()
    #: Another value, of the same or a higher tier.
    REPLACES = auto()
    #: The same, while the present sentence tells more than its value: it stays, without the key.
    SUCCEEDS = auto()
    #: Another value that may hold beside the present one, which keeps the key.
    BESIDE = auto()
    #: Another value, while the present one has a higher tier, or was stated later, or the new one
    #: is only a guess.
    OUTWEIGHED = auto()

    @property
    def confirms(self) -> bool:
        """True if the value is the same."""
        return self in (KeyedVerdict.CONFIRMS, KeyedVerdict.EXTENDS, KeyedVerdict.ADDS)


def weigh(present: KeyedFact, new: KeyedFact, *, today: date) -> KeyedVerdict:
    """Decide what *new* does to *present*.

    Another value of the same tier replaces the present one if it was stated later, or if the
    present one has expired. So does a denial of the present value. A lower tier changes nothing,
    and a guess no fact of its own tier that is more than a guess.
    """
    expired = present.valid_until is not None and present.valid_until < today
    if _says(new, present.value) and not is_reversal(new.content, present.content):
        longer = present.valid_until is not None and (
            expired if new.valid_until is None else new.valid_until > present.valid_until
        )
        if longer and new.tier >= present.tier:
            return KeyedVerdict.EXTENDS
        return KeyedVerdict.ADDS if _adds(new, present) else KeyedVerdict.CONFIRMS
    if new.tier < present.tier:
        return KeyedVerdict.OUTWEIGHED
    is_guess = new.tier == present.tier and new.confidence < GUESS <= present.confidence
    if is_guess and not expired:
        return KeyedVerdict.OUTWEIGHED
    if expired or (new.tier, new.said_at) >= (present.tier, present.said_at):
        return _succession(present, new)
    return KeyedVerdict.OUTWEIGHED


def _succession(present: KeyedFact, new: KeyedFact) -> KeyedVerdict:
    """Decide what the other value of *new* does to *present*, whose place it may take."""
    if not new.value:
        return KeyedVerdict.REPLACES
    if _is_mostly_single(new.key) and not tells_change(new.content):
        return KeyedVerdict.BESIDE
    if new.key not in _DATES and _is_of_another_time(present, new):
        return KeyedVerdict.BESIDE
    return KeyedVerdict.SUCCEEDS if _says_more(present) else KeyedVerdict.REPLACES


def _is_of_another_time(present: KeyedFact, new: KeyedFact) -> bool:
    """True if *new* has a date, and either that is to come, or *present* was stated after it."""
    told = new.content.replace(new.value, " ")
    dates = [tuple(map(int, found[0].split("-"))) for found in _DATE.finditer(told)]
    said, known = ((day.year, day.month, day.day) for day in (new.said_at, present.said_at))
    return bool(dates) and (
        any(day > said[: len(day)] for day in dates)
        or all(day < known[: len(day)] for day in dates)
    )


def _says_more(fact: KeyedFact) -> bool:
    """True if *fact* says more than its value: it joins another statement, or tells with whom."""
    rest = _words(fact.content.replace(fact.value, " "))
    if not _TOGETHER.isdisjoint(rest):
        return True
    return any(word in KIN for word in rest[_MAX_SUBJECT:])


def _adds(new: KeyedFact, present: KeyedFact) -> bool:
    """True if *new* tells more than *present*, which has the same value."""
    known = set(map(stem, _words(f"{present.content} {present.value}")))
    told = {word for word in _words(new.content) if word not in FUNCTION_WORDS}
    return bool(new.value) and len({*map(stem, told)} - known) >= _MIN_MORE


def is_single_valued(key: str, more: Collection[str] = ()) -> bool:
    """Return whether *key*, which is `normalised`, has one value at a time; *more* are further such
    keys in any form.
    """
    return bool(key) and (
        key in SINGLE_VALUED_KEYS
        or key in map(normalised, more)
        or key.startswith(SINGLE_VALUED_PREFIXES)
        or key.endswith(SINGLE_VALUED_SUFFIXES)
        or _is_mostly_single(key)
    )


def _is_mostly_single(key: str) -> bool:
    return key in MOSTLY_SINGLE_VALUED_KEYS or key.endswith(MOSTLY_SINGLE_VALUED_SUFFIXES)


def normalised(key: str) -> str:
    """Return the form in which keys are compared: ``Home City``, ``homeCity`` and ``home-city``
    become ``home_city``. Empty if *key* has no letter or digit.
    """
    spaced = re.sub(r"(?<=[^\W_A-Z])(?=[A-Z])", " ", unicodedata.normalize("NFKC", key))
    return "_".join(re.findall(r"[^\W_]+", spaced.lower()))[:MAX_KEY].strip("_")


def canonical(key: str) -> str:
    """Return the one name for what *key*, in any form, and its synonyms mean."""
    plain = normalised(key)
    return _SYNONYMS.get(plain, re.sub("^favorite_", "favourite_", plain))


def _says(new: KeyedFact, value: str) -> bool:
    """True if *new* has this *value*, or contains it if it has none of its own."""
    if new.value:
        return _words(new.value) == _words(value)
    return f" {' '.join(_words(value))} " in f" {' '.join(_words(new.content))} "


def _words(text: str) -> list[str]:
    folded = unicodedata.normalize("NFKC", text).casefold()
    # Only signs that are values count: "+" is not "-", but "Munich." is "Munich".
    return re.findall(r"\w+|(?<=\w)[+-]|[^\w\s.,;:!?'\"]", folded) or [folded.strip()]
