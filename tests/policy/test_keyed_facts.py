"""Which of two values of one key is current: tables of cases."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.policy.keyed_facts import (
    MAX_KEY,
    KeyedFact,
    KeyedVerdict,
    canonical,
    is_single_valued,
    normalised,
    weigh,
)

TODAY = date(2026, 3, 14)
YESTERDAY, TOMORROW = TODAY - timedelta(days=1), TODAY + timedelta(days=1)
NEXT_YEAR = TODAY + timedelta(days=365)


#: When the facts of a test were stated.
NOON = datetime(2026, 3, 14, 12, tzinfo=UTC)


def fact(
    content: str,
    value: str,
    tier: int,
    until: date | None = None,
    *,
    said_at: datetime = NOON,
) -> KeyedFact:
    return KeyedFact(content, value, tier, said_at, until)


def munich(tier: int = 90, until: date | None = None) -> KeyedFact:
    return fact("The user lives in Munich.", "Munich", tier, until)


def earlier(fact: KeyedFact) -> KeyedFact:
    return replace(fact, said_at=NOON - timedelta(hours=1))


def lyon(tier: int = 90, until: date | None = None) -> KeyedFact:
    return fact("The user lives in Lyon.", "Lyon", tier, until)


@pytest.mark.parametrize(
    ("present", "new", "verdict"),
    [
        # The same value in any spelling and from any source.
        (munich(), munich(), KeyedVerdict.CONFIRMS),
        (munich(95), munich(30), KeyedVerdict.CONFIRMS),
        (munich(), fact("They live in MUNICH!", "munich.", 50), KeyedVerdict.CONFIRMS),
        (
            fact("Blood type A+.", "A+", 90),
            fact("Blood type A-.", "A-", 90),
            KeyedVerdict.REPLACES,
        ),
        (
            fact("Has 3 cats.", "3", 90),
            fact("Has 13 cats.", "13", 90),
            KeyedVerdict.REPLACES,
        ),
        # Another value: the higher tier wins; among equals, the later one.
        (munich(90), lyon(90), KeyedVerdict.REPLACES),
        (munich(90), lyon(91), KeyedVerdict.REPLACES),
        (munich(90), lyon(89), KeyedVerdict.OUTWEIGHED),
        (munich(100), lyon(99), KeyedVerdict.OUTWEIGHED),
        # An expired value is replaced by its own tier; a value that ends today is not expired.
        (munich(90, YESTERDAY), earlier(lyon(90)), KeyedVerdict.REPLACES),
        (munich(90, TODAY), earlier(lyon(90)), KeyedVerdict.OUTWEIGHED),
        (munich(90, YESTERDAY), lyon(80), KeyedVerdict.OUTWEIGHED),
        # The same value with a later end.
        (munich(90, TOMORROW), munich(90, NEXT_YEAR), KeyedVerdict.EXTENDS),
        (munich(90, YESTERDAY), munich(90), KeyedVerdict.EXTENDS),
        (munich(90, TOMORROW), munich(50, NEXT_YEAR), KeyedVerdict.CONFIRMS),
        (munich(90, NEXT_YEAR), munich(50, TOMORROW), KeyedVerdict.CONFIRMS),
        (munich(90, TOMORROW), munich(50), KeyedVerdict.CONFIRMS),
        (munich(90), munich(50, TOMORROW), KeyedVerdict.CONFIRMS),
        # A text without a value contains it in its words, or states something else.
        (munich(90), fact("Home is Munich, in Bavaria.", "", 70), KeyedVerdict.CONFIRMS),
        (munich(90), fact("Home is Lyon.", "", 95), KeyedVerdict.REPLACES),
        (munich(90), fact("Home is Lyon.", "", 70), KeyedVerdict.OUTWEIGHED),
        (
            fact("Has 3 cats.", "3", 90),
            fact("Has 13 cats.", "", 95),
            KeyedVerdict.REPLACES,
        ),
    ],
)
def test_effect_of_a_new_value(present: KeyedFact, new: KeyedFact, verdict: KeyedVerdict) -> None:
    assert weigh(present, new, today=TODAY) is verdict


def home(content: str, value: str, *, key: str = "home_city", days: int = 0) -> KeyedFact:
    """A fact that the user stated so many *days* after noon of the fourteenth of March 2026."""
    said_at = NOON + timedelta(days=days)
    return KeyedFact(content, value, 90, said_at, key=key)


PLAIN = home("The user lives in Munich.", "Munich", days=-60)


@pytest.mark.parametrize(
    ("present", "new", "verdict"),
    [
        (PLAIN, home("The user moved to Lyon.", "Lyon"), KeyedVerdict.REPLACES),
        (PLAIN, home("The user moved to Lyon on 2026-03-02.", "Lyon"), KeyedVerdict.REPLACES),
        (PLAIN, home("The user moved to Lyon in 2026.", "Lyon"), KeyedVerdict.REPLACES),
        # Before the present value was stated, or to come.
        (PLAIN, home("The user moved to Germany in 2015.", "Germany"), KeyedVerdict.BESIDE),
        (PLAIN, home("The user moved to Lyon on 2025-11-02.", "Lyon"), KeyedVerdict.BESIDE),
        (PLAIN, home("The user moves to Lyon on 2026-06-01.", "Lyon"), KeyedVerdict.BESIDE),
        (PLAIN, home("The user moves to Lyon in 2027.", "Lyon"), KeyedVerdict.BESIDE),
        # A date that is the value, or in it, tells no time of a change.
        (
            home("The user was born on 1990-05-03.", "3 May 1990", key="date_of_birth"),
            home("The user was born on 1990-05-30.", "30 May 1990", key="date_of_birth"),
            KeyedVerdict.REPLACES,
        ),
        (
            home("The user drives a Golf.", "Golf", key="car", days=-60),
            home("The user now drives a Polo 2016.", "Polo 2016", key="car"),
            KeyedVerdict.REPLACES,
        ),
        # The present sentence says more than its value.
        (
            home("The user lives in Munich and has two sons.", "Munich", days=-60),
            home("The user lives in Lyon.", "Lyon"),
            KeyedVerdict.SUCCEEDS,
        ),
        (
            home("Der Nutzer wohnt mit seiner Frau in Bonn.", "Bonn", days=-60),
            home("Der Nutzer wohnt in Ulm.", "Ulm"),
            KeyedVerdict.SUCCEEDS,
        ),
        (
            home("The user's favourite foods are pizza and figs.", "pizza and figs"),
            home("The user's favourite food is soup.", "soup", days=1),
            KeyedVerdict.REPLACES,
        ),
        (
            home("The user's wife works at Bosch.", "Bosch", key="wife_employer"),
            home("The user's wife works at Siemens.", "Siemens", key="wife_employer", days=1),
            KeyedVerdict.REPLACES,
        ),
        # The new one takes nothing with it.
        (PLAIN, home("The user lives in Lyon and has two sons.", "Lyon"), KeyedVerdict.REPLACES),
        # The same value in a sentence that tells more.
        (
            PLAIN,
            home("The user lives in Munich with a cat called Tom.", "Munich"),
            KeyedVerdict.ADDS,
        ),
        (PLAIN, home("Munich is where the user lives.", "Munich"), KeyedVerdict.CONFIRMS),
        # A second car is not the only one.
        (
            home("The user drives a Golf.", "Golf", key="car"),
            home("The user drives a Polo.", "Polo", key="car", days=1),
            KeyedVerdict.BESIDE,
        ),
        (
            home("The user does yoga on Mondays.", "Mondays", key="yoga_days"),
            home("The user does yoga on Fridays.", "Fridays", key="yoga_days", days=1),
            KeyedVerdict.BESIDE,
        ),
        (
            home("The user does yoga on Mondays.", "Mondays", key="yoga_days"),
            home("The user now does yoga on Fridays.", "Fridays", key="yoga_days", days=1),
            KeyedVerdict.REPLACES,
        ),
    ],
)
def test_what_else_a_sentence_says(
    present: KeyedFact, new: KeyedFact, verdict: KeyedVerdict
) -> None:
    assert weigh(present, new, today=TODAY) is verdict


facts = st.builds(
    KeyedFact,
    content=st.text(min_size=1, max_size=30),
    value=st.text(min_size=1, max_size=10),
    tier=st.integers(1, 5),
    valid_until=st.none() | st.dates(),
)


@given(facts, facts)
def test_lower_tier_never_changes_a_value(present: KeyedFact, new: KeyedFact) -> None:
    if new.tier < present.tier:
        changes = (KeyedVerdict.REPLACES, KeyedVerdict.EXTENDS)
        assert weigh(present, new, today=TODAY) not in changes


@given(facts)
def test_repeated_fact_confirms_itself(fact: KeyedFact) -> None:
    assert weigh(fact, fact, today=TODAY) in (KeyedVerdict.CONFIRMS, KeyedVerdict.EXTENDS)


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("home_city", "home_city"),
        ("Home City", "home_city"),
        ("homeCity", "home_city"),
        ("  home-city: ", "home_city"),
        ("HOME_CITY", "home_city"),
        ("user.home.city", "user_home_city"),
        ("IPAddress2", "ipaddress2"),
        ("Lieblingsgetränk", "lieblingsgetränk"),
        ("好きな食べ物", "好きな食べ物"),
        ("ｈｏｍｅ", "home"),
        ("_-?! ", ""),
        ("", ""),
        ("k" * 300, "k" * MAX_KEY),
    ],
)
def test_keys_are_normalized(written: str, key: str) -> None:
    assert normalised(written) == key


@given(st.text(max_size=300))
def test_normalization_of_keys_is_idempotent(text: str) -> None:
    key = normalised(text)
    assert normalised(key) == key
    assert len(key) <= MAX_KEY


@pytest.mark.parametrize(
    ("present", "new", "verdict"),
    [
        (80, 30, KeyedVerdict.OUTWEIGHED),
        (30, 30, KeyedVerdict.REPLACES),
        (100, 50, KeyedVerdict.REPLACES),
        (30, 95, KeyedVerdict.REPLACES),
    ],
)
def test_guess_replaces_only_a_guess_of_its_tier(
    present: int, new: int, verdict: KeyedVerdict
) -> None:
    known, stated = replace(munich(), confidence=present), replace(lyon(), confidence=new)
    assert weigh(known, stated, today=TODAY) is verdict
    # Confidence never reaches into another tier, in either direction.
    higher, lower = replace(stated, tier=95), replace(stated, tier=30)
    assert weigh(known, higher, today=TODAY) is KeyedVerdict.REPLACES
    assert weigh(known, replace(lower, confidence=100), today=TODAY) is KeyedVerdict.OUTWEIGHED
    # What has expired is replaced by anything of its tier.
    expired = replace(known, valid_until=YESTERDAY)
    assert weigh(expired, stated, today=TODAY) is KeyedVerdict.REPLACES


def test_of_two_values_of_one_tier_the_one_stated_later_counts() -> None:
    lyon = fact("The user lives in Lyon.", "Lyon", 90, said_at=NOON - timedelta(hours=1))
    assert weigh(munich(), lyon, today=TODAY) is KeyedVerdict.OUTWEIGHED
    assert weigh(lyon, munich(), today=TODAY) is KeyedVerdict.REPLACES
    better = fact("The user lives in Lyon.", "Lyon", 91, said_at=NOON - timedelta(hours=1))
    assert weigh(munich(), better, today=TODAY) is KeyedVerdict.REPLACES


@pytest.mark.parametrize(
    ("key", "single"),
    [
        ("home_city", True),
        ("date_of_birth", True),
        ("favourite_colour", True),
        ("allergy", False),
        ("hobby", False),
        ("pet", False),
        ("", False),
        ("desk_number", True),
    ],
)
def test_keys_with_one_value_at_a_time(key: str, single: bool) -> None:
    assert is_single_valued(key, ["Desk number"]) is single


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("Job Title", "occupation"),
        ("profession", "occupation"),
        ("favorite_tea", "favourite_tea"),
        ("homeCity", "home_city"),
        ("desk_number", "desk_number"),
    ],
)
def test_synonyms_have_one_name(key: str, name: str) -> None:
    assert canonical(key) == name
    assert is_single_valued(canonical(key)) == is_single_valued(normalised(key))
