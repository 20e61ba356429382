"""What the built-in reader makes of messages in each language."""

from datetime import date

import pytest

from memoryapp.reader import Spoken, read

#: A Wednesday.
DAY = date(2025, 3, 12)


def texts(said: str, language: str = "english", author: str = "") -> list[str]:
    return [
        fact.text for fact in read([Spoken(1, "user", said, DAY, author)], usual_language=language)
    ]


@pytest.mark.parametrize(
    ("language", "said", "fact"),
    [
        ("english", "I moved to Porto two weeks ago.",
         "The user moved to Porto around 2025-02-26."),
        ("english", "My dog gave me a scare in May, so we stayed at home with my brother Tom.",
         "The user's dog gave the user a scare in May 2024, so the user stayed at home "
         "with their brother Tom."),
        ("english", "Hey! My wife and I run a bakery in Ghent.",
         "The user's wife and the user run a bakery in Ghent."),
        ("english", "I carry an inhaler and usually fly to my parents in Chile for Christmas.",
         "The user carries an inhaler and usually flies to their parents in Chile for Christmas."),
        ("english", "I'm vegetarian, can you suggest a soup?", "The user is vegetarian."),
        ("english", "I've lived in Oslo since last summer and it was cold.",
         "The user has lived in Oslo since the summer of 2024."),
        ("german", "Ich heiße Miriam und arbeite bei Bosch in Stuttgart.",
         "Der Nutzer heißt Miriam und arbeitet bei Bosch in Stuttgart."),
        ("german", "Gestern habe ich mit meiner Schwester die Prüfung in Jena bestanden.",
         "Am 2025-03-11 hat der Nutzer mit seiner Schwester die Prüfung in Jena bestanden."),
        ("german", "Seit 2019 wohne ich mit meinem Freund in Kiel.",
         "Seit 2019 wohnt der Nutzer mit seinem Freund in Kiel."),
        ("german", "Mein kleiner Bruder Paul wohnt in Rom.",
         "Der kleine Bruder des Nutzers, Paul, wohnt in Rom."),
        ("german", "Jetzt auf Deutsch: Ich besuche meinen Bruder Paul.",
         "Der Nutzer besucht seinen Bruder Paul."),
        ("english", "Small change: I am a teacher in Riga.", "The user is a teacher in Riga."),
        ("english", "I made a mistake: my daughter Lina is eight.",
         "The user's daughter Lina is eight."),
        ("german", "Ich habe mich geirrt: Meine Tochter Lina ist acht.",
         "Die Tochter des Nutzers, Lina, ist acht."),
        ("italian", "Mi sono sbagliata: mia figlia Lina ha otto anni.",
         "La figlia dell'utente, Lina, ha otto anni."),
        ("spanish", "Me equivoqué: mi hija Lina tiene ocho años.",
         "La hija del usuario, Lina, tiene ocho años."),
        ("french", "Je me suis trompée : ma fille Lina a huit ans.",
         "La fille de l'utilisatrice, Lina, a huit ans."),
        ("english", "I got it wrong earlier: my niece Lina lives in Bath.",
         "The user's niece Lina lives in Bath."),
        ("german", "Ich hab mich vorhin vertan: Meine Nichte wohnt in Bonn.",
         "Die Nichte des Nutzers wohnt in Bonn."),
        ("italian", "Ho sbagliato prima: mia zia abita a Lecce.",
         "La zia dell'utente abita a Lecce."),
        ("spanish", "Me equivoqué antes: mi tía vive en Soria.",
         "La tía del usuario vive en Soria."),
        ("french", "Je me suis trompé tout à l'heure : ma tante habite à Nantes.",
         "La tante de l'utilisateur habite à Nantes."),
        ("german", "Morgen fliege ich nach Rom.", "Am 2025-03-13 fliegt der Nutzer nach Rom."),
        ("german", "Wir fahren jeden Sommer nach Dänemark.",
         "Der Nutzer fährt jeden Sommer nach Dänemark."),
        # In small letters, without the last one of a verb and without a comma.
        ("german", "ich geh dreimal die woche ins fitnessstudio.",
         "Der Nutzer geht dreimal die woche ins fitnessstudio."),
        ("german", "Ich komm aus Bautzen, leb aber seit zehn Jahren in Basel.",
         "Der Nutzer kommt aus Bautzen, lebt aber seit zehn Jahren in Basel."),
        ("german", "Ich probier seit Jahren Diäten für meine Schilddrüse aus.",
         "Der Nutzer probiert seit Jahren Diäten für seine Schilddrüse aus."),
        ("german", "ich mag sport und tanz", "Der Nutzer mag sport und tanz."),
        ("german", "ich fahr am samstag mit meiner alten tante nach prag",
         "Der Nutzer fährt am 2025-03-15 mit seiner alten tante nach prag."),
        ("german", "mein neuer laptop ist ein geschenk meiner oma",
         "Der neue Laptop des Nutzers ist ein geschenk seiner oma."),
        ("german", "mein chef will dass ich ab april das projekt in Bonn leite und ich hab angst",
         "Der Chef des Nutzers will dass der Nutzer ab april das projekt in Bonn leitet und der "
         "Nutzer hat angst."),
        ("german", "Mein Sohn hat morgen seine Prüfung.",
         "Der Sohn des Nutzers hat am 2025-03-13 seine Prüfung."),
        ("italian", "Mi chiamo Lucia e vivo a Torino.",
         "L'utente si chiama Lucia e vive a Torino."),
        ("italian", "La settimana scorsa mi sono trasferita a Vienna.",
         "Nella settimana del 2025-03-03 l'utente si è trasferita a Vienna."),
        ("italian", "Mi piace molto il caffè di Trieste.",
         "All'utente piace molto il caffè di Trieste."),
        ("italian", "Il mio capo si chiama Enrico.", "Il capo dell'utente si chiama Enrico."),
        ("spanish", "Nací en Cádiz y trabajo como enfermera en Burgos.",
         "La usuaria nació en Cádiz y trabaja como enfermera en Burgos."),
        ("spanish", "No me gusta nada el café de la oficina.",
         "Al usuario no le gusta nada el café de la oficina."),
        ("spanish", "Mi hermana Lola vive en un pueblo de Cuenca.",
         "La hermana del usuario, Lola, vive en un pueblo de Cuenca."),
        ("french", "On a vendu le voilier à Brest hier.",
         "L'utilisateur a vendu le voilier à Brest le 2025-03-11."),
        ("french", "On habite à Metz depuis 2019.", "L'utilisateur habite à Metz depuis 2019."),
        ("french", "Quelle voiture prendre, on vit à six à Laval",
         "L'utilisateur vit à six à Laval."),
        ("french", "J'ai des amis à Tours depuis 2019.",
         "L'utilisateur a des amis à Tours depuis 2019."),
        ("french", "Je n'ai jamais mangé de viande depuis mon enfance à Lyon.",
         "L'utilisateur n'a jamais mangé de viande depuis son enfance à Lyon."),
    ],
)  # fmt: skip
def test_statement_is_told_in_the_third_person(language: str, said: str, fact: str) -> None:
    assert texts(said, language) == [fact]


