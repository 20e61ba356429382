"""A later value of what has one value at a time takes the place of the earlier one; nothing else
does. Read by the rules, and decided as the write path decides.
"""

from datetime import UTC, date, datetime, time

import pytest

from memoryapp.policy.keyed_facts import KeyedFact, KeyedVerdict, is_single_valued, weigh
from memoryapp.reader import Spoken, read

BEFORE, NOW = date(2026, 1, 14), date(2026, 3, 16)


def keyed(said: str, language: str, day: date) -> dict[str, KeyedFact]:
    """The facts with keys that a message states, by key."""
    moment = datetime.combine(day, time(12), UTC)
    return {
        fact.label.key: KeyedFact(fact.text, fact.label.value, 90, moment, key=fact.label.key)
        for fact in read([Spoken(1, "user", said, day)], usual_language=language)
        if is_single_valued(fact.label.key)
    }


def replaced(old: str, new: str, language: str) -> set[str]:
    """The keys whose value in *old* gives way to that in *new*."""
    known, told = keyed(old, language, BEFORE), keyed(new, language, NOW)
    return {
        key
        for key in known.keys() & told.keys()
        if weigh(known[key], told[key], today=NOW) in (KeyedVerdict.REPLACES, KeyedVerdict.SUCCEEDS)
    }


