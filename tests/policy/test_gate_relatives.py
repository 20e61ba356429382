"""What people say of their relatives, friends and pets is not told of themselves."""

from datetime import date

import pytest

from memoryapp.policy.gate import RefusalReason, SaidLine, Source, refusal


def reason(proposed: str, *said: str, speaker: str = "") -> RefusalReason | None:
    lines = [SaidLine(text, speaker, said_on=date(2023, 5, 8)) for text in said]
    refused = refusal(proposed, Source(lines), said_in=[len(said) - 1])
    return refused.reason if refused else None


@pytest.mark.parametrize(
    ("proposed", "said"),
    [
        ("The user lives in Berlin.", "My brother lives in Berlin."),
        ("The user lives in Berlin.", "My brother Youssef lives in Berlin and plays the cello."),
        ("The user lives in Berlin.", "Now in German: Mein Bruder Youssef wohnt in Berlin."),
        ("Der Nutzer wohnt in Berlin.", "Mein Bruder Youssef wohnt in Berlin und spielt Cello."),
        ("L'utilisateur habite à Lyon.", "Mon frère habite à Lyon."),
        ("El usuario vive en Sevilla.", "Mi hermana vive en Sevilla."),
        ("L'utente lavora in banca.", "Mia madre lavora in banca."),
        ("The user works as a nurse.", "I love summer. My sister Anna works as a nurse."),
        ("The user hates coffee.", "My old boss hates coffee."),
        ("The user is fourteen years old.", "Our dog is fourteen years old."),
        (
            "The user comes to dinner every Sunday.",
            "My sister is allergic to nuts, and she comes to dinner every Sunday.",
        ),
    ],
)
def test_what_relatives_do_is_not_told_of_the_user(proposed: str, said: str) -> None:
    assert reason(proposed, said) is RefusalReason.SUBJECT


@pytest.mark.parametrize(
    ("proposed", "said"),
    [
        ("The user's brother lives in Berlin.", "My brother lives in Berlin."),
        ("The user has a brother in Berlin.", "Mein Bruder wohnt in Berlin."),
        ("The user lives in Berlin.", "My brother and I live in Berlin."),
        ("The user lives in Berlin.", "I live in Berlin. My brother lives in Berlin, too."),
        ("The user was given a red bike.", "My brother gave me a red bike."),
        ("The user is a baker.", "My mother is a nurse, I am a baker."),
        ("The user is married to Karim.", "My husband Karim is a vegetarian."),
        ("Youssef plays the cello.", "My brother Youssef plays the cello."),
        ("The user works in Berlin.", "My job is in Berlin."),
        ("The user is called Ana.", "My name is Ana."),
        ("The user has a dog called Rex.", "My dog is called Rex."),
        ("Der Nutzer arbeitet in Wien.", "Meine Arbeit ist in Wien."),
    ],
)
def test_what_is_told_of_the_user_passes(proposed: str, said: str) -> None:
    assert reason(proposed, said) is None


def test_the_same_holds_for_people_by_name() -> None:
    said = "My daughter plays the violin in an orchestra."
    assert reason("Melanie plays the violin.", said, speaker="Melanie") is RefusalReason.SUBJECT
    assert reason("Melanie's daughter plays the violin.", said, speaker="Melanie") is None
