"""Numbers in words, in each language, for all who ask."""

import pytest

from memoryapp.language.numerals import number_in_words
from memoryapp.language.vocabularies import VOCABULARIES
from memoryapp.policy.fact_signature import same_particulars
from memoryapp.policy.gate.numerals import value_of


@pytest.mark.parametrize(
    ("word", "number"),
    [
        ("fourteen", 14),
        ("vierzehn", 14),
        ("fünfundsiebzig", 75),
        ("quattordici", 14),
        ("catorce", 14),
        ("quatorze", 14),
        ("septante", 70),
        ("dezesseis", 16),
        ("once", 1),
        ("half", 0.5),
        ("hundred", 100),
    ],
)
def test_numbers(word: str, number: float) -> None:
    assert number_in_words(word) == value_of(word) == number


@pytest.mark.parametrize("word", ["un", "ein", "undo", "hund", "cem", "rund", "second-hand"])
def test_other_words_are_none(word: str) -> None:
    assert number_in_words(word) is None


def test_each_language_counts_to_a_million() -> None:
    for known in VOCABULARIES.values():
        numbers = set(known.numerals.values())
        assert {0, *range(2, 21), *range(30, 100, 10), 100, 1_000, 1_000_000} <= numbers, known.name
        assert set(range(1, 13)) <= set(known.times.numbers.values()), known.name


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ines keeps fifteen bees.", "Ines keeps 15 bees."),
        ("Ines hält fünfzehn Bienen.", "Ines hält 15 Bienen."),
        ("Ines alleva quindici api.", "Ines alleva 15 api."),
        ("Ines cría quince abejas.", "Ines cría 15 abejas."),
        ("Ines élève quinze abeilles.", "Ines élève 15 abeilles."),
        ("Ines cria quinze abelhas.", "Ines cria 15 abelhas."),
    ],
)
def test_numbers_in_words_and_digits_are_the_same_particulars(one: str, other: str) -> None:
    assert same_particulars(one, other)
