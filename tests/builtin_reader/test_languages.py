"""What the built-in reader makes of messages in each language."""

from datetime import date

import pytest

from memoryapp.builtin_reader import Spoken, read

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
         "Der kleine Bruder des Nutzers Paul wohnt in Rom."),
        ("german", "Wir fahren jeden Sommer nach Dänemark.",
         "Der Nutzer fährt jeden Sommer nach Dänemark."),
        ("italian", "Mi chiamo Lucia e vivo a Torino.",
         "L'utente si chiama Lucia e vive a Torino."),
        ("italian", "La settimana scorsa mi sono trasferita a Vienna.",
         "Nella settimana del 2025-03-03 l'utente si è trasferita a Vienna."),
        ("italian", "Mi piace molto il caffè di Trieste.",
         "All'utente piace molto il caffè di Trieste."),
        ("italian", "Il mio capo si chiama Enrico.", "Il capo dell'utente si chiama Enrico."),
        ("spanish", "Nací en Cádiz y trabajo como enfermera en Burgos.",
         "El usuario nació en Cádiz y trabaja como enfermera en Burgos."),
        ("spanish", "No me gusta nada el café de la oficina.",
         "Al usuario no le gusta nada el café de la oficina."),
        ("spanish", "Mi hermana Lola vive en un pueblo de Cuenca.",
         "La hermana del usuario Lola vive en un pueblo de Cuenca."),
        ("french", "Je m'appelle Claire et j'habite à Nantes avec ma sœur.",
         "L'utilisateur s'appelle Claire et habite à Nantes avec sa sœur."),
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
        "Morgen fliege ich nach Rom.",
    ],
)
def test_nothing_is_read(said: str) -> None:
    assert texts(said) == []


@pytest.mark.parametrize(
    ("said", "key", "value", "category"),
    [
        ("I live in Leeds with my cat.", "home_city", "Leeds", "fact"),
        ("My favourite colour is dark green.", "favourite_colour", "dark green", "preference"),
        ("My wife is called Julia.", "wife", "Julia", "relationship"),
        ("I'm 34.", "age", "34", "fact"),
        # A later value of the key would replace the other statement, too.
        ("I'm 34 and I have two kids.", "", "", "fact"),
        ("I work at Siemens in Munich.", "employer", "Siemens", "fact"),
        ("I am allergic to hazelnuts.", "allergy", "hazelnuts", "fact"),
        ("Meine Lieblingsfarbe ist Dunkelblau.", "favourite_colour", "Dunkelblau", "preference"),
        ("Ich wohne in Leipzig.", "home_city", "Leipzig", "fact"),
        ("Mio marito si chiama Paolo.", "husband", "Paolo", "relationship"),
        ("Mi color favorito es el verde.", "favourite_colour", "el verde", "preference"),
        ("Je suis allergique aux noisettes.", "allergy", "noisettes", "fact"),
        ("We moved to Lyon last June with my mother and her dog Rex.", "", "", "event"),
        ("I decided to study law instead of medicine.", "", "", "decision"),
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
