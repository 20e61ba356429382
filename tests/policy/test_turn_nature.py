"""What a message does: whether it states something, asks, requests, or is small talk."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conversations.models import Nature, Role
from memoryapp.language.words import language_of
from memoryapp.policy.turn_nature import nature_of
from tests.policy import natures

#: What neither states nor acknowledges: whether "can you …" asks or requests does not matter.
ASKS = frozenset({Nature.QUESTION, Nature.REQUEST})


def nature(text: str, usual: str = "english", before: str = "") -> Nature:
    """What a person says with *text*, in a conversation that usually is in the *usual* language."""
    language = language_of(text, usual)
    return nature_of(text, role=Role.USER, language=language, before=before)


@pytest.mark.parametrize("language", natures.LANGUAGES)
def test_what_a_person_says(language: str) -> None:
    wrong = {
        text: found
        for text, expected in natures.messages(natures.FOLDER, language)
        if (found := nature(text, language)) != expected and not {found, expected} <= ASKS
    }
    assert not wrong


@pytest.mark.parametrize("language", natures.LANGUAGES)
def test_rules_carry_beyond_the_messages_they_were_made_by(language: str) -> None:
    """Of statements hardly any is lost, and most of what states nothing is known as that."""
    of, right = Counter[str](), Counter[str]()
    for text, expected in natures.messages(natures.FOLDER / "apart", language):
        of[expected] += 1
        found = nature(text, language)
        right[expected] += found == expected or {found, expected} <= ASKS
    assert right[Nature.STATEMENT] >= 0.97 * of[Nature.STATEMENT]
    others = [kind for kind in of if kind != Nature.STATEMENT]
    assert all(right[kind] >= 0.8 * of[kind] for kind in others)


@pytest.mark.parametrize("usual", natures.LANGUAGES)
def test_statement_is_one_however_it_is_written(usual: str) -> None:
    """In capitals or without, with a full stop or without, and whatever is usually spoken."""
    lost = {
        written
        for text in natures.statements()
        for written in (
            text,
            text.lower(),
            text[:1].upper() + text[1:],
            text if "?" in text else text.rstrip(".") + ".",
        )
        if nature(written, usual) is not Nature.STATEMENT
    }
    assert not lost


@pytest.mark.parametrize(
    "text",
    [
        "I'm allergic to nuts, what can I cook?",
        "How much exercise does a dog such as my whippet need?",
        "Off for a run later.",
        "May is my birthday month",
        "Please never call me before ten",
        "What happened last week: the roof came off",
        "Do you still do Fridays? The school is closed then.",
        "我住在柏林。",
        "我住在柏林，可以吃什么？",
        "私は京都に住んでいます。",
    ],
)
def test_one_clause_that_states_something_makes_a_statement(text: str) -> None:
    assert nature(text) is Nature.STATEMENT


@pytest.mark.parametrize("text", ["我住在哪里？", "私はどこに住んでいますか。", "Wo wohne ich?!"])
def test_question_in_any_script(text: str) -> None:
    assert nature(text) is Nature.QUESTION


@pytest.mark.parametrize("text", ["Good morning!", "👍", "…", "谢谢", "Hello Kim!", "yesss"])
def test_small_talk(text: str) -> None:
    assert nature(text) is Nature.ACKNOWLEDGEMENT


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Good choice.", Nature.ACKNOWLEDGEMENT),
        ("Nice to meet you, Kim.", Nature.ACKNOWLEDGEMENT),
        ("Enjoy your trip!", Nature.ACKNOWLEDGEMENT),
        ("That sounds like a long day.", Nature.ACKNOWLEDGEMENT),
        ("Let me know if you need anything else.", Nature.ACKNOWLEDGEMENT),
        ("I don't know that yet.", Nature.ACKNOWLEDGEMENT),
        ("I'm sorry, but I have no record of where you live.", Nature.ACKNOWLEDGEMENT),
        ("I have no note of it. If you tell me, I'll remember it.", Nature.ACKNOWLEDGEMENT),
        ("As an AI, I do not have access to your address.", Nature.ACKNOWLEDGEMENT),
        ("Das hast du mir noch nicht gesagt. Sobald du es mir sagst, ja.", Nature.ACKNOWLEDGEMENT),
        ("Non ho informazioni su dove abiti, me lo dici?", Nature.ACKNOWLEDGEMENT),
        ("No tengo esa información.", Nature.ACKNOWLEDGEMENT),
        ("Vous ne me l'avez pas encore dit.", Nature.ACKNOWLEDGEMENT),
        ("Não tenho essa informação.", Nature.ACKNOWLEDGEMENT),
        ("If you tell me your blood group is A, keep the card with you.", Nature.STATEMENT),
        ("I'll remember it: Anna lives in Leeds.", Nature.STATEMENT),
        ("Schön.", Nature.ACKNOWLEDGEMENT),
        ("Das weiß ich leider nicht.", Nature.ACKNOWLEDGEMENT),
        ("Dazu habe ich leider keine Informationen.", Nature.ACKNOWLEDGEMENT),
        ("Capito, lo tengo a mente.", Nature.ACKNOWLEDGEMENT),
        ("Non me l'hai detto.", Nature.ACKNOWLEDGEMENT),
        ("Anotado.", Nature.ACKNOWLEDGEMENT),
        ("Eso todavía no me lo has contado.", Nature.ACKNOWLEDGEMENT),
        ("Je ne le sais pas encore.", Nature.ACKNOWLEDGEMENT),
        ("Does she take the diet well?", Nature.QUESTION),
        ("Got it. Want me to remember that?", Nature.QUESTION),
        ("You live in Berlin.", Nature.STATEMENT),
        ("You are allergic to walnuts.", Nature.STATEMENT),
        ("La cita es el martes.", Nature.STATEMENT),
        ("The train leaves at 7:42.", Nature.STATEMENT),
        ("Your trip is today.", Nature.STATEMENT),
        ("There is no train on Sundays.", Nature.STATEMENT),
        ("You can't have grapefruit with metformin.", Nature.STATEMENT),
        ("Anna doesn't know about the party yet.", Nature.STATEMENT),
        ("I'm not sure, but Anna's flat is in Leeds.", Nature.STATEMENT),
        ("You haven't told me that, only that he works in Bath.", Nature.STATEMENT),
        ("Non ho dubbi: Luca è celiaco.", Nature.STATEMENT),
        ("Luis no tiene coche.", Nature.STATEMENT),
        ("I have no sister.", Nature.STATEMENT),
        ("Ich habe keine Milch für dich notiert.", Nature.STATEMENT),
        ("Ich habe nichts dagegen, aber du bist allergisch.", Nature.STATEMENT),
        ("Sorry to hear that your dad died.", Nature.STATEMENT),
        ("Sounds like Nora moved to Leeds.", Nature.STATEMENT),
        ("Eres vegana.", Nature.STATEMENT),
        ("Demain dentiste.", Nature.STATEMENT),
        ("Du hast keine Ahnung von Autos, deshalb fährt Lena.", Nature.STATEMENT),
        ("Noted: no nuts.", Nature.STATEMENT),
        ("I'll remember that you love sushi.", Nature.STATEMENT),
        ("The wedding and the race are on one day; which race instead?", Nature.STATEMENT),
        ("I would take the risotto with saffron, it is quick.", Nature.STATEMENT),
    ],
)
def test_what_an_assistant_says(text: str, expected: Nature) -> None:
    assert nature_of(text, role=Role.ASSISTANT, language=language_of(text)) is expected


@pytest.mark.parametrize(
    ("text", "role", "before", "expected"),
    [
        ("Tomorrow.", Role.USER, "When is the exam?", Nature.STATEMENT),
        ("In the evening", Role.USER, "When do you take it? I can note it.", Nature.STATEMENT),
        ("Good morning", Role.USER, "Noted.", Nature.ACKNOWLEDGEMENT),
        ("Hello, Kim", Role.USER, "What is the name?", Nature.STATEMENT),
        ("Yes", Role.USER, "Shall I?", Nature.ACKNOWLEDGEMENT),
        ("Blueberry.", Role.ASSISTANT, "What is the wifi password?", Nature.STATEMENT),
        ("Blueberry.", Role.ASSISTANT, "tell me what the wifi password is", Nature.STATEMENT),
        ("Splendid.", Role.ASSISTANT, "I live in Hull.", Nature.ACKNOWLEDGEMENT),
    ],
)
def test_word_states_something_as_an_answer(
    text: str, role: str, before: str, expected: Nature
) -> None:
    assert nature_of(text, role=role, before=before) is expected


@pytest.mark.parametrize("role", [Role.SYSTEM, Role.TOOL])
def test_what_nobody_says_is_a_statement(role: str) -> None:
    assert nature_of("ok", role=role) is Nature.STATEMENT
    assert nature_of("Where do I live?", role=role) is Nature.STATEMENT


def test_quotation_is_not_what_a_message_says() -> None:
    pasted = "> Where do you live?\n> Good morning!\nMy landlord wrote this."
    assert nature(pasted) is Nature.STATEMENT
    asked = "> I live in Hull.\nWhat does this mean?"
    assert nature(asked) is Nature.QUESTION


@given(st.text(), st.sampled_from(Role.values), st.text())
def test_any_text_has_a_nature(text: str, role: str, before: str) -> None:
    assert nature_of(text, role=role, before=before) in Nature
