"""What holds for all messages."""

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoryapp.language.words import language_of
from memoryapp.reader import Spoken, read
from memoryapp.reader.languages import LANGUAGES

DAY = date(2025, 3, 12)
FACT = "My sister Anna lives in Bern with her two children."
WORDS = (
    "I my we ich mein wir io mio sono yo mi tengo je j' mon ma and und e y et have live habe wohne "
    "vivo ai yesterday gestern ieri ayer hier last week two ago vor hace fa in on , . ? ! ' \" ` ` "
    "Anna Bern 2019 31 May if it that you don't I'm"
).split()


@pytest.mark.parametrize("role", ["assistant", "tool", "system"])
def test_only_people_are_read(role: str) -> None:
    said = [Spoken(1, role, FACT, DAY), Spoken(2, "user", FACT, DAY)]
    assert [fact.position for fact in read(said)] == [2]


def test_conversation_of_people_has_no_tasks() -> None:
    """Between people, "Imagine" is no order to make something up."""
    said = "Imagine that! My sister Anna bought a farm near Bern with 40 cows last year."
    between = [Spoken(1, "user", said, DAY, "Mia"), Spoken(2, "user", "Wow!", DAY, "Ben")]
    assert [fact.position for fact in read(between)] == [1]
    assert read([Spoken(1, "user", said, DAY)]) == []


def test_each_message_is_read_in_its_own_language() -> None:
    said = [
        Spoken(1, "user", FACT, DAY),
        Spoken(2, "user", "Meine Schwester Anna wohnt mit zwei Kindern in Bern.", DAY),
        Spoken(3, "user", "Ma sœur Anna habite à Berne avec deux enfants.", DAY),
    ]
    assert [fact.text.split()[0] for fact in read(said)] == ["The", "Die", "La"]


@pytest.mark.parametrize("usual", sorted(LANGUAGES))
def test_language_without_a_grammar_is_not_read_as_another(usual: str) -> None:
    said = "Moro em Lisboa com a minha irmã e não como carne há dois anos."
    assert not read([Spoken(1, "user", said, DAY)], usual_language=usual)


@pytest.mark.parametrize("usual", sorted(LANGUAGES))
@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("english", FACT),
        ("german", "Meine Schwester Anna wohnt mit zwei Kindern in Bern."),
        ("italian", "Mia sorella Anna vive a Berna con i suoi due figli."),
        ("spanish", "Mi hermana Anna vive en Berna con sus dos hijos."),
        ("french", "Ma sœur Anna habite à Berne avec ses deux enfants."),
    ],
)
def test_facts_stay_in_the_language_spoken(language: str, said: str, usual: str) -> None:
    (fact,) = read([Spoken(1, "user", said, DAY)], usual_language=usual)
    assert language_of(fact.text, usual) == language


def test_repeated_sentence_is_one_fact() -> None:
    assert len(read([Spoken(1, "user", f"{FACT} {FACT}", DAY)])) == 1


@settings(max_examples=200, deadline=None)
@given(
    words=st.lists(st.sampled_from(WORDS), max_size=30),
    language=st.sampled_from(sorted(LANGUAGES)),
    author=st.sampled_from(["", "Zoë"]),
)
def test_facts_stand_on_their_own(words: list[str], language: str, author: str) -> None:
    said = [Spoken(1, "user", " ".join(words), DAY, author)]
    for fact in read(said, usual_language=language):
        assert not fact.text.endswith("?")
        assert not fact.text[0].islower()


@settings(max_examples=100, deadline=None)
@given(text=st.text(max_size=300), day=st.dates())
def test_any_text_can_be_read(text: str, day: date) -> None:
    read([Spoken(1, "user", text, day), Spoken(2, "user", f"I {text} yesterday", day, text)])


@given(
    # Not "Do" alone, which is "I give" in Italian.
    opening=st.sampled_from("Do you|Why did|Wo ist|Wann habe ich|Dove|¿Cuándo|Où est".split("|")),
    asked=st.lists(st.sampled_from([word for word in WORDS if word not in ",.!?"]), min_size=2),
)
@settings(max_examples=100, deadline=None)
def test_question_is_never_a_fact(opening: str, asked: list[str]) -> None:
    assert read([Spoken(1, "user", f"{opening} {' '.join(asked)}?", DAY)]) == []


@pytest.mark.parametrize(
    ("said", "facts"),
    [
        ("I told him: I live in Bern.", ["The user lives in Bern."]),
        ("Ich habe ihm gesagt: Ich wohne in Bern.", ["Der Nutzer wohnt in Bern."]),
        ("What you should know: I am allergic to bees.", ["The user is allergic to bees."]),
        ("Was du wissen solltest: Ich bin Veganer.", ["Der Nutzer ist Veganer."]),
        ("J'ai dit à mon chef : j'habite à Metz.", ["L'utilisateur habite à Metz."]),
        ("Allergies: I am allergic to bees.", ["The user is allergic to bees."]),
        ("Beruf: Ich bin Bäckerin.", ["Der Nutzer ist Bäckerin."]),
        ("Goal: I work as a baker.", ["Goal: the user works as a baker."]),
        ("My sister keeps saying: I am a baker.", []),
        ("Meine Schwester meint immer: Ich bin Bäcker.", []),
        ("My sister keeps saying.", []),
        ("Meine Schwester hat gesagt.", []),
        ("Kim says I live in Bern.", []),
        ("Kim says I live in Bern but he's wrong.", []),
        ("Kim behauptet, ich wohne in Bern, aber das stimmt nicht.", []),
        ("My doctor says I have diabetes.", ["The user's doctor says the user has diabetes."]),
        (
            "My boss told me I got promoted on 3 May 2025.",
            ["The user's boss told the user the user got promoted on 2025-05-03."],
        ),
    ],
)
def test_what_is_introduced_and_reported(said: str, facts: list[str]) -> None:
    assert [fact.text for fact in read([Spoken(1, "user", said, DAY)])] == facts


