"""Reciprocal Rank Fusion: examples, and properties for any lists."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.recall.fusion import K, fuse

Lists = dict[str, list[str]]


def test_constant_is_that_of_the_paper() -> None:
    assert K == 60


@pytest.mark.parametrize(
    ("lists", "expected"),
    [
        ({}, []),
        ({"meaning": [], "words": []}, []),
        ({"meaning": ["a"]}, [("a", 1 / 61)]),
        ({"meaning": ["a", "b"]}, [("a", 1 / 61), ("b", 1 / 62)]),
        ({"meaning": ["a", "b"], "words": ["b"]}, [("b", 1 / 62 + 1 / 61), ("a", 1 / 61)]),
        (
            {"meaning": ["a", "b", "c"], "words": ["c", "d"], "said": ["c"]},
            [("c", 1 / 63 + 1 / 61 + 1 / 61), ("a", 1 / 61), ("b", 1 / 62), ("d", 1 / 62)],
        ),
        # Two middle ranks outweigh one first rank.
        (
            {"meaning": ["a", *"qrst", "b"], "words": [*"wxyz", "b"]},
            [("b", 1 / 66 + 1 / 65), ("a", 1 / 61), ("w", 1 / 61)],
        ),
        # A repeated item counts once and does not push the next one down.
        ({"meaning": ["a", "a", "b"]}, [("a", 1 / 61), ("b", 1 / 62)]),
    ],
)
def test_worked_examples(lists: Lists, expected: list[tuple[str, float]]) -> None:
    fused = fuse(lists)[: len(expected)]
    assert [entry.item for entry in fused] == [item for item, _ in expected]
    assert [entry.score for entry in fused] == pytest.approx([score for _, score in expected])
    assert bool(fuse(lists)) == bool(expected)


def test_each_item_explains_its_score() -> None:
    (first, *_) = fuse({"meaning": ["b", "a"], "words": ["a"]})
    assert first.item == "a"
    assert first.ranks == {"meaning": 1, "words": 0}
    assert first.parts == {"meaning": 1 / 62, "words": 1 / 61}


LISTS = st.dictionaries(
    st.sampled_from(["meaning", "words", "said"]), st.lists(st.sampled_from("abcdefgh"), max_size=8)
)


def scores(lists: Lists) -> dict[str, float]:
    return {entry.item: entry.score for entry in fuse(lists)}


@given(LISTS)
def test_every_item_is_returned_once_best_first(lists: Lists) -> None:
    fused = fuse(lists)
    assert sorted(entry.item for entry in fused) == sorted(
        {i for items in lists.values() for i in items}
    )
    values = [entry.score for entry in fused]
    assert values == sorted(values, reverse=True)


@given(LISTS)
def test_score_is_the_sum_of_the_rank_parts(lists: Lists) -> None:
    for entry in fuse(lists):
        assert entry.score == sum(entry.parts.values())
        assert entry.parts == {name: 1 / (K + rank + 1) for name, rank in entry.ranks.items()}
        for name, rank in entry.ranks.items():
            assert list(dict.fromkeys(lists[name]))[rank] == entry.item


@given(LISTS.flatmap(lambda lists: st.tuples(st.just(lists), st.permutations(sorted(lists)))))
def test_order_of_the_lists_does_not_matter(orders: tuple[Lists, list[str]]) -> None:
    lists, names = orders
    assert scores({name: lists[name] for name in names}) == pytest.approx(scores(lists))


@given(LISTS, st.permutations("abcdefgh"))
def test_names_of_the_items_do_not_matter(lists: Lists, names: list[str]) -> None:
    renamed = dict(zip("abcdefgh", names, strict=True))
    there = scores({name: [renamed[item] for item in items] for name, items in lists.items()})
    assert there == {renamed[item]: score for item, score in scores(lists).items()}


@given(LISTS, st.lists(st.sampled_from("abcdefgh"), min_size=1, unique=True))
def test_additional_list_lowers_no_score(lists: Lists, another: list[str]) -> None:
    before, after = scores(lists), scores({**lists, "another": another})
    assert all(after[item] >= score for item, score in before.items())
    assert all(after[item] > before.get(item, 0.0) for item in another)


@given(st.lists(st.sampled_from("abcdefgh"), unique=True))
def test_single_list_keeps_its_order(items: list[str]) -> None:
    assert [entry.item for entry in fuse({"meaning": items})] == items
