"""Single-line texts, and truncation to a length."""

import pytest

from memoryapp.language.shortening import one_line, shortened, without_middle


def test_one_line_has_no_breaks_and_no_double_spaces() -> None:
    assert one_line(" to be\n\nor\tnot  to be\u2028 ") == "to be or not to be"


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("short", 5, "short"),
        ("longer", 5, "long…"),
        # No space before the ellipsis.
        ("a word", 3, "a…"),
    ],
)
def test_long_text_ends_with_an_ellipsis(text: str, limit: int, expected: str) -> None:
    assert shortened(text, limit) == expected


def test_ending_is_configurable() -> None:
    assert shortened("one two three", 9, ending=" …") == "one two …"


@pytest.mark.parametrize("limit", [0, 1, 10, 50, 60, 500])
def test_text_without_its_middle_respects_the_limit(limit: int) -> None:
    assert len(without_middle("x" * 5_000, limit)) <= limit
    assert without_middle("x" * limit, limit) == "x" * limit


def test_text_without_its_middle_reports_the_omitted_length() -> None:
    cut = without_middle("a" * 3_000 + "b" * 3_000, 1_000)
    remaining = cut.count("a") + cut.count("b")
    # "characters" itself has two a.
    assert f"[… {6_000 - (remaining - 2):,} characters left out …]" in cut
    assert cut.startswith("aaa")
    assert cut.endswith("bbb")
