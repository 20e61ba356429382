"""Parsing of the mining model's answer."""

import json
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.llm.answers import UnusableAnswer
from memoryapp.mining.parse import Filing, FilingContext, Subject
from memoryapp.mining.windows import MAX_CHARACTERS, MAX_MESSAGE_CHARACTERS, SHORT, WINDOW, fitting
from memoryapp.models.aaak import Tags


def subject(name: str, kind: str, *aliases: str) -> Subject:
    return Subject.model_validate({"name": name, "kind": kind, "aliases": list(aliases)})


def turn(number: object, topic: object = "stove", **tags: object) -> dict[str, object]:
    return {"turn": number, "topic": topic, **tags}


def relation(number: object, **more: object) -> dict[str, object]:
    said = {"subject": "Mara", "predicate": "lives_in", "object": "Ghent", "since": None}
    return {"turn": number, **said, "ends": False, "single": True, "confidence": 90, **more}


def parse(answer: str, *, positions: list[int], by_people: list[int]) -> Filing:
    return Filing.from_text(answer, FilingContext(frozenset(positions), frozenset(by_people)))


def answered(**parts: object) -> Filing:
    whole = {"subject": {"name": "Kitchen", "kind": "project", "aliases": []}, "turns": [], **parts}
    return parse(json.dumps(whole), positions=[1, 2, 3], by_people=[1, 3])


def test_complete_answer() -> None:
    mined = answered(
        subject={"name": " Kitchen\nrenovation ", "kind": "Project", "aliases": ["the kitchen"]},
        turns=[turn(1, "stove", people=["Mara", "Mara", ""], times=["Monday"]), turn(2, "fitter")],
        entities=[{"name": "Mara", "kind": "person", "aliases": ["M."], "turns": [3, 1, 1, 9]}],
        relations=[relation(3, since="2024-03", confidence=120)],
    )
    assert mined.subject == subject("Kitchen renovation", "project", "the kitchen")
    assert {number: (turn.topic, turn.tags) for number, turn in mined.by_position.items()} == {
        1: ("stove", Tags(people=("Mara",), times=("Monday",))),
        2: ("fitter", Tags()),
    }
    (entity,) = mined.entities
    assert tuple(entity.model_dump().values()) == ("Mara", "person", ("M.",), (1, 3))
    (related,) = mined.relations
    assert tuple(related.model_dump().values()) == (
        *(3, "Mara", "lives_in", "Ghent"),
        *(date(2024, 3, 1), False, True, 100),
    )
    assert not mined.all_dropped()


@pytest.mark.parametrize(
    "wrapped", ["{}", "```json\n{}\n```", "Here it is: {} I hope it helps.", "\n\n{}"]
)
def test_answer_within_prose(wrapped: str) -> None:
    answer = wrapped.replace("{}", json.dumps({"subject": {"name": "Bees"}, "turns": [turn(1)]}))
    mined = parse(answer, positions=[1], by_people=[1])
    assert mined.subject == subject("Bees", "topic")
    assert list(mined.by_position) == [1]


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "I cannot do that.",
        "[]",
        "7",
        '{"subject": {"name": "Bees"}, "turns": [',
        '{"subject": null, "turns": []}',
        '{"subject": {"name": "\u200b"}, "turns": "all"}',
        '{"memories": []}',
    ],
)
def test_answer_without_a_subject_and_a_turn_is_unusable(answer: str) -> None:
    with pytest.raises(UnusableAnswer):
        parse(answer, positions=[1], by_people=[1])


@pytest.mark.parametrize(
    ("part", "item", "position", "reason"),
    [
        ("turns", "stove", 0, "a turn is not an object"),
        ("turns", turn(4), 0, "a turn names none of the turns it may name"),
        ("turns", turn(True), 0, "a turn names none of the turns it may name"),
        ("turns", turn(3), 3, "a turn is described twice"),
        ("entities", {"name": " ", "turns": [1]}, 0, "an entity has no name"),
        ("entities", {"name": "Mara", "turns": [7]}, 0, "an entity names no turn"),
        ("entities", {"name": "Mara", "turns": 1}, 0, "an entity names no turn"),
        ("relations", relation(2), 0, "a relation names none of the turns it may name"),
        ("relations", relation(1, object=""), 1, "a relation has no subject, predicate or object"),
        ("relations", relation(1, predicate=None), 1, "a relation has no subject, predicate or ob"),
        ("relations", relation(1, object="x " * 200), 1, "a relation has a whole text"),
        ("relations", relation(1, object="mara"), 1, "a relation relates something to itself"),
    ],
)
def test_invalid_items_are_dropped_with_a_reason(
    part: str, item: object, position: int, reason: str
) -> None:
    good: dict[str, list[Any]] = {
        "turns": [turn(3)],
        "entities": [{"name": "Ben", "kind": "person", "aliases": [], "turns": [2]}],
        "relations": [relation(1)],
    }
    mined = answered(**{**good, part: [*good[part], item]})
    assert (len(mined.by_position), len(mined.entities), len(mined.relations)) == (1, 1, 1)
    (dropped,) = mined.all_dropped()
    assert dropped.reason.startswith(reason)
    assert dropped.position == position


def test_missing_parts_are_filled_in() -> None:
    mined = answered(
        subject="Kitchen",
        turns=[turn("2", None, people="Mara", places=[7, {}, "Ghent"])],
        relations=[relation(1, since="some day", object=3, confidence=None, ends="yes")],
        entities=[{"name": "Acme", "kind": "Organization", "turns": ["1", 2.0]}],
    )
    assert mined.subject == subject("Kitchen", "topic")
    (turned,) = mined.turns
    tags = Tags(people=("Mara",), places=("Ghent",))
    assert (turned.turn, turned.topic, turned.tags) == (2, "", tags)
    (entity,) = mined.entities
    assert tuple(entity.model_dump().values()) == ("Acme", "organisation", (), (1, 2))
    (related,) = mined.relations
    assert tuple(related.model_dump().values()) == (
        *(1, "Mara", "lives_in", "3"),
        *(None, False, True, 70),
    )


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)
ITEMS = st.lists(
    JSON
    | st.fixed_dictionaries(
        {"turn": st.integers(0, 4) | JSON},
        optional=dict.fromkeys(
            ("topic", "people", "name", "turns", "subject", "predicate", "object"), JSON
        ),
    ),
    max_size=4,
)


@given(st.fixed_dictionaries({"turns": ITEMS | JSON, "entities": ITEMS, "relations": ITEMS}))
def test_any_answer_is_parsed(answer: dict[str, object]) -> None:
    answer["subject"] = {"name": "Bees"}
    mined = parse(json.dumps(answer), positions=[1, 2], by_people=[1])
    assert set(mined.by_position) <= {1, 2}
    assert {item.turn for item in mined.relations} <= {1}
    assert all(thing.turns for thing in mined.entities)


# Windows


@pytest.mark.parametrize(
    ("lengths", "total", "expected"),
    [
        ([100] * 50, 50, SHORT),
        ([100] * 51, 51, WINDOW),
        ([100] * 3, 400, 3),
        ([100] * 3, 3, 3),
        ([10**6], 1, 1),
        ([10**6] * 50, 50, MAX_CHARACTERS // (MAX_MESSAGE_CHARACTERS + 60)),
        ([0] * 50, 50, SHORT),
        ([], 0, 0),
    ],
)
def test_number_of_messages_per_call(lengths: list[int], total: int, expected: int) -> None:
    assert fitting(lengths, total=total) == expected
