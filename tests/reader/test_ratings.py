"""Ratings of single sentences, about anybody."""

from datetime import date

import pytest

from memoryapp.reader import Spoken, read
from memoryapp.reader.ratings import Rating, rate

#: A Saturday.
DAY = date(2026, 11, 28)


@pytest.mark.parametrize(
    ("text", "importance"),
    [
        ("I am allergic to walnuts", 9),
        ("Peanut allergy", 9),
        ("Allergic to shellfish", 9),
        ("The user's son can't eat any nuts.", 9),
        ("Anna is vegetarian", 8),
        ("Peter has asthma and lives in Rome.", 8),
        ("Ich bin allergisch gegen Walnüsse", 9),
        ("Erdnussallergie", 9),
        ("Anna darf keine Nüsse essen", 9),
        ("Anna ist Vegetarierin", 8),
        ("Anna verträgt keine Laktose", 8),
        ("Sono allergica alle noci", 9),
        ("Allergia alle arachidi", 9),
        ("Anna è vegetariana", 8),
        ("Il nonno è celiaco", 8),
        ("Soy alérgica a las nueces", 9),
        ("Alergia a los cacahuetes", 9),
        ("Anna es vegetariana", 8),
        ("La abuela es diabética", 8),
        ("Je suis allergique aux noix", 9),
        ("Allergie aux arachides", 9),
        ("Anna est végétarienne", 8),
        ("Mon père est diabétique", 8),
    ],
)
@pytest.mark.parametrize("usual", ["english", "french"])
def test_health_and_safety_come_first(text: str, importance: int, usual: str) -> None:
    assert rate(text, DAY, usual_language=usual) == Rating("fact", importance)


@pytest.mark.parametrize(
    "text",
    [
        "No known allergies", "The user is not allergic to cats.", "Is Anna allergic to nuts?",
        "Keine Allergien bekannt", "Anna ist nicht allergisch.", "Nessuna allergia nota",
        "Anna non è allergica.", "Sin alergias conocidas", "Anna no es alérgica.",
        "Aucune allergie connue", "Anna n'est pas allergique.", "The user grows tomatoes.",
    ],
)  # fmt: skip
def test_what_is_denied_or_asked_is_not_important(text: str) -> None:
    assert rate(text, DAY).importance == 5


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("Flight to Oslo on 3 May", date(2027, 5, 3)),
        ("Dentist appointment next Tuesday at 9", date(2026, 12, 1)),
        ("Dinner with Tom tomorrow", date(2026, 11, 29)),
        ("Concert 3–5 June", date(2027, 6, 5)),
        ("Concert June 3-5, 2028", date(2028, 6, 5)),
        ("Trip to Japan in October", date(2027, 10, 31)),
        ("Booked a table for the 12th of December", date(2026, 12, 12)),
        ("The tax return is due by 31 May", date(2027, 5, 31)),
        ("Yoga every Tuesday until 3 May", date(2027, 5, 3)),
        ("Meeting on 2031-05-03", date(2031, 5, 3)),
        ("Anna's birthday party on 3 May", date(2027, 5, 3)),
        ("Flug nach Oslo am 3. Mai", date(2027, 5, 3)),
        ("Zahnarzttermin am 12.6. um 9 Uhr", date(2027, 6, 12)),
        ("Urlaub vom 3. bis 5. Mai", date(2027, 5, 5)),
        ("Konzert nächsten Freitag", date(2026, 12, 4)),
        ("Volo per Oslo il 3 maggio", date(2027, 5, 3)),
        ("Vacanza dal 3 al 5 maggio", date(2027, 5, 5)),
        ("Riunione il 3/5", date(2027, 5, 3)),
        ("Vuelo a Oslo el 3 de mayo", date(2027, 5, 3)),
        ("Vacaciones del 3 al 5 de mayo de 2028", date(2028, 5, 5)),
        ("Vol pour Oslo le 3 mai", date(2027, 5, 3)),
        ("Rendez-vous chez le dentiste le 1er juin à 9 h", date(2027, 6, 1)),
    ],
)
@pytest.mark.parametrize("usual", ["english", "italian"])
def test_plan_ends_on_its_day(text: str, last: date, usual: str) -> None:
    assert rate(text, DAY, usual_language=usual).last_day == last


@pytest.mark.parametrize(
    "text",
    [
        "Anna's birthday is on 3 May", "Anna starts her new job on 1 June",
        "The user met Anna on 3 May", "The report of 2025-03-02 was long",
        "Anna works at Bosch since 3 May 2031", "We visit my parents in about three weeks",
        "The user moves to Oslo on 3 May", "Yoga on Tuesdays in May every year",
        "Flight on 31 February", "Flight 3 to Oslo", "Anna may come on 3",
        "Annas Geburtstag ist am 3. Mai", "Ab 1. Juni arbeitet Anna bei Bosch",
        "Il compleanno di Anna è il 3 maggio", "Dal 1 giugno Anna lavora alla Fiat",
        "El cumpleaños de Anna es el 3 de mayo", "Desde el 1 de junio Anna trabaja en Seat",
        "L'anniversaire d'Anna est le 3 mai", "À partir du 1er juin Anna travaille chez Renault",
        "Anna is vegetarian. Her flight is on 3 May.",
    ],
)  # fmt: skip
def test_what_lasts_begins_or_comes_again_has_no_end(text: str) -> None:
    assert rate(text, DAY).last_day is None


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("Tom is Anna's brother", "relationship"), ("Tom ist Annas Bruder", "relationship"),
        ("Tom è il fratello di Anna", "relationship"),
        ("Tom es el hermano de Anna", "relationship"), ("Tom est le frère d'Anna", "relationship"),
        ("Prefers window seats", "preference"), ("Mag keinen Koriander", "preference"),
        ("Preferisce il posto finestrino", "preference"),
        ("Prefiere asiento de ventanilla", "preference"),
        ("Il préfère une place côté fenêtre", "preference"),
        ("Flight to Oslo on 3 May", "event"), ("Flug nach Oslo am 3. Mai", "event"),
        ("The user decided to study law.", "decision"),
        ("The user lives in Leeds.", "fact"), ("Der Nutzer wohnt in Kiel.", "fact"),
        ("Always answer in German", "preference"), ("The user grows tomatoes.", "general"),
    ],
)  # fmt: skip
def test_category_is_told_by_the_words(text: str, category: str) -> None:
    assert rate(text, DAY).category == category


def test_of_several_sentences_the_most_important_counts() -> None:
    text = "Anna lives in Oslo. She is allergic to nuts. She likes tea."
    assert rate(text, DAY) == Rating("fact", 9)


@pytest.mark.parametrize(
    ("said", "language"),
    [
        ("My sister Anna is allergic to peanuts.", "english"),
        ("Meine Schwester Anna ist allergisch gegen Erdnüsse.", "german"),
        ("Mia sorella Anna è allergica alle arachidi.", "italian"),
        ("Mi hermana Anna es alérgica a los cacahuetes.", "spanish"),
        ("Ma sœur Anna est allergique aux arachides.", "french"),
    ],
)
def test_reader_goes_by_the_same_rules(said: str, language: str) -> None:
    (fact,) = read([Spoken(1, "user", said, DAY)], usual_language=language)
    assert fact.label.importance == 9


def test_reader_tells_when_a_plan_is_over() -> None:
    said = "My sister Anna is flying to Oslo with me on 3 May."
    (fact,) = read([Spoken(1, "user", said, DAY)])
    assert fact.last_day == date(2027, 5, 3)
