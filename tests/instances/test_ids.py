"""Parsing of ids from texts and numbers."""

import pytest

from instances.ids import parse_pk


@pytest.mark.parametrize(
    ("value", "pk"),
    [("7", 7), ("007", 7), (7, 7), (str(2**63 - 1), 2**63 - 1), (2**63 - 1, 2**63 - 1)],
)
def test_id_is_parsed_from_digits_and_numbers(value: object, pk: int) -> None:
    assert parse_pk(value) == pk


@pytest.mark.parametrize(
    "value",
    [
        *("", "0", "-1", "+1", " 1", "1.0", "1_0", "x", "²", "٣", "9" * 19, "9" * 5000),
        *(0, -1, 2**63, 1.0, True, None, b"1"),
    ],
)
def test_other_values_are_not_ids(value: object) -> None:
    assert parse_pk(value) is None
