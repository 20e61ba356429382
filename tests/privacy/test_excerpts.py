"""Shortening of long texts around the words of a question."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.privacy.excerpts import excerpt, shared, shared_words

RAIN = "It rained all day and nobody went out. "


@pytest.mark.parametrize(
    ("around", "question", "kept"),
    [
        ("Mara paints landscapes.", "does Mara paint?", "Mara paints landscapes."),
        # The rarer word decides, because "day" is in every sentence.
        ("A good day for sailing.", "Which day is good for sailing?", "good day for sailing"),
        ("Она живёт в Лионе с марта.", "Где она живёт?", "живёт в Лионе"),
        ("美咲は冬の日曜日に風景画を描きます。", "美咲は何を描きますか？", "風景画を描きます"),
        ("تسكن ليلى في الإسكندرية.", "أين تسكن ليلى؟", "تسكن ليلى في"),
        ("Flight 4711 leaves at nine.", "When is 4711?", "4711"),
    ],
)
@pytest.mark.parametrize("before", [0, 30])
def test_matching_part_is_kept(around: str, question: str, kept: str, before: int) -> None:
    text = RAIN * before + around + " " + RAIN * 30
    short = excerpt(text, question, 160)
    assert kept in short
    assert len(short) <= 160
    assert short.startswith("… ") == (before > 0)
    assert short.endswith(" …")


def test_excerpt_without_a_match_is_the_beginning() -> None:
    short = excerpt(RAIN * 20, "Who is Jette?", 60)
    assert short == "It rained all day and nobody went out. It rained all day …"
    assert excerpt("Short.", "Who?", 60) == "Short."


def test_words_match_in_any_form_and_script() -> None:
    assert shared("Mara works at the web shop", "Where does Mara work?") == 2
    assert shared("Mara has pet Pixel", "Where does Mara work?") == 1
    assert shared("由紀子 lives in 京都", "京都に住んでいるのは？") == 1


@given(st.text(max_size=400), st.text(max_size=40), st.integers(1, 200))
def test_excerpt_is_never_too_long_and_only_from_the_text(
    text: str, question: str, most: int
) -> None:
    short = excerpt(text, question, most)
    assert len(short) <= max(most, 0)
    assert short.strip("… ") in text or not short.strip("… ")


@pytest.mark.parametrize(
    ("text", "question", "words"),
    [
        ("The user never cooks with peanuts.", "What should I not cook?", ["cook"]),
        ("They are living in Kiel.", "Where do we live, in Kiel?", ["live", "Kiel"]),
        ("A contract was signed.", "What is contrary to it?", []),
        ("Flight 4711 leaves.", "When is 471?", []),
        ("Сестра живёт в Лионе.", "Кто живёт в Лионе?", ["живёт", "Лионе"]),
        ("美咲は風景画を描きます。", "誰が風景画を描く？", ["風景画を描"]),
        ("Mara is allergic to peanuts.", "What happens in March?", []),
        ("Mara is allergic to peanuts.", "what happens in march", []),
        ("Mario sings.", "Does Maria sing?", ["sing"]),
        ("Anas Katzen schlafen in Städten.", "Wo schläft die Katze von Ana?", ["Katze", "Ana"]),
        ("Vivo en dos ciudades.", "¿En qué ciudad vive?", ["ciudad", "vive"]),
        ("They saw two cities.", "Which city did they see?", ["city"]),
        ("", "", []),
    ],
)
def test_words_of_the_question_are_found_in_any_form(
    text: str, question: str, words: list[str]
) -> None:
    assert shared_words(text, question) == words
