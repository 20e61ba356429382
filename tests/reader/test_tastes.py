"""Lasting tastes are kept however short they are; remarks about the chat are not."""

from datetime import date

import pytest

from memoryapp.reader import Spoken, read

DAY = date(2025, 3, 12)


def texts(said: str, language: str) -> list[str]:
    return [fact.text for fact in read([Spoken(1, "user", said, DAY)], usual_language=language)]


@pytest.mark.parametrize(
    ("language", "said", "fact"),
    [
        ("english", "I like tea.", "The user likes tea."),
        ("english", "I don't eat meat.", "The user doesn't eat meat."),
        (
            "english",
            "I really prefer working at night.",
            "The user really prefers working at night.",
        ),
        ("german", "Ich mag keine Pilze.", "Der Nutzer mag keine Pilze."),
        ("german", "Ich esse kein Fleisch.", "Der Nutzer isst kein Fleisch."),
        ("italian", "Non mi piacciono i funghi.", "All'utente non piacciono i funghi."),
        ("spanish", "Prefiero el té al café.", "El usuario prefiere el té al café."),
        ("french", "Je ne mange pas de viande.", "L'utilisateur ne mange pas de viande."),
    ],
)
def test_taste_is_kept(language: str, said: str, fact: str) -> None:
    assert texts(said, language) == [fact]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("english", "I like your second idea."),
        ("english", "I love this!"),
        ("english", "I don't like how this ends."),
        ("english", "I only use this for tests."),
        ("english", "Do you think I like tea?"),
        ("german", "Ich mag deine Idee."),
        ("italian", "Mi piace questa versione."),
        ("spanish", "Me gusta tu idea."),
        ("french", "J’aime cette version."),
    ],
)
def test_remark_about_the_chat_is_not(language: str, said: str) -> None:
    assert texts(said, language) == []
