"""AAAK: writing and parsing of pointers, also in modified notation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.models.aaak import (
    AAAKLine,
    NotAPointer,
    Pointer,
    Tags,
    parse,
    parse_pointer,
    pointers_in,
    without_pointers,
)

NUMBERS = st.integers(1, 2**31 - 1)
POINTERS = st.builds(Pointer, NUMBERS, NUMBERS, NUMBERS)
#: Names in all scripts, and names that look like syntax.
VALUES = st.text(min_size=1, max_size=30) | st.sampled_from(
    ["a/b", "@p", "x @l y", '"', "\\", "§ W-1/R-1/D-1", " ", "名前 \u00a0", "Ann "]
)
TAGS = st.lists(VALUES, max_size=3).map(tuple)
LINES = st.builds(AAAKLine, POINTERS, st.builds(Tags, TAGS, TAGS, TAGS, TAGS, TAGS))


@given(LINES)
def test_round_trip(line: AAAKLine) -> None:
    assert parse(str(line)) == line
    assert parse_pointer(str(line)) == line.pointer
    assert pointers_in(f"as in ({line.pointer}), she said") == [line.pointer]


def test_notation() -> None:
    tags = Tags(people=("Mara Lind", "Bo"), places=("Ghent",), times=("2024-03",))
    line = AAAKLine(Pointer(42, 11, 7), tags)
    assert str(line) == "§ W-042/R-11/D-007 @p Mara Lind @p Bo @l Ghent @t 2024-03"
    assert str(AAAKLine(Pointer(1234, 567, 89012))) == "§ W-1234/R-567/D-89012"
    assert str(Tags(items=('12" record',))) == r'@i "12\" record"'


@pytest.mark.parametrize(
    "pasted",
    [
        "§ W-042/R-11/D-007",
        "W-042/R-11/D-007",
        "§W-42/R-11/D-7",
        "  w-42/r-11/d-7\n",
        "§\u00a0W\u2011042/R\u201111/D\u2011007",
        "§ W–042 / R–11 / D–007",
        "W42/R11/D7",
        "§ W-0000042/R-011/D-00007",
        "Ｗ－０４２／Ｒ－１１／Ｄ－００７",
        "W-٤٢/R-١١/D-٧",
        "\ufeff§ W-042/R-11/D-007 @p Mara",
    ],
)
def test_pasted_pointers_are_parsed(pasted: str) -> None:
    assert parse_pointer(pasted) == Pointer(42, 11, 7)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "§",
        "W-042",
        "W-042/R-11",
        "R-11/W-042/D-007",
        "W-042/R-11/D-000",
        "W-0/R-1/D-1",
        "W-1/R-1/D-2147483648",
        "W-1/R-1/D-" + "9" * 5000,
        "W-1/R-1/D-1x",
        "W-1/R-1/D-1/2",
        "xW-1/R-1/D-1",
        "W--1/R-1/D-1",
        "W-1.5/R-1/D-1",
        "see W-1/R-1/D-1",
        "W-1/R-1/D-1 Mara",
        "W-1/R-1/D-1 @x Mara",
        'W-1/R-1/D-1 @p "Mara',
    ],
)
def test_invalid_pointer_is_rejected(text: str) -> None:
    with pytest.raises(NotAPointer, match=r"@p Mara|looks like § W-042/R-11/D-007"):
        parse(text)


def test_tags_in_model_notation_are_parsed() -> None:
    line = parse("w-1/r-2/d-3 @P Mara  Lind @l\tGent @p @t 2024 ".replace("@p @t", "@t"))
    assert line.tags == Tags(people=("Mara Lind",), places=("Gent",), times=("2024",))


def test_citations_in_a_text_are_found_once() -> None:
    text = "She paints (§ W-1/R-2/D-3), see w-1/r-2/d-3 and W-1/R-2/D-4; W-1/R-2 is a room."
    assert pointers_in(text) == [Pointer(1, 2, 3), Pointer(1, 2, 4)]


@pytest.mark.parametrize(
    "text",
    [
        "What was said in § W-002/R-02/D-001?",
        "What was said in w-2/r-2/d-1?",
        "Was steht in „§ W-002/R-02/D-001“, und warum?",
        "Che cosa si dice in «W-002/R-02/D-001»?",
        "(§W-002/R-02/D-001).",
        "W-002/R-02/D-001, please.",
        "It is in W-002 / R-02 / D-001.",
        "See § w2/r2/d1: what is it?",
        "§ W-002/R-02/D-001 — was that so?",
        "Look:W\u2011002/R\u201102/D\u2011001!",
    ],
)
def test_pointer_is_found_in_a_sentence(text: str) -> None:
    assert pointers_in(text) == [Pointer(2, 2, 1)]
    assert "1" not in without_pointers(text)


@pytest.mark.parametrize(
    "text",
    [
        "The room is W-002/R-02.",
        "The part KW-002/R-02/D-001 is missing.",
        "See https://example.org/W-002/R-02/D-001 for it.",
        "See W-002/R-02/D-001/edit there.",
        "The size is W-002/R-02/D-001.5 cm.",
        "The part is W-002/R-02/D-001-7.",
        "The part is W-002/R-02/D-001b.",
        "The part is A-W-002/R-02/D-001.",
        "The season: w2/r2/d1.",
        "§ 2 of the contract, W-000/R-01/D-001 or D-001/R-02/W-003.",
    ],
)
def test_text_that_only_resembles_a_pointer_is_none(text: str) -> None:
    assert pointers_in(text) == []
    assert without_pointers(text) == text or "W-000" in text
