"""Words of who speaks, and of those who are spoken to, in each language."""

import pytest

from memoryapp.language.vocabularies import VOCABULARIES
from memoryapp.policy.fiction import spans_of_fiction
from memoryapp.policy.gate.source import ReadLine, SaidLine
from memoryapp.policy.speaker_labels import talks
from memoryapp.policy.speech import spans_of_others


@pytest.mark.parametrize(
    "text",
    [
        "My sister keeps bees",
        "Meine Schwester hält Bienen",
        "Mia sorella alleva api",
        "Mi hermana cría abejas",
        "Ma sœur élève des abeilles",
        "Minha irmã cria abelhas",
    ],
)
def test_possessive_shows_whose_relative_it_is(text: str) -> None:
    assert [word.text for word in ReadLine(SaidLine(text)).of_relatives] == text.split()


@pytest.mark.parametrize(
    "text",
    [
        "your bees are gone",
        "deine Bienen sind weg",
        "le tue api",
        "tus abejas se fueron",
        "tes abeilles sont parties",
        "suas abelhas, você viu",
    ],
)
def test_words_for_those_spoken_to(text: str) -> None:
    assert talks(text)
    assert ReadLine(SaidLine(text)).of_others


@pytest.mark.parametrize(
    "day", ["Today", "Yesterday", "Heute", "Gestern", "Oggi", "Hoy", "Hier", "Ontem"]
)
def test_day_between_a_name_and_its_time(day: str) -> None:
    text = f"Ines {day} 10:32\nthe bees are gone"
    assert spans_of_others(text, "Ana")


@pytest.mark.parametrize(
    "heading", ["Verse 2", "Strophe 2", "Strofa 2", "Estrofa 2", "Couplet 2", "Refrão 2"]
)
def test_heading_of_a_part_of_a_song_opens_fiction(heading: str) -> None:
    text = f"Listen.\n{heading}\nbees are gone"
    assert list(spans_of_fiction(text)) == [(8, len(text))]


def test_possessives_are_words_of_the_speaker() -> None:
    for known in VOCABULARIES.values():
        assert known.possessives < known.first_person, known.name
        assert known.second_person, known.name
