"""The fit of the weights of the ranking, on candidates whose best weights are known."""

import numpy as np
import pytest

from benchmarks.ranking_weights import Candidates, first_right, fitted, held_out


def questions(decisive: int, count: int, seed: int) -> list[Candidates]:
    """Questions of nine conversations, each answered by the candidate with the most of one of three
    signals; the last signal never varies.
    """
    chance = np.random.default_rng(seed)
    made = []
    for number in range(count):
        signals = np.column_stack([chance.normal(size=(12, 2)), np.zeros(12)])
        worth = np.zeros(12)
        worth[np.argmax(signals[:, decisive])] = 1
        made.append(Candidates(number % 9, signals, worth))
    return made


def test_decisive_signal_gets_the_weight() -> None:
    present = np.array([0.0, 1.0, 0.7])
    sets = [questions(0, 60, seed=1)]
    assert first_right(sets[0], present) < 0.4
    weights = fitted(sets, present)
    assert weights[0] > 5 * abs(weights[1])
    assert weights[2] == present[2], "what never varies keeps its weight"
    assert first_right(sets[0], weights) > 0.9
    (apart,) = held_out(sets, present)
    assert apart > 0.85


def test_each_set_counts_the_same() -> None:
    large, small = questions(0, 300, seed=2), questions(1, 30, seed=3)
    weights = fitted([large, small], np.zeros(3))
    assert weights[0] == pytest.approx(weights[1], rel=0.35)


def test_questions_without_an_answer_teach_nothing() -> None:
    unanswered = [Candidates(0, np.eye(3), np.zeros(3))]
    present = np.array([1.0, 2.0, 3.0])
    assert np.array_equal(fitted([unanswered], present), present)
    assert first_right(unanswered, present) == 0.0
