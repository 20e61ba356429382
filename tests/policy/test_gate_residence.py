"""Where people live does not follow from where they work or what they visit."""

from datetime import date

import pytest

from memoryapp.policy.gate import RefusalReason, SaidLine, Source, refusal


def reason(proposed: str, said: str) -> RefusalReason | None:
    lines = [SaidLine(said, said_on=date(2026, 5, 8))]
    refused = refusal(proposed, Source(lines), said_in=[0])
    return refused.reason if refused else None


@pytest.mark.parametrize(
    ("proposed", "said"),
    [
        ("The user lives in Tallinn.", "My name is Oskar and I work as a carpenter in Tallinn."),
        ("The user lives in Lyon.", "I'm a nurse at a children's hospital in Lyon."),
        ("The user lives in Kyoto.", "We spent two weeks in Kyoto with my parents."),
        ("Der Nutzer wohnt in Bremen.", "Ich arbeite als Lehrer an einer Schule in Bremen."),
        ("L'utente vive a Torino.", "Sono un medico e lavoro a Torino."),
        ("El usuario vive en Sevilla.", "Soy profesora y trabajo en un colegio de Sevilla."),
        ("L'utilisateur habite à Lille.", "Je suis infirmière dans un hôpital à Lille."),
        ("O usuário mora em Recife.", "Sou médica e trabalho num hospital em Recife."),
        # In another language than the message.
        ("The user lives in Bremen.", "Ich arbeite als Lehrer an einer Schule in Bremen."),
    ],
)
def test_work_and_trips_are_no_homes(proposed: str, said: str) -> None:
    assert reason(proposed, said) is RefusalReason.UNSUPPORTED


@pytest.mark.parametrize(
    ("proposed", "said"),
    [
        ("The user lives in Riga.", "On 14 September I moved to Riga."),
        ("The user lives in Denver.", "I love it here in Denver."),
        ("The user lives in Lyon.", "Our new flat in Lyon has a balcony."),
        ("The user lives in Lyon.", "I'm from Lyon."),
        ("Der Nutzer wohnt in Bremen.", "Wir sind letztes Jahr nach Bremen gezogen."),
        ("L'utente vive a Torino.", "Mi sono trasferita a Torino."),
        ("El usuario vive en Sevilla.", "Me mudé a Sevilla con mi familia."),
        ("L'utilisateur habite à Lille.", "J'ai déménagé à Lille."),
        ("O usuário mora em Recife.", "A gente se mudou para Recife, o bairro é ótimo."),
        ("The user lives in Bremen.", "Ich wohne in Bremen."),
        # Not about a home.
        ("The user works in Tallinn.", "I work as a carpenter in Tallinn."),
        ("The user's concert is live in Berlin.", "My concert in Berlin is streamed live."),
    ],
)
def test_what_is_said_of_a_home_passes(proposed: str, said: str) -> None:
    assert reason(proposed, said) is None
