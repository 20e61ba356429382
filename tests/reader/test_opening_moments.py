"""Sentences that begin with a moment, before their subject."""

from datetime import date

import pytest

from memoryapp.language.vocabularies import VOCABULARIES
from memoryapp.reader import Spoken, read
from memoryapp.reader.opening_moment import without_moment

#: A Wednesday.
DAY = date(2025, 3, 12)


def texts(said: str, language: str) -> list[str]:
    return [fact.text for fact in read([Spoken(1, "user", said, DAY)], usual_language=language)]


@pytest.mark.parametrize(
    ("language", "said", "rest"),
    [
        ("english", "Two weeks ago my aunt moved.", "my aunt moved."),
        ("english", "The day before yesterday, my aunt moved.", "my aunt moved."),
        ("english", "On May 5 my aunt moved.", "my aunt moved."),
        ("english", "Before my aunt moved, I did.", "Before my aunt moved, I did."),
        ("english", "In a week's time", "In a week's time"),
        ("german", "Am 3. Juni heiratet meine Nichte.", "heiratet meine Nichte."),
        ("italian", "Il mese scorso a mio zio serviva aiuto.", "a mio zio serviva aiuto."),
        ("spanish", "Hace tres años mi tía se mudó.", "mi tía se mudó."),
        ("french", "L'été dernier, ma tante a déménagé.", "ma tante a déménagé."),
        ("portuguese", "Na semana passada minha tia casou.", "minha tia casou."),
    ],
)  # fmt: skip
def test_moment_is_taken_off(language: str, said: str, rest: str) -> None:
    assert without_moment(said, VOCABULARIES[language].times) == rest


@pytest.mark.parametrize(
    ("language", "said", "fact"),
    [
        ("english", "Last month our landlord sold the house.",
         "In February 2025 the user's landlord sold the house."),
        ("english", "Next week my niece starts at the conservatory.",
         "In the week of 2025-03-17 the user's niece starts at the conservatory."),
        ("english", "On Saturday my uncle had a fall, what should he avoid?",
         "On 2025-03-08 the user's uncle had a fall."),
        ("german", "Letzten Monat hat unser Vermieter das Haus verkauft.",
         "Im Februar 2025 hat der Vermieter des Nutzers das Haus verkauft."),
        ("german", "Vorgestern hatte meine Tante einen Unfall, was darf sie essen?",
         "Am 2025-03-10 hatte die Tante des Nutzers einen Unfall."),
        ("italian", "Il mese scorso mia nipote ha aperto una libreria.",
         "A febbraio 2025 la nipote dell'utente ha aperto una libreria."),
        ("italian", "Il 9 aprile ho l'esame di chitarra, come mi preparo?",
         "Il 2025-04-09 l'utente ha l'esame di chitarra."),
        ("spanish", "La semana pasada mi tía abrió una librería.",
         "En la semana del 2025-03-03 la tía del usuario abrió una librería."),
        ("french", "Le mois dernier ma tante a ouvert une librairie.",
         "En février 2025 la tante de l'utilisateur a ouvert une librairie."),
    ],
)  # fmt: skip
def test_subject_behind_a_moment_is_found(language: str, said: str, fact: str) -> None:
    assert texts(said, language) == [fact]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("english", "Last week the office had a power cut at my desk."),
        ("german", "Letzte Woche war das Wetter bei meiner Tante schlecht."),
        ("french", "La semaine dernière, le temps était mauvais chez ma tante."),
    ],
)
def test_other_subject_behind_a_moment_is_not_read(language: str, said: str) -> None:
    assert texts(said, language) == []


def test_moment_of_two_clauses_keeps_them_together() -> None:
    said = "Last week my dad sold his boat and my mum bought a piano."
    assert texts(said, "english") == [
        "In the week of 2025-03-03 the user's dad sold his boat and their mum bought a piano."
    ]
