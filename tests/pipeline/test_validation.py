"""Validation and redaction on each entry point of the write path."""

import pytest

from instances.actor import Actor
from instances.models import Instance
from memoryapp.models import Memory, MemoryRevision, Origin
from memoryapp.pipeline import (
    Candidate,
    Changes,
    Outcome,
    Rejected,
    Writer,
    admit,
    admitted,
    remember,
    restore,
    revise,
)
from memoryapp.policy.dedup import Action

WRITER = Writer(Origin.MANUAL, Actor(via="test"))
CARD = "4111 1111 1111 1111"


def save(instance: Instance, content: str, **kwargs: object) -> Outcome:
    (outcome,) = remember(instance, [Candidate(content, **kwargs)], WRITER)  # type: ignore[arg-type]
    return outcome


def changes(content: str) -> Changes:
    return Changes(content, category="fact", importance=5)


def test_secret_is_redacted_and_counted(instance: Instance) -> None:
    outcome = save(instance, f"The user pays with {CARD}, and the PIN is 4711.")

    assert outcome.memory.content == (
        "The user pays with [REDACTED:CARD], and the PIN is [REDACTED:CODE]."
    )
    assert outcome.redactions == {"CARD": 1, "CODE": 1}


def test_policy_of_the_instance_applies(instance: Instance) -> None:
    instance.pii_policy = "off"
    assert save(instance, f"The user pays with {CARD}.").memory.content.endswith(f"{CARD}.")

    instance.pii_policy = "reject"
    with pytest.raises(Rejected, match="It contains a card number") as refused:
        save(instance, f"The other card is {CARD}.")
    assert refused.value.code == "pii_rejected"
    assert Memory.objects.count() == 1


@pytest.mark.parametrize("content", [CARD, f" {CARD}. ", "ann@example.org", "+49 30 901820!"])
def test_text_that_is_only_a_secret_is_rejected(instance: Instance, content: str) -> None:
    with pytest.raises(Rejected, match="It contains nothing but a") as refused:
        save(instance, content)

    assert refused.value.code == "pii_rejected"
    assert not Memory.objects.exists()


def test_tags_and_metadata_are_redacted_too(instance: Instance) -> None:
    outcome = save(
        instance,
        "The user has a bank account.",
        tags=["bank", "DE89370400440532013000"],
        metadata={"source": {"lines": ["Password: swordfish", 7]}, "mail": "ann@example.org"},
    )

    assert outcome.memory.tags == ["bank"]
    assert outcome.memory.metadata == {
        "source": {"lines": ["Password: [REDACTED:PASSWORD]", 7]},
        "mail": "[REDACTED:EMAIL]",
    }
    assert outcome.redactions == {"IBAN": 1, "PASSWORD": 1, "EMAIL": 1}


def test_kind_of_a_secret_value_may_be_in_its_key(instance: Instance) -> None:
    memory = save(
        instance, "The user's network opens with swordfish.", key="wifi_password", value="swordfish"
    ).memory
    other = save(instance, "The user lives in Munich.", key="home_city", value="Munich").memory

    assert memory.content == "The user's network opens with [REDACTED:PASSWORD]."
    assert (memory.key, memory.value) == ("wifi_password", "[REDACTED:PASSWORD]")
    assert (other.key, other.value) == ("home_city", "Munich")


def test_email_address_as_end_user_is_not_redacted(instance: Instance) -> None:
    outcome = save(instance, "The user likes tea.", end_user="ann@example.org")

    assert outcome.memory.end_user == "ann@example.org"


def test_validation_is_idempotent(instance: Instance) -> None:
    once = admitted(instance, Candidate(f"Ana pays with {CARD}.", tags=["a@b.org"]))

    assert admitted(instance, once) == once
    assert once.redactions == {"CARD": 1, "EMAIL": 1}


def test_invalid_item_does_not_affect_the_others(instance: Instance) -> None:
    fit, unfit = admit(
        instance, [Candidate("My password is in this text"), Candidate("Ana plays the cello.")]
    )

    assert [each.candidate.content for each in fit] == ["Ana plays the cello."]
    (one,) = unfit
    assert one.problem.code == "pii_rejected"


def test_texts_that_differ_only_in_the_secret_are_one(instance: Instance) -> None:
    first = save(instance, f"The user pays with {CARD}.")
    second = save(instance, "The user pays with 5555 5555 5555 4444.")

    assert (second.action, second.memory) == (Action.DUPLICATE, first.memory)


def test_edit_is_redacted_without_the_secret_in_the_history(instance: Instance) -> None:
    memory = save(instance, "The user has a credit card.").memory

    outcome = revise(memory, changes(f"The user has a credit card, {CARD}."), by=Actor())

    assert outcome.redactions == {"CARD": 1}
    revise(outcome.memory, changes("The user has no credit card."), by=Actor())
    assert [revision.content for revision in MemoryRevision.objects.all()] == [
        "The user has a credit card, [REDACTED:CARD].",
        "The user has a credit card.",
    ]


def test_restored_version_is_checked_with_the_current_policy(instance: Instance) -> None:
    instance.pii_policy = "off"
    memory = save(instance, f"The user pays with {CARD}.").memory
    revise(memory, changes("The user pays in cash."), by=Actor())
    Instance.objects.update(pii_policy="redact")

    outcome = restore(MemoryRevision.objects.select_related("memory__instance").get(), by=Actor())

    assert outcome.memory.content == "The user pays with [REDACTED:CARD]."
    Instance.objects.update(pii_policy="reject")
    with pytest.raises(Rejected):
        restore(
            MemoryRevision.objects.select_related("memory__instance").earliest("pk"), by=Actor()
        )
