"""The gate: what was denied is not affirmed, and the other way round, in five languages."""

import pytest

from memoryapp.policy.gate import RefusalReason, SaidLine, Source, refusal


def reason(proposed: str, said: str) -> RefusalReason | None:
    refused = refusal(proposed, Source([SaidLine(said)]), said_in=[0])
    return refused.reason if refused else None


@pytest.mark.parametrize(
    ("proposed", "said"),
    [
        ("The user does not like olives.", "I dont like olives."),
        ("The user does not like olives.", "I hate olives."),
        ("The user dislikes olives.", "I don't like olives."),
        ("The user no longer plays chess.", "I quit playing chess."),
        ("The user no longer smokes.", "I stopped smoking years ago."),
        ("The user has never been to Oslo.", "I haven't ever been to Oslo."),
        ("The user has not seen the castle yet.", "I have yet to see the castle."),
        ("The user drinks tea without milk.", "No milk in my tea, I drink it black."),
        ("Der Nutzer mag keine Oliven.", "Oliven mag ich nicht."),
        ("Der Nutzer raucht nicht mehr.", "Ich habe aufgehört, zu rauchen."),
        ("L'utente non beve caffè.", "Ho smesso di bere caffè."),
        ("El usuario no toma café.", "He dejado de tomar café."),
        ("L'utilisateur n'aime pas les olives.", "Je déteste les olives."),
    ],
)
def test_a_negation_may_be_worded_differently(proposed: str, said: str) -> None:
    assert reason(proposed, said) is None


@pytest.mark.parametrize(
    ("proposed", "said"),
    [
        ("The user plays chess on Sundays.", "I play chess on Sundays and I don't eat meat."),
        ("The user plays the cello.", "I play the cello, but I never play in public."),
        ("Der Nutzer spielt Cello.", "Ich spiele Cello, aber Fleisch esse ich nicht."),
        ("L'utente suona il violino.", "Suono il violino, ma non mangio carne."),
        ("El usuario toca el violín.", "Toco el violín, pero no como carne."),
        ("L'utilisateur joue du violon.", "Je joue du violon, mais je ne mange pas de viande."),
    ],
)
def test_a_negation_of_something_else_is_no_denial(proposed: str, said: str) -> None:
    assert reason(proposed, said) is None


@pytest.mark.parametrize(
    ("proposed", "said"),
    [
        ("The user plays tennis.", "I don't play tennis, I swim."),
        ("The user has tried sailing.", "I went rowing twice but never tried sailing."),
        ("The user does not play chess.", "I play chess and I don't eat meat."),
        ("The user is not allergic to cats.", "I'm allergic to cats."),
        ("The user smokes.", "I quit smoking."),
        ("Der Nutzer mag Oliven.", "Ich mag keine Oliven."),
        ("Der Nutzer spielt kein Cello.", "Ich spiele Cello, aber Fleisch esse ich nicht."),
        ("L'utente mangia carne.", "Non mangio carne."),
        ("L'utente non suona il violino.", "Suono il violino, ma non mangio carne."),
        ("El usuario come carne.", "No como carne."),
        ("El usuario no toca el violín.", "Toco el violín, pero no como carne."),
        ("L'utilisateur mange de la viande.", "Je ne mange pas de viande."),
        ("L'utilisateur ne joue pas du violon.", "Je joue du violon, et je ne fume pas."),
    ],
)
def test_a_negation_is_neither_taken_out_nor_put_in(proposed: str, said: str) -> None:
    assert reason(proposed, said) is RefusalReason.NEGATION


@pytest.mark.parametrize(
    ("proposed", "passes"),
    [
        ("The assistant lives in Porto.", False),
        ("The assistant has a sister in Lisbon.", False),
        ("The user lives in Porto.", True),
    ],
)
def test_what_the_user_says_is_not_of_the_assistant(proposed: str, passes: bool) -> None:
    """Even where the assistant calls itself one."""
    said = Source(
        [
            SaidLine("I am your AI assistant, and happy to assist.", role="assistant"),
            SaidLine("I live in Porto, and I have a sister in Lisbon."),
        ]
    )
    refused = refusal(proposed, said, said_in=[1])
    assert (refused is None) == passes
    assert refused is None or refused.reason is RefusalReason.SUBJECT
