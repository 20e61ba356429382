"""Settings from the environment."""

from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from memoryapp.process.environment import Environment

READ_AS = [
    ("str", "UTC"),
    ("int", 600),
    ("float", 10.0),
    ("bool", True),
    ("bool", False),
    ("list", ["openid", "profile"]),
]


@pytest.mark.parametrize("text", ["", " "])
@pytest.mark.parametrize(("kind", "default"), READ_AS)
def test_an_empty_variable_counts_as_left_out(
    kind: str, default: Any, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EXAMPLE", text)
    assert getattr(Environment(), kind)("EXAMPLE", default=default) == default


def test_an_empty_address_of_the_database_counts_as_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("EXAMPLE", "")
    address = Environment().db("EXAMPLE", default="postgres://keepsake@localhost:5432/keepsake")
    assert address["NAME"] == "keepsake"


def test_entries_of_a_list_may_have_spaces_around_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXAMPLE", "memory.example.org, 10.0.0.5 ,,")
    assert Environment().list("EXAMPLE", default=[]) == ["memory.example.org", "10.0.0.5"]


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [("bool", "no", False), ("bool", "0", False), ("bool", "True", True), ("int", "0", 0)],
)
def test_values_are_read(
    kind: str, text: str, expected: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EXAMPLE", text)
    assert getattr(Environment(), kind)("EXAMPLE", default=not expected) == expected


@pytest.mark.parametrize(
    ("kind", "text"), [("bool", "perhaps"), ("int", "many"), ("float", "soon")]
)
def test_a_value_of_another_kind_is_named(
    kind: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EXAMPLE", text)
    with pytest.raises(ImproperlyConfigured, match=f"EXAMPLE is “{text}”"):
        getattr(Environment(), kind)("EXAMPLE", default=1)
