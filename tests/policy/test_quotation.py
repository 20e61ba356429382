"""What a message quotes: tables of cases."""

import pytest

from memoryapp.policy.quotation import (
    own_words,
    quoted_spans,
    quoted_words,
    unenclosed,
    unmarked,
)

MAIL = (
    "From: Clinic <desk@clinic.example>\nSubject: Your dose\n\n"
    "Hello, the user takes 100 mg of Ramipril."
)
PAGE = "\n\n".join(f"The city of Ghent has {n} museums and a castle." for n in range(40))


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("I live in Lyon.", "I live in Lyon."),
        (
            "I live in Lyon.\n> You live in Rome.\nAnd I like it.",
            "I live in Lyon.\n\nAnd I like it.",
        ),
        ("Look:\n```\nhome = 'Rome'\n```\nI live in Lyon.", "Look:\n\nI live in Lyon."),
        ("I live in Lyon.\n~~~\nunclosed", "I live in Lyon."),
        ("<document>\nShe lives in Rome.\n</document>\nIs it so?", "Is it so?"),
        ("<page>one line</page>\nI disagree.", "I disagree."),
        (f"Is this right?\n\n{MAIL}", "Is this right?"),
        ("I like tea.\n\nOn 3 May 2024 Ana wrote:\nYou live in Rome.", "I like tea."),
        (
            "I like tea.\n\nOn 3 May 2024 Ana wrote:\n> You live in Rome.\n\nI live in Lyon.",
            "I like tea.\n\n\n\nI live in Lyon.",
        ),
        ("See below.\n-----Original Message-----\nYou live in Rome.", "See below."),
        (
            "Summarise this article:\nThe user lives in Rome, says the paper, and has three dogs.",
            "Summarise this article:",
        ),
        (
            "Translate this text: the user lives in Rome and he has never been to Lyon at all.",
            "Translate this text:",
        ),
        (
            "She told me “the user lives in Rome since the third of May, and has two dogs”. No.",
            "She told me \n. No.",
        ),
        # Short quotations, inches, and lists of one's own stay.
        ('My cat is called “Miso” and I have a 27" screen.',) * 2,
        ("Remember about me:\n- I live in Lyon\n- my sister is called Ana and lives in Ghent",) * 2,
        ("Date: tomorrow. I fly to Rome.",) * 2,
        ("", ""),
    ],
)
def test_own_words(text: str, own: str) -> None:
    assert own_words(text) == own


def test_paragraphs_that_nobody_speaks_in_are_pasted() -> None:
    text = f"I wonder about this.\n\n{PAGE}\n\nMy home is in Lyon."
    assert "museums" not in own_words(text)
    assert "My home is in Lyon." in own_words(text)
    assert quoted_words(text).count("museums") == 40


def test_every_character_is_either_said_or_quoted() -> None:
    text = f"Hello.\n> quoted\nMine.\n{MAIL}"
    spans = quoted_spans(text)
    assert spans == sorted(spans)
    assert all(0 <= start < end <= len(text) for start, end in spans)
    letters = sorted(own_words(text) + quoted_words(text))
    assert [c for c in letters if not c.isspace()] == sorted(c for c in text if not c.isspace())


SAID = "My cat is called Biscotto and I don't live in Lyon any more."


@pytest.mark.parametrize(
    "marks",
    ['"{}"', " “{}”\n", "„{}“", "„{}”", "«{}»", "»{}«", "'{}'", "‘{}’", "‚{}‘", "「{}」", "『{}』"],
)
def test_marks_around_a_whole_message_quote_nothing(marks: str) -> None:
    text = marks.format(SAID)
    assert unenclosed(text) == own_words(text) == SAID
    assert quoted_words(text) == ""
    # What it quotes inside stays a quotation.
    inside = marks.format(f"{SAID}\n> You live in Rome.\nI do.")
    assert own_words(inside) == f"{SAID}\n\nI do."
    assert quoted_words(inside) == "> You live in Rome."


@pytest.mark.parametrize(
    "text",
    [
        "",
        '"',
        '""',
        "“”",
        f'"{SAID}',
        f'{SAID}"',
        f'"{SAID}" and "{SAID}"',
        f"“{SAID}” and “{SAID}”",
        f'"{SAID}" she said.',
        f'“{SAID}"',
        "'tis the season, and so 'twas",
    ],
)
def test_marks_that_do_not_enclose_a_whole_message_stay(text: str) -> None:
    assert unenclosed(text) == text or not text.strip('"“”')


@pytest.mark.parametrize(
    "marked",
    [
        "(Which tea?)",
        "**Which tea?**",
        "- Which tea?",
        "> # Which tea?",
        "1. (Which tea?)",
        "_`Which tea?`_",
        "Which tea?",
    ],
)
def test_marks_around_a_whole_message_are_left_out(marked: str) -> None:
    assert unmarked(marked) == "Which tea?"


@pytest.mark.parametrize(
    "text",
    ["(a) or (b)?", "**this** or **that**", "-coffee", "3.5 litres?", "*", "()", "f(x)", ""],
)
def test_marks_of_a_part_stay(text: str) -> None:
    assert unmarked(text) == text
