import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conversations.bounded_json import MAX_CONTAINERS, MAX_DEPTH, TooDeep, parse

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text('a"\\[]{}é\n', max_size=9),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text('k"\\[{', max_size=3), inner, max_size=4)
    ),
    max_leaves=200,
)


@given(VALUES, st.booleans())
def test_json_within_the_limits_is_parsed(value: object, escaped: bool) -> None:
    assert parse(json.dumps(value, ensure_ascii=escaped).encode()) == value


@pytest.mark.parametrize("around", ["{}", '{{"a": {}}}'], ids=["alone", "in an object"])
def test_depth_is_limited(around: str) -> None:
    inside = 1 if "a" in around else 0

    def nested(depth: int) -> bytes:
        return around.format("[" * depth + "]" * depth).encode()

    parse(nested(MAX_DEPTH - inside))
    for depth in (MAX_DEPTH - inside + 1, 900, 100_000):
        with pytest.raises(TooDeep):
            parse(nested(depth))


def test_brackets_in_strings_do_not_count() -> None:
    code = "if (a[0]) { f({}) } " * 10_000 + '\\"[['
    assert parse(json.dumps([code, {code: code}]).encode()) == [code, {code: code}]


def test_number_of_values_is_limited_before_parsing() -> None:
    many = "[" + ",".join(["[]"] * (MAX_CONTAINERS - 1)) + "]"
    assert len(parse(many.encode())) == MAX_CONTAINERS - 1
    with pytest.raises(TooDeep):
        parse(many.replace("[[]", "[[],[]", 1).encode())


@pytest.mark.parametrize(
    "content", [b"", b"{", b'{"a', b"\xff\xfe[", '["a"]'.encode("utf-16"), b"nul", b"]" * 99]
)
def test_invalid_json_or_utf_8_is_a_value_error(content: bytes) -> None:
    with pytest.raises(ValueError):
        parse(content)


def test_byte_order_mark_is_accepted() -> None:
    assert parse(b"\xef\xbb\xbf[1]") == [1]


@pytest.mark.parametrize("text", ['"' * 2_000_000, '"' + '\\"' * 1_000_000, "[" * 65 + "a" * 10**6])
def test_parsing_takes_linear_time(text: str) -> None:
    began = time.perf_counter()
    with pytest.raises(ValueError):
        parse(("[" * 65 + text).encode())
    assert time.perf_counter() - began < 20  # In quadratic time it takes hours.


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", '{"a": [-1e400]}'])
def test_numbers_that_json_does_not_know_are_a_value_error(number: str) -> None:
    with pytest.raises(ValueError):
        parse(number)
