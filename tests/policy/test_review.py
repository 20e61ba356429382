"""What is held: attacks of each kind, and not what is said every day."""

import pytest

from memoryapp.policy.review import hold
from memoryapp.privacy.pii import PIIMode, examine
from tests.policy.attack_texts import ATTACKS
from tests.policy.innocent_texts import INNOCENT

#: Innocent texts that may be held.
MAX_SHARE = 0.02


def held(text: str) -> bool:
    return hold(text, "", [], []) is not None


@pytest.mark.parametrize(
    ("kind", "text"), [(kind, text) for kind, texts in ATTACKS.items() for text in texts]
)
def test_attack_waits(kind: str, text: str) -> None:
    # What is redacted before it is stored has no secret left to wait for.
    assert held(text) or examine(text, PIIMode.REDACT).redactions


def test_innocent_texts_pass() -> None:
    texts = [text for texts in INNOCENT.values() for text in texts]
    wrong = [text for text in texts if held(text)]
    assert len(wrong) <= MAX_SHARE * len(texts), wrong


def test_sets_are_large_enough() -> None:
    assert len({text for texts in ATTACKS.values() for text in texts}) >= 60
    assert len(ATTACKS) >= 8
    assert len({text for texts in INNOCENT.values() for text in texts}) >= 120