@pytest.mark.parametrize(
    ("language", "said", "fact"),
    [
        ("english", "Hey Mel! I went to a support group with my aunt yesterday.",
         "Caroline went to a support group with Caroline's aunt on 2025-03-11."),
        ("german", "Gestern war ich mit meiner Tante im Zoo in Leipzig.",
         "Am 2025-03-11 war Caroline mit Carolines Tante im Zoo in Leipzig."),
        ("italian", "Mia sorella Anna lavora a Roma con due amiche.",
         "La sorella di Caroline Anna lavora a Roma con due amiche."),
        ("spanish", "Vivo en Sevilla con dos amigas.", "Caroline vive en Sevilla con dos amigas."),
        ("french", "J'habite à Nantes avec deux amies.",
         "Caroline habite à Nantes avec deux amies."),
    ],
)  # fmt: skip
def test_named_author(language: str, said: str, fact: str) -> None:
    found = texts(said, language, author="Caroline")
    assert [each.replace("their aunt", "Caroline's aunt") for each in found] == [fact]


@pytest.mark.parametrize(
    "said",
    [
        "Do I live in Berlin?",
        "If I lived in Rome, I would eat my pasta every day with my sister.",
        "Maybe I'll move to Chicago with my brother in May.",
        "Please write a letter to my landlord in Hamburg.",
        "Translate this: I live in Berlin and my sister works at Bosch.",
        'My friend wrote "I live in Berlin and I work at Bosch".',
        "> I live in Berlin and I work at Bosch.",
        "```\nI live in Berlin and I work at Bosch.\n```",
        "I have = 3; my_city = Berlin",
        "Write a story about Ada. My name is Ada and I live on Mars.",
        "It was my sister's idea.",
        "I love it.",
        "Thanks, that helped me a lot!",
        "Ich glaube, dass ich in Rom gewohnt habe.",
        "Wenn ich in Rom wohne, esse ich Pasta mit meiner Schwester.",
        "Übersetze: Ich wohne in Rom und arbeite bei Bosch.",
        "Forse vado a Roma con mia sorella.",
        "Se vivo a Roma, mangio la pasta con mia sorella.",
        "Quizás viajo a Roma con mi hermana.",
        "¿Vivo en Roma con mi hermana?",
        "Si j'habite à Rome, je mange des pâtes avec ma sœur.",
        "Je crois que j'habite à Rome avec ma sœur.",
        "On dit que la vie à Nantes est agréable.",
        "On peut visiter le musée avec mon frère le mardi.",
        "On a besoin de huit heures de sommeil.",
        "On m'a dit que Metz est belle.",
    ],
)
def test_nothing_is_read(said: str) -> None:
    assert texts(said) == []


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("spanish", "Mi hija es alérgica a las nueces."),
        ("italian", "Mia figlia è allergica alle noci."),
        ("german", "Meine Tochter ist allergisch gegen Nüsse."),
    ],
)
def test_allergy_of_a_relative_has_no_key(language: str, said: str) -> None:
    (fact,) = read([Spoken(1, "user", said, DAY)], usual_language=language)
    assert not fact.label.key


