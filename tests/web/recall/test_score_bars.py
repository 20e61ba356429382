"""Score bars: parts neither overlap nor exceed the bar."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from memoryapp.web.reasons import SIGNALS
from memoryapp.web.recall.score_bars import WIDTH, draw, longest


def test_parts_are_stacked_in_a_fixed_order() -> None:
    stack = draw({"importance": 1.0, "meaning": 3.0}, 8.0)
    assert [(piece.name, piece.x, piece.width) for piece in stack.pieces] == [
        ("meaning", 0.0, 37.5),
        ("importance", 37.5, 12.5),
    ]
    assert (stack.score, stack.written) == (4.0, "4.00")
    assert stack.in_words == "similar meaning 3.00, importance 1.00"


def test_penalties_cover_the_end_of_the_bar() -> None:
    stack = draw({"stale": -1.0, "words": 4.0}, 4.0)
    assert [(piece.name, piece.x, piece.width, piece.is_loss) for piece in stack.pieces] == [
        ("words", 0.0, 100.0, False),
        ("stale", 75.0, 25.0, True),
    ]
    assert stack.in_words == "same words 4.00, not used −1.00"


def test_rank_sums_keep_their_digits_and_lists_have_names() -> None:
    stack = draw({"drawer_meaning": 1 / 61, "words": 1 / 62}, 0.04)
    assert stack.in_words == "same words 0.0161, similar message 0.0164"


def test_empty_scores_and_unknown_parts() -> None:
    assert draw({}, 0.0).pieces == []
    assert longest([]) == 0.0
    assert [piece.name for piece in draw({"later": 1.0, "date": 1.0}, 2.0).pieces] == [
        "date",
        "later",
    ]


amounts = st.integers(-5_000, 5_000).map(lambda thousandths: thousandths / 1_000)


@given(st.lists(st.dictionaries(st.sampled_from([*SIGNALS, "later"]), amounts), max_size=5))
def test_bars_stay_within_their_scale(scores: list[dict[str, float]]) -> None:
    width = longest(scores)
    for parts in scores:
        stack = draw(parts, width)
        assert abs(stack.score - sum(parts.values())) < 1e-9
        earned = [piece for piece in stack.pieces if not piece.is_loss]
        for before, behind in pairwise(earned):
            assert abs(before.x + before.width - behind.x) < 0.05
        for piece in stack.pieces:
            assert piece.width >= 0
            assert piece.x >= -0.05
            assert piece.x + piece.width <= WIDTH + 0.05
