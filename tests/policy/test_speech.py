"""Who speaks in a message: tables of cases."""

import pytest

from memoryapp.policy.quotation import own_words
from memoryapp.policy.speech import is_disputed, reports, spans_of_others


@pytest.mark.parametrize(
    "text",
    [
        # Chats with times, as programs copy and export them.
        "[14:05] Lukas: I live in Bremen now.",
        "[03.02.25, 09:15:20] Lukas Maier: I have twins.",
        "[09:15, 3/2/2025] +49 171 2345678: I have twins.",
        "03.02.25, 09:15 - Lukas: Ich wohne jetzt in Bremen.",
        "2025-02-03 09:15:20 lukas: I live in Bremen now.",
        "Lukas 9:15 AM\nI live in Bremen now.",
        "Lukas Maier  09:15\nI live in Bremen now.\nIt rains a lot.",
        "**Lukas** — Today at 9:15 PM\nI work as a baker.",
        "Lukas — Gestern um 09:15 Uhr\nIch bin Bäcker.",
        "Léa — Hier à 09:15\nJe suis boulangère.",
        "Lucía — Ayer a las 9:15\nSoy panadera.",
        "Luca — Oggi alle 09:15\nSono un fornaio.",
        "Lukas, [03.02.2025 09:15]\nIch bin Bäcker.",
        "[09:15] Lukas Maier\nI am a baker.",
        "Lukas (09:15): I am a baker.",
        "Lukas Maier\n9:15 AM\nI am a baker.",
        "[Lukas]: I am a baker.",
        "<lukas> I am a baker.",
        "09:15 <lukas> I am a baker.",
        # Transcripts.
        "Speaker 1: I am a baker.",
        "SPEAKER_01: I am a baker.\nSPEAKER_02: My wife is, too.",
        "Sprecher 2: Ich bin Bäcker.",
        "Intervenant 1 : je suis boulangère.",
        "Interviewer: What do you do?\nGuest: I am a baker.",
        "Q: Where do you live?\nA: I live in Bremen.",
        "User: I live in Bremen.\nAssistant: Nice.",
        # Names alone.
        "Lukas: I live in Bremen now.\nMira: I work at Siemens.",
        "lukas: i live in bremen now\nmira: me too",
        "**Lukas:** I live in Bremen.\n**Mira:** I do not.",
        "Lukas : j'habite à Brême.\nMira : moi, à Lyon.",
        "Lukas: vivo en Bremen.\nMira: yo trabajo en Siemens.",
        "Lukas: abito a Brema.\nMira: io lavoro alla Siemens.",
        "Lukas: Ich wohne in Bremen.",
        "Mom: I'm ill.",
        "Lukas, 32: I live in Bremen.",
        "Lukas (32): I live in Bremen.",
        "Lukas - I live in Bremen\nMira - I work at Siemens",
        "Lukas – vivo a Brema\nMira – io no",
        "Lukas — j'habite à Brême\nMira — moi, à Lyon",
        "Lukas\nIch wohne in Bremen.\n\nMira\nIch bin bei Siemens.",
        "Lukas\nVivo en Bremen.\nLlueve mucho.\n\nMira\nYo trabajo en Siemens.",
        "Lukas: hi\n\nMira: hi!\n\nLukas: I live in Bremen.",
        "[Lukas] I am a baker.",
        "[14:02] [Lukas] I am a baker.",
        "Sur son répondeur : je suis boulanger.",
        "Lukas → I am a baker.",
        "Lukas => I am a baker.",
        "Lukas >> I am a baker.",
        "Lukas at 14:02: I am a baker.",
        "Lukas um 14:02: Ich bin Bäcker.",
        "Lukas à 14:02 : je suis boulanger.",
        "Lukas a las 14:02: soy panadero.",
        "Lukas alle 14:02: sono un fornaio.",
        "Mia: Ich wohne in Bremen.",
        "Mia: Io abito a Brema.",
        "Will: I live in Bremen.",
        "Sue: Ich bin Bäckerin.",
        # Behind a colon.
        "My brother told me: I am getting married.",
        "Then Mira wrote: I live in Bremen. I have two dogs.",
        "Meine Chefin hat mir gestern geschrieben: Ich bin krank.",
        "Mein Bruder sagte: Ich heirate.",
        "Ma sœur m'a dit : je suis enceinte.",
        "Mon frère écrit : j'habite à Lyon.",
        "Mi hermana me dijo: estoy embarazada.",
        "Mi jefe ha escrito: vivo en Madrid.",
        "Mia sorella mi ha detto: sono incinta.",
        "Mio fratello scrive: vivo a Torino.",
        "Message from my sister: I am pregnant.",
        "Nachricht von Mira: Ich bin schwanger.",
        "Mira's message: I am pregnant.",
        "Mensaje de mi hermana: estoy embarazada.",
        "My sister keeps saying: I am a bad cook.",
        "My sister never stops: I am a bad cook.",
        "He mentioned: I have three kids.",
        "The note on the fridge reads: I am at work.",
        "The voicemail from Dad: I live in Bremen now.",
        "Mum left this on a postcard: I am in Crete.",
        "Meine Schwester meint immer: Ich bin zu dick.",
        "Meine kleine Schwester ruft dauernd: Ich bin müde.",
        "Auf dem Zettel steht: Ich bin bei der Arbeit.",
        "Sprachnachricht von Opa: Ich bin in Rom.",
        "Ma sœur répète : je suis végétarienne.",
        "Message vocal de Papa : j'habite à Brême.",
        "Mi hermana repite: soy vegetariana.",
        "Mia sorella ripete: sono vegetariana.",
        "Cartolina di Anna: sono in Grecia.",
        "Mia nonna mi ha lasciato un biglietto: sono dal medico.",
        "Mi abuela me dejó una nota: estoy en el hospital.",
        "Opa hat einen Zettel hinterlassen: Ich bin beim Arzt.",
    ],
)
def test_what_others_say_is_not_the_authors(text: str) -> None:
    (start, *_), *_ = sorted(spans_of_others(text))
    assert "I" not in own_words(text).replace("Interviewer", "")[start:].split()
    last_line = text.splitlines()[-1]
    assert last_line.rpartition(":")[2].strip()[-12:] not in own_words(text)


