"""Times of the day: written in several ways, left out, and changed. Tables of cases."""

import pytest

from memoryapp.policy.dedup import Action, Neighbour, decide
from memoryapp.policy.normal_form import normalised

SAME = [
    ("The user rows in the evening.", "The user rows in the evenings."),
    ("The user rows at 7 pm.", "The user rows at 7 in the evening."),
    ("The user rows at 7:30 p.m.", "The user rows at 19:30."),
    ("The user rows at 6am.", "The user rows at 6:00."),
    ("Der Nutzer rudert um 7 Uhr abends.", "Der Nutzer rudert um 19 Uhr."),
    ("Der Nutzer rudert lieber am Morgen.", "Der Nutzer rudert lieber morgens."),
    ("El usuario rema por la noche.", "El usuario rema por las noches."),
    ("O usuário rema de manhã.", "O usuário rema pelas manhãs."),
]
CHANGED = [
    ("The user rows in the morning.", "The user rows in the evening."),
    ("The user rows at 7 am.", "The user rows at 7 in the evening."),
    ("The user rows at 7-8 am.", "The user rows at 7-8 pm."),
    ("Der Nutzer rudert morgens.", "Der Nutzer rudert abends."),
    ("Der Nutzer rudert um 7 Uhr.", "Der Nutzer rudert um 7 Uhr abends."),
    ("L'utilisateur rame le matin.", "L'utilisateur rame le soir."),
    ("L'utente rema di mattina.", "L'utente rema di sera."),
    ("El usuario rema por la mañana.", "El usuario rema por la noche."),
    ("O usuário rema de manhã.", "O usuário rema à noite."),
]


@pytest.mark.parametrize("similarity", [0.93, 0.99])
@pytest.mark.parametrize(("old", "new"), SAME)
def test_one_time_in_two_forms(old: str, new: str, similarity: float) -> None:
    for one, other in ((old, new), (new, old)):
        assert decide(other, [Neighbour(1, one, similarity)]).action is not Action.STORED


@pytest.mark.parametrize("similarity", [0.93, 0.99])
@pytest.mark.parametrize(("old", "new"), CHANGED)
def test_other_time_is_another_fact(old: str, new: str, similarity: float) -> None:
    for one, other in ((old, new), (new, old)):
        assert decide(other, [Neighbour(1, one, similarity)]).action is Action.STORED


@pytest.mark.parametrize(
    ("old", "new", "other"),
    [
        ("Der Nutzer fliegt am 2027-05-05 nach Rom.", "Der Nutzer fliegt am 5. Mai 2027 nach Rom.",
         "Der Nutzer fliegt am 6. Mai 2027 nach Rom."),
        ("Der Nutzer fliegt am 05.05.2027 nach Rom.", "Der Nutzer fliegt am 5. Mai 2027 nach Rom.",
         "Der Nutzer fliegt am 5. Juni 2027 nach Rom."),
        ("El usuario vuela a Roma el 5 de ene. de 2027.",
         "El usuario vuela a Roma el 5 de enero de 2027.",
         "El usuario vuela a Roma el 2027-06-05."),
        ("L'utilisateur part à Rome le 5 févr. 2027.",
         "L'utilisateur part à Rome le 5 février 2027.",
         "L'utilisateur part à Rome le 2027-07-05."),
        ("L'utente va a Roma il 5 dic. 2027.",
         "L'utente va a Roma il 5 dicembre 2027.",
         "L'utente va a Roma il 2027-11-05."),
        ("Der Nutzer fliegt am 5. Okt. 2027 nach Rom.",
         "Der Nutzer fliegt am 5. Oktober 2027 nach Rom.",
         "Der Nutzer fliegt am 5. November 2027 nach Rom."),
        ("L'utilisateur part le 2027-06-01.", "L'utilisateur part le 1er juin 2027.",
         "L'utilisateur part le 1er juillet 2027."),
        ("El usuario se va el 2027-06-01.", "El usuario se va el 1 de junio de 2027.",
         "El usuario se va el 2 de junio de 2027."),
        ("L'utente parte il 2027-06-01.", "L'utente parte il 1° giugno 2027.",
         "L'utente parte il 1 luglio 2027."),
        ("O usuário viaja em 2027-06-01.", "O usuário viaja em 1 de junho de 2027.",
         "O usuário viaja em 1 de julho de 2027."),
    ],
)  # fmt: skip
def test_written_date_is_the_same_in_every_language(old: str, new: str, other: str) -> None:
    assert decide(new, [Neighbour(1, old, 0.95)]).action is not Action.STORED
    assert decide(other, [Neighbour(1, old, 0.95)]).action is not Action.DUPLICATE
    assert normalised(new) == normalised(old)


@pytest.mark.parametrize("similarity", [0.93, 0.99])
def test_wording_with_the_time_stays(similarity: float) -> None:
    plain, timed = "The user likes to row.", "The user likes to row in the morning."
    assert decide(timed, [Neighbour(1, plain, similarity)]).action is Action.UPDATED
    assert decide(plain, [Neighbour(1, timed, similarity)]).action is Action.DUPLICATE


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("at 12 am", "at 00:00"),
        ("at 12:15 pm", "at 12:15"),
        ("arrives at midnight.", "arrives at 00:00."),
        ("kommt um Mitternacht", "kommt um 00:00"),
        ("a midnight blue car", "a midnight blue car"),
        ("her cat Midnight", "her cat Midnight"),
        ("alle 7 di sera", "alle 19:00"),
        ("à 7 h du soir", "à 19:00"),
        ("19 heures par semaine", "19 heures par semaine"),
        ("3 am Tag, 2 am Montag", "3 am Tag, 2 am Montag"),
        ("for €5.50 in 2019", "for €5.50 in 2019"),
    ],
)
def test_form_of_a_time(text: str, form: str) -> None:
    assert normalised(text) == form