CHANGES = [
    ("english", "employer", "I work at Siemens.", "I started at Bosch last week."),
    ("english", "employer", "I work for Siemens in Munich.", "I've got a new job at Bosch."),
    ("english", "employer", "I'm working at Acme.", "I changed jobs and now work for Globex."),
    ("english", "employer", "I work at Acme.", "My new job is at Globex."),
    ("english", "employer", "I work at Acme.", "I've joined Globex."),
    ("english", "home_city", "I live in Leeds.", "I've just moved to York."),
    ("english", "home_city", "I live in Leeds.", "I moved from Leeds to York."),
    ("english", "home_city", "I live in Leeds and have two cats.", "I live in York now."),
    ("english", "home_city", "We live in Leeds.", "I moved back to York last weekend."),
    ("english", "occupation", "I work as a nurse.", "I got promoted to ward manager."),
    ("english", "occupation", "I'm a nurse.", "I'm now a teacher."),
    ("english", "car", "I drive a Golf.", "I sold the Golf and bought a Tesla."),
    ("english", "car", "I drive a Golf.", "My new car is a red Fiat Panda."),
    ("english", "car", "My car is a Corsa.", "I traded in my Corsa for a Yaris."),
    ("english", "mobile_phone", "My phone is a Pixel 6.", "I switched to an iPhone 15."),
    ("english", "mobile_phone", "I have an iPhone 12.", "My new phone is a Fairphone 5."),
    ("english", "diet", "I'm vegan.", "I'm vegetarian now."),
    ("english", "diet", "I'm a vegetarian.", "I eat meat again."),
    ("english", "doctor", "My doctor is Dr Patel.", "My new GP is Dr Lewis."),
    ("english", "dentist", "My dentist is Dr. Shaw.", "My dentist is now Dr. Cole."),
    ("english", "boss", "My boss is called Gail.", "My new boss is Rory."),
    ("english", "landlord", "My landlord is Mr Price.", "My landlord is called Ms Hall."),
    ("english", "rent", "My rent is 800 pounds a month.", "My rent is now 870 pounds a month."),
    ("english", "weight", "I weigh 82 kg.", "I weigh 78 kg."),
    ("english", "yoga_days", "My yoga class is on Mondays.", "My yoga class is now on Thursdays."),
    ("english", "training_days", "I train on Tuesdays.", "I train on Wednesdays now."),
    ("english", "favourite_colour", "My favourite colour is red.",
     "My favourite colour is dark green."),
    ("english", "marital_status", "I'm engaged.", "I'm married."),
    ("english", "wife_employer", "My wife works at Acme.", "My wife Anna now works at Globex."),
    ("english", "mother_home_city", "My mum lives in Leeds.", "My mother has moved to York."),
    ("english", "partner_employer", "My boyfriend works for Acme.",
     "My boyfriend started at Globex."),
    ("english", "husband_occupation", "My husband is a nurse.", "My husband is now a teacher."),
    ("german", "wife_employer", "Meine Frau arbeitet bei Acme.",
     "Meine Frau arbeitet jetzt bei Bosch."),
    ("german", "mother_home_city", "Meine Mutter wohnt in Bonn.",
     "Meine Mutter ist nach Ulm gezogen."),
    ("italian", "husband_employer", "Mio marito lavora per Acme.",
     "Mio marito ora lavora per Bosch."),
    ("spanish", "mother_home_city", "Mi madre vive en Lugo.", "Mi madre se ha mudado a Vigo."),
    ("french", "husband_employer", "Mon mari travaille chez Acme.",
     "Mon mari travaille maintenant chez Bosch."),
    ("german", "employer", "Ich arbeite bei Siemens.",
     "Ich habe letzte Woche bei Bosch angefangen."),
    ("german", "employer", "Ich arbeite bei Siemens.", "Ich bin zu Bosch gewechselt."),
    ("german", "employer", "Ich arbeite bei Siemens.", "Jetzt arbeite ich bei Bosch."),
    ("german", "home_city", "Ich wohne in Bonn.", "Ich bin nach Ulm gezogen."),
    ("german", "home_city", "Wir wohnen in Bonn.", "Wir wohnen jetzt in Ulm."),
    ("german", "car", "Mein Auto ist ein Golf.", "Mein neues Auto ist ein Tesla."),
    ("german", "car", "Ich fahre einen Golf.", "Ich fahre jetzt einen roten Fabia."),
    ("german", "mobile_phone", "Mein Handy ist ein iPhone 12.",
     "Mein neues Handy ist ein Fairphone 5."),
    ("german", "diet", "Ich esse vegan.", "Ich esse wieder Fleisch."),
    ("german", "doctor", "Meine Hausärztin ist Frau Dr. Pohl.",
     "Mein neuer Hausarzt ist Dr. Nowak."),
    ("german", "boss", "Mein Chef heißt Brandt.", "Meine neue Chefin heißt Weber."),
    ("german", "rent", "Meine Miete ist 690 Euro.", "Meine Miete ist jetzt 750 Euro."),
    ("german", "weight", "Ich wiege 82 kg.", "Ich wiege nur noch 78 kg."),
    ("german", "training_days", "Ich trainiere dienstags.", "Ich trainiere jetzt donnerstags."),
    ("german", "favourite_colour", "Meine Lieblingsfarbe ist Rot.",
     "Meine Lieblingsfarbe ist Grün."),
    ("german", "marital_status", "Ich bin verlobt.", "Ich bin verheiratet."),
    ("italian", "employer", "Lavoro alla Siemens.", "Ho iniziato a lavorare alla Bosch."),
    ("italian", "employer", "Lavoro per Siemens.", "Ora lavoro per Bosch."),
    ("italian", "home_city", "Abito a Ferrara.", "Mi sono trasferita a Bologna."),
    ("italian", "home_city", "Viviamo a Ferrara.", "Adesso vivo a Bologna."),
    ("italian", "car", "La mia macchina è una Panda.", "La mia nuova macchina è una Yaris."),
    ("italian", "mobile_phone", "Il mio telefono è un iPhone 12.",
     "Il mio nuovo telefono è un Fairphone 5."),
    ("italian", "diet", "Sono vegana.", "Sono vegetariana."),
    ("italian", "doctor", "Il mio medico è Rossi.", "Il mio nuovo medico è Bianchi."),
    ("italian", "rent", "Il mio affitto è 560 euro.", "Il mio affitto è ora 610 euro."),
    ("italian", "training_days", "Mi alleno il martedì.", "Adesso mi alleno il giovedì."),
    ("spanish", "employer", "Trabajo en Siemens.", "He empezado a trabajar en Bosch."),
    ("spanish", "employer", "Trabajo en Siemens.", "Ahora trabajo en Bosch."),
    ("spanish", "home_city", "Vivo en Lugo.", "Me he mudado a Vigo."),
    ("spanish", "home_city", "Vivimos en Lugo.", "Ahora vivo en Vigo."),
    ("spanish", "car", "Mi coche es un Ibiza.", "Mi nuevo coche es un Jogger."),
    ("spanish", "mobile_phone", "Mi móvil es un iPhone 12.", "Mi móvil nuevo es un Fairphone 5."),
    ("spanish", "diet", "Soy vegana.", "Ahora soy vegetariana."),
    ("spanish", "doctor", "Mi médico es Pérez.", "Mi nueva doctora es Gómez."),
    ("spanish", "rent", "Mi alquiler es de 560 euros.", "Mi alquiler es ahora de 610 euros."),
    ("spanish", "training_days", "Entreno los martes.", "Ahora entreno los jueves."),
    ("french", "employer", "Je travaille chez Siemens.", "J'ai commencé chez Bosch."),
    ("french", "employer", "Je travaille chez Siemens.", "Je travaille maintenant chez Bosch."),
    ("french", "home_city", "J'habite à Metz.", "J'ai emménagé à Lyon."),
    ("french", "home_city", "Nous habitons à Metz.", "J'habite maintenant à Lyon."),
    ("french", "car", "Ma voiture est une Clio.", "Ma nouvelle voiture est une Zoe."),
    ("french", "mobile_phone", "Mon téléphone est un iPhone 12.",
     "Mon nouveau téléphone est un Fairphone 5."),
    ("french", "diet", "Je suis végane.", "Je suis végétarienne."),
    ("french", "doctor", "Mon médecin est Martin.", "Mon nouveau médecin est Dubois."),
    ("french", "rent", "Mon loyer est de 560 euros.", "Mon loyer est maintenant de 610 euros."),
    ("french", "swimming_days", "Je nage le mardi.", "Maintenant je nage le jeudi."),
]  # fmt: skip

