"""What may not be kept is kept nowhere: through each door of the write path."""

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


def test_a_secret_is_replaced_and_counted(instance: Instance) -> None:
    outcome = save(instance, f"The user pays with {CARD}, and the PIN is 4711.")

    assert outcome.memory.content == (
        "The user pays with [REDACTED:CARD], and the PIN is [REDACTED:CODE]."
    )
    assert outcome.redactions == {"CARD": 1, "CODE": 1}


def test_the_policy_is_the_instances(instance: Instance) -> None:
    instance.pii_policy = "off"
    assert save(instance, f"The user pays with {CARD}.").memory.content.endswith(f"{CARD}.")

    instance.pii_policy = "reject"
    with pytest.raises(Rejected, match="It holds a card number") as refused:
        save(instance, f"The other card is {CARD}.")
    assert refused.value.code == "pii_rejected"
    assert Memory.objects.count() == 1


@pytest.mark.parametrize("content", [CARD, f" {CARD}. ", "ann@example.org", "+49 30 901820!"])
def test_what_is_nothing_but_a_secret_is_refused(instance: Instance, content: str) -> None:
    with pytest.raises(Rejected, match="There is nothing in it but a") as refused:
        save(instance, content)

    assert refused.value.code == "pii_rejected"
    assert not Memory.objects.exists()


def test_tags_and_what_is_attached_are_cleaned_too(instance: Instance) -> None:
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


def test_what_a_value_is_may_stand_in_its_key_alone(instance: Instance) -> None:
    memory = save(
        instance,
        "The user's network opens with swordfish.",
        key="wifi_password",
        value="swordfish",
    ).memory
    other = save(instance, "The user lives in Munich.", key="home_city", value="Munich").memory

    assert memory.content == "The user's network opens with [REDACTED:PASSWORD]."
    assert (memory.key, memory.value) == ("wifi_password", "[REDACTED:PASSWORD]")
    assert (other.key, other.value) == ("home_city", "Munich")


def test_the_person_is_known_by_an_id_that_may_be_an_address(instance: Instance) -> None:
    outcome = save(instance, "The user likes tea.", end_user="ann@example.org")

    assert outcome.memory.end_user == "ann@example.org"


def test_what_is_admitted_once_comes_out_unchanged(instance: Instance) -> None:
    once = admitted(instance, Candidate(f"Ana pays with {CARD}.", tags=["a@b.org"]))

    assert admitted(instance, once) == once
    assert once.redactions == {"CARD": 1, "EMAIL": 1}


def test_one_bad_item_does_not_lose_the_others(instance: Instance) -> None:
    fit, unfit = admit(
        instance, [Candidate("My password is in this text"), Candidate("Ana plays the cello.")]
    )

    assert [each.candidate.content for each in fit] == ["Ana plays the cello."]
    (one,) = unfit
    assert one.problem.code == "pii_rejected"


def test_two_that_differ_in_nothing_but_the_secret_are_one(instance: Instance) -> None:
    first = save(instance, f"The user pays with {CARD}.")
    second = save(instance, "The user pays with 5555 5555 5555 4444.")

    assert (second.action, second.memory) == (Action.DUPLICATE, first.memory)


def test_a_correction_is_cleaned_and_leaves_no_secret_in_the_history(instance: Instance) -> None:
    memory = save(instance, "The user has a credit card.").memory

    outcome = revise(memory, changes(f"The user has a credit card, {CARD}."), by=Actor())

    assert outcome.redactions == {"CARD": 1}
    revise(outcome.memory, changes("The user has no credit card."), by=Actor())
    assert [revision.content for revision in MemoryRevision.objects.all()] == [
        "The user has a credit card, [REDACTED:CARD].",
        "The user has a credit card.",
    ]


def test_an_old_wording_passes_the_policy_of_today(instance: Instance) -> None:
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
