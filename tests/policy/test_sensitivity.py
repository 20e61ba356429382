"""Statements about sensitive areas are recognised by their words, and what only seems so is not."""

import pytest

from memoryapp.policy.sensitivity import SensitiveArea, areas_of
from memoryapp.policy.sensitivity.wordings import Wording, folded

HEALTH, RELIGION, POLITICS, SEXUALITY, FINANCES, MINORS = SensitiveArea


@pytest.mark.parametrize(
    ("text", "areas"),
    [
        ("The user is allergic to penicillin.", {HEALTH}),
        ("Her 6-year-old son has asthma.", {HEALTH, MINORS}),
        ("The patient architecture of this city rewards walking.", set()),
        ("Our server is sick of my commits.", set()),
        ("Ich bin aus der Kirche ausgetreten.", {RELIGION}),
        ("I read about the Pope in the paper.", set()),
        ("L'utente vota a sinistra.", {POLITICS}),
        ("There is a lot of office politics.", set()),
        ("Soy bisexual.", {SEXUALITY}),
        ("I went straight home.", set()),
        ("Il gagne 2 600 euros par mois.", {FINANCES}),
        ("I'm banking on it.", set()),
        ("Meine Tochter ist sieben.", {MINORS}),
        ("Meine Tochter ist 34.", set()),
        ("My kid brother is 30.", set()),
        ("", set()),
        ("日本語の文章です。", set()),
    ],
)
def test_areas_of_statements(text: str, areas: set[SensitiveArea]) -> None:
    assert areas_of(text) == areas


def test_only_the_areas_asked_for() -> None:
    assert areas_of("Her 6-year-old son has asthma.", [MINORS]) == {MINORS}
    assert areas_of("Her 6-year-old son has asthma.", []) == frozenset()


@pytest.mark.parametrize(
    ("tells", "text", "found"),
    [
        ("diabet*", "Diabetes", True),
        ("diabet*", "prediabetic", False),
        ("*krebs", "Brustkrebs", True),
        ("ämter", "Ämter", True),
        ("(a/b) c", "b c", True),
        ("(a/b/) c", "c", True),
        ("(a/b) c", "c", False),
        ("a … c", "a 1 2 3 4 5 c", True),
        ("a … c", "a 1 2 3 4 5 6 c", False),
        ("a … c", "a. c", False),
        ("<18> years", "17 years", True),
        ("<18> years", "18 years", False),
        ("<18> years", "six years", True),
        ("earns <money>", "earns €2,100", True),
        ("earns <money>", "earns trust", False),
        ("<comma> <18> <comma>", "Sam, 12, plays", True),
    ],
)
def test_notation(tells: str, text: str, found: bool) -> None:
    assert Wording(tells, "nothing at all").found_in(folded(text)) is found


def test_what_only_seems_so_is_taken_out_first() -> None:
    wording = Wording("sick", "sick of")
    assert not wording.found_in(folded("I am sick of it."))
    assert wording.found_in(folded("I am sick of it, and sick."))
