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
        ("The user works at a bakery.", "My brother is vegan and he works at a bakery."),
        ("The user lives in Rome.", "My mother and my father live in Rome."),
        ("L'utente è vegetariano.", "Sono allergica alle noci e mio figlio Leo è vegetariano."),
        ("L'utente è vegetariano.", "Mio figlio è vegetariano e sono allergica alle noci."),
        ("El usuario es médico.", "Mi hermano es médico y tengo dos gatos."),
        ("El usuario vive en Cádiz.", "Mi hermana es médica. Vive con mi padre en Cádiz."),
        ("L'utente vive a Berlino.", "Marta e mio fratello vivono a Berlino."),
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
        # The speaker is in the verb alone.
        ("L'utente è allergica alle noci.", "Sono allergica alle noci e mio figlio è vegetariano."),
        ("L'utente è celiaca.", "Mio figlio Leo è vegetariano e sono celiaca."),
        ("L'utente è celiaca.", "Mio figlio Leo è vegetariano ma sono celiaca."),
        ("La usuaria es celíaca.", "Soy celíaca y mi hija es vegana."),
        ("La usuaria es celíaca.", "Mi hija es vegana y soy celíaca."),
        ("El usuario tiene dos gatos.", "Mi hermano es médico y tengo dos gatos."),
        ("O usuário é diabético.", "Sou diabético e minha filha é vegana."),
        ("L'utente vive ad Amsterdam.", "Vivo con mia moglie ad Amsterdam vicino alla stazione."),
        ("El usuario corre los domingos.", "Con mi hermana corro los domingos por el parque."),
        ("L'utente studia a Pisa.", "Studio a Pisa con mia sorella."),
        ("El usuario trabaja en Correos.", "Trabajo en Correos con mi hermano."),
    ],
)
def test_what_is_told_of_the_user_passes(proposed: str, said: str) -> None:
    assert reason(proposed, said) is None


def test_the_same_holds_for_people_by_name() -> None:
    said = "My daughter plays the violin in an orchestra."
    assert reason("Melanie plays the violin.", said, speaker="Melanie") is RefusalReason.SUBJECT
    assert reason("Melanie's daughter plays the violin.", said, speaker="Melanie") is None
