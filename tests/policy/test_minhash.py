"""Recognition of facts by keyed MinHash signatures."""

import pytest

from memoryapp.policy.minhash import NAME, SIZE, Signature, likeness, signature
from memoryapp.suppression.recognition import SAME_FACT

KEY, ANOTHER_KEY = b"k" * 32, b"l" * 32


def alike(one: str, other: str) -> bool:
    return likeness(signature([one], KEY), signature([other], KEY)) >= SAME_FACT


REWORDINGS = [
    ("The user is allergic to peanuts.", "The user has a peanut allergy."),
    ("The user lives in Lisbon.", "The user has moved to Lisbon and lives there."),
    ("The user has three cats.", "The user owns three cats."),
    (
        "Ana, the user's sister, is expecting a baby in May.",
        "The user's sister Ana expects a baby.",
    ),
    ("The user was diagnosed with diabetes in 2019.", "In 2019 the user got a diabetes diagnosis."),
    ("The user drinks two glasses of wine every evening.", "Every evening: two glasses of wine."),
    ("由紀子は京都に住んでいる。", "由紀子は今も京都に住んでいる。"),
    ("Der Nutzer wohnt seit 2019 in Graz.", "Seit 2019 wohnt der Nutzer nun in Graz."),
]

DISTINCT = [
    ("Ana has two cats and a dog.", "Ben has two cats and a dog."),
    ("The user is allergic to peanuts.", "The user is a teacher."),
    ("The user lives in Lisbon.", "The user likes Lisbon's tiles."),
    ("The user's sister Ana lives in Graz.", "The user's brother Tom lives in Linz."),
    ("The user has three cats.", "The user has a bicycle."),
    ("由紀子は京都に住んでいる。", "太郎はカレーが好きだ。"),
]


@pytest.mark.parametrize(("one", "other"), REWORDINGS)
def test_paraphrase_matches(one: str, other: str) -> None:
    assert alike(one, other)
    assert alike(other, one)


@pytest.mark.parametrize(("one", "other"), DISTINCT)
def test_another_fact_does_not_match(one: str, other: str) -> None:
    assert not alike(one, other)


def test_any_version_matches() -> None:
    both = signature(["The user has three cats.", "The user moved to Oslo in May."], KEY)

    for wording in ("The user has three cats.", "The user moved to Oslo in May."):
        assert likeness(signature([wording], KEY), both) == 1.0


def test_nothing_matches_without_the_key() -> None:
    text = "The user is allergic to peanuts, shellfish, pollen and dust."

    same = likeness(signature([text], KEY), signature([text], ANOTHER_KEY))

    assert same < 0.2


def test_signature_has_a_fixed_size_and_is_stable() -> None:
    kept = signature(["Ana met Ben in Rome."], KEY)

    assert (len(kept.words), len(kept.names)) == (SIZE, 3 * NAME)
    # An accidental change would lift all existing suppressions.
    assert kept.words[:8].hex() == "05e4a228516cdbe8"


def test_text_without_words_matches_nothing() -> None:
    nothing = signature(["…"], KEY)

    assert nothing == Signature(b"", b"")
    assert likeness(nothing, nothing) == 0.0
