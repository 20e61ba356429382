"""What a message does: whether it states something, asks, requests, or is small talk."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conversations.models import Nature, Role
from memoryapp.policy.turn_nature import nature_of
from memoryapp.text.function_words import language_of

STATEMENTS = [
    "I live in Leeds.",
    "I'm allergic to nuts, what can I cook?",
    "I'm working on sprint 2, which ends on 19 April, can you help me with that?",
    "How much exercise does a dog such as my whippet need?",
    "Was koche ich für meine Tochter, die vegan isst?",
    "Off for a run later.",
    "May is my birthday month",
    "Please never call me before ten",
    "Ich bin nach Kiel gezogen, hast du einen Tipp für Umzugskartons?",
    "Meine Tochter heißt Lea und geht in die dritte Klasse.",
    "Ho cambiato turno, cosa mi consigli per dormire?",
    "Mi sono trasferita a Ferrara.",
    "Tengo alergia al marisco, ¿qué pido?",
    "Mi hermana vive en Cuenca.",
    "Je suis végétarienne, que faire ce soir ?",
    "Mon frère habite à Brest.",
    "我住在柏林。",
    "私は京都に住んでいます。",
]
QUESTIONS = [
    "Where do I live?",
    "where do i live again",
    "What should I not cook tonight?",
    "so what's the plan for tonight",
    "Wo wohne ich eigentlich?",
    "wo wohne ich",
    "sollen wir die hunde mitnehmen",
    "Cosa non devo mangiare?",
    "dove abito adesso",
    "¿Dónde vivo?",
    "cuándo es la cita",
    "Où est-ce que j'habite ?",
    "c'est quand le dentiste",
    "我住在哪里？",
    "私はどこに住んでいますか。",
]
REQUESTS = [
    "Write a haiku about the sea",
    "Translate this into French: I live in Berlin.",
    "Schreib mir ein Gedicht über Regen",
    "Scrivi una lettera di reclamo",
    "Escribe un poema sobre la lluvia",
    "Écris un poème sur la pluie",
]
SMALL_TALK = [
    "Good morning!",
    "ok",
    "thanks a lot",
    "👍",
    "läuft",
    "Vielen Dank!",
    "Buongiorno!",
    "geniale",
    "Muchas gracias",
    "Merci beaucoup",
    "谢谢",
]


@pytest.mark.parametrize(
    ("text", "nature"),
    [
        *((text, Nature.STATEMENT) for text in STATEMENTS),
        *((text, Nature.QUESTION) for text in QUESTIONS),
        *((text, Nature.REQUEST) for text in REQUESTS),
        *((text, Nature.ACKNOWLEDGEMENT) for text in SMALL_TALK),
    ],
)
def test_what_a_person_says(text: str, nature: Nature) -> None:
    assert nature_of(text, role=Role.USER, language=language_of(text)) is nature


@pytest.mark.parametrize(
    ("text", "nature"),
    [
        ("Good choice.", Nature.ACKNOWLEDGEMENT),
        ("Nice to meet you, Kim.", Nature.ACKNOWLEDGEMENT),
        ("I don't know that yet.", Nature.ACKNOWLEDGEMENT),
        ("Schön.", Nature.ACKNOWLEDGEMENT),
        ("Das weiß ich leider nicht.", Nature.ACKNOWLEDGEMENT),
        ("Capito, lo tengo a mente.", Nature.ACKNOWLEDGEMENT),
        ("Anotado.", Nature.ACKNOWLEDGEMENT),
        ("Je ne le sais pas encore.", Nature.ACKNOWLEDGEMENT),
        ("Does she take the diet well?", Nature.QUESTION),
        ("You live in Berlin.", Nature.STATEMENT),
        ("The train leaves at 7:42.", Nature.STATEMENT),
        ("I would take the risotto with saffron, it is quick.", Nature.STATEMENT),
    ],
)
def test_what_an_assistant_says(text: str, nature: Nature) -> None:
    assert nature_of(text, role=Role.ASSISTANT, language=language_of(text)) is nature


def test_few_words_state_something_where_they_answer_a_question() -> None:
    assert nature_of("rex", role=Role.USER, before="What is his name?") is Nature.STATEMENT
    assert nature_of("rex", role=Role.USER, before="Noted.") is Nature.ACKNOWLEDGEMENT
    assert nature_of("in Hull", role=Role.USER, before="Noted.") is Nature.STATEMENT


def test_quotation_is_not_what_a_message_says() -> None:
    pasted = "> Where do you live?\n> Good morning!\nMy landlord wrote this."
    assert nature_of(pasted, role=Role.USER) is Nature.STATEMENT
    asked = "> I live in Hull.\nWhat does this mean?"
    assert nature_of(asked, role=Role.USER) is Nature.QUESTION


@given(st.text(), st.sampled_from(Role.values), st.text())
def test_any_text_has_a_nature(text: str, role: str, before: str) -> None:
    assert nature_of(text, role=role, before=before) in Nature
