"""Repair of halves of surrogate pairs and of odd numbers in JSON, wherever blocks are cut."""

import io
import json
from typing import Any

import ijson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conversations.importers import jsonl
from conversations.importers.json_repair import DECODER, RepairedJSON, repair_halves

#: JSON as a program wrote it, and its value.
CASES: list[tuple[bytes, Any]] = [
    (rb'["a \ude00 b"]', ["a \ufffd b"]),
    (rb'["a \ud83d"]', ["a \ufffd"]),
    (rb'["\uD83D\uDE00\uDE00\uD83D"]', ["\U0001f600\ufffd\ufffd"]),
    (rb'["\ud83d\ud83d\ude00"]', ["\ufffd\U0001f600"]),
    (rb'["\ude00\ud83d"]', ["\ufffd\ufffd"]),
    (rb'["\\ude00 \\\ude00 \\\\ud83d"]', ["\\ude00 \\\ufffd \\\\ud83d"]),
    (rb'["\\ud83d\ude00"]', ["\\ud83d\ufffd"]),
    (rb'{"\ud83d": "\u00e4\n"}', {"\ufffd": "ä\n"}),
    (b'["\xed\xb8\x80"]', ["\ufffd"]),
    (b'["\xed\xa0\xbd\xed\xb8\x80 \xed\xa0\xbd"]', ["\U0001f600 \ufffd"]),
    ('["한국어 \U0001f600"]'.encode(), ["한국어 \U0001f600"]),
    (b'{"a": NaN, "b": [Infinity,-Infinity, 1]}', {"a": None, "b": [None, None, 1]}),
    (b"[123456789012345678901234567890, -9223372036854775809]", [None, None]),
    (b"[9223372036854775808,9223372036854775807]", [None, 2**63 - 1]),
    (b"[1e999, -1.5E+400, 1e300, 1e-999]", [None, None, 1e300, 0.0]),
    (b"[3.14159265358979323846]", [3.141592653589793]),
    (b'["NaN, 12345678901234567890, 1e999 "]', ["NaN, 12345678901234567890, 1e999 "]),
    (rb'["said \"NaN , NaN, \\", NaN , "\\\"", NaN]', ['said "NaN , NaN, \\', None, '\\"', None]),
]  # fmt: skip


def parsed(data: bytes, size: int) -> Any:
    builder = ijson.ObjectBuilder()
    for event, value in ijson.basic_parse(
        RepairedJSON(io.BytesIO(data)), use_float=True, buf_size=size
    ):
        builder.event(event, value)
    return builder.value


@pytest.mark.parametrize(("data", "value"), CASES)
def test_halves_and_numbers_spoil_only_themselves(data: bytes, value: Any) -> None:
    for size in range(1, len(data) + 1):
        assert parsed(data, size) == value


@pytest.mark.parametrize(("data", "value"), CASES)
def test_the_same_holds_for_lines(data: bytes, value: Any) -> None:
    (found,) = jsonl.values(data)
    whole = json.dumps(found, default=str)
    # Python reads whole numbers of any size.
    assert found == value or any(digits in whole for digits in ("12345678901234567890", "92233"))


@given(st.text(max_size=200), st.integers(1, 40))
def test_other_json_stays_as_it_is(text: str, size: int) -> None:
    for ascii_only in (True, False):
        data = json.dumps([text, {"k": text, "n": 12.5}], ensure_ascii=ascii_only)
        assert parsed(data.encode("utf-8", "replace"), size) == json.loads(
            data.encode("utf-8", "replace")
        )


@given(st.lists(st.sampled_from(["\\", '"', "\ud83d", "\ude00", "x", " NaN, ", "[", "9" * 20])))
def test_any_mixture_is_read_as_python_reads_it(parts: list[str]) -> None:
    text = "".join(parts)
    data = b"[" + json.dumps(text).encode() + b", NaN]"
    joined = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    for size in (7, 64, 4096):
        assert parsed(data, size) == [joined, None]


@pytest.mark.parametrize("part", [r"\ud83d\ude00", r"\u4e2d\u6587", "\\\\", "A1", "한", r"\ude00"])
@pytest.mark.parametrize("before", ["", "x", "xyz"])
def test_long_texts_without_spaces_are_cut_between_characters(part: str, before: str) -> None:
    data = f'["{before}{part * 30_000}", NaN]'.encode()
    expected = json.loads(f'"{before}{part}"').encode("utf-16", "surrogatepass")
    first = expected.decode("utf-16", "replace")
    text, number = parsed(data, 65536)
    assert number is None
    assert text == before + first.removeprefix(before) * 30_000


def test_whole_bytes_are_not_copied() -> None:
    data = json.dumps(["Nothing odd", 1, 2.5]).encode()
    assert repair_halves(data) is data


def test_decoder_reads_numbers_of_any_length() -> None:
    assert DECODER.decode("[%s, 7, NaN, 1e400]" % ("9" * 5000)) == [None, 7, None, None]