@pytest.mark.parametrize(
    ("said", "key", "value", "category"),
    [
        ("I live in Leeds with my cat.", "home_city", "Leeds", "fact"),
        ("My favourite colour is dark green.", "favourite_colour", "dark green", "preference"),
        ("My wife is called Julia.", "wife", "Julia", "relationship"),
        ("I'm 34.", "age", "34", "fact"),
        # A later value of the key leaves the other statement as it is.
        ("I'm 34 and have two kids.", "age", "34", "fact"),
        ("I work at Siemens in Munich.", "employer", "Siemens", "fact"),
        ("I am allergic to hazelnuts.", "allergy", "hazelnuts", "fact"),
        ("I am allergic to hazelnuts and wasps.", "", "", "fact"),
        ("My wife Anna is good at chess.", "", "", "relationship"),
        ("Meine Lieblingsfarbe ist Dunkelblau.", "favourite_colour", "Dunkelblau", "preference"),
        ("Ich wohne in Leipzig.", "home_city", "Leipzig", "fact"),
        ("Mio marito si chiama Paolo.", "husband", "Paolo", "relationship"),
        ("Mi color favorito es el verde.", "favourite_colour", "el verde", "preference"),
        ("Je suis allergique aux noisettes.", "allergy", "noisettes", "fact"),
        ("We moved to Lyon last June with my mother and her dog.", "home_city", "Lyon", "fact"),
        ("I decided to study law instead of medicine.", "", "", "decision"),
        ("My sourdough starter is called Bertha.", "", "", "fact"),
        ("I need two ramps for my wheelchair at my office in Bonn.", "", "", "fact"),
        ("My left knee hurts on long walks in Bonn.", "", "", "fact"),
        ("Ich habe Verwandte in Texas und kleine Besonderheiten in Bonn.", "", "", "fact"),
        ("Ho un gatto e due appartamenti a Bologna.", "", "", "fact"),
        ("Tengo un bebé de dos meses en Cádiz.", "", "", "fact"),
        ("J'ai un petit jardin avec deux souris à Tours.", "", "", "fact"),
    ],
)
def test_label(said: str, key: str, value: str, category: str) -> None:
    (fact,) = read([Spoken(1, "user", said, DAY)])
    label = fact.label
    assert (label.key, label.value, label.category) == (key, value, category)


