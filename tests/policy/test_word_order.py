"""Who does what to whom: the same words in another order. Tables of cases."""

import pytest

from memoryapp.policy.dedup import Action, Neighbour, decide
from memoryapp.policy.fact_signature import same_particulars

EXCHANGED = [
    ("The user lent Mara a ladder.", "Mara lent the user a ladder."),
    ("The user's goat is heavier than the sheep.", "The user's sheep is heavier than the goat."),
    (
        "The user's aunt is taller than the user's uncle.",
        "The user's uncle is taller than the user's aunt.",
    ),
    ("The user rides from Bath to Hull.", "The user rides from Hull to Bath."),
    ("The teacher thanked the coach.", "The coach thanked the teacher."),
    ("Der Nutzer hat der Tante ein Rad geliehen.", "Die Tante hat dem Nutzer ein Rad geliehen."),
    ("L'utente ha aiutato la zia.", "La zia ha aiutato l'utente."),
    ("The user sent Mara a parcel.", "Mara sent a parcel to the user."),
    ("Der Nutzer gab Mara einen Korb.", "Mara gab dem Nutzer einen Korb."),
    ("L'utilisateur a vendu un vélo à Mara.", "Mara a vendu un vélo à l'utilisateur."),
    ("L'utente ha venduto una bici a Mara.", "Mara ha venduto una bici all'utente."),
    ("El usuario le vendió una bici a Mara.", "Mara le vendió una bici al usuario."),
    ("The user sings when Mara cooks.", "Mara sings when the user cooks."),
    # Who does it is told by the article; months are names, too.
    ("Den Nutzer besucht Mara.", "Der Nutzer besucht Mara."),
    ("Der Hund biss den Kater.", "Der Kater biss den Hund."),
    ("Die Nutzerin mag Mara.", "Mara mag die Nutzerin."),
    ("April met June.", "June met April."),
    (
        "Der Nutzer rudert montags und turnt freitags.",
        "Der Nutzer rudert freitags und turnt montags.",
    ),
    (
        "Morgens trinkt der Nutzer Tee und abends Saft.",
        "Abends trinkt der Nutzer Tee und morgens Saft.",
    ),
]
PREFERRED = [
    ("The user prefers trains over planes.", "The user prefers planes to trains."),
    ("Der Nutzer isst lieber Reis als Brot.", "Der Nutzer isst lieber Brot als Reis."),
    ("The user prefers trains to planes.", "The user prefers planes to trains."),
    ("L'utente preferisce il riso al pane.", "L'utente preferisce il pane al riso."),
    ("El usuario prefiere el té al café.", "El usuario prefiere el café al té."),
]
SAME = [
    ("The user prefers lists over charts.", "The user prefers lists rather than charts."),
    ("When it snows, the user stays in.", "The user stays in when it snows."),
    ("Because Mara is ill, she rests.", "Mara rests because she is ill."),
    ("Wenn es schneit, bleibt der Nutzer daheim.", "Der Nutzer bleibt daheim, wenn es schneit."),
    ("Quando piove, l'utente legge.", "L'utente legge quando piove."),
    ("Am Freitag rudert der Nutzer.", "Der Nutzer rudert am Freitag."),
    ("Freitags rudert der Nutzer gern.", "Der Nutzer rudert freitags gern."),
    ("Morgens trinkt der Nutzer Saft.", "Der Nutzer trinkt morgens Saft."),
    ("Seit 2019 wohnt der Nutzer in Kiel.", "Der Nutzer wohnt seit 2019 in Kiel."),
    ("Oft backt der Nutzer Brot.", "Der Nutzer backt oft Brot."),
    ("Klavier spielt der Nutzer.", "Der Nutzer spielt Klavier."),
    ("Dem Nachbarn hilft der Nutzer.", "Der Nutzer hilft dem Nachbarn."),
    ("Nächste Woche fliegt der Nutzer.", "Der Nutzer fliegt nächste Woche."),
    ("Freitags rudert Mara mit Tom.", "Mara rudert freitags mit Tom."),
    ("Il venerdì rema l'utente.", "L'utente rema il venerdì."),
    ("Los viernes rema el usuario.", "El usuario rema los viernes."),
    ("Le vendredi rame l'utilisateur.", "L'utilisateur rame le vendredi."),
    ("Yesterday came Mara.", "Mara came yesterday."),
    ("Mara is the user's aunt.", "The user's aunt is Mara."),
    ("The user and Mara share a boat.", "Mara and the user share a boat."),
    ("The user bakes in the morning.", "The user bakes in the mornings."),
    ("The user rows on Fridays.", "On Fridays the user rows."),
    ("The user grows beans and peas.", "The user grows peas and beans."),
    ("The user grows beans, peas or kale.", "The user grows peas, beans or kale."),
    ("In winter the user skis in the hills.", "In the hills the user skis in winter."),
    ("The user eats soup before work with bread.", "The user eats soup with bread before work."),
]


@pytest.mark.parametrize("similarity", [0.93, 0.99])
@pytest.mark.parametrize(("old", "new"), [*EXCHANGED, *PREFERRED])
def test_nobody_changes_places(old: str, new: str, similarity: float) -> None:
    assert decide(new, [Neighbour(1, old, similarity)]).action is not Action.DUPLICATE


@pytest.mark.parametrize(("old", "new"), PREFERRED)
def test_other_preference_replaces_the_earlier_one(old: str, new: str) -> None:
    assert decide(new, [Neighbour(1, old, 0.99)]).action is Action.UPDATED


@pytest.mark.parametrize(("one", "other"), SAME)
def test_phrases_may_move(one: str, other: str) -> None:
    assert same_particulars(one, other)
