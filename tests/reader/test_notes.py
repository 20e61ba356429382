"""What people note of themselves, beside a task and without whole sentences."""

import re
from datetime import date

import pytest

from memoryapp.reader import Fact, Spoken, read
from memoryapp.reader.languages import LANGUAGES

SAID_ON = date(2025, 3, 12)


def facts(said: str, language: str) -> list[Fact]:
    """The facts in *said*."""
    return read([Spoken(1, "user", said, SAID_ON)], usual_language=language)


def texts(said: str, language: str = "english") -> list[str]:
    """What they say."""
    return [fact.text for fact in facts(said, language)]


@pytest.mark.parametrize(
    ("language", "said", "fact"),
    [
        ("english", "severely allergic to walnuts", "The user is severely allergic to walnuts."),
        ("english", "insurance papers: top drawer", "The user's insurance papers are top drawer."),
        ("english", "Training as a welder in Derby", "The user is training as a welder in Derby."),
        ("german", "Laktoseintolerant seit 2011", "Der Nutzer ist laktoseintolerant seit 2011."),
        ("german", "rentnerin, zwei Enkel", "Der Nutzer ist Rentnerin, zwei Enkel."),
        ("german", "arbeite nachts im Krankenhaus", "Der Nutzer arbeitet nachts im Krankenhaus."),
        ("german", "Reisepass im Tresor", "Der Reisepass des Nutzers ist im Tresor."),
        ("italian", "intollerante al nichel", "L'utente è intollerante al nichel."),
        ("italian", "chiavi di scorta sotto il vaso",
         "Le chiavi di scorta dell'utente sono sotto il vaso."),
        ("spanish", "viuda, dos hijas", "El usuario es viuda, dos hijas."),
        ("spanish", "talla: M", "La talla del usuario es M."),
        ("french", "divorcée, trois filles", "L'utilisateur est divorcée, trois filles."),
        ("french", "papiers de la voiture", ""),
        ("english", "vegan dinner ideas", ""),
        ("english", "hotels in Rome", ""),
        ("english", "Don't use abbreviations.", ""),
        ("english", "married couples and taxes", ""),
    ],
)  # fmt: skip
def test_note_becomes_a_sentence(language: str, said: str, fact: str) -> None:
    assert texts(said, language) == [fact][: len(fact)]


@pytest.mark.parametrize(
    ("language", "said", "told"),
    [
        ("english", "Hi, I'm Olga, 41, a midwife from Gdansk",
         ["The user's name is Olga.", "The user is 41.", "The user is a midwife from Gdansk."]),
        ("english", "Priya here, I run a bakery in Leicester",
         ["The user's name is Priya.", "The user runs a bakery in Leicester."]),
        ("english", "I'm Welsh, I teach chemistry in Cardiff",
         ["The user is Welsh.", "The user teaches chemistry in Cardiff."]),
        ("german", "servus, ich bin Veit, 52, Dachdecker aus Passau",
         ["Der Nutzer heißt Veit.", "Der Nutzer ist 52.", "Der Nutzer ist Dachdecker aus Passau."]),
        ("german", "hallo, ich bin Lehrerin", ["Der Nutzer ist Lehrerin."]),
        ("italian", "Sono Bruna, 63 anni, sarta di Udine",
         ["L'utente si chiama Bruna.", "L'utente ha 63 anni.", "L'utente è sarta di Udine."]),
        ("spanish", "soy Iker, 28 años, bombero de Bilbao",
         ["El usuario se llama Iker.", "El usuario tiene 28 años.",
          "El usuario es bombero de Bilbao."]),
        ("french", "salut, moi c'est Hugo, 22 ans, étudiant à Lille",
         ["L'utilisateur s'appelle Hugo.", "L'utilisateur a 22 ans.",
          "L'utilisateur est étudiant à Lille."]),
    ],
)  # fmt: skip
def test_introduction_tells_several_facts(language: str, said: str, told: list[str]) -> None:
    assert [text for text in texts(said, language) if text in told] == told


def test_name_of_an_introduction_has_its_key() -> None:
    (name, *_) = facts("I'm Olga, 41", "english")
    assert (name.label.key, name.label.value) == ("name", "Olga")


@pytest.mark.parametrize(
    ("language", "said", "fact"),
    [
        ("english", "Draft an email to my gym. I broke my ankle on 2 March",
         "The user broke their ankle on 2025-03-02."),
        ("english", "explain mortgages please, i work as a beekeeper in Kent",
         "The user works as a beekeeper in Kent."),
        ("german", "Schreib mir eine Kündigung. Ich ziehe im Mai nach Kiel.",
         "Der Nutzer zieht im Mai 2025 nach Kiel."),
        ("spanish", "Escribe una carta para el seguro. Trabajo como pintora en Lugo.",
         "La usuaria trabaja como pintora en Lugo."),
        ("english", "Write a story about a knight. I live in a castle in Wales.", ""),
        ("english", "Explain this sentence: I live in a castle in Wales.", ""),
        ("german", "Schreib ein Märchen. Ich wohne in einem Schloss in Wales.", ""),
        ("italian", "Scrivi una poesia. Vivo in un castello in Galles.", ""),
    ],
)  # fmt: skip
def test_fact_stands_behind_a_task_that_hands_over_no_text(
    language: str, said: str, fact: str
) -> None:
    assert texts(said, language) == [fact][: len(fact)]


@pytest.mark.parametrize(
    ("language", "said", "told"),
    [
        ("english", "im 33, my native language is Tamil",
         ["The user is 33.", "The user's native language is Tamil."]),
        ("english", "I dont eat pork", ["The user doesn't eat pork."]),
        ("italian", "faccio il sarto a Prato, ho due figlie",
         ["L'utente fa il sarto a Prato.", "L'utente ha due figlie."]),
        ("french", "jai trois chats, mon mari élève des abeilles",
         ["L'utilisateur a trois chats.", "Le mari de l'utilisateur élève des abeilles."]),
    ],
)  # fmt: skip
def test_clauses_behind_a_comma_are_facts_of_their_own(
    language: str, said: str, told: list[str]
) -> None:
    assert texts(said, language) == told


def test_what_is_typed_in_haste_is_known_in_small_letters() -> None:
    for name, language in LANGUAGES.items():
        for spelling in language.notes.spelling:
            letters = re.sub(r"\\.|\[A-Z\]", "", spelling.pattern.pattern)
            assert letters == letters.lower(), name