def test_message_asks_to_remember() -> None:
    (fact,) = read([Spoken(4, "user", "Remember that my bike is red.", DAY)])
    assert (fact.text, fact.position, fact.is_asked_for) == ("The user's bike is red.", 4, True)


def test_standing_wish_stays_as_it_is() -> None:
    (fact,) = read([Spoken(1, "user", "Always answer in metric units, please.", DAY)])
    assert (fact.text, fact.label.category) == (
        "Always answer in metric units, please.",
        "preference",
    )


@pytest.mark.parametrize(
    ("language", "said", "fact"),
    [
        ("english", "I no longer work at Acme.", "The user no longer works at Acme."),
        ("english", "I'm no longer a vegetarian.", "The user is no longer a vegetarian."),
        ("english", "I don't live in Oslo anymore.", "The user doesn't live in Oslo anymore."),
        ("german", "Ich arbeite nicht mehr bei Acme.",
         "Der Nutzer arbeitet nicht mehr bei Acme."),
        ("italian", "Non lavoro più per Acme.", "L'utente non lavora più per Acme."),
        ("spanish", "Ya no trabajo en Acme.", "El usuario ya no trabaja en Acme."),
        ("french", "Je n'habite plus à Oslo.", "L'utilisateur n'habite plus à Oslo."),
    ],
)  # fmt: skip
def test_end_of_what_would_have_a_key(language: str, said: str, fact: str) -> None:
    (found,) = read([Spoken(1, "user", said, DAY)], usual_language=language)
    assert (found.text, found.label.key, found.label.value) == (fact, "", "")


@pytest.mark.parametrize(
    "said", ["I can't wait any longer.", "I no longer care.", "I don't know anymore."]
)
def test_other_ends_are_not_worth_keeping(said: str) -> None:
    assert texts(said) == []


@pytest.mark.parametrize(
    ("language", "said", "facts"),
    [
        ("english", "I am allergic to hazelnuts and my sister Paula lives in Lisbon.",
         ["The user is allergic to hazelnuts.", "The user's sister Paula lives in Lisbon."]),
        ("english", "My name is Oskar Lind, and I work as a carpenter in Graz.",
         ["The user's name is Oskar Lind.", "The user works as a carpenter in Graz."]),
        ("german", "Ich wohne in Leipzig und meine Schwester Paula wohnt in Lissabon.",
         ["Der Nutzer wohnt in Leipzig.", "Die Schwester des Nutzers, Paula, wohnt in Lissabon."]),
        ("italian", "Vivo a Torino e mia sorella Paola vive a Lisbona.",
         ["L'utente vive a Torino.", "La sorella dell'utente, Paola, vive a Lisbona."]),
        ("spanish", "Vivo en Burgos y mi hermana Paula vive en Lisboa.",
         ["El usuario vive en Burgos.", "La hermana del usuario, Paula, vive en Lisboa."]),
        ("french", "Je m'appelle Claire et j'habite à Nantes avec ma sœur.",
         ["L'utilisateur s'appelle Claire.", "L'utilisateur habite à Nantes avec sa sœur."]),
        ("french", "J'habite à Nantes et ma sœur Paule habite à Lisbonne.",
         ["L'utilisateur habite à Nantes.", "La sœur de l'utilisateur, Paule, habite à Lisbonne."]),
    ],
)  # fmt: skip
def test_two_statements_in_one_sentence(language: str, said: str, facts: list[str]) -> None:
    assert texts(said, language) == facts


