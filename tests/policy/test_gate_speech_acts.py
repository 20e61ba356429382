"""What a message only asks is not told by it, in five languages."""

import pytest

from memoryapp.policy.gate import RefusalReason, SaidLine, Source, refusal
from memoryapp.policy.gate.speech_acts import speech_acts_of
from tests.hostile import growth


def reason(proposed: str, *said: str) -> RefusalReason | None:
    """The reason for which *proposed* is refused, when the last of *said* is cited."""
    source = Source([SaidLine(text) for text in said])
    refused = refusal(proposed, source, said_in=[len(said) - 1])
    return refused.reason if refused else None


ASKED = [
    ("The user should never cook walnuts.", "What should I never cook for Petra?"),
    ("The user should never cook walnuts for Petra.", "What should I never cook for Petra?"),
    (
        "The user learned about their cat and their job.",
        "What do you know about my cat and my job?",
    ),
    ("The user lives in Lyon.", "Do I live in Lyon or in Paris?"),
    ("The user eats walnuts.", "Thanks! Can I eat walnuts?"),
    ("The user has a cat.", "Do you know if I have a cat?"),
    ("The user is looking for bakeries.", "I moved to Lyon. Do you know good bakeries?"),
    ("The user likes dry wine.", "Recommend a dry wine."),
    ("Der Nutzer darf kein Penicillin nehmen.", "Welches Medikament darf ich nicht nehmen?"),
    ("Der Nutzer arbeitet als Pfleger.", "Weißt du, wo ich als Pfleger arbeite?"),
    ("L'utente non deve cucinare noci.", "Cosa non devo mai cucinare per Petra?"),
    ("El usuario no debe cocinar nueces.", "¿Qué no debo cocinar nunca?"),
    ("L'utilisateur ne cuisine pas de noix.", "Que ne dois-je jamais cuisiner ?"),
]
#: Told before, in another message.
KNOWN = (
    "My sister Petra cannot eat walnuts, and I have a cat and a job. Ich darf kein Penicillin. "
    "Mia sorella non mangia noci. Mi hermana no come nueces. Ma sœur ne mange pas de noix."
)


@pytest.mark.parametrize(("proposed", "asked"), ASKED)
def test_a_question_tells_nothing(proposed: str, asked: str) -> None:
    assert reason(proposed, "Hi!", asked) is RefusalReason.QUESTION


@pytest.mark.parametrize(("proposed", "asked"), ASKED[:3])
def test_what_is_known_from_elsewhere_does_not_make_it_told(proposed: str, asked: str) -> None:
    assert reason(proposed, KNOWN, asked) is RefusalReason.QUESTION


TOLD = [
    # Beside the question
    ("The user lives in Lyon.", "I moved to Lyon, what should I see?"),
    ("The user lives in Lyon.", "Can you recommend podcasts, I live in Lyon?"),
    ("The user works as a nurse.", "Suggest a podcast, I work as a nurse."),
    ("The user got the job.", "Guess what? I got the job!"),
    ("The user lives in Lyon.", "I live in Lyon, right?"),
    ("Die Schwester des Nutzers ist Veganerin.", "Meine Schwester ist Veganerin, was koche ich?"),
    ("L'utente è vegetariano.", "Sono vegetariano, cosa posso cucinare?"),
    ("El usuario es vegetariano.", "Soy vegetariano, ¿qué puedo cocinar?"),
    ("L'utilisateur habite à Lyon.", "J'habite à Lyon, que dois-je visiter ?"),
    # Taken for granted
    ("The user's wife is called Anna.", "What should I cook for my wife Anna tonight?"),
    ("The user moved to Riga.", "Did you know that I moved to Riga?"),
    ("Der Nutzer ist nach Riga gezogen.", "Wusstest du, dass ich nach Riga gezogen bin?"),
    # To be noted, and to be kept to
    ("The user is allergic to penicillin.", "Remember that I am allergic to penicillin."),
    ("The user is allergic to penicillin.", "Can you remember that I'm allergic to penicillin?"),
    ("The user does not eat pork.", "Don't suggest pork, I never eat it."),
    ("The user wants to be called Max.", "Could you call me Max?"),
    ("The user wants short answers.", "Could you keep your answers short from now on?"),
    ("Der Nutzer möchte Max genannt werden.", "Kannst du mich Max nennen? Nenn mich bitte Max."),
]


@pytest.mark.parametrize(("proposed", "said"), TOLD)
def test_what_is_told_with_a_question_is_kept(proposed: str, said: str) -> None:
    assert reason(proposed, "Hi!", said) is None


def test_an_answer_tells_what_another_one_asked() -> None:
    assert reason("The user has lived in Lyon.", "Have you ever lived in Lyon?", "Yes.") is None


def test_what_a_named_person_asks_is_told_by_the_asking() -> None:
    said = [SaidLine("What did Ben paint?", speaker="Ana"), SaidLine("A boat.", speaker="Ben")]
    assert refusal("Ana asks what Ben painted.", Source(said), said_in=[0]) is None
    assert refusal("Ben painted a picture.", Source(said), said_in=[0]) is not None


def test_results_of_tools_do_not_ask() -> None:
    found = Source([SaidLine("Where does Petra live? Riga.", role="tool")])
    assert refusal("Petra lives in Riga.", found, said_in=[0]) is None


def test_the_time_grows_with_the_length() -> None:
    def write(length: int) -> str:
        return ("Do I know my cat, my dog? " * (length // 26 + 1))[:length]

    assert not growth.growth(speech_acts_of, write, length=growth.SHORT)
