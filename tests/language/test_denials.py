"""What denies, in each language, for all who ask."""

import pytest

from memoryapp.language.denials import is_denial
from memoryapp.language.vocabularies import VOCABULARIES
from memoryapp.policy.endings import without_denial
from memoryapp.policy.fact_signature import fact_signature, same_particulars
from memoryapp.policy.gate.negations import polarity_of
from memoryapp.policy.gate.words import words_of


@pytest.mark.parametrize(
    ("denied", "affirmed"),
    [
        ("Ines does not eat liver.", "Ines eat liver."),
        ("Ines isst nicht Leber.", "Ines isst Leber."),
        ("Ines non mangia il fegato.", "Ines mangia il fegato."),
        ("Ines no come hígado.", "Ines come hígado."),
        ("Ines ne mange pas le foie.", "Ines mange le foie."),
        ("Ines não come fígado.", "Ines come fígado."),
    ],
)
def test_gate_signature_and_endings_see_the_same_denial(denied: str, affirmed: str) -> None:
    assert polarity_of(words_of(denied)).denials
    assert fact_signature(denied).negations > fact_signature(affirmed).negations == 0
    assert without_denial(denied) == affirmed


@pytest.mark.parametrize(
    "text",
    [
        "Ines is not only a nurse.",
        "Ines ist nicht nur Ärztin.",
        "Ines mangia non solo fegato.",
        "Ines come no solo hígado.",
        "Ines é não só médica.",
    ],
)
def test_denied_limit_is_no_plain_denial(text: str) -> None:
    assert without_denial(text) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ines fährt im Mai ans Meer.", "Im Mai fährt Ines ans Meer."),
        ("Ines sings rock 'n' roll.", "Ines sings rock and roll."),
        ("Ines dont eat liver.", "Ines don't eat liver."),
    ],
)
def test_words_of_two_senses_change_no_particulars(one: str, other: str) -> None:
    assert same_particulars(one, other)


@pytest.mark.parametrize("word", ["mai", "may", "n", "note", "plus", "non-smoker"])
def test_other_words_deny_nothing(word: str) -> None:
    assert not is_denial(word)


def test_elided_denial_is_one() -> None:
    assert polarity_of(words_of("Je n'ai plus de voiture.")).denials


def test_each_language_denies_in_each_way() -> None:
    for known in VOCABULARIES.values():
        denials = known.denials
        assert denials.of_one_thing | denials.backward < denials.denials, known.name
        assert denials.denials.isdisjoint(denials.verbs | denials.in_sense), known.name
        assert denials.verbs.isdisjoint(denials.in_sense), known.name
        assert denials.no_longer, known.name
        assert denials.yet, known.name
        assert denials.enough, known.name
