"""The prompt for reranking by a model, and parsing of its answer."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.llm.answers import UnusableAnswer
from memoryapp.recall.entries import Entry
from memoryapp.recall.rerank_prompt import (
    BEST,
    MAX_ENTRY_CHARACTERS,
    RerankAnswer,
    prompt,
    reordered,
)

DAY = date(2026, 3, 2)


def parse(answer: str, *, among: int) -> list[int] | None:
    """Return the picks; None if the answer is unusable."""
    try:
        return RerankAnswer.from_text(answer, among).picks(among)
    except UnusableAnswer:
        return None


def test_texts_are_numbered_dated_single_lines() -> None:
    rendered = prompt(
        "What should I\nnot cook?",
        [
            Entry("m7", "The user is allergic\nto peanuts.", DAY, "fact"),
            Entry("s9", "x" * 5_000, DAY, "said by user", until=date(2026, 6, 30)),
        ],
        today=date(2026, 4, 1),
    )
    today, question, empty, first, second = rendered.splitlines()
    assert (today, question) == ("Today is 2026-04-01.", "Question: What should I not cook?")
    assert not empty
    assert first == "1. (2026-03-02, fact) The user is allergic to peanuts."
    assert second.startswith("2. (2026-03-02, said by user, holds until 2026-06-30) xxx")
    assert second.endswith(" …")
    assert len(second) < MAX_ENTRY_CHARACTERS + 60


@pytest.mark.parametrize(
    ("answer", "picked"),
    [
        ('{"best": [4, 1]}', [3, 0]),
        ("[2]", [1]),
        ('```json\n{"best": [2, 3]}\n```', [1, 2]),
        ('The best are {"best": ["1", "[3]", "note 2"]}.', [0, 2, 1]),
        ('{"best": [{"number": 2}, {"number": 5}]}', [1, 4]),
        ('{"number": 2}', [1]),
        ('{"picks": [5]}', [4]),
        ('{"best": []}', []),
        ('{"best": [1, 1, 2, 2]}', [0, 1]),
        ('{"best": [0, 6, -1, 99, 3]}', [2]),
        ('{"best": [1, 2, 3, 4, 5, 6]}', [0, 1, 2, 3, 4]),
        # Nothing that looks like a pick.
        ('{"best": [17, 99]}', None),
        ('{"best": [true, null, "none", {}]}', None),
        ('{"best": "3"}', None),
        ('{"best": [1, 2', None),
        ("The third one.", None),
        ("", None),
    ],
)
def test_answers_are_parsed(answer: str, picked: list[int] | None) -> None:
    assert parse(answer, among=5) == picked


@given(st.text(max_size=200) | st.from_regex(r'\{"best": \[[-0-9, "a-z]{0,30}\]\}'))
def test_any_answer_picks_only_given_texts(answer: str) -> None:
    picked = parse(answer, among=7) or []
    assert len(picked) <= BEST
    assert len(set(picked)) == len(picked)
    assert all(0 <= number < 7 for number in picked)
    assert sorted(reordered(range(7), picked)) == list(range(7))


def test_picked_texts_come_first_and_the_rest_keeps_its_order() -> None:
    assert reordered("abcdef", [4, 1]) == list("ebacdf")
    assert reordered("abc", []) == list("abc")
