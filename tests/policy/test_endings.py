"""Which statements end which others: tables of cases."""

import pytest

from memoryapp.policy.endings import ends, is_ended, without_ending


@pytest.mark.parametrize(
    ("text", "old"),
    [
        ("The user no longer works at Acme.", "The user works at Acme."),
        ("The user doesn't work for Acme anymore.", "The user works at Acme."),
        ("The user does not work at Acme any longer.", "The user works at Acme as a nurse."),
        ("The user is no longer a vegetarian.", "The user is a vegetarian."),
        ("The user isn't a vegetarian any more.", "The user is a vegetarian."),
        ("The user doesn't have a dog anymore.", "The user has a dog called Rex."),
        ("The user quit smoking.", "The user smokes."),
        ("The user has stopped running.", "The user runs."),
        ("The user stopped smoking in 2024.", "The user smokes."),
        ("The user no longer lives in Tallinn since May 2026.", "The user lives in Tallinn."),
        ("The user no longer drinks coffee.", "The user drinks coffee every morning."),
        ("Der Nutzer arbeitet nicht mehr bei Acme.", "Der Nutzer arbeitet bei Acme."),
        ("Der Nutzer isst kein Fleisch mehr.", "Der Nutzer isst Fleisch."),
        ("Der Nutzer ist kein Vegetarier mehr.", "Der Nutzer ist Vegetarier."),
        ("Der Nutzer hat keinen Hund mehr.", "Der Nutzer hat einen Hund."),
        ("Der Nutzer hat mit dem Rauchen aufgehört.", "Der Nutzer raucht."),
        ("Der Nutzer hat aufgehört zu rauchen.", "Der Nutzer raucht."),
        ("L'utente non lavora più per Acme.", "L'utente lavora per Acme."),
        ("L'utente non mangia più carne.", "L'utente mangia la carne."),
        ("L'utente ha smesso di fumare.", "L'utente fuma."),
        ("Ya el usuario no trabaja en Acme.", "El usuario trabaja en Acme."),
        ("El usuario ya no trabaja en Acme.", "El usuario trabaja en Acme."),
        ("El usuario no vive más en Lima.", "El usuario vive en Lima."),
        ("El usuario ha dejado de fumar.", "El usuario fuma."),
        ("L'utilisateur ne travaille plus chez Acme.", "L'utilisateur travaille chez Acme."),
        ("L'utilisateur n'habite plus à Tallinn.", "L'utilisateur habite à Tallinn."),
        ("L'utilisateur ne mange plus de viande.", "L'utilisateur mange de la viande."),
        ("L'utilisateur a arrêté de fumer.", "L'utilisateur fume."),
        ("L'utilisateur n'a plus de chien.", "L'utilisateur a un chien."),
        ("A usuária já não trabalha na Sonae.", "A usuária trabalha na Sonae."),
        ("O usuário não come mais carne.", "O usuário come carne."),
        ("O usuário deixou de fumar.", "O usuário fuma."),
        # Taken back
        ("The user doesn't work at Acme.", "The user works at Acme as a nurse."),
        ("The user is not allergic to walnuts after all.", "The user is allergic to walnuts."),
        ("The user does not have a dog.", "The user has a dog called Rex."),
        ("The user has no dog.", "The user has a dog."),
        (
            "Der Nutzer ist doch nicht allergisch gegen Nüsse.",
            "Der Nutzer ist allergisch gegen Nüsse.",
        ),
        ("Der Nutzer hat keinen Hund.", "Der Nutzer hat einen Hund."),
        ("L'utente non vive a Torino.", "L'utente vive a Torino."),
        ("El usuario no es enfermero.", "El usuario es enfermero."),
        ("L'utilisateur n'est pas infirmier.", "L'utilisateur est infirmier."),
    ],
)
def test_same_words_are_ended(text: str, old: str) -> None:
    assert ends(text, old)
    assert not ends(old, text)


@pytest.mark.parametrize(
    ("text", "old"),
    [
        ("The user no longer works at Acme.", "The user works at Globex."),
        ("The user no longer works at Acme.", "Ana works at Acme."),
        ("The user no longer works at Acme on Mondays.", "The user works at Acme."),
        ("The user no longer works at Acme.", "The user works at Acme and lives in Rome."),
        ("The user no longer works.", "The user works on a novel."),
        ("The user has no more than two cats.", "The user has two cats."),
        ("The user does not want it anymore.", "The user wants to visit Rome."),
        ("L'utente non ha più di due gatti.", "L'utente ha due gatti."),
        ("L'utente non lo mangia più.", "L'utente mangia carne."),
        ("The user no longer works at Acme.", "The user does not work at Acme."),
        ("The user stopped at Acme.", "The user works at Acme."),
        ("Der Nutzer hat nicht mehr als zwei Katzen.", "Der Nutzer hat zwei Katzen."),
        ("The user's sister no longer works at Acme.", "The user works at Acme."),
        ("The user likes tea more.", "The user likes tea."),
        ("The user no longer has a nurse.", "The user is a nurse."),
        ("The user does not only work at Acme.", "The user works at Acme."),
        ("The user does not work at Acme on Mondays.", "The user works at Acme."),
        ("The user is not allergic to walnuts.", "The user is allergic to walnuts and nuts."),
        ("The user has no dog.", "The user has two dogs."),
    ],
)
def test_other_statements_go_on(text: str, old: str) -> None:
    assert not ends(text, old)


@pytest.mark.parametrize(
    ("text", "affirmed"),
    [
        ("I don't live in Tallinn anymore.", "I live in Tallinn ."),
        ("I’m no longer a nurse.", "I'm a nurse."),
        ("Ich bin kein Vegetarier mehr.", "Ich bin Vegetarier ."),
        ("Je n'habite plus à Lyon.", "Je habite à Lyon."),
        ("I live in Tallinn.", None),
        ("I don't like tea.", None),
        ("I have no more than two cats.", None),
        ("Ho più di due gatti.", None),
    ],
)
def test_words_that_tell_an_end_are_left_out(text: str, affirmed: str | None) -> None:
    assert without_ending(text) == affirmed


@pytest.mark.parametrize(
    ("value", "text", "ended"),
    [
        ("Acme", "The user no longer works at Acme.", True),
        ("Acme", "The user no longer works at Acme, but at Globex.", True),
        ("Globex", "The user no longer works at Acme, but at Globex.", False),
        ("Globex", "The user does not work at Acme anymore but at Globex.", False),
        ("Acme", "The user works at Acme.", False),
        ("no", "The user no longer smokes.", False),
    ],
)
def test_value_that_is_ended(value: str, text: str, ended: bool) -> None:
    assert is_ended(value, text) == ended
