"""Which texts of a large instance are ranked: those with rare words or with enough others."""

from collections.abc import Collection
from itertools import combinations
from math import log

import pytest
from django.db import connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conversations.word_selection import (
    MAX_COMBINED,
    MAX_UNSELECTED,
    TEXTS,
    QueryTerm,
    Selection,
    select_texts,
)

TOTAL, LIMIT = 200_000, 40


def word(name: str, texts: int | None) -> QueryTerm:
    return QueryTerm((f"'{name}'",), texts)


def selected(selection: Selection, texts: Collection[Collection[str]]) -> set[frozenset[str]]:
    """Those of *texts*, each some words, that PostgreSQL finds."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT string_to_array(text, ' ') FROM unnest(%s::text[]) AS text"
            " WHERE array_to_tsvector(string_to_array(text, ' ')) @@ %s::tsquery",
            [[" ".join(text) for text in texts], selection.matching],
        )
        return {frozenset(text) for (text,) in cursor}


def matching(*words: QueryTerm, total: int = TOTAL) -> str:
    selection = select_texts(words, total, LIMIT)
    assert selection is not None
    return selection.matching


@pytest.mark.parametrize(
    "words",
    [
        [],
        [word("pig", None)],
        [word("pig", 700), word("tea", 250)],
        [word(f"w{n}", 120) for n in range(8)],
    ],
)
def test_few_texts_are_all_ranked(words: list[QueryTerm]) -> None:
    assert sum(each.expected for each in words) <= MAX_UNSELECTED
    assert select_texts(words, TOTAL, LIMIT) is None


def test_rare_words_are_enough_and_frequent_ones_are_not() -> None:
    words = [word("time", 8_000), word("pig", 80), word("day", 12_000), word("guinea", None)]
    assert matching(*words) == "'guinea' | 'pig' | ( 'time' & ( 'day' ) )"


def test_several_words_are_found_without_the_rare_one(db: None) -> None:
    words = [word("guinea", 90), *(word(f"w{n}", 8_000) for n in range(5))]
    selection = select_texts(words, TOTAL, LIMIT)
    assert selection is not None
    found = selected(selection, [["w0", "w1"], ["w3", "w4", "w0", "w1"], ["w0"]])
    assert found == {frozenset(["w0", "w1"]), frozenset(["w3", "w4", "w0", "w1"])}


def test_all_texts_with_a_single_word_are_found() -> None:
    assert matching(word("caroline", 50_000)) == "'caroline'"


def test_word_that_may_be_in_no_text_replaces_no_other() -> None:
    assert matching(word("caroline", 50_000), word("xylophone", None)) == (
        "'xylophone' | 'caroline'"
    )


def test_frequent_word_is_left_out_where_a_rarer_one_finds_enough() -> None:
    assert matching(word("caroline", 50_000), word("pig", 150), word("sow", 90)) == "'sow' | 'pig'"


def test_stems_of_one_word_count_once() -> None:
    pets = QueryTerm(("'pet'", "'pets'"), 3_000)
    assert "( 'pet' | 'pets' )" in matching(pets, word("time", 30_000))


def test_long_question_stays_a_short_query() -> None:
    words = [word(f"w{n}", 2_000 + 10 * n) for n in range(300)]
    selection = select_texts(words, TOTAL, LIMIT)
    assert selection is not None
    assert len(selection.words) < 50
    assert selection.matching.count("'") / 2 < 2**MAX_COMBINED


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.integers(1, 60_000), min_size=2, max_size=7))
def test_no_text_is_left_out_that_is_worth_more(db: None, counts: list[int]) -> None:
    words = [word(f"w{n}", texts) for n, texts in enumerate(counts)]
    selection = select_texts(words, TOTAL, LIMIT)
    if selection is None:
        return
    names = [f"w{n}" for n in range(len(words))]
    texts = [some for size in range(1, len(names) + 1) for some in combinations(names, size)]
    found = selected(selection, texts)
    rare, known = set(), 0
    for name, each in sorted(zip(names, words, strict=True), key=lambda pair: pair[1].expected):
        known += each.expected
        if known <= TEXTS:
            rare.add(name)
    assert {text for text in map(frozenset, texts) if text & rare} <= found

    def worth(text: Collection[str]) -> float:
        return sum(log(1 + selection.texts / counts[int(name[1:])]) for name in text)

    # Of the texts without a rare word, those that are worth the most.
    others = [frozenset(text) for text in texts if not rare & set(text)]
    values = {worth(text) for text in others if text in found}
    if values:
        assert all(text in found for text in others if worth(text) > min(values) + 1e-3)
