"""Means and tables of answers, with hand-computed cases."""

import pytest

from benchmarks.query_runner import Answer
from benchmarks.scoring import HAYSTACK, scores, table

#: One of two turns among the first ten results; the other session only further down.
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
#: Only the session of the answer is known.
SESSION = Answer("1", [], ["c_1"], 20.0, ["c"], ["c"], ["c"])


def test_means_are_calculated_over_questions() -> None:
    means = scores([HALF, WHOLE])
    assert means["questions"] == 2
    assert means["turn_recall_at_10"] == 0.75
    assert (means["p50_ms"], means["p95_ms"]) == (10.0, 30.0)


def test_sessions_are_ranked_beyond_the_retrieved_turns() -> None:
    means = scores([HALF])
    assert means["session_recall_at_5"] == 1.0
    assert means["session_recall_of_10_turns"] == 0.5


def test_missing_scores_are_excluded_from_the_mean() -> None:
    means = scores([WHOLE, SESSION], HAYSTACK)
    assert means["questions"] == 2
    assert means["turn_recall_any_at_1"] == 1.0
    assert scores([SESSION], HAYSTACK)["turn_recall_any_at_1"] is None
    assert "–" in table({"1": [SESSION]}, HAYSTACK)


def test_scores_for_user_turns_only() -> None:
    means = scores([HALF], HAYSTACK)
    # Without x_1 the turn is first, and without b_2 it is the only relevant one.
    assert means["turn_recall_any_at_1"] == 0.0
    assert means["user_turn_recall_any_at_1"] == means["user_turn_recall_all_at_1"] == 1.0
    assert means["turn_recall_all_at_50"] == 0.0


@pytest.mark.parametrize("rows", [{"4 a single turn": [HALF], "5": []}])
def test_row_without_answers_is_hidden(rows: dict[str, list[Answer]]) -> None:
    heading, row = table(rows).splitlines()
    assert heading.split()[:2] == ["questions", "turn"]
    assert row.split()[:6] == ["4", "a", "single", "turn", "1", "0.500"]
