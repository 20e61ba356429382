"""Labels: agents, apps and runs of a memory."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.policy.labels import (
    KINDS,
    MAX_LABELS,
    is_label,
    meant_by,
    named,
    names,
    taken_out,
    united,
    without,
)

LABELS = st.lists(
    st.builds(
        lambda kind, name: f"{kind}:{name}", st.sampled_from(KINDS), st.sampled_from(["", "a", "b"])
    ),
    unique=True,
)


@pytest.mark.parametrize(
    ("known", "said", "expected"),
    [
        ([], [], []),
        (["agent:a"], ["agent:a"], ["agent:a"]),
        (["agent:a"], ["agent:b"], ["agent:a", "agent:b"]),
        (["agent:a"], [], ["agent:a", "agent:"]),
        ([], ["agent:a", "run:r"], ["agent:a", "run:r", "agent:", "run:"]),
        (["agent:a"], ["agent:a", "run:r"], ["agent:a", "run:r", "run:"]),
        (["agent:a", "agent:"], [], ["agent:a", "agent:"]),
    ],
)
def test_labels_of_two_statements(
    known: Sequence[str], said: Sequence[str], expected: list[str]
) -> None:
    assert united(known, said) == expected


@given(LABELS, LABELS)
def test_no_name_is_lost_or_made_up(known: list[str], said: list[str]) -> None:
    both = united(known, said)
    assert set(named(both)) == {*named(known), *named(said)}
    assert united(both, said) == both or not said
    assert len(set(both)) == len(both)


def test_oldest_runs_give_way() -> None:
    labels = ["agent:a", "run:0"]
    for number in range(1, MAX_LABELS + 10):
        labels = united(labels, ["agent:a", f"run:{number}"])
    assert len(labels) == MAX_LABELS
    assert names(labels, "agent") == ["a"]
    assert names(labels, "run")[-1] == f"{MAX_LABELS + 9}"
    assert "run:0" not in labels


@pytest.mark.parametrize(
    ("labels", "taken", "left"),
    [
        (["agent:a", "agent:b"], ["agent:a"], ["agent:b"]),
        (["agent:a", "agent:"], ["agent:a"], ["agent:"]),
        # Nobody else of that kind has stated it.
        (["agent:a"], ["agent:a"], ["agent:a"]),
        (["agent:a", "run:r"], ["agent:a"], ["agent:a", "run:r"]),
        (["agent:a", "agent:b"], ["agent:a", "agent:b"], ["agent:a", "agent:b"]),
        # By agent and run: the memory stays for other runs of that agent.
        (["agent:a", "run:r", "run:s"], ["agent:a", "run:r"], ["agent:a", "run:s"]),
        (["agent:a", "run:r"], ["agent:a", "run:r"], ["agent:a", "run:r"]),
    ],
)
def test_what_is_left(labels: list[str], taken: list[str], left: list[str]) -> None:
    assert without(labels, taken) == left


@given(LABELS, LABELS)
def test_what_loses_a_label_is_not_found_by_it(labels: list[str], taken: list[str]) -> None:
    left = without(labels, taken)
    assert left == labels or not set(taken) & set(labels) <= set(left)


@pytest.mark.parametrize(
    ("metadata", "labels", "rest"),
    [
        ({"agent_id": "a", "run_id": 7, "room": 1}, ["agent:a", "run:7"], {"room": 1}),
        ({"agent_id": "", "app_id": None}, [], {"agent_id": "", "app_id": None}),
        ({"agent_id": {"x": 1}, "run_id": True}, [], {"agent_id": {"x": 1}, "run_id": True}),
    ],
)
def test_ids_in_metadata_are_labels(
    metadata: dict[str, Any], labels: list[str], rest: dict[str, Any]
) -> None:
    assert taken_out(metadata) == (labels, rest)


@pytest.mark.parametrize(
    ("text", "is_one"),
    [("agent:a", True), ("run:", True), ("app:a:b", True), ("agent", False), ("cat:a", False)],
)
def test_form_of_a_label(text: str, is_one: bool) -> None:
    assert is_label(text) is is_one
    assert meant_by(text) == ([text] if is_one else [f"{kind}:{text}" for kind in KINDS])