@pytest.mark.parametrize(
    "text",
    [
        "My bio: I live in Bremen and I am a baker.",
        "My dog barks all night: I can't sleep.",
        "Meine Katze schnarcht: ich schlafe schlecht.",
        "Meeting at 14:02: I present my project.",
        "Yoga um 18:00: ich nehme meine Matte mit.",
        "Vol à 10:30 : je pars à huit heures.",
        "Vuelo a las 10:30: salgo a las ocho.",
        "Riunione alle 10:30: presento il progetto.",
        "Voo às 10:30: eu saio às oito.",
        "Premessa: sono celiaco.",
        "Allergies: penicillin",
        "Note: I moved to Bremen.",
        "Correction: I live in Bremen, not in Kiel.",
        "Korrektur: Ich wohne in Bremen.",
        "Nota: vivo en Madrid.",
        "Corrección: vivo en Madrid, no en Toledo.",
        "Promemoria: abito a Torino.",
        "Remarque : j'habite à Lyon.",
        "Monday: I work from home.\nTuesday: I play tennis.",
        "Montag: ich arbeite zu Hause.\nDienstag: ich spiele Tennis.",
        "Name: Ana\nJob: nurse\nCity: Rome",
        "Monday - I work from home\nTuesday - I play tennis",
        "Work\nI am a nurse.\n\nFamily\nI have two sons.",
        "Beruf\nIch bin Ärztin.\n\nFamilie\nIch habe zwei Söhne.",
        "Bremen\nI live there.",
        "I live in Bremen - I love it.\nI have two dogs - Rex and Tom.",
        "Hobbies: I paint.\nDiet: I am vegan.",
        "Vorname: Ana\nBeruf: ich bin Ärztin",
        "Nom: Ana\nMétier: je suis infirmière",
        "spare key: under the blue flowerpot\nshirt size: M",
        "Question: where is it? I live in Bremen.",
        "10:30 I have an appointment at the dentist's.",
        "Dinner\n19:30\nI have a table at the harbour.",
        "I told my brother: I am getting married.",
        "I wrote to Mira: I live in Bremen.",
        "Ich habe meiner Chefin geschrieben: Ich bin krank.",
        "J'ai dit à ma sœur : je suis enceinte.",
        "Le dije a mi hermana: estoy embarazada.",
        "Ho detto a mia sorella: sono incinta.",
        "As I said: I live in Bremen.",
        "Wie gesagt: Ich wohne in Bremen.",
        "User: I live in Bremen.",
        "Three things about me: I live in Bremen, I bake, I swim.",
        "I get up at 6:30 and I live in Bremen.",
        "See https://example.org: I wrote it.",
        "My sister has two sons: Ben and Max.",
        "My sister is pregnant: I am so happy.",
        "My neighbour collects clocks: brass ones.",
        "[Update] I live in Bremen.",
        "Aber: Ich wohne in Bremen.",
        "And: I live in Bremen.",
        "Doch: Ich bin Bäckerin.",
    ],
)
def test_the_authors_own_words_stay(text: str) -> None:
    assert own_words(text) == text