NO_CHANGES = [
    # Of these, one may have several.
    ("english", "I speak Italian.", "I speak Greek."),
    ("english", "I have a cat called Tom.", "I have a dog called Rex."),
    ("english", "I'm allergic to nuts.", "I'm allergic to penicillin."),
    ("english", "I play the piano.", "I play the cello."),
    ("english", "I drive a Golf.", "I drive a Fiat Panda."),
    ("english", "I have an iPhone 12.", "I have a Pixel 8."),
    ("english", "I train on Mondays.", "I train on Fridays."),
    ("english", "My yoga class is on Mondays.", "My pottery class is now on Thursdays."),
    ("english", "I'm German.", "I'm Italian."),
    ("english", "I'm vegan.", "I'm coeliac."),
    ("english", "I'm halal.", "I'm vegetarian."),
    ("english", "My friend is called Anna.", "My friend is called Ben."),
    ("english", "My sister is called Anna.", "My sister is called Ruth."),
    # Beside the first.
    ("english", "I work at Acme.", "I also work at Globex."),
    ("english", "I work at Acme.", "I work part-time at Globex."),
    ("english", "I work at Acme.", "I sometimes work for Globex."),
    ("english", "I drive a Golf.", "I bought a second car, a Fiat Panda."),
    ("english", "I live in Leeds.", "I live in York for two months."),
    # Not so, not yet, or long ago.
    ("english", "I live in Leeds.", "I used to live in York."),
    ("english", "I live in Leeds.", "I want to live in York."),
    ("english", "I live in Leeds.", "I would live in York if I could."),
    ("english", "I live in Leeds.", "I might move to York."),
    ("english", "I live in Leeds.", "I almost moved to York."),
    ("english", "I live in Leeds.", "I moved to England in 2015."),
    ("english", "I live in Leeds.", "I was born in York."),
    ("english", "I live in Leeds.", "I grew up in York."),
    ("english", "I was born in Rome.", "I grew up in Milan."),
    ("english", "I work at Acme.", "I start at Globex on 1 June."),
    ("english", "I work at Acme.", "I worked at Globex in 2019."),
    ("english", "I work at Acme.", "I had an interview at Globex."),
    ("english", "I work at Acme.", "Do I work at Globex?"),
    # Of somebody else.
    ("english", "I work at Acme.", "My sister works at Globex."),
    ("english", "I work at Acme.", "My wife Anna works at Globex."),
    ("english", "I live in Leeds.", "My mother moved to York."),
    ("english", "I live in Leeds.", "Tom says he lives in York."),
    ("english", "My car is a Golf.", "My sister's new car is a Tesla."),
    ("english", "My doctor is Dr Patel.", "My son's doctor is Dr Lewis."),
    ("english", "I'm vegan.", "My daughter is vegetarian now."),
    ("english", "My boss is Rory.", "My husband's boss is called Gail."),
    ("english", "My wife works at Acme.", "My husband works at Globex."),
    ("english", "My wife works at Acme.", "My mother works at Globex."),
    ("english", "My mother lives in Leeds.", "My mother-in-law lives in York."),
    ("english", "My mother lives in Leeds.", "My mother used to live in York."),
    ("english", "My sister works at Acme.", "My sister works at Globex now."),
    ("english", "My friend lives in Leeds.", "My friend moved to York."),
    ("english", "My wife works at Acme.", "My wife's sister works at Globex."),
    ("german", "Meine Mutter wohnt in Bonn.", "Meine Schwiegermutter wohnt jetzt in Ulm."),
    ("english", "My wife Anna is allergic to nuts.", "My wife is called Julia."),
    ("english", "My boss Rory lends me his car.", "My new boss is Gail."),
    # Of something else.
    ("english", "I live in Leeds.", "I moved to Linux."),
    ("english", "My car is a Golf.", "My car is in Munich now."),
    ("english", "My phone is a Pixel 6.", "My phone is dead now."),
    ("english", "My doctor is Dr Patel.", "My doctor is now in London."),
    ("english", "My boss is Rory.", "My boss is away now."),
    ("english", "My car is a Golf.", "My new bike is a Brompton."),
    ("english", "I work at Acme.", "I work at home."),
    ("english", "My rent is 800 pounds.", "My rent is too high now."),
    ("german", "Ich arbeite bei Siemens.", "Ich arbeite nebenbei bei Bosch."),
    ("german", "Ich arbeite bei Siemens.", "Ich arbeite auch für Bosch."),
    ("german", "Ich arbeite bei Siemens.", "Meine Schwester arbeitet jetzt bei Bosch."),
    ("german", "Ich wohne in Bonn.", "Ich habe früher in Ulm gewohnt."),
    ("german", "Ich wohne in Bonn.", "Ich bin 2015 nach Deutschland gezogen."),
    ("german", "Ich wohne in Bonn.", "Ich bin in Ulm geboren."),
    ("german", "Ich wohne in Bonn.", "Ich möchte in Ulm wohnen."),
    ("german", "Ich fahre einen Golf.", "Ich fahre einen Fabia."),
    ("german", "Mein Auto ist ein Golf.", "Mein Auto ist jetzt in der Werkstatt."),
    ("german", "Mein Auto ist ein Golf.", "Das neue Auto meiner Schwester ist ein Tesla."),
    ("german", "Ich trainiere dienstags.", "Ich trainiere donnerstags."),
    ("german", "Ich bin allergisch gegen Nüsse.", "Ich bin allergisch gegen Pollen."),
    ("german", "Ich spreche Polnisch.", "Ich spreche Dänisch."),
    ("italian", "Lavoro per Siemens.", "Lavoro anche per Bosch."),
    ("italian", "Lavoro per Siemens.", "Mia sorella lavora per Bosch."),
    ("italian", "Abito a Ferrara.", "Prima abitavo a Bologna."),
    ("italian", "Abito a Ferrara.", "Sono nata a Bologna."),
    ("italian", "Abito a Ferrara.", "Vorrei vivere a Bologna."),
    ("italian", "Sono allergica alle noci.", "Sono allergica al polline."),
    ("italian", "Mi alleno il martedì.", "Mi alleno il giovedì."),
    ("italian", "La mia macchina è una Panda.", "La mia macchina è dal meccanico."),
    ("spanish", "Trabajo en Siemens.", "También trabajo en Bosch."),
    ("spanish", "Trabajo en Siemens.", "Mi hermana trabaja en Bosch."),
    ("spanish", "Vivo en Lugo.", "Antes vivía en Vigo."),
    ("spanish", "Vivo en Lugo.", "Nací en Vigo."),
    ("spanish", "Vivo en Lugo.", "Me mudé a España en 2015."),
    ("spanish", "Soy alérgica a las nueces.", "Soy alérgica al polen."),
    ("spanish", "Mi coche es un Ibiza.", "Mi coche está en Vigo."),
    ("spanish", "Entreno los martes.", "Entreno los jueves."),
    ("french", "Je travaille chez Siemens.", "Je travaille aussi chez Bosch."),
    ("french", "Je travaille chez Siemens.", "Ma sœur travaille chez Bosch."),
    ("french", "J'habite à Metz.", "Avant, j'habitais à Lyon."),
    ("french", "J'habite à Metz.", "Je suis née à Lyon."),
    ("french", "J'habite à Metz.", "J'ai déménagé en France en 2015."),
    ("french", "Je suis allergique aux noix.", "Je suis allergique au pollen."),
    ("french", "Ma voiture est une Clio.", "Ma voiture est au garage."),
    ("french", "Je nage le mardi.", "Je nage le jeudi."),
]  # fmt: skip


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("english", "My mum broke her hip. Gesine, 73, stubborn."),
        ("german", "Mama hat sich die Hüfte gebrochen. Gesine, 73, stur."),
        ("italian", "Mia madre si è rotta l'anca. Gina, 73, testarda."),
        ("spanish", "Mi madre se ha roto la cadera. Gina, 73, terca."),
        ("french", "Ma mère s'est cassé la hanche. Jeanne, 73, têtue."),
        ("english", "Name: Sirocco, like the wind."),
        ("german", "Name: Schirokko, wie der Wind."),
        ("italian", "Nome: Scirocco, come il vento."),
        ("french", "Nom : Sirocco, comme le vent."),
    ],
)
def test_name_that_may_be_of_another_is_not_the_authors(language: str, said: str) -> None:
    assert not {"name", "age"} & keyed(said, language, NOW).keys()