@pytest.mark.parametrize(
    ("language", "said", "facts"),
    [
        ("spanish", "Le dije a mi jefe: vivo en Lugo.", ["El usuario vive en Lugo."]),
        ("spanish", "Sobre mí: vivo en Lugo.", ["El usuario vive en Lugo."]),
        ("spanish", "Alergias: soy alérgico al polen.", ["El usuario es alérgico al polen."]),
        ("italian", "Ho detto al capo: abito a Bari.", ["L'utente abita a Bari."]),
        ("french", "À propos de moi : j'habite à Metz.", ["L'utilisateur habite à Metz."]),
    ],
)
def test_what_is_introduced_in_a_usual_language(language: str, said: str, facts: list[str]) -> None:
    found = read([Spoken(1, "user", said, DAY)], usual_language=language)
    assert [fact.text for fact in found] == facts


@pytest.mark.parametrize(
    "said", ["I live in Graz.", "I live in Graz and work as a carpenter.", "We live in Graz."]
)
def test_value_has_its_key_beside_another_statement(said: str) -> None:
    (fact,) = read([Spoken(1, "user", said, DAY)])
    assert (fact.label.key, fact.label.value) == ("home_city", "Graz")


def test_fiction_is_not_read_up_to_where_it_is_left() -> None:
    said = "In my novel, I am a wizard. I live in Rome with my wife. In real life I live in Bern."
    assert [fact.text for fact in read([Spoken(1, "user", said, DAY)])] == [
        "In real life the user lives in Bern."
    ]


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("I am not allergic to walnuts.", "The user is not allergic to walnuts."),
        ("I'm not a nurse.", "The user is not a nurse."),
        ("I don't live in Derby.", "The user doesn't live in Derby."),
        ("Ich bin kein Pfleger.", "Der Nutzer ist kein Pfleger."),
        ("Non vivo a Torino.", "L'utente non vive a Torino."),
        ("No soy enfermera.", "La usuaria no es enfermera."),
        ("Je ne suis pas infirmière.", "L'utilisatrice n'est pas infirmière."),
        ("That's wrong, I'm not a nurse.", "The user is not a nurse."),
        ("Das stimmt nicht, ich bin kein Pfleger.", "Der Nutzer ist kein Pfleger."),
        ("¡Que no soy enfermera!", "La usuaria no es enfermera."),
        ("It's not true that I am a nurse.", "It's not true that the user is a nurse."),
        ("Forget that I am a nurse.", "Forget that the user is a nurse."),
        (
            "Es stimmt nicht, dass ich Pfleger bin.",
            "Es stimmt nicht, dass der Nutzer Pfleger ist.",
        ),
        ("Vergiss, dass ich in Bonn wohne.", "Vergiss, dass der Nutzer in Bonn wohnt."),
        ("Oublie que je suis infirmière.", "Oublie que l'utilisatrice est infirmière."),
        ("Olvida que soy enfermera.", "Olvida que la usuaria es enfermera."),
        ("Dimentica che sono infermiera.", "Dimentica che l'utente è infermiera."),
        ("I have no children.", "The user has no children."),
        ("Ich habe keine Kinder.", "Der Nutzer hat keine Kinder."),
        ("No tengo hijos.", "El usuario no tiene hijos."),
        ("Non ho figli.", "L'utente non ha figli."),
        ("Je n'ai pas d'enfants.", "L'utilisateur n'a pas d'enfants."),
        ("I was never a nurse.", "The user was never a nurse."),
        ("Ich war nie Pfleger.", "Der Nutzer war nie Pfleger."),
        ("Non sono mai stata infermiera.", "L'utente non è mai stata infermiera."),
        ("Je n'ai jamais été infirmière.", "L'utilisateur n'a jamais été infirmière."),
    ],
)
def test_what_is_taken_back_is_told(said: str, fact: str) -> None:
    assert [each.text for each in read([Spoken(1, "user", said, DAY)])] == [fact]


@pytest.mark.parametrize(
    "said",
    [
        "I'm not sure.",
        "I don't know why it fails.",
        "I'm not your friend.",
        "Ich habe keine Zeit.",
        "It's not true that it works.",
        "Forget that.",
        "Forget that I asked.",
        "It's not right that I have to pay.",
        "Es stimmt nicht, dass ich",
    ],
)
def test_denial_of_nothing_worth_keeping_is_not(said: str) -> None:
    assert read([Spoken(1, "user", said, DAY)]) == []
