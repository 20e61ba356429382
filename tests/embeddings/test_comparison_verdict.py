"""The rule that decides whether a new model is activated."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.embeddings.comparison_verdict import ComparisonVerdict, every_second_word, judge


@pytest.mark.parametrize(
    ("questions", "before", "after", "good"),
    [
        (100, 80, 80, True),
        (100, 80, 95, True),
        (100, 80, 75, True),
        (100, 80, 74, False),
        (100, 0, 0, True),
        # With few questions, only one result may be lost.
        (10, 10, 9, True),
        (10, 10, 8, False),
        (4, 4, 3, True),
        (4, 4, 0, False),
        (0, 0, 0, True),
    ],
)
def test_verdict_rule(questions: int, before: int, after: int, good: bool) -> None:
    assert ComparisonVerdict(questions, before, after, agreement=0.0).is_good is good


def test_counted_results() -> None:
    ten = list(range(10))
    verdict = judge([3, 42, 7], [[3, 1], [*ten, 42], [7]], [[1, 3], [42], [8, 9]])
    # The eleventh result does not count.
    assert (verdict.asked, verdict.before, verdict.after) == (3, 2, 2)
    assert verdict.agreement == pytest.approx((1.0 + 0.0 + 0.0) / 3, abs=0.001)


def test_no_questions_give_a_positive_verdict() -> None:
    verdict = judge([], [], [])
    assert verdict == ComparisonVerdict(0, 0, 0, 1.0)
    assert verdict.is_good


@given(st.lists(st.tuples(st.integers(0, 20), st.lists(st.integers(0, 20), unique=True))))
def test_model_agrees_with_itself(rows: list[tuple[int, list[int]]]) -> None:
    wanted, found = [item for item, _ in rows], [items for _, items in rows]
    verdict = judge(wanted, found, found)
    assert verdict.before == verdict.after
    assert verdict.agreement == 1.0
    assert verdict.is_good


@pytest.mark.parametrize(
    ("text", "half"),
    [
        ("The user keeps bees on the roof.", "The keeps on roof."),
        ("The user sails.", "The user sails."),
        ("ユーザーは東京に住んでいます。", "ユーザーは東京に住んでいます。"),
    ],
)
def test_question_has_half_of_the_words(text: str, half: str) -> None:
    assert every_second_word(text) == half