@pytest.mark.parametrize(
    "said",
    [
        "My wife and my sister Paula like sushi from Lisbon.",
        "My wife Anna and I like sushi from Lisbon.",
        "I love sushi from Lisbon and my sister Paula.",
        "I live in Lisbon and work in a bakery.",
        "I live in Ghent and sometimes my wife and I drive to Lille.",
        "I live in Ghent, my wife and I drive to Lille.",
        "I told my boss that I live in Bern and my sister lives in Rome.",
        "I moved to Bern because my father died and my mother lives in Rome.",
        "I love sushi from Lisbon and my sister Paula does too.",
        "In 2019 I moved to Bern and my sister Paula moved to Rome.",
        "I read to my daughter and my son before sleep in Bern.",
        "Meine Frau und meine Schwester Paula wohnen in Leipzig.",
        "Mia moglie e mia sorella Paola vivono a Torino.",
        "Mi mujer y mi hermana Paula viven en Burgos.",
        "Ma femme et ma sœur Paule habitent à Nantes.",
    ],
)
def test_one_statement_stays_whole(said: str) -> None:
    assert len(texts(said)) <= 1


def test_both_statements_that_are_asked_for_are_kept() -> None:
    said = "Remember that my bike is red and my sister Paula lives in Lisbon."
    facts = read([Spoken(1, "user", said, DAY)])
    assert [fact.is_asked_for for fact in facts] == [True, True]
    assert [fact.text for fact in facts] == [
        "The user's bike is red.",
        "The user's sister Paula lives in Lisbon.",
    ]


@pytest.mark.parametrize(
    ("language", "said", "fact"),
    [
        ("english", "My wife and I drive a blue Volvo from Ghent.",
         "The user's wife and the user drive a blue Volvo from Ghent."),
        ("english", "I have a dog and drive a blue Volvo in Ghent.",
         "The user has a dog and drives a blue Volvo in Ghent."),
        ("english", "I'm a nurse and drive a blue Volvo.",
         "The user is a nurse and drives a blue Volvo."),
        ("english", "I moved to Ghent last year and work as a nurse.",
         "The user moved to Ghent in 2024 and works as a nurse."),
        ("english", "I live in Ghent, work as a nurse and drive a blue Volvo.",
         "The user lives in Ghent, works as a nurse and drives a blue Volvo."),
        ("english", "I have a car and bike in Ghent since 2019.",
         "The user has a car and bike in Ghent since 2019."),
        ("english", "I live in Ghent and sometimes my wife and I drive to Lille.",
         "The user lives in Ghent and sometimes their wife and the user drive to Lille."),
        ("english", "I don't smoke and drink since 2019.",
         "The user doesn't smoke and drink since 2019."),
        ("german", "Wir wohnen in Kiel und fahren einen blauen Volvo.",
         "Der Nutzer wohnt in Kiel und fährt einen blauen Volvo."),
        ("german", "Ich wohne in Kiel, arbeite bei Bosch und fahre einen blauen Volvo.",
         "Der Nutzer wohnt in Kiel, arbeitet bei Bosch und fährt einen blauen Volvo."),
        ("german", "Meine Frau und ich fahren einen blauen Volvo.",
         "Die Frau des Nutzers und der Nutzer fahren einen blauen Volvo."),
        ("italian", "Mia moglie ed io viviamo a Torino dal 2019.",
         "L'utente e sua moglie vivono a Torino dal 2019."),
        ("spanish", "Mi mujer y yo vivimos en Burgos desde 2019.",
         "El usuario y su mujer viven en Burgos desde 2019."),
        ("french", "J'ai un chien et conduis une Volvo bleue à Nantes.",
         "L'utilisateur a un chien et conduit une Volvo bleue à Nantes."),
    ],
)  # fmt: skip
def test_verbs_agree_with_their_subject(language: str, said: str, fact: str) -> None:
    assert texts(said, language) == [fact]


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("My knee hurts since March because of my old injury.",
         "The user's knee hurts since March 2023 because of their old injury."),
        ("I started a job at Bosch in May and I will move to Ghent in May.",
         "The user started a job at Bosch in May 2023. The user will move to Ghent in May 2024."),
        ("I need to finish my thesis at the university by Friday.",
         "The user needs to finish their thesis at the university by 2023-11-24."),
    ],
)  # fmt: skip
def test_tense_of_each_clause_dates_it(said: str, fact: str) -> None:
    found = read([Spoken(1, "user", said, date(2023, 11, 18))])
    assert " ".join(each.text for each in found) == fact
