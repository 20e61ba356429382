"""The floor of relevance, and the places for memories."""

import pytest

from memoryapp.policy.memory_need import Need
from memoryapp.policy.relevance import (
    FLOORS,
    Background,
    Evidence,
    best_by_chance,
    hold_words,
    relevant,
    share_places,
)


def test_distinction_is_the_same_for_every_model() -> None:
    wide, narrow = Background(0.1, 0.125), Background(0.75, 0.03)
    assert wide.distinction(0.35) == pytest.approx(2.0)
    assert narrow.distinction(0.81) == pytest.approx(2.0)


@pytest.mark.parametrize("need", Need)
def test_floor_falls_as_the_need_grows(need: Need) -> None:
    floor = FLOORS[need]
    assert floor.best >= floor.each
    if need > Need.NONE:
        above = FLOORS[Need(need - 1)]
        assert floor.best < above.best
        assert floor.each < above.each


def test_nothing_is_relevant_without_need() -> None:
    assert relevant(Need.NONE, [Evidence(20.0, 1.0)], texts=1) == [False]


@pytest.mark.parametrize("need", [Need.TASK, Need.OPEN, Need.PERSON])
def test_nothing_is_relevant_unless_one_find_stands_out(need: Need) -> None:
    floor, by_chance = FLOORS[need], best_by_chance(300)
    middling = Evidence(by_chance + (floor.best + floor.each) / 2)
    best, worst = Evidence(by_chance + floor.best), Evidence(by_chance - 9)
    assert relevant(need, [middling, middling], texts=300) == [False, False]
    assert relevant(need, [middling, best, worst], texts=300) == [True, True, False]


def test_more_is_asked_of_the_best_of_many_texts() -> None:
    near = [Evidence(1.5)]
    assert relevant(Need.OPEN, near, texts=8) == relevant(Need.OPEN, near, texts=30) == [True]
    assert relevant(Need.OPEN, near, texts=800) == [False]


def test_task_is_shown_only_what_is_clearly_about_it() -> None:
    finds = [Evidence(2.2, 0.1)]
    assert relevant(Need.TASK, finds, texts=300) == [False]
    assert relevant(Need.PERSON, finds, texts=300) == [True]
    assert relevant(Need.TASK, [Evidence(4.0, 0.8)], texts=300) == [True]


@pytest.mark.parametrize(
    ("covered", "hold"),
    [
        ([], []),
        ([0.0, 0.0], [True, True]),
        ([0.9, 0.0], [True, True]),
        ([1.0, 0.0], [True, False]),
        ([1.0, 1 / 3, 0.08], [True, True, False]),
    ],
)
def test_words_decide_where_one_find_holds_them_all(covered: list[float], hold: list[bool]) -> None:
    assert hold_words(covered) == hold


def test_words_count_where_there_are_no_vectors() -> None:
    finds = [Evidence(None, 1.0), Evidence(None, 0.5)]
    assert relevant(Need.OPEN, finds, texts=300) == [True, True]


@pytest.mark.parametrize(
    ("ranked", "limit", "chosen"),
    [
        ("ttttttm", 4, "tttm"),
        ("ttttmmm", 4, "ttmm"),
        ("mttttmm", 4, "mttm"),
        ("mmmmtt", 4, "mmmm"),
        ("tttmmm", 5, "ttmmm"),
        ("tm", 1, "m"),
        ("tttt", 4, "tttt"),
        ("tm", 5, "tm"),
        ("", 3, ""),
    ],
)
def test_half_of_the_places_are_for_memories(ranked: str, limit: int, chosen: str) -> None:
    items = list(enumerate(ranked))
    shared = share_places(items, limit, is_due=lambda item: item[1] == "m")
    assert "".join(kind for _, kind in shared) == chosen
    assert shared == sorted(shared)


@pytest.mark.parametrize("need", [Need.OPEN, Need.PERSON, Need.NAMED])
def test_text_with_all_words_of_a_question_passes(need: Need) -> None:
    far = -9.0
    finds = [Evidence(far, covered=1.0), Evidence(far, covered=0.9)]
    assert relevant(need, finds, texts=100) == [True, False]
    assert relevant(Need.TASK, finds, texts=100) == [False, False]