@pytest.mark.parametrize(
    "said", ["Owen, 43, baker.", "Hi there! Owen, 43, baker.", "Name: Owen, 43, baker."]
)
def test_name_with_an_age_is_of_the_author(said: str) -> None:
    assert {"name", "age"} <= keyed(said, "english", NOW).keys()


@pytest.mark.parametrize(("language", "key", "old", "new"), CHANGES)
def test_later_value_replaces_the_earlier_one(language: str, key: str, old: str, new: str) -> None:
    assert replaced(old, new, language) == {key}


@pytest.mark.parametrize(("language", "old", "new"), NO_CHANGES)
def test_what_may_hold_beside_stays(language: str, old: str, new: str) -> None:
    assert not replaced(old, new, language)


@pytest.mark.parametrize(
    ("language", "said", "key", "value"),
    [
        ("english", "We moved to Leeds.", "home_city", "Leeds"),
        ("english", "We've just moved to Leeds.", "home_city", "Leeds"),
        ("italian", "Ho trovato un nuovo lavoro alla Fiat.", "employer", "Fiat"),
        # Where, and not for whom.
        ("italian", "Ho trovato un nuovo lavoro a Milano.", "", ""),
        ("italian", "Lavoro in Lombardia da tre anni.", "", ""),
        ("italian", "Sono allergica alle noci.", "allergy", "noci"),
        ("italian", "Sono allergico all'arachide.", "allergy", "arachide"),
    ],
)
def test_values_without_the_words_around_them(
    language: str, said: str, key: str, value: str
) -> None:
    told = read([Spoken(1, "user", said, date(2025, 3, 12))], usual_language=language)
    labels = [(fact.label.key, fact.label.value) for fact in told]
    assert labels == [(key, value)]
