"""Which pairs of statements differ in one quantity, state or date."""

import pytest

from memoryapp.policy.statement_change import MAX_WORDS, StatementChange, single_change

QUANTITY, STATE, DATE = StatementChange


def both_ways(one: str, other: str) -> StatementChange | None:
    change = single_change(one, other)
    assert single_change(other, one) == change
    return change


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The user has 3 cats.", "The user has 4 cats."),
        ("The user has one cat.", "The user has two cats."),
        ("The daily dose is 10 mg of Ramipril.", "The daily dose is 100 mg of Ramipril."),
        ("Ana runs 5 km every day.", "Ana runs 10km every day."),
        ("Ana runs 800 m every day.", "Ana runs 10 km every day."),
        ("The rent is €900.", "The rent is €1,000."),
        ("The rent is 900 €.", "The rent is 1000 €."),
        ("Ana is 34 years old.", "Ana is 35 years old."),
        ("Ana is 34.", "Ana is 35."),
        ("Ana hat 3 Katzen.", "Ana hat 4 Katzen."),
        ("Ana ha 3 gatti.", "Ana ha 4 gatti."),
        ("The flat has 80% humidity.", "The flat has 60% humidity."),
    ],
)
def test_quantity_has_a_unit_or_counts_something(one: str, other: str) -> None:
    assert both_ways(one, other) is QUANTITY


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The user is allergic to penicillin.", "The user is not allergic to penicillin."),
        ("The user likes coffee.", "The user no longer likes coffee."),
        ("The user likes coffee.", "The user does not like coffee."),
        ("The user is married.", "The user is divorced."),
        ("The user lives in Lyon.", "The user lives in Paris."),
        ("The user lives in New York.", "The user lives in New Orleans."),
        ("Ana works for Siemens in Ulm.", "Ana works for Bosch in Ulm."),
        ("The user's manager is Ana.", "The user's manager is Ben."),
        ("The user's favourite colour is dark red.", "The user's favourite colour is blue."),
        ("Ana wohnt in Rom.", "Ana wohnt in Köln."),
        ("Ana habite à Lyon.", "Ana habite à Paris."),
        ("Ana vive en Madrid.", "Ana vive en León."),
        ("Ana mora em Lisboa.", "Ana mora em Braga."),
    ],
)
def test_state_has_one_value_at_a_time(one: str, other: str) -> None:
    assert both_ways(one, other) is STATE


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The user was born on 5 May 1980.", "The user was born on 6 May 1980."),
        ("The user moved to Lyon in 2019.", "The user moved to Lyon in 2020."),
        ("The meeting is on Friday.", "The meeting is on Monday."),
        ("The train leaves at 7 pm.", "The train leaves at 8 pm."),
        ("The train leaves at 7:30.", "The train leaves at 8:30."),
    ],
)
def test_dates_may_be_of_two_occasions(one: str, other: str) -> None:
    assert both_ways(one, other) is DATE
    assert not DATE.replaces


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Box 8 is on shelf 1.", "Box 18 is on shelf 1."),
        ("Box 8 is on shelf 1.", "Box 18 is on shelf 4."),
        ("Invoice 123 is paid.", "Invoice 124 is paid."),
        ("Kiste 8 steht im Keller.", "Kiste 18 steht im Keller."),
        ("The token word is tok0139x.", "The token word is tok0140x."),
        ("The user has the token word tok0139x.", "The user has the token word tok0140x."),
        ("The part with number A-17 is broken.", "The part with number A-18 is broken."),
    ],
)
def test_number_that_names_a_thing_is_no_quantity(one: str, other: str) -> None:
    assert both_ways(one, other) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The user likes red paint.", "The user likes blue paint."),
        ("The user's daughter is Ana.", "The user's daughter is Mia."),
        ("The user is allergic to nuts.", "The user is allergic to penicillin."),
        ("Sensor 4 in hall 2 reads 20 degrees.", "Sensor 5 in hall 2 reads 21 degrees."),
        ("The user has 3 cats and 2 dogs.", "The user has 4 cats and 3 dogs."),
        ("The user has 3 cats.", "The user has 4 cats and lives in Lyon."),
        ("The user has 3 cats.", "The user has 3 cats."),
        ("用户住在里昂", "用户住在巴黎"),
        ("", "The user has 3 cats."),
    ],
)
def test_other_statements_differ_in_no_single_thing(one: str, other: str) -> None:
    assert both_ways(one, other) is None


def test_long_texts_are_not_compared() -> None:
    rest = "and the sea " * MAX_WORDS
    assert both_ways(f"Ana has 3 cats {rest}", f"Ana has 4 cats {rest}") is None
