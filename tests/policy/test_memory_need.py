"""Messages that need no memory, in several languages, and those that must never be silenced."""

import pytest

from memoryapp.language.words import language_of
from memoryapp.policy.memory_need import MAX_CHARACTERS, Need, need_of
from tests.policy import natures

SMALL_TALK = [
    "Hi there!",
    "good afternoon",
    "thx!!",
    "Much appreciated!",
    "haha, nice",
    "I see, makes sense",
    "Could you rephrase that?",
    "Please go ahead",
    "How are you today?",
    "What?",
    "👍",
    "…",
    "Moin!",
    "Alles klar, danke schön",
    "Danke, das war's",
    "Wie geht's?",
    "Grazie, va benissimo così",
    "Buona giornata!",
    "¡Muchas gracias!",
    "Hola, ¿qué tal?",
    "Merci bien, à demain",
    "D'accord, continue",
    "Obrigado!",
    "Dziękuję",
    "Спасибо!",
    "ありがとうございます！",
    "merci, ça m'a aidé",
    "gracias, me ha ayudado",
    "grazie, mi hai aiutato molto",
    "谢谢你",
    "감사합니다",
    "شكرا",
]
TASKS = [
    "Write a limerick about a lazy cat",
    "Please explain how vaccines work",
    "Can you translate 'I miss my sister' into Dutch?",
    "Give me a recipe for banana bread",
    "How do I reverse a string in Java?",
    "What's 15 * 240?",
    "Calculate 15% of 240",
    "Fix the grammar: she go to my school",
    "zxcvbnm",
    "hhhhhhhh",
    "Erkläre mir die Relativitätstheorie",
    "Kannst du mir ein Gedicht über den Herbst schreiben?",
    "Wie viel ist 7 mal 8?",
    "Scrivi una poesia sul mare",
    "Puoi tradurre 'buonanotte' in tedesco?",
    "Explícame la fotosíntesis",
    "Explique-moi la gravité",
    "Quelle est la racine carrée de 81 ?",
    # What anybody can look up.
    "What is the capital of Australia?",
    "whats the population of ghana",
    "How many legs does a spider have?",
    "how much does an elephant weigh",
    "Wie heißt die Hauptstadt von Portugal?",
    "Wie viele Minuten hat ein Fußballspiel?",
    "wieviele einwohner hat wien",
    "Qual è la capitale del Portogallo?",
    "Quante zampe ha un ragno?",
    "quanti minuti ci sono in una settimana?",
    "¿Cuál es la capital de Portugal?",
    "¿Cuántos huesos tiene un perro?",
    "Quelle est la capitale du Portugal ?",
    "Combien de pattes a une araignée ?",
    "who invented the zip fastener",
    "Wer hat die Dampfmaschine erfunden?",
    "¿Quién escribió La Celestina?",
    "Chi ha composto il Nabucco?",
    "qui a découvert la pénicilline",
    # What is written or explained to order.
    "another limerick, this time about otters",
    "ein kurzes Gedicht über den Herbst bitte",
    "differenza tra burro e margarina",
    "sql para borrar filas repetidas",
    "synonyme de rapide",
    # How the answer before is to look.
    "shorter please",
    "bitte kürzer",
    "plus simple stp",
    "más corto por favor",
    "in italiano per favore",
    # "I" is anybody.
    "Hallo, wie öffne ich eine Kokosnuss?",
    "oye, cómo hago una copia de seguridad",
    "Ciao, come faccio a stappare il vino?",
]
ABOUT_PEOPLE = [
    "What should I cook tonight?",
    "Who am I?",
    "Write a birthday poem for my sister",
    "Give me her address",
    "What is my PIN?",
    "When did she move?",
    "How do I get to my office?",
    "Wo wohne ich?",
    "Wie heißt mein Hund?",
    "Schreib meiner Mutter einen Brief",
    "Qual è il mio colore preferito?",
    "¿Cuál es mi color favorito?",
    "Quel est le nom de mon chien ?",
    # Too short for a language to lead by two words, or without a pronoun.
    "Dove ho messo le chiavi?",
    "¿Mi dentista?",
    "¿Qué hice ayer?",
    "¿Dónde compré el sofá?",
    "Mon dentiste ?",
    "How many days of a holiday do I have left?",
    "Quando ci vediamo?",
    "Wie komme ich zu der Wohnung?",
    "Kannst du meinen Brief kurz zusammenfassen?",
    "A birthday limerick for my brother",
]
ABOUT_MEMORY = [
    "Do you remember the name of the plumber?",
    "What did I say about the boiler?",
    "Weißt du noch, was wir letztes Mal … erinnerst du dich?",
    "Ti ricordi il nome dell'idraulico?",
    "¿Recuerdas el nombre del fontanero?",
    "Tu te souviens du plombier ?",
]
#: Only what is found can tell whether memory helps with these.
OPEN = [
    "guinea pig",
    "Who is Anthony?",
    "When does the boiler get its service?",
    "How much was the boiler?",
    "How many rooms does the flat have?",
    "Wie hoch ist die Miete?",
    "Quanto costa la palestra?",
    "ci sono le chiavi in cantina?",
    "¿Cuánto cuesta el gimnasio?",
    "C'est combien, le loyer ?",
    "富士山の高さは何メートルですか？",
    "HTML",
    "car",
    # Names are asked for, not how something is done.
    "Come si chiamava l'agriturismo in Umbria?",
    "Comment s'appelle le plombier ?",
    "¿Cómo se llama el vecino?",
    # About anybody.
    "If a man buys a horse for 60, what does he pay with tax?",
    "Ein Mieter zahlt nicht. Darf der Vermieter ihm kündigen?",
]


