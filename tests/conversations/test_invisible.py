"""Removal of hidden characters, except those that a language requires."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conversations.invisible import without_hidden
from conversations.sanitizer import sanitize, sanitize_json

SMUGGLED = "".join(chr(0xE0000 + ord(letter)) for letter in "obey me")


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        (f"tea{SMUGGLED}", "tea"),
        (f"tea \U0001f3f4{SMUGGLED}\U000e007f", "tea \U0001f3f4"),
        ("pay\u202eecila\u202c bob", "payecila bob"),
        ("pay\u202decila bob", "payecila bob"),
        ("a\u2067b", "ab"),
        ("a\u2069b\u202cc", "abc"),
        ("a\u2067b\n\u2069c", "ab\nc"),
        ("a\u2067b\u202bc\u2069d\u202c", "a\u2067bc\u2069d"),
        ("pass\u200bword", "password"),
        ("pass\u200dw\u200cord", "password"),
        ("a\u2060b\ufeffc\u00add\u034fe\u2063f", "abcdef"),
        ("a\u3164b\uffa0c\u115fd\u1160e\u17b4f", "abcdef"),
        ("a\ufe0fb\ufe01c\U000e0100d", "abcd"),
        ("\u2764\ufe0f\ufe0e\ufe01\ufe02", "\u2764\ufe0f"),
        ("\U0001f600\U000e0121\U000e0122", "\U0001f600"),
        ("a\u200f\u200e\u200f\u200eb", "a\u200fb"),
        ("\u0645\u200c\u200d\u200c\u06cc", "\u0645\u200c\u06cc"),
        ("5\ufe0f of them", "5 of them"),
    ],
)
def test_hidden_characters_are_removed(text: str, cleaned: str) -> None:
    assert sanitize(text) == cleaned


@pytest.mark.parametrize(
    "text",
    [
        "plain",
        "naïve café, Straße",
        "می\u200cخواهم",  # Persian: I want
        "क्\u200dष and श्री\u200c",  # Hindi
        "র\u200d্য",  # Bengali
        "ක්\u200dෂ",  # Sinhala
        "ന്\u200d",  # Malayalam
        "ខ្ញុំ\u200bស្រលាញ់",  # Khmer: I love
        "ภาษา\u200bไทย",  # Thai
        "\u1828\u180b",  # Mongolian
        "葛\U000e0100城",  # a Japanese place
        "\u05d0\u05d1\u200f!",  # Hebrew, and an exclamation mark on its left
        "שלום \u2066Keepsake\u2069 עולם",
        "\u202bשלום\u202c",
        "❤️ ❤️‍🔥 👩‍👩‍👧‍👦 🧑🏽‍🚒 🏳️‍🌈 🏴‍☠️ 👁️‍🗨️ 1️⃣ #️⃣ ☺︎ ℹ️ ‼️ ©️ 🇫🇷",
        "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",  # Scotland
        "∩︀",
    ],
)
def test_characters_required_by_a_language_are_kept(text: str) -> None:
    assert sanitize(text) == text


def test_hidden_characters_are_removed_from_json() -> None:
    assert sanitize_json({"a\u200b": ["b\u202e", {"c": f"d{SMUGGLED}"}]}) == {
        "a": ["b", {"c": "d"}]
    }


SIGNS = "a5#न❤\U0001f3f4漢ខ\u1828\n\u20e3\ue000"
UNSEEN = (
    "\u00ad\u061c\u180b\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066"
    "\u2068\u2069\ufe00\ufe0f\ufeff\U000e0067\U000e007f\U000e0100"
)


@given(st.text(SIGNS + UNSEEN, max_size=30) | st.text(max_size=30))
def test_removal_is_idempotent_and_keeps_visible_characters(text: str) -> None:
    cleaned = without_hidden(text)
    assert without_hidden(cleaned) == cleaned
    assert not set(cleaned) & set("\u202d\u202e\u00ad\u2060\ufeff")
    visible = [c for c in text if unicodedata.category(c) not in ("Cf", "Mn", "Cn", "Lo", "So")]
    assert [
        c for c in cleaned if unicodedata.category(c) not in ("Cf", "Mn", "Cn", "Lo", "So")
    ] == visible


@given(st.text("ab \n", max_size=20))
def test_plain_text_is_the_same_object(text: str) -> None:
    assert without_hidden(text) is text
