"""Analysis of a question: named people, rephrasing from their view, and the wanted author."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.recall.query_analysis import analyse

TODAY = date(2024, 2, 29)
PAIR = ["Melanie", "Ana Ortiz"]


@pytest.mark.parametrize(
    ("question", "speakers", "first_person"),
    [
        ("What does Melanie paint?", {"Melanie"}, "What does I paint?"),
        ("Where is Melanie's sister?", {"Melanie"}, "Where is my sister?"),
        ("Where is MELANIE’s sister?", {"Melanie"}, "Where is my sister?"),
        ("What does Mel paint?", {"Melanie"}, "What does I paint?"),
        ("Did Ana Ortiz move?", {"Ana Ortiz"}, "Did I move?"),
        ("Did Ana move?", {"Ana Ortiz"}, "Did I move?"),
        ("Did ana move?", {"Ana Ortiz"}, "Did I move?"),
        # No one, both, or a person whose name only starts like that.
        ("Who moved?", set(), "Who moved?"),
        ("Did Ana meet Melanie?", set(), "Did Ana meet Melanie?"),
        ("What do banana trees need?", set(), "What do banana trees need?"),
        ("Did An move?", set(), "Did An move?"),
        ("melody", set(), "melody"),
    ],
)
def test_named_people(question: str, speakers: set[str], first_person: str) -> None:
    analysis = analyse(question, participants=PAIR, today=TODAY)
    assert analysis.speakers == speakers
    assert analysis.in_first_person == first_person
    assert analysis.text == question


def test_names_in_any_script_are_detected() -> None:
    names = ["美咲", "Алиса", "أحمد"]
    for name in names:
        question = f"…{name}… ?" if name == "美咲" else f"… {name} ?"
        analysis = analyse(question, participants=names, today=TODAY)
        assert analysis.speakers == {name}
        assert analysis.in_first_person == question


def test_full_name_precedes_a_short_one() -> None:
    analysis = analyse("What did Ann say?", participants=["Ann", "Annabel", "Bo"], today=TODAY)
    assert analysis.speakers == {"Ann"}


def test_only_author_is_detected_like_any_other() -> None:
    assert analyse("Does Mara paint?", participants=["Mara"], today=TODAY).speakers == {"Mara"}


@pytest.mark.parametrize(
    ("question", "role"),
    [
        ("What did I say about cheese?", "user"),
        ("where are my keys", "user"),
        ("Which books did you recommend to me?", "assistant"),
        ("What was your advice on sleep?", "assistant"),
        ("Can you remind me of my budget?", "user"),
        ("Who paints?", ""),
        ("In which city is it?", ""),
    ],
)
def test_author_of_the_quoted_words(question: str, role: str) -> None:
    assert analyse(question, today=TODAY).role == role
    assert analyse(question, language="german", today=TODAY).role == role


@pytest.mark.parametrize(
    ("question", "about_now"),
    [("Where do I live now?", True), ("my latest plan", True), ("I know a place", False)],
)
def test_question_about_the_present(question: str, about_now: bool) -> None:
    assert analyse(question, today=TODAY).about_now is about_now


@given(st.text(max_size=60), st.lists(st.text(max_size=20), max_size=4))
def test_any_question_is_analyzed(question: str, names: list[str]) -> None:
    analysis = analyse(question, participants=names, today=TODAY)
    assert analysis.speakers <= set(names)
    assert analysis.text == question
