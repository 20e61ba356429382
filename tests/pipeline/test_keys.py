"""Facts with keys: one memory per key, the value of the highest tier, and the history."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from conversations.models import Conversation
from instances.actor import Actor
from instances.models import Instance, User
from instances.tiers import Tier
from memoryapp.forgetting.deletion import forget_undoably
from memoryapp.forgetting.undo_buffer import restore_deleted
from memoryapp.models import (
    MarkKind,
    Memory,
    MemoryEmbedding,
    MemoryMark,
    MemoryRevision,
    MemorySource,
    Origin,
)
from memoryapp.pipeline import (
    Candidate,
    Changes,
    KeyTaken,
    NotTheNewest,
    Outcome,
    Rejected,
    Writer,
    remember,
    restore,
    revise,
    undo,
)
from memoryapp.policy.dedup import Action

EXTRACTION = Writer(
    Origin.CONVERSATION,
    Actor(via="extraction"),
    reason=MemoryRevision.Reason.EXTRACTED,
    tier=Tier.USER,
)
LAST_YEAR = timezone.now() - timedelta(days=365)
BY_HAND = Writer(Origin.MANUAL, Actor(via="test"), tier=Tier.PERSON)


def store(
    instance: Instance, content: str, value: str = "", writer: Writer = EXTRACTION, **more: Any
) -> Outcome:
    more = {"key": "home_city" if value else "", "value": value, "category": "fact"} | more
    return remember(instance, [Candidate(content, **more)], writer)[0]


@pytest.fixture
def munich(instance: Instance) -> Memory:
    return store(instance, "The user lives in Munich.", "Munich", confidence=80).memory


def current(memory: Memory) -> tuple[str, str]:
    memory.refresh_from_db()
    return memory.content, memory.value


def test_same_key_is_the_same_memory(instance: Instance, munich: Memory) -> None:
    outcome = store(instance, "Home has been a boat near Ghent since June.", "Ghent", confidence=80)
    assert (outcome.action, outcome.memory) == (Action.UPDATED, munich)
    assert current(munich) == ("Home has been a boat near Ghent since June.", "Ghent")
    assert MemoryEmbedding.objects.get(memory=munich)


def test_new_value_takes_no_other_statement_with_it(instance: Instance) -> None:
    known = store(instance, "The user lives in Munich and has two sons.", "Munich").memory
    outcome = store(instance, "The user lives in Lyon.", "Lyon")
    assert (outcome.action, outcome.contradicts) == (Action.STORED, (known.pk,))
    assert current(outcome.memory) == ("The user lives in Lyon.", "Lyon")
    known.refresh_from_db()
    assert (known.content, known.key) == ("The user lives in Munich and has two sons.", "")
    assert MemoryRevision.objects.versions().get(memory=known).value == "Munich"
    # The third value replaces the second.
    assert store(instance, "The user lives in Ghent.", "Ghent").memory == outcome.memory
    assert Memory.objects.filter(key="home_city").get().value == "Ghent"


def test_same_value_in_a_sentence_that_tells_more(instance: Instance, munich: Memory) -> None:
    text = "In Munich, two parrots and a tortoise share the flat with whoever visits the user."
    outcome = store(instance, text, "Munich")
    assert (outcome.action, outcome.memory.content) == (Action.STORED, text)
    assert not outcome.contradicts
    assert Memory.objects.get(key="home_city") == munich


@pytest.mark.parametrize(
    ("text", "value", "key"),
    [
        ("The user moved to Germany in 2015.", "Germany", "home_city"),
        ("The user drives a Polo.", "Polo", "car"),
    ],
)
def test_value_that_may_hold_beside(instance: Instance, text: str, value: str, key: str) -> None:
    known = store(instance, "The user has a Golf in Bonn.", "Golf in Bonn", key=key).memory
    outcome = store(instance, text, value, key=key)
    assert (outcome.action, outcome.contradicts) == (Action.STORED, (known.pk,))
    assert outcome.memory.key == ""
    assert current(known) == ("The user has a Golf in Bonn.", "Golf in Bonn")


def test_default_confidence_by_source(instance: Instance) -> None:
    sure = {}
    for number, origin in enumerate(Origin):
        writer = Writer(origin, Actor(via="test"), tier=Tier.USER)
        memory = store(instance, f"Fact {number}.", "x", writer, key=origin).memory
        assert memory.origin == origin
        sure[str(origin)] = memory.confidence
    assert sure == {
        "tool_call": 95,
        "auto_discovery": 95,
        "user_explicit": 90,
        "conversation": 70,
        "manual": 100,
        "api": 70,
        "import": 70,
    }


def test_source_of_a_candidate_overrides_the_writer(instance: Instance) -> None:
    memory = store(instance, "The user is 1.80 m tall.", origin=Origin.TOOL_CALL).memory
    assert (memory.origin, memory.confidence) == ("tool_call", 95)


def test_repeated_value_confirms_the_fact(instance: Instance, munich: Memory) -> None:
    assert munich.verified_at is None
    outcome = store(instance, "Munich is where the user lives.", "MUNICH", confidence=95)
    assert (outcome.action, outcome.memory, outcome.not_taken) == (Action.DUPLICATE, munich, False)
    assert current(munich) == ("The user lives in Munich.", "Munich")
    assert munich.verified_at is not None
    assert munich.confidence == 95
    store(instance, "The user lives in Munich.", "Munich", confidence=10)
    munich.refresh_from_db()
    assert munich.confidence == 95
    assert not munich.revisions.exists()


def test_later_value_stays_and_the_earlier_one_is_in_the_history(
    instance: Instance, munich: Memory, conversation: Conversation
) -> None:
    message = conversation.messages.earliest("pk")
    outcome = store(
        instance,
        "The user lives in Lyon.",
        "Lyon",
        said_at=LAST_YEAR,
        conversation_id=conversation.pk,
        message_id=message.pk,
    )
    assert (outcome.action, outcome.memory, outcome.not_taken) == (Action.DUPLICATE, munich, True)
    assert current(munich) == ("The user lives in Munich.", "Munich")
    heard = MemoryRevision.objects.heard().get()
    assert (heard.memory, heard.content, heard.value) == (munich, "The user lives in Lyon.", "Lyon")
    assert (heard.tier, heard.origin) == (Tier.USER, "conversation")
    link = MemorySource.objects.get(message=message)
    assert (link.action, heard.source) == ("heard", link)
    # It was never the text of the memory: nothing to undo, and no change.
    assert not MemoryMark.objects.filter(kind=MarkKind.CHANGED).exists()
    with pytest.raises(NotTheNewest):
        undo(heard, by=Actor())
    store(instance, "The user lives in Lyon.", "Lyon", said_at=LAST_YEAR)
    assert MemoryRevision.objects.heard().count() == 1


def test_user_does_not_change_what_a_person_typed(instance: Instance) -> None:
    munich = store(instance, "The user lives in Munich.", "Munich", BY_HAND).memory
    outcome = store(instance, "The user lives in Lyon.", "Lyon", confidence=100)
    assert outcome.not_taken
    assert current(munich) == ("The user lives in Munich.", "Munich")
    assert MemoryRevision.objects.heard().get().tier == Tier.USER


def test_rejected_value_can_be_accepted_later(
    instance: Instance, munich: Memory, alice: User
) -> None:
    store(instance, "The user lives in Lyon.", "Lyon", said_at=LAST_YEAR)
    restore(MemoryRevision.objects.heard().get(), by=Actor(alice))
    assert current(munich) == ("The user lives in Lyon.", "Lyon")
    # After a manual decision, conversations do not change the value.
    assert (munich.tier, munich.origin) == (Tier.PERSON, "manual")
    assert store(instance, "The user lives in Munich.", "Munich", confidence=99).not_taken
    undo(MemoryRevision.objects.versions().get(), by=Actor(alice))
    assert current(munich) == ("The user lives in Munich.", "Munich")
    assert (munich.tier, munich.origin) == (Tier.USER, "conversation")


def test_expired_value_is_replaced_by_any_value_of_its_tier(
    instance: Instance, munich: Memory
) -> None:
    Memory.objects.update(valid_until=timezone.localdate() - timedelta(days=1))
    outcome = store(instance, "The user lives in Lyon.", "Lyon", said_at=LAST_YEAR)
    assert outcome.action is Action.UPDATED
    assert current(munich) == ("The user lives in Lyon.", "Lyon")
    assert munich.valid_until is None


def test_undo_restores_key_value_and_tier(instance: Instance, munich: Memory) -> None:
    store(instance, "The user lives in Lyon.", "Lyon", BY_HAND)
    munich.refresh_from_db()
    assert (munich.value, munich.tier, munich.origin) == ("Lyon", Tier.PERSON, "manual")
    undo(munich.revisions.get(), by=Actor())
    munich.refresh_from_db()
    assert (munich.value, munich.tier, munich.origin) == ("Munich", Tier.USER, "conversation")


def test_keys_are_scoped_to_person_and_instance(
    instance: Instance, private: Instance, munich: Memory
) -> None:
    others = [
        store(instance, "The user lives in Lyon.", "Lyon", end_user="ana"),
        store(private, "The user lives in Lyon.", "Lyon"),
    ]
    assert [outcome.action for outcome in others] == [Action.STORED] * 2
    assert current(munich) == ("The user lives in Munich.", "Munich")


def test_key_counts_whatever_the_category(instance: Instance, munich: Memory) -> None:
    outcome = store(instance, "Home is Lyon by now.", "Lyon", confidence=80, category="general")
    assert (outcome.action, outcome.memory) == (Action.UPDATED, munich)
    assert current(munich) == ("Home is Lyon by now.", "Lyon")


def test_key_that_may_have_several_values_only_groups(instance: Instance) -> None:
    nuts = store(instance, "The user is allergic to nuts.", "nuts", key="allergy")
    penicillin = store(instance, "The user is allergic to penicillin.", "penicillin", key="allergy")
    assert penicillin.action is Action.STORED
    assert list(Memory.objects.order_by("pk").values_list("key", "value")) == [
        ("allergy", "nuts"),
        ("allergy", "penicillin"),
    ]
    assert store(instance, "The user is allergic to nuts!", "nuts", key="allergy").memory == (
        nuts.memory
    )


def test_manager_can_make_a_key_single_valued(instance: Instance) -> None:
    Instance.objects.update(single_valued_keys=["Desk number"])
    instance.refresh_from_db()
    first = store(instance, "The desk of the user is number 4.", "4", key="desk_number")
    second = store(instance, "The user has moved to desk 9.", "9", key="desk_number")
    assert (second.action, second.memory) == (Action.UPDATED, first.memory)


def test_second_value_of_one_call_stands_beside_the_first_without_the_key(
    instance: Instance,
) -> None:
    first, second = remember(
        instance,
        [
            Candidate("The user is called Ana.", key="name", value="Ana"),
            Candidate("The user is allergic to walnuts.", key="name", value="walnuts"),
        ],
        EXTRACTION,
    )
    assert (first.action, second.action) == (Action.STORED, Action.STORED)
    assert second.contradicts == (first.memory.pk,)
    assert list(Memory.objects.order_by("pk").values_list("content", "key")) == [
        ("The user is called Ana.", "name"),
        ("The user is allergic to walnuts.", ""),
    ]


def test_value_stated_earlier_does_not_replace_a_later_one(
    instance: Instance, munich: Memory
) -> None:
    outcome = store(instance, "The user lives in Lyon.", "Lyon", said_at=LAST_YEAR)
    assert outcome.not_taken
    assert current(munich) == ("The user lives in Munich.", "Munich")


def test_different_keys_are_different_facts(instance: Instance, munich: Memory) -> None:
    outcome = store(instance, "The user lives in Munich!", "Munich", key="work_city")
    assert outcome.action is Action.STORED
    assert set(Memory.objects.values_list("key", flat=True)) == {"home_city", "work_city"}


def test_existing_fact_without_a_key_gets_it(instance: Instance) -> None:
    memory = store(instance, "The user lives in Munich.").memory
    outcome = store(instance, "The user lives in Munich.", "Munich")
    assert (outcome.action, outcome.memory) == (Action.DUPLICATE, memory)
    memory.refresh_from_db()
    assert (memory.key, memory.value) == ("home_city", "Munich")


def test_new_version_without_a_key_keeps_it(instance: Instance, munich: Memory) -> None:
    Instance.objects.update(dedup_update=0.5)
    instance.refresh_from_db()
    outcome = store(instance, "The user is living in Munich now.", confidence=80)
    assert (outcome.action, outcome.memory) == (Action.UPDATED, munich)
    assert current(munich) == ("The user is living in Munich now.", "Munich")
    assert (munich.key, munich.confidence) == ("home_city", 80)


def test_other_value_without_a_key_needs_the_same_tier(instance: Instance, munich: Memory) -> None:
    Instance.objects.update(dedup_update=0.5)
    instance.refresh_from_db()
    Memory.objects.update(tier=Tier.PERSON)
    lower = store(instance, "The user lives in Lyon.")
    assert (lower.action, lower.contradicts) == (Action.STORED, (munich.pk,))
    assert current(munich) == ("The user lives in Munich.", "Munich")
    lower.memory.delete()
    outcome = store(instance, "The user lives in Lyon.", writer=BY_HAND)
    assert (outcome.action, outcome.memory) == (Action.UPDATED, munich)
    # The value is unknown.
    munich.refresh_from_db()
    assert (munich.content, munich.key, munich.value) == ("The user lives in Lyon.", "", "")
    assert MemoryRevision.objects.versions().get().value == "Munich"


def test_secrets_in_values_are_redacted(instance: Instance) -> None:
    said = "The user pays with 4111 1111 1111 1111."
    outcome = store(instance, said, "4111 1111 1111 1111", key="card")
    assert outcome.memory.value == "[REDACTED:CARD]"
    assert outcome.redactions == {"CARD": 1}


@pytest.mark.parametrize(("key", "value"), [("home_city", ""), ("", "Munich"), ("?!", "Munich")])
def test_key_and_value_are_required_together(instance: Instance, key: str, value: str) -> None:
    with pytest.raises(Rejected, match="belong together"):
        store(instance, "The user lives in Munich.", key=key, value=value)


def test_database_enforces_pairs(instance: Instance) -> None:
    for fields in ({"key": "a"}, {"value": "b"}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Memory.objects.create(instance=instance, content="Any.", category="fact", **fields)


def test_manual_edit_has_full_confidence(instance: Instance, munich: Memory, alice: User) -> None:
    revise(munich, Changes("The user lives in Graz.", "fact", 5, value="Graz"), by=Actor(alice))
    munich.refresh_from_db()
    assert (munich.key, munich.value) == ("home_city", "Graz")
    assert (munich.tier, munich.origin) == (Tier.PERSON, "manual")
    assert munich.verified_at is not None


def test_edit_cannot_use_the_key_of_another_fact(
    instance: Instance, munich: Memory, alice: User
) -> None:
    other = store(instance, "The user works in Lyon.", "Lyon", key="work_city").memory
    with pytest.raises(KeyTaken, match="another memory with the key home_city"):
        revise(other, Changes(other.content, "fact", 5, key="Home City"), by=Actor(alice))
    other.refresh_from_db()
    assert other.key == "work_city"


def test_undo_cannot_use_the_key_of_another_fact(
    instance: Instance, munich: Memory, alice: User
) -> None:
    changes = Changes("The user liked it in Munich.", "fact", 5, key="", value="")
    revise(munich, changes, by=Actor(alice))
    store(instance, "The user lives in Lyon.", "Lyon")
    with pytest.raises(NotTheNewest, match="another memory with the key home_city"):
        undo(munich.revisions.get(), by=Actor(alice))


def test_restored_fact_loses_a_taken_key(instance: Instance, munich: Memory, alice: User) -> None:
    undo_token = forget_undoably(instance, Memory.objects.all(), by=alice).undo_token
    assert undo_token is not None
    store(instance, "The user lives in Lyon.", "Lyon")
    assert restore_deleted(undo_token, instance, alice).memories == 1
    munich.refresh_from_db()
    assert (munich.content, munich.key) == ("The user lives in Munich.", "")
    assert Memory.objects.get(key="home_city").value == "Lyon"
