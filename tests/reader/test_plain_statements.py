"""Short, plain statements of a life: children, pets, fears, names, and what is read of them."""

from datetime import date

import pytest

from memoryapp.reader import Fact, Spoken, read

#: A Wednesday.
DAY = date(2026, 11, 25)


def facts_of(said: str, language: str) -> list[Fact]:
    return read([Spoken(1, "user", said, DAY)], usual_language=language)


@pytest.mark.parametrize(
    ("language", "said", "told"),
    [
        (
            "english",
            "The dog's called Biscuit, a rescue greyhound.",
            "The user's dog is called Biscuit, a rescue greyhound.",
        ),
        ("english", "The cat's name is Miso.", "The user's cat's name is Miso."),
        (
            "english",
            "Hugo, my flatmate, moves out at the end of January.",
            "The user's flatmate Hugo moves out at the end of January 2027.",
        ),
        ("english", "I can't do Thursdays.", "The user can't do Thursdays."),
        ("english", "I support Leeds United.", "The user supports Leeds United."),
        ("english", "Born and bred in Glasgow.", "The user was born and bred in Glasgow."),
        ("english", "My physio starts Monday.", "The user's physio starts on 2026-11-30."),
        (
            "english",
            "My knee surgery went well, physio starts Monday.",
            "The user's knee surgery went well, physio starts on 2026-11-30.",
        ),
        (
            "german",
            "Die Kinder heißen Mats und Lotta.",
            "Die Kinder des Nutzers heißen Mats und Lotta.",
        ),
        ("german", "Der Hund heißt Bruno.", "Der Hund des Nutzers heißt Bruno."),
        (
            "german",
            "Hugo, mein Mitbewohner, zieht Ende Januar aus.",
            "Der Mitbewohner des Nutzers, Hugo, zieht Ende Januar 2027 aus.",
        ),
        ("german", "Ich hab Angst vor Spritzen.", "Der Nutzer hat Angst vor Spritzen."),
        ("german", "Opa wird am Sonntag 90!", "Der Opa des Nutzers wird am 2026-11-29 90."),
        (
            "german",
            "Der Zahnarzttermin wurde auf den 2. Dezember um 15 Uhr verschoben.",
            "Der Zahnarzttermin des Nutzers wurde auf den 2026-12-02 um 15 Uhr verschoben.",
        ),
        (
            "italian",
            "I bambini, Leo e Anita, hanno 4 e 7 anni.",
            "I bambini dell'utente, Leo e Anita, hanno 4 e 7 anni.",
        ),
        ("italian", "Ho paura di volare.", "L'utente ha paura di volare."),
        ("italian", "Non guido di notte.", "L'utente non guida di notte."),
        ("italian", "Tifo per il Bologna.", "L'utente tifa per il Bologna."),
        # A name is no verb: "leo" is "I read".
        (
            "spanish",
            "Los niños, Leo y Ana, tienen 4 y 7 años.",
            "Los niños del usuario, Leo y Ana, tienen 4 y 7 años.",
        ),
        (
            "spanish",
            "Mi hija está en tercero de la ESO.",
            "La hija del usuario está en tercero de la ESO.",
        ),
        ("spanish", "Me dan miedo los aviones.", "Al usuario le dan miedo los aviones."),
        ("spanish", "Mi cumple es el 8 de agosto.", "El cumple del usuario es el 8 de agosto."),
        (
            "spanish",
            "Mi póliza es la KX-4471 y la fuga fue el 2 de noviembre.",
            "La póliza del usuario es la KX-4471 y la fuga fue el 2026-11-02.",
        ),
        (
            "french",
            "On sera en Crète du 3 au 17 mai.",
            "L'utilisateur sera en Crète du 2027-05-03 au 2027-05-17.",
        ),
        (
            "french",
            "On signe le 15 janvier pour la maison.",
            "L'utilisateur signe le 2027-01-15 pour la maison.",
        ),
        (
            "italian",
            "I 70 anni di mamma sono l'8 agosto e affittiamo un casale.",
            "I 70 anni di mamma sono il 2027-08-08 e l'utente affitta un casale.",
        ),
        ("italian", "Mi sono rotto il polso sciando.", "L'utente si è rotto il polso sciando."),
        (
            "spanish",
            "Tengo una entrevista el viernes a las dos, ¡deséame suerte!",
            "El usuario tiene una entrevista el 2026-11-27 a las dos.",
        ),
        ("spanish", "Me rompí la muñeca esquiando.", "El usuario se rompió la muñeca esquiando."),
        (
            "french",
            "J'ai un entretien à la mairie vendredi à 14h, croise les doigts !",
            "L'utilisateur a un entretien à la mairie le 2026-11-27 à 14h.",
        ),
        ("french", "Les enfants ont 4 et 7 ans.", "Les enfants de l'utilisateur ont 4 et 7 ans."),
        ("french", "J'ai peur de l'avion.", "L'utilisateur a peur de l'avion."),
        ("french", "J'ai horreur des champignons.", "L'utilisateur a horreur des champignons."),
        (
            "french",
            "On vient de me diagnostiquer un TDAH.",
            "On a diagnostiqué à l'utilisateur un TDAH.",
        ),
    ],
)
def test_plain_statement_is_told(language: str, said: str, told: str) -> None:
    assert [fact.text for fact in facts_of(said, language)] == [told]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("english", "I'd rather you call me Theo."),
        ("english", "Call me Theo, not Theodore."),
        ("german", "Ich möchte lieber geduzt werden."),
        ("german", "Nenn mich bitte Theo."),
        ("german", "Hör auf mit den Aufzählungspunkten."),
        ("italian", "Chiamami Teo."),
        ("spanish", "Llámame Teo."),
        ("french", "Appelle-moi Théo."),
        ("french", "Réponds en moins de 100 mots à partir de maintenant."),
    ],
)
def test_how_somebody_wants_to_be_addressed_is_a_wish(language: str, said: str) -> None:
    (fact,) = facts_of(said, language)
    assert fact.text == said
    assert fact.is_asked_for


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("english", "Call me tomorrow."),
        ("english", "The dog is barking."),
        ("german", "Der Hund bellt."),
        ("italian", "Chiamami domani."),
        ("spanish", "Llámame mañana."),
        ("french", "Appelle-moi demain."),
    ],
)
def test_passing_request_or_remark_is_not_told(language: str, said: str) -> None:
    assert facts_of(said, language) == []


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("english", "Ignore the bit about me being vegetarian, I was joking."),
        ("german", "Das war nur ein Scherz, ich bin nicht im Zirkus."),
        ("italian", "Scusa, volevo dire il 14 dicembre."),
        ("spanish", "Era broma, no soy millonaria."),
        ("french", "Je plaisantais, je ne suis pas végane."),
    ],
)
def test_what_is_taken_back_is_not_told(language: str, said: str) -> None:
    assert facts_of(said, language) == []


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("german", "Vergiss, was ich über Berlin gesagt habe, wir ziehen nicht um."),
        ("spanish", "Olvida lo que dije de Berlín, no nos mudamos."),
        ("french", "Oublie ce que j'ai dit sur Berlin, on ne déménage pas."),
    ],
)
def test_request_to_forget_is_no_part_of_a_fact(language: str, said: str) -> None:
    assert not any("Berl" in fact.text for fact in facts_of(said, language))


@pytest.mark.parametrize(
    ("language", "said", "key", "value"),
    [
        ("english", "I'm 1.78 m tall.", "height", "1.78 m"),
        ("german", "Ich bin 1,78 groß und habe Schuhgröße 43.", "", ""),
        ("english", "I'm allergic to penicillin since childhood.", "allergy", "penicillin"),
        ("italian", "Sono allergica alle noci da sempre.", "allergy", "noci"),
        ("spanish", "Soy alérgico a la penicilina desde niño.", "allergy", "penicilina"),
        ("french", "Je suis allergique aux noix depuis toujours.", "allergy", "noix"),
        ("spanish", "Tengo clase de yoga los jueves.", "yoga_days", "los jueves"),
        ("spanish", "El fisio lo tengo todos los jueves.", "", ""),
    ],
)
def test_value_is_what_was_said(language: str, said: str, key: str, value: str) -> None:
    (fact,) = facts_of(said, language)
    assert (fact.label.key, fact.label.value) == (key, value)