@pytest.mark.parametrize("message", SMALL_TALK)
def test_small_talk_needs_no_memory(message: str) -> None:
    assert need_of(message) is Need.NONE


@pytest.mark.parametrize("message", TASKS)
def test_task_stands_by_itself(message: str) -> None:
    assert need_of(message) is Need.TASK


@pytest.mark.parametrize("message", ABOUT_PEOPLE)
def test_message_about_a_person_is_never_silenced(message: str) -> None:
    assert need_of(message) is Need.PERSON


@pytest.mark.parametrize("message", ABOUT_MEMORY)
def test_question_about_what_is_remembered(message: str) -> None:
    assert need_of(message) is Need.NAMED


@pytest.mark.parametrize("message", OPEN)
def test_message_that_may_need_memory(message: str) -> None:
    assert need_of(message) is Need.OPEN


@pytest.mark.parametrize("message", ["Hi, Mara!", "Write a haiku about Mara", "Mara?"])
def test_known_name_always_counts(message: str) -> None:
    assert need_of(message) < Need.NAMED
    assert need_of(message, names_known=True) is Need.NAMED


@pytest.mark.parametrize("message", ["", "  \n", "?!", "¿", "\ud800"])
def test_message_without_words_needs_no_memory(message: str) -> None:
    assert need_of(message) is Need.NONE


def test_only_the_beginning_of_a_long_message_is_read() -> None:
    assert need_of("boiler " * MAX_CHARACTERS + "my") is Need.OPEN


@pytest.mark.parametrize(
    "message",
    [
        "Thanks, you're a star",
        "Much obliged.",
        "danke dir, bist die beste",
        "Ich danke dir recht schön!",
        "Guten Morgen, altes Haus",
        "grazie mille, sei un tesoro",
        "Buondì capo",
        "¡Gracias, te pasaste!",
        "muchas gracias, eres un sol",
        "Merci infiniment",
    ],
)
def test_thanks_and_greetings_in_any_words_need_no_memory(message: str) -> None:
    assert need_of(message) is Need.NONE


@pytest.mark.parametrize(
    "message",
    [
        "Thanks, and where do I live?",
        "Hello, my sister is coming tomorrow",
        "Morning run: which shoes?",
        "Danke, und wann kommt meine Tochter an?",
        "Hi, order 4711",
        "hey whats the boiler code",
        "hi where does Nora live",
        "Good evening, what's on tomorrow",
        "Hello, dentist address please",
        "Thanks, now the plumber's number",
        "evening train to York",
        "Morgen Friseur",
        "Wer kommt morgen",
        "Danke, Jana wohnt jetzt in Mainz",
        "Hallo, Geschenkidee für Jana",
        "Grazie, ora il numero del dentista",
        "Buenas recetas sin gluten",
        "Merci, maintenant le numéro du dentiste",
    ],
)
def test_what_follows_thanks_may_need_memory(message: str) -> None:
    assert need_of(message) is not Need.NONE


@pytest.mark.parametrize("language", natures.LANGUAGES)
def test_neither_question_nor_statement_is_silenced(language: str) -> None:
    silenced = {
        text
        for folder in (natures.FOLDER, natures.FOLDER / "apart")
        for text, nature in natures.messages(folder, language)
        if nature != "ack" and need_of(text, language=language_of(text, language)) is Need.NONE
    }
    assert not silenced
