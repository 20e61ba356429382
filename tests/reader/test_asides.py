"""Facts and standing wishes that stand beside a request or a question."""

from datetime import date

import pytest

from memoryapp.reader import Spoken, read

DAY = date(2025, 3, 12)


def texts(said: str, language: str) -> list[str]:
    found = read([Spoken(1, "user", said, DAY)], usual_language=language)
    return [fact.text for fact in found]


@pytest.mark.parametrize(
    ("language", "said", "fact"),
    [
        (
            "english",
            "Any ideas for a picnic, I'm allergic to sesame",
            "The user is allergic to sesame.",
        ),
        (
            "english",
            "I work nights at a bakery, when should I sleep?",
            "The user works nights at a bakery.",
        ),
        (
            "english",
            "Since my daughter is lactose intolerant, which ice cream can she have?",
            "The user's daughter is lactose intolerant.",
        ),
        (
            "german",
            "Ich vertrage keine Milch, welcher Käse geht?",
            "Der Nutzer verträgt keine Milch.",
        ),
        (
            "italian",
            "visto che sono allergico alle noci, quale pesto posso usare?",
            "L'utente è allergico alle noci.",
        ),
        (
            "spanish",
            "ideas de merienda, mi hermana pequeña es diabética",
            "La hermana pequeña del usuario es diabética.",
        ),
        (
            "french",
            "j'ai de l'arthrose au genou, quel sport choisir ?",
            "L'utilisateur a de l'arthrose au genou.",
        ),
    ],
)
def test_fact_beside_a_request_is_read(language: str, said: str, fact: str) -> None:
    assert texts(said, language) == [fact]


@pytest.mark.parametrize(
    ("language", "said", "wish"),
    [
        (
            "english",
            "What is a fjord? And from now on answer in one sentence.",
            "From now on answer in one sentence.",
        ),
        (
            "english",
            "What is a fjord, and from now on answer in one sentence.",
            "From now on answer in one sentence.",
        ),
        ("german", "Was ist ein Fjord, und ab jetzt antworte kurz.", "Ab jetzt antworte kurz."),
        (
            "italian",
            "cos'è un fiordo? e d'ora in avanti rispondi in breve",
            "D'ora in avanti rispondi in breve.",
        ),
        (
            "spanish",
            "qué es un fiordo? y en adelante responde en breve",
            "En adelante responde en breve.",
        ),
        (
            "french",
            "c'est quoi un fjord ? et à l'avenir réponds en bref",
            "À l'avenir réponds en bref.",
        ),
    ],
)
def test_standing_wish_in_the_middle_is_read(language: str, said: str, wish: str) -> None:
    assert texts(said, language) == [wish]


@pytest.mark.parametrize(
    "said",
    [
        "If I have 7 apples, how many are left after two days?",
        "How do I boil an egg, and how long does it take?",
    ],
)
def test_supposition_beside_a_question_is_no_fact(said: str) -> None:
    assert texts(said, "english") == []
