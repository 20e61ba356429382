"""Comparison of names: equal, similar and different ones."""

import unicodedata
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.models.names import (
    MAX_NAME_CHARACTERS,
    aliases_of,
    best_match,
    clean_name,
    slug,
    slugs,
)


@dataclass
class Wing:
    name: str
    more: list[str] = field(default_factory=list)

    @property
    def slug(self) -> str:
        return slug(self.name)

    @property
    def aliases(self) -> list[str]:
        return aliases_of(self.name, self.more)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Kitchen renovation", "kitchen-renovation"),
        ("  The  Garden / 2024 ", "the-garden-2024"),
        ("Straße", "strasse"),
        ("رحلة إلى القاهرة", "رحلة-إلى-القاهرة"),
        ("東京への旅", "東京への旅"),
        ("ﾄｳｷｮｳ", "トウキョウ"),
        ("Ремонт кухни", "ремонт-кухни"),
        ("हिन्दी", "हिन्दी"),
        ("Ａｎｎａ", "anna"),
        ("O’Brien", "obrien"),
        ("C", "c"),
        ("C++", "cplusplus"),
        ("C#", "csharp"),
        ("Node.js", "node-js"),
        ("🐝", "u1f41d"),
        ("❤️", "u2764"),
        ("🐝 Bees", "bees"),
        ("", ""),
        (" \u200b ", ""),
    ],
)
def test_slug_keeps_letters_of_every_script(name: str, expected: str) -> None:
    assert slug(name) == expected


@given(st.text(max_size=300))
def test_slug_is_stable_short_and_not_empty(name: str) -> None:
    made = slug(name)
    assert slug(made) == made
    assert len(made) <= MAX_NAME_CHARACTERS
    assert made == made.strip("-")
    if any(unicodedata.category(character)[0] in "LN" for character in name):
        assert made


@given(st.text(max_size=60))
def test_spellings_of_one_name_have_the_same_slug(name: str) -> None:
    assert slug(unicodedata.normalize("NFD", name)) == slug(name)
    assert slug(f"  {name}\n") == slug(name)


def test_long_names_with_the_same_start_stay_distinct() -> None:
    first, second = slug("word " * 60 + "one"), slug("word " * 60 + "two")
    assert first != second
    assert max(len(first), len(second)) <= MAX_NAME_CHARACTERS


@pytest.mark.parametrize(
    ("name", "same"),
    [
        ("Anna Moser", "anna  moser"),
        ("Anna Moser", "Moser, Anna"),
        ("Anna Moser", "Dr. Anna Moser"),
        ("Anna Moser", "Prof. Dr. Anna Moser"),
        ("Dr. Anna Moser", "Anna Moser"),
        ("Moser, Anna", "Anna Moser"),
        ("Лев Толстой", "Толстой, Лев"),
        ("محمد", "محـمـد"),
    ],
)
def test_variants_of_a_name_match(name: str, same: str) -> None:
    known = [Wing("Somebody else"), Wing(name)]
    assert best_match(same, known) is known[1]


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Ann", "Anne"),
        ("José", "Jose"),
        ("Anna Moser", "Moser"),
        ("Dr. Moser", "Moser"),
        ("Mr. Robin Smith", "Mrs. Robin Smith"),
        ("Anna Moser", "Moser Anna"),
        ("Bees, wasps, ants", "wasps"),
        ("C", "C++"),
        ("Emil", "Emilia"),
        ("が", "か"),
        ("Bees", ""),
    ],
)
def test_different_names_do_not_match(name: str, other: str) -> None:
    assert best_match(other, [Wing(name)]) is None


def test_slug_precedes_alias_precedes_variant() -> None:
    by_name, by_alias, by_slug = Wing("Anna Moser"), Wing("A.", ["Dr. Anna Moser"]), Wing("Bo")
    assert best_match("Dr. Anna Moser", [by_name, by_alias]) is by_alias
    by_alias = Wing("Somebody", ["Bo"])
    assert best_match("Bo", [by_alias, by_slug]) is by_slug


def test_name_that_matches_several_matches_none() -> None:
    assert best_match("Bo", [Wing("Bodil", ["Bo"]), Wing("Boris", ["Bo"])]) is None


def test_name_fits_its_column() -> None:
    assert clean_name(" Anna\n\tMoser\x00 ") == "Anna Moser"
    assert len(clean_name("x" * 300)) == MAX_NAME_CHARACTERS
    assert slugs("") == []
