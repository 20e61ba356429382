"""Means and tables of answers, by hand-computed cases."""

import pytest

from benchmarks.query_runner import Answer
from benchmarks.scoring import HAYSTACK, scores, table

#: One of two turns found among the first ten; its other session only further down.
HALF = Answer(
    "4",
    ["a_1", "b_2"],
    ["x_1", "a_1", "y_3"],
    10.0,
    evidence_sessions=["a", "b"],
    found_sessions=["x", "a", "y", "z", "b"],
    sessions_of_found=["x", "a", "y"],
    of_assistant=["x_1", "b_2"],
)
WHOLE = Answer("1", ["c_1"], ["c_1"], 30.0, ["c"], ["c"], ["c"])
#: Of which only the session is known.
SESSION = Answer("1", [], ["c_1"], 20.0, ["c"], ["c"], ["c"])


def test_means_are_over_questions() -> None:
    found = scores([HALF, WHOLE])
    assert found["questions"] == 2
    assert found["turn_recall_at_10"] == 0.75
    assert (found["p50_ms"], found["p95_ms"]) == (10.0, 30.0)


def test_sessions_are_ranked_by_more_than_the_turns_that_were_found() -> None:
    found = scores([HALF])
    assert found["session_recall_at_5"] == 1.0
    assert found["session_recall_of_10_turns"] == 0.5


def test_what_says_nothing_of_an_answer_leaves_it_out_of_the_mean() -> None:
    found = scores([WHOLE, SESSION], HAYSTACK)
    assert found["questions"] == 2
    assert found["turn_recall_any_at_1"] == 1.0
    assert scores([SESSION], HAYSTACK)["turn_recall_any_at_1"] is None
    assert "–" in table({"1": [SESSION]}, HAYSTACK)


def test_the_turns_of_the_user_alone() -> None:
    found = scores([HALF], HAYSTACK)
    # Without x_1 the turn stands first, and without b_2 it is all there is to find.
    assert found["turn_recall_any_at_1"] == 0.0
    assert found["user_turn_recall_any_at_1"] == found["user_turn_recall_all_at_1"] == 1.0
    assert found["turn_recall_all_at_50"] == 0.0


@pytest.mark.parametrize("rows", [{"4 a single turn": [HALF], "5": []}])
def test_a_row_without_answers_is_not_shown(rows: dict[str, list[Answer]]) -> None:
    heading, row = table(rows).splitlines()
    assert heading.split()[:2] == ["questions", "turn"]
    assert row.split()[:6] == ["4", "a", "single", "turn", "1", "0.500"]