@pytest.mark.parametrize("label", ["Me", "Ich", "Moi", "Yo", "Io", "Ana", "Ana Reyes"])
def test_lines_of_the_author_are_their_own(label: str) -> None:
    text = f"Lukas: I live in Bremen.\n{label}: I live in Kiel.\nLukas: Nice."
    assert own_words(text, "Ana Reyes") == "I live in Kiel."


def test_words_around_a_chat_are_the_authors() -> None:
    text = (
        "I live in Kiel. Our chat:\nLukas: Hi!\n\nMira: I am a baker.\nYes.\n\nWhat do you think?"
    )
    assert own_words(text).split() == "I live in Kiel. Our chat: What do you think?".split()


def test_quoted_speech_below_a_colon_ends_with_its_marks() -> None:
    text = "This is what Mira sent me:\n> I am a baker.\n> I live in Bremen.\nI live in Kiel."
    assert own_words(text).split() == "This is what Mira sent me: I live in Kiel.".split()


def test_speech_below_a_colon_ends_with_its_paragraph() -> None:
    text = "This is what Mira sent me:\n\nI am a baker.\nI live in Bremen.\n\nI live in Kiel."
    assert own_words(text).split() == "This is what Mira sent me: I live in Kiel.".split()


def test_speech_ends_where_fiction_is_left() -> None:
    text = "The hero says: I am a thief. I steal. Back to reality: I live in Bremen."
    assert own_words(text).endswith("Back to reality: I live in Bremen.")


@pytest.mark.parametrize(
    ("text", "reported"),
    [
        ("Kim says I live in Bremen.", True),
        ("My sister claims that I snore.", True),
        ("Kim behauptet, ich wohne in Bremen.", True),
        ("Ma sœur dit que je ronfle.", True),
        ("Mi hermana dice que ronco mucho, y yo vivo en Madrid.", False),
        ("Mia sorella dice che io russo.", True),
        ("I say that I live in Bremen.", False),
        ("As I said, I live in Bremen.", False),
        ("My sister says hello.", False),
        ("My sister wrote a book about my town.", False),
    ],
)
def test_what_others_say_of_the_author_is_reported(text: str, reported: bool) -> None:
    assert reports(text) == reported


@pytest.mark.parametrize(
    ("text", "disputed"),
    [
        ("Kim says I live in Bremen but he's wrong.", True),
        ("Kim says I snore, which is not true.", True),
        ("Kim sagt, ich schnarche, aber das stimmt nicht.", True),
        ("Kim dit que je ronfle, mais c'est faux.", True),
        ("Kim dice que ronco, pero no es verdad.", True),
        ("Kim dice che russo, ma non è vero.", True),
        ("Kim diz que eu ronco, mas não é verdade.", True),
        ("Kim says I snore, and I do.", False),
    ],
)
def test_what_is_disputed(text: str, disputed: bool) -> None:
    assert is_disputed(text) == disputed
