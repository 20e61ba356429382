"""Analysis of a question: named people, rephrasing from their view, and the wanted author."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.language.words import languages_of_question
from memoryapp.recall.query_analysis import AnalysedQuery, analyse

TODAY = date(2024, 2, 29)
PAIR = ["Melanie", "Ana Ortiz"]


@pytest.mark.parametrize(
    ("question", "speakers", "first_person"),
    [
        ("What does Melanie paint?", {"Melanie"}, "What does I paint?"),
        ("Where is Melanie's sister?", {"Melanie"}, "Where is my sister?"),
        ("Where is MELANIE’s sister?", {"Melanie"}, "Where is my sister?"),
        ("What does Mel paint?", {"Melanie"}, "What does I paint?"),
        ("Did Ana Ortiz move?", {"Ana Ortiz"}, "Did I move?"),
        ("Did Ana move?", {"Ana Ortiz"}, "Did I move?"),
        ("Did ana move?", {"Ana Ortiz"}, "Did I move?"),
        # No one, both, or a person whose name only starts like that.
        ("Who moved?", set(), "Who moved?"),
        ("Did Ana meet Melanie?", set(), "Did Ana meet Melanie?"),
        ("What do banana trees need?", set(), "What do banana trees need?"),
        ("Did An move?", set(), "Did An move?"),
        ("melody", set(), "melody"),
    ],
)
def test_named_people(question: str, speakers: set[str], first_person: str) -> None:
    analysis = analyse(question, participants=PAIR, today=TODAY)
    assert analysis.speakers == speakers
    assert analysis.in_first_person == first_person
    assert analysis.text == question


def test_names_in_any_script_are_detected() -> None:
    names = ["美咲", "Алиса", "أحمد"]
    for name in names:
        question = f"…{name}… ?" if name == "美咲" else f"… {name} ?"
        analysis = analyse(question, participants=names, languages=(), today=TODAY)
        assert analysis.speakers == {name}
        assert analysis.in_first_person == question


def test_full_name_precedes_a_short_one() -> None:
    analysis = analyse("What did Ann say?", participants=["Ann", "Annabel", "Bo"], today=TODAY)
    assert analysis.speakers == {"Ann"}


def test_only_author_is_detected_like_any_other() -> None:
    assert analyse("Does Mara paint?", participants=["Mara"], today=TODAY).speakers == {"Mara"}


@pytest.mark.parametrize(
    ("question", "role"),
    [
        ("What did I say about cheese?", "user"),
        ("where are my keys", "user"),
        ("Which books did you recommend to me?", "assistant"),
        ("What was your advice on sleep?", "assistant"),
        ("Can you remind me of my budget?", "user"),
        ("Who paints?", ""),
        ("In which city is it?", ""),
    ],
)
def test_author_of_the_quoted_words(question: str, role: str) -> None:
    assert analyse(question, today=TODAY).role == role
    assert analyse(question, languages=(), today=TODAY).role == ""


@pytest.mark.parametrize(
    ("question", "about_now"),
    [
        ("Where do I live now?", True),
        ("my latest plan", True),
        ("I know a place", False),
        # The day of the question, whatever was said on it.
        ("What should I not cook tonight?", False),
    ],
)
def test_question_about_the_present(question: str, about_now: bool) -> None:
    assert analyse(question, today=TODAY).about_now is about_now


def _analysed(question: str, participants: list[str] | None = None) -> AnalysedQuery:
    """Analyse *question* in the language that it is in."""
    languages = languages_of_question(question)
    return analyse(question, participants=participants or [], languages=languages, today=TODAY)


@pytest.mark.parametrize(
    ("question", "first_person"),
    [
        ("Was spielt Anas Schwester?", "Was spielt meine Schwester?"),
        ("Wo arbeitet Anas Bruder?", "Wo arbeitet mein Bruder?"),
        ("Was ist Anas Lieblingsfarbe?", "Was ist meine Lieblingsfarbe?"),
        ("Was ist mit Ana und dem Hund?", "Was ist mit mir und dem Hund?"),
        ("Was hat die Ärztin für Ana getan?", "Was hat die Ärztin für mich getan?"),
        ("Wo wohnt Ana Ortiz?", "Wo wohnt ich?"),
        ("¿Dónde trabaja la hermana de Ana?", "¿Dónde trabaja mi hermana?"),
        ("¿Cómo se llaman los dos perros de Ana?", "¿Cómo se llaman mis dos perros?"),
        ("¿Qué le gusta a Ana?", "¿Qué le gusta a mí?"),
        ("¿Quién viaja con Ana?", "¿Quién viaja conmigo?"),
        ("Dove lavora la sorella di Ana?", "Dove lavora la mia sorella?"),
        ("Come si chiama il gatto d’Ana?", "Come si chiama il mio gatto?"),
        ("Che cosa è successo alla macchina di Ana?", "Che cosa è successo alla mia macchina?"),
        ("Chi abita con Ana?", "Chi abita con me?"),
        ("Où travaille la sœur d’Ana ?", "Où travaille ma sœur ?"),
        ("Qui est l’amie d'Ana ?", "Qui est mon amie ?"),
        ("Quel est le plat préféré de Melanie ?", "Quel est mon plat préféré ?"),
        ("Que sais-tu du frère d’Ana ?", "Que sais-tu de mon frère ?"),
        ("Qui habite chez Ana ?", "Qui habite chez moi ?"),
    ],
)
def test_question_about_a_person_is_put_into_their_mouth(question: str, first_person: str) -> None:
    analysis = _analysed(question, PAIR)
    assert len(analysis.speakers) == 1
    assert analysis.in_first_person == first_person


@pytest.mark.parametrize(
    "question",
    ["Was brauchen Ananas?", "Come stanno Anastasia e la banana?", "¿Cuándo fue Anasas?"],
)
def test_name_within_a_word_is_no_name(question: str) -> None:
    analysis = _analysed(question, PAIR)
    assert (analysis.speakers, analysis.in_first_person) == (frozenset(), question)


@pytest.mark.parametrize(
    ("question", "role"),
    [
        ("Was hast du mir empfohlen?", "assistant"),
        ("Welches Buch hattest du vorgeschlagen?", "assistant"),
        ("Was war dein Rat zum Schlafen?", "assistant"),
        ("Wo habe ich meine Schlüssel?", "user"),
        ("Kannst du mir sagen, wo der Hund ist?", "user"),
        ("Was haben sie gegessen?", ""),
        ("¿Qué me recomendaste?", "assistant"),
        ("¿Qué libro me habías sugerido?", "assistant"),
        ("¿Cuál fue tu consejo?", "assistant"),
        ("¿Dónde están mis llaves?", "user"),
        ("¿Es un chiste triste?", ""),
        ("Cosa mi hai consigliato?", "assistant"),
        ("Quale libro mi avevi suggerito?", "assistant"),
        ("Dove sono le mie chiavi?", "user"),
        ("Dove hanno comprato la casa?", ""),
        ("Qu'est-ce que tu m'as conseillé ?", "assistant"),
        ("Quel livre m’avais-tu recommandé ?", "assistant"),
        ("Où sont mes clés ?", "user"),
        ("Où est la gare ?", ""),
    ],
)
def test_author_of_the_quoted_words_in_other_languages(question: str, role: str) -> None:
    assert _analysed(question).role == role


@pytest.mark.parametrize(
    ("question", "about_now"),
    [
        ("Wo wohne ich derzeit?", True),
        ("Was lese ich momentan?", True),
        ("Wohnt Ana immer noch in Bern?", True),
        ("Was ist noch nie passiert?", False),
        ("¿Dónde vivo actualmente?", True),
        ("¿Qué leo en este momento?", True),
        ("¿Qué momento fue el mejor?", False),
        ("Dove abito attualmente?", True),
        ("Dove lavoro adesso?", True),
        ("A che ora parte il treno?", False),
        ("Où est-ce que j’habite en ce moment ?", True),
        ("Qu'est-ce que je lis ces jours-ci ?", True),
        ("Quel moment était le meilleur ?", False),
        # A word of another language.
        ("Was war die Latest Show?", False),
    ],
)
def test_question_about_the_present_in_other_languages(question: str, about_now: bool) -> None:
    assert _analysed(question).about_now is about_now


@given(st.text(max_size=60), st.lists(st.text(max_size=20), max_size=4))
def test_any_question_is_analyzed(question: str, names: list[str]) -> None:
    analysis = analyse(question, participants=names, today=TODAY)
    assert analysis.speakers <= set(names)
    assert analysis.text == question


@pytest.mark.parametrize(
    ("question", "dated"),
    [
        ("What should I not cook tonight?", False),
        ("What is on this week?", False),
        ("What did I eat today?", True),
        ("What happened last week?", True),
        ("What did I tell you today?", True),
        ("Was darf ich heute nicht kochen?", False),
        ("Was habe ich heute gegessen?", True),
        ("Cosa non devo cucinare oggi?", False),
        ("Cosa ho mangiato oggi?", True),
        ("¿Qué no debo cocinar hoy?", False),
        ("¿Qué comí hoy?", True),
        ("Que ne dois-je pas cuisiner aujourd’hui ?", False),
        ("Qu'est-ce que j'ai mangé aujourd'hui ?", True),
    ],
)
def test_today_dates_an_answer_only_where_the_question_looks_back(
    question: str, dated: bool
) -> None:
    assert bool(_analysed(question).dates) is dated


@pytest.mark.parametrize(
    "question",
    [
        "What did I ask you yesterday?",
        "Which book did you recommend?",
        "Show me my questions about taxes",
        "Did I ask where I live?",
        "Have I told you about Leeds?",
        "What was it you said about the boiler?",
        "Show the poem you wrote",
        "What did Anna tell me?",
        "What did Anna recommend to me?",
        "What did Ines tell us not to miss?",
        "What was the book you told me to read before I started?",
        "What did I ask about last month?",
        "Which of my questions did you not answer?",
        "When did I last thank you?",
        "Remember when I asked about taxes",
        "What have we talked about this week?",
        "Can you repeat what you suggested for Bath?",
        "Where did we discuss the roof?",
        "What was your advice on sleep?",
        "Find my messages about the roof",
        "Was habe ich dich gefragt?",
        "Was hast du mir empfohlen?",
        "Was hat Lena mir erzählt?",
        "Worüber haben wir gestern gesprochen?",
        "Weißt du noch, was ich dir gesagt habe?",
        "Welches Buch hattest du vorgeschlagen?",
        "Was war dein Rat zum Schlafen?",
        "Zeig mir meine Fragen zur Steuer",
        "wer hatte mir das buch empfohlen, du oder dörte?",
        "Cosa ti ho chiesto?",
        "Cosa mi hai consigliato?",
        "Cosa mi ha detto Marta?",
        "Di cosa abbiamo parlato ieri?",
        "Qual era il tuo consiglio?",
        "Mostrami le mie domande sulle tasse",
        "¿Qué te he preguntado?",
        "¿Qué me recomendaste?",
        "¿Qué me dijo Luis?",
        "¿De qué hablamos ayer?",
        "¿Qué te dije del tejado?",
        "Muéstrame mis preguntas sobre impuestos",
        "Qu'est-ce que je t'ai demandé ?",
        "Qu'est-ce que tu m'as conseillé ?",
        "Qu'est-ce que Luc m'a dit ?",
        "De quoi avons-nous parlé hier ?",
        "Montre-moi mes questions sur les impôts",
        "Quel était ton conseil ?",
    ],
)
def test_question_about_what_was_asked_or_said(question: str) -> None:
    assert _analysed(question).about_talk


@pytest.mark.parametrize(
    "question",
    [
        "What did the doctor say?",
        "Where do I live?",
        "Can you tell me where I live?",
        "Can you recommend a restaurant for tonight?",
        "What would you suggest I cook tonight?",
        "Could you explain how my insurance works?",
        "How do you say hello in Spanish?",
        "What do you say to pizza tonight?",
        "Can we talk about my diet?",
        "How do I write to my landlord?",
        "What's the answer to life?",
        "Who is the chat moderator at work?",
        "Where is the advice centre?",
        "What time is my conversation class?",
        "I told my boss I quit, when is my last day?",
        "What should I ask my doctor today?",
        "What should I write in the birthday card for Anna?",
        "What questions should I ask at the interview?",
        "Will you tell me when Anna arrives?",
        "Do you recommend the lentils?",
        "What should I have said?",
        "Who do I write to about the roof?",
        "Can I ask you something?",
        "Have I got a dentist appointment?",
        "Did you know that Anna moved?",
        "Which message app do I use?",
        "Wo wohne ich?",
        "Kannst du mir sagen, wo ich wohne?",
        "Ich brauche einen Rat für meine Tochter, welche Tipps?",
        "Was soll ich den Arzt fragen?",
        "Was hat der Arzt gesagt?",
        "Was schreibe ich Lena zum Geburtstag?",
        "Wie sagt man Hallo auf Spanisch?",
        "Welche Tipps hast du für heute Abend?",
        "Dove abito?",
        "Cosa ha detto il medico?",
        "Puoi dirmi dove abito?",
        "Cosa devo chiedere al medico?",
        "Quali sono i tuoi consigli per stasera?",
        "Cosa mi consigli per cena?",
        "¿Dónde vivo?",
        "¿Qué pedí en el restaurante?",
        "¿Qué dijo el médico?",
        "¿Puedes decirme dónde vivo?",
        "¿Qué le digo a mi jefe?",
        "¿Qué me aconsejas para cenar?",
        "¿Qué le dije a mi jefe?",
        "Où est-ce que j'habite ?",
        "Qu'a dit le médecin ?",
        "Peux-tu me dire où j'habite ?",
        "Quels sont tes conseils pour ce soir ?",
        "Que dois-je demander au médecin ?",
    ],
)
def test_question_in_which_somebody_may_say_something(question: str) -> None:
    assert not _analysed(question).about_talk


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What did Melanie paint?", True),
        ("Was hat Melanie gemalt?", True),
        ("Cosa ha dipinto Melanie?", True),
        ("What does Melanie paint now?", False),
        # Of the one who asks, it may be what has changed since.
        ("When did I paint it?", False),
    ],
)
def test_past_events_of_a_named_speaker(question: str, expected: bool) -> None:
    languages = languages_of_question(question, "english")
    analysis = analyse(question, participants=PAIR, languages=languages, today=TODAY)
    assert analysis.of_past_events is expected
