"""Sentences that change their language: tables of cases."""

from datetime import date

import pytest

from memoryapp.reader import Spoken, read
from memoryapp.reader.languages import LANGUAGES
from memoryapp.reader.mixed import by_language

DAY = date(2025, 3, 12)


@pytest.mark.parametrize(
    ("said", "parts"),
    [
        (
            "Ich wohne in Kiel and I bake bread.",
            [("Ich wohne in Kiel", "german"), ("I bake bread.", "english")],
        ),
        (
            "I work as a baker et j'habite à Lyon.",
            [("I work as a baker", "english"), ("j'habite à Lyon.", "french")],
        ),
        (
            "Vivo en Soria, but I work as a baker.",
            [("Vivo en Soria", "spanish"), ("I work as a baker.", "english")],
        ),
        (
            "I work as a baker y vivo en Soria.",
            [("I work as a baker", "english"), ("vivo en Soria.", "spanish")],
        ),
        (
            "Lavoro a Lecce und ich wohne in Kiel.",
            [("Lavoro a Lecce", "italian"), ("ich wohne in Kiel.", "german")],
        ),
        (
            "My wife bakes bread und mein Bruder ist Arzt.",
            [("My wife bakes bread", "english"), ("mein Bruder ist Arzt.", "german")],
        ),
        (
            "My wife bakes bread et mon frère est médecin.",
            [("My wife bakes bread", "english"), ("mon frère est médecin.", "french")],
        ),
        (
            "Ich wohne in Kiel, nuestro perro se llama Toby.",
            [("Ich wohne in Kiel", "german"), ("nuestro perro se llama Toby.", "spanish")],
        ),
        ("Trabajé ahí un mes, mes y medio.", [("Trabajé ahí un mes, mes y medio.", "english")]),
        (
            "I live in Erfurt und arbeite als Lehrer.",
            [("I live in Erfurt", "english"), ("arbeite als Lehrer.", "german")],
        ),
        (
            "Ich wohne in Kiel and work as a baker.",
            [("Ich wohne in Kiel", "german"), ("work as a baker.", "english")],
        ),
        ("My sister wohnt in Ulm.", []),
        ("Mein Bruder lives in London.", []),
        ("Ich wohne hier, je nach Wetter.", [("Ich wohne hier, je nach Wetter.", "german")]),
    ],
)
def test_each_part_has_its_language(said: str, parts: list[tuple[str, str]]) -> None:
    found = by_language(said, LANGUAGES["english"])
    assert [(text, language.name) for text, language in found] == parts


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("english", "My wife and I moved to Bern, and I work there."),
        ("german", "Ich wohne in Kiel und ich backe Brot, aber meine Frau nicht."),
        ("italian", "I miei genitori vivono a Lecce e io lavoro a Torino."),
        ("italian", "Visto che sono sorda, vivo a Lecce e lavoro da casa."),
        ("spanish", "Vivo en Soria y trabajo en casa, pero yo no cocino."),
        ("french", "J'habite à Lyon et je travaille, mais ma femme non."),
        ("german", "Ich arbeite remote als Software Engineer."),
        ("german", "Ich arbeite bei Ernst and Young als Berater."),
        ("german", "Ich höre gern rock and roll aus den Sechzigern."),
        ("german", "Mein Bruder Tom joggt jeden Tag."),
        ("english", "Do I live in Kiel und arbeite als Lehrer?"),
        ("english", "My sister Ana googles everything and Tom does not."),
        ("spanish", "Trabajo como Product Manager en Madrid."),
    ],
)
def test_sentence_of_one_language_stays_whole(language: str, said: str) -> None:
    assert by_language(said, LANGUAGES[language]) == [(said, LANGUAGES[language])]


def test_part_with_a_pronoun_of_another_language_is_left_out() -> None:
    assert by_language("Morgen denke ich that I bake.", LANGUAGES["german"]) == []


@pytest.mark.parametrize(
    ("said", "facts"),
    [
        (
            "Ich wohne in Kiel and I work as a baker.",
            ["Der Nutzer wohnt in Kiel.", "The user works as a baker."],
        ),
        (
            "I work as a baker y vivo en Soria.",
            ["The user works as a baker.", "El usuario vive en Soria."],
        ),
        (
            "J'habite à Lyon and I work as a baker.",
            ["L'utilisateur habite à Lyon.", "The user works as a baker."],
        ),
    ],
)
def test_facts_are_told_in_one_language_each(said: str, facts: list[str]) -> None:
    assert [fact.text for fact in read([Spoken(1, "user", said, DAY)])] == facts
