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
        # Stressed
        ("The user is NOT a vegan!", "The user is a vegan."),
        ("The user is absolutely not a vegan.", "The user is a vegan."),
        ("The user does not, repeat not, live in Bonn.", "The user lives in Bonn."),
        ("The user does not live in Bonn at all.", "The user lives in Bonn."),
        ("Der Nutzer ist überhaupt kein Veganer.", "Der Nutzer ist Veganer."),
        ("Der Nutzer wohnt ganz sicher nicht in Bonn.", "Der Nutzer wohnt in Bonn."),
        ("L'utilisateur n'est absolument pas infirmier.", "L'utilisateur est infirmier."),
        ("L'utilisateur n'est pas du tout infirmier.", "L'utilisateur est infirmier."),
        ("El usuario no es en absoluto enfermero.", "El usuario es enfermero."),
        ("L'utente non è assolutamente vegano.", "L'utente è vegano."),
        ("O usuário não é de forma alguma vegano.", "O usuário é vegano."),
        ("No, the user does not live in Bonn.", "The user lives in Bonn."),
        # With what is so instead
        ("The user is not a nurse but a doctor.", "The user is a nurse."),
        ("The user lives not in Lyon but in Paris.", "The user lives in Lyon."),
        ("Der Nutzer ist kein Pfleger, sondern Arzt.", "Der Nutzer ist Pfleger."),
        ("L'utilisateur n'est pas infirmier mais médecin.", "L'utilisateur est infirmier."),
        ("El usuario no es enfermero sino médico.", "El usuario es enfermero."),
        ("L'utente non è infermiere ma medico.", "L'utente è infermiere."),
        ("O usuário não é enfermeiro, mas médico.", "O usuário é enfermeiro."),
        # None of several
        ("The user has no children.", "The user has children."),
        ("The user has no children.", "The user has two children."),
        ("The user has no children.", "The user has a child called Rex."),
        ("The user has no dog.", "The user has two dogs."),
        ("Der Nutzer hat keine Kinder.", "Der Nutzer hat zwei Kinder."),
        ("Der Nutzer hat kein Kind.", "Der Nutzer hat 2 Kinder."),
        ("Der Nutzer hat keine Tochter.", "Der Nutzer hat drei Töchter."),
        ("L'utilisateur n'a pas d'enfants.", "L'utilisateur a deux enfants."),
        ("L'utilisateur n'a aucun enfant.", "L'utilisateur a un enfant."),
        ("El usuario no tiene hijos.", "El usuario tiene dos hijos."),
        ("El usuario no tiene ningún hijo.", "El usuario tiene un hijo."),
        ("L'utente non ha figli.", "L'utente ha due figli."),
        ("L'utente non ha nessun figlio.", "L'utente ha figli."),
        ("O usuário não tem filhos.", "O usuário tem dois filhos."),
        # Not true, or to be forgotten
        ("It is not true that the user is a nurse.", "The user is a nurse."),
        ("It's not true that the user is a nurse.", "The user is a nurse."),
        ("Forget that the user is a nurse.", "The user is a nurse."),
        ("Es stimmt nicht, dass der Nutzer Pfleger ist.", "Der Nutzer ist Pfleger."),
        ("Vergiss, dass der Nutzer in Bonn wohnt.", "Der Nutzer wohnt in Bonn."),
        ("Ce n'est pas vrai que l'utilisateur est infirmier.", "L'utilisateur est infirmier."),
        ("Oublie que l'utilisateur est infirmier.", "L'utilisateur est infirmier."),
        ("No es verdad que el usuario sea enfermero.", "El usuario es enfermero."),
        ("Olvida que el usuario es enfermero.", "El usuario es enfermero."),
        ("Non è vero che l'utente sia infermiere.", "L'utente è infermiere."),
        ("Dimentica che l'utente è infermiere.", "L'utente è infermiere."),
        ("Não é verdade que o usuário é enfermeiro.", "O usuário é enfermeiro."),
        # Never so
        ("The user never was a nurse.", "The user is a nurse."),
        ("The user has never been a nurse.", "The user is a nurse."),
        ("The user has never lived in Bonn.", "The user lives in Bonn."),
        ("Der Nutzer war nie Pfleger.", "Der Nutzer ist Pfleger."),
        ("L'utilisateur n'a jamais été infirmier.", "L'utilisateur est infirmier."),
        ("El usuario nunca ha sido enfermero.", "El usuario es enfermero."),
        ("L'utente non è mai stato infermiere.", "L'utente è infermiere."),
        ("O usuário nunca foi enfermeiro.", "O usuário é enfermeiro."),
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
        ("The user has no plans.", "The user has a plant."),
        ("The user has no car.", "The user has a carpet."),
        ("No, the user lives in Bonn.", "The user lives in Bonn."),
        ("No, el usuario vive en Bonn.", "El usuario vive en Bonn."),
        ("No, l'utente vive a Bonn.", "L'utente vive a Bonn."),
        ("Não, o usuário mora em Bonn.", "O usuário mora em Bonn."),
        ("Non, l'utilisateur habite à Bonn.", "L'utilisateur habite à Bonn."),
        ("The user no longer works with Martin.", "The user works with Martina."),
        ("The user is not married to Robert.", "The user is married to Roberto."),
        ("The user has no brother named Jan.", "The user has a brother named Jani."),
        ("Der Nutzer ist nicht mit Karl verheiratet.", "Der Nutzer ist mit Karla verheiratet."),
        ("L'utente non lavora con Paolo.", "L'utente lavora con Paoli."),
        ("El usuario no vive con Simón.", "El usuario vive con Simona."),
        ("L'utilisateur ne travaille pas avec Martin.", "L'utilisateur travaille avec Martina."),
        ("The user does not have two dogs.", "The user has three dogs."),
        ("The user is not a morning person.", "The user is a teacher."),
        ("The user was never a nurse's aide.", "The user is a nurse."),
        ("It is not true that Ana works at Acme.", "The user works at Acme."),
        ("It is true that the user works at Acme.", "The user works at Acme."),
        ("It is not true that the user does not smoke.", "The user smokes."),
        ("The user is not a nurse but a doctor.", "The user is a doctor."),
        ("Der Nutzer ist kein Pfleger, sondern Arzt.", "Der Nutzer ist Arzt."),
        ("The user does not really like tea.", "The user really likes jazz."),
        ("Der Nutzer ist noch nicht Arzt.", "Der Nutzer ist Arzt."),
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
