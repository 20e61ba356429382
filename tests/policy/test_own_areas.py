"""An area of the managers' own is recognised by whole words, whatever their case and number."""

import pytest

from memoryapp.policy.sensitivity.own_areas import OwnArea, is_recognisable, own_areas_of

MERGER = OwnArea(
    "Merger", ("Project Heron", "Kündigung", "company", "Dr. Meyer", "R&D", "progetto")
)
TEA = OwnArea("Tea", ("tea",))


@pytest.mark.parametrize(
    "text",
    [
        "We talk about PROJECT  heron.",
        "One project, project heron, is late.",
        "Die Kündigungen kommen.",
        "La kundigung? No: la KUENDIGUNG.",
        "The companies merge.",
        "I met Dr. Meyer.",
        "She is in R&D now.",
        "I progetti sono due.",
    ],
)
def test_word_or_phrase_is_found(text: str) -> None:
    assert own_areas_of(text, [TEA, MERGER]) == {MERGER}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "A projector heron.",
        "The project. Heron is a bird.",
        "Heron project",
        "She accompanies him.",
        "Dr. Anna Meyer",
        "Her team eats steak.",
        "Project",
    ],
)
def test_other_words_are_not(text: str) -> None:
    assert not own_areas_of(text, [TEA, MERGER])


def test_only_areas_that_are_asked_for_are_told() -> None:
    text = "The company drinks tea."
    assert own_areas_of(text, [TEA, MERGER]) == {TEA, MERGER}
    assert own_areas_of(text, [TEA]) == {TEA}
    assert not own_areas_of(text, [])


@pytest.mark.parametrize(
    ("phrase", "is_one"), [("a", True), ("7", True), ("…!", False), ("", False)]
)
def test_phrase_needs_a_letter_or_digit(phrase: str, is_one: bool) -> None:
    assert is_recognisable(phrase) is is_one
