"""Deleted memories are not learned again."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from conversations.messages import NewMessage, append
from conversations.models import Conversation, Message
from instances.actor import Actor
from instances.models import Instance, User
from memoryapp.extraction.message_status import ExtractionProgress
from memoryapp.extraction.run import queue_again, read
from memoryapp.forgetting.deletion import forget, forget_undoably
from memoryapp.forgetting.undo_buffer import restore_deleted
from memoryapp.models import Memory, MemorySource, Origin, Run, SuppressedStatement, SuppressionRule
from memoryapp.pipeline import (
    Candidate,
    Changes,
    RememberOptions,
    Suppressed,
    Writer,
    admit,
    remember,
    revise,
)
from memoryapp.pipeline.suppression import RULE
from tests.provider_fixtures import fact, read_with
from tests.scripted_provider import ScriptedProvider

Store = Callable[..., Memory]
PROGRAM = Writer(Origin.API, Actor(via="test"))
BY_HAND = Writer(Origin.MANUAL, Actor(via="test"))


@pytest.fixture
def talk(instance: Instance, provider: ScriptedProvider) -> Conversation:
    """A conversation that has been read, with two facts from its first message."""
    read_with(provider, instance)
    talk = Conversation.objects.create(instance=instance, title="Cats")
    append(
        talk,
        [
            NewMessage("user", "I have two cats, and I moved to Oslo."),
            NewMessage("assistant", "Ah."),
        ],
    )
    learn(provider, "The user has two cats.", "The user moved to Oslo.")
    return talk


def learn(provider: ScriptedProvider, *facts: str) -> Run:
    """Run the queued extraction; the model finds *facts* in the first message."""
    provider.reply_with({"memories": [fact(1, text) for text in facts]})
    Run.objects.update(due_at=timezone.now() - timedelta(seconds=1))
    run = Run.objects.get(state=Run.State.QUEUED)
    assert run.claim()
    read(run)
    run.refresh_from_db()
    assert run.state == Run.State.SUCCEEDED, run.error
    return run


def memory_with(content: str) -> "Memory":
    return Memory.objects.get(content=content)


def texts() -> set[str]:
    return set(Memory.objects.values_list("content", flat=True))


def delete(memory: Memory, *, never_again: bool = False) -> None:
    chosen = Memory.objects.filter(pk=memory.pk)
    assert forget(memory.instance, chosen, by=Actor(), never_again=never_again) == 1


def fate_of_the_first(talk: Conversation) -> str:
    message = talk.messages.get(position=1)
    reading = ExtractionProgress.of(Conversation.objects.get(pk=talk.pk))
    return reading.status_of(message, list(MemorySource.objects.filter(message=message))).words


# From the same messages


@pytest.mark.parametrize("wording", ["The user has two cats.", "Two pets live with the user."])
def test_suppressed_memory_is_not_relearned_from_its_conversation(
    talk: Conversation, provider: ScriptedProvider, wording: str
) -> None:
    delete(memory_with("The user has two cats."))

    assert queue_again(talk) is not None
    run = learn(provider, wording, "The user moved to Oslo.")

    assert texts() == {"The user moved to Oslo."}
    assert run.rejected == []
    Conversation.objects.get(pk=talk.pk, watermark=2)


def test_transcript_shows_the_suppression(talk: Conversation, provider: ScriptedProvider) -> None:
    for text in texts():
        delete(memory_with(text))
    queue_again(talk)
    learn(provider, "The user has two cats.")

    assert fate_of_the_first(talk) == ("Not recalled: it states something forgotten.")


def test_deleted_memory_is_relearned_from_a_later_message(
    talk: Conversation, provider: ScriptedProvider
) -> None:
    delete(memory_with("The user has two cats."))
    append(talk, [NewMessage("user", "My two cats are well."), NewMessage("assistant", "Good.")])

    provider.reply_with({"memories": [fact(3, "The user has two cats.")]})
    run = Run.objects.get(state=Run.State.QUEUED)
    assert run.claim()
    read(run)

    assert "The user has two cats." in texts()


def test_other_facts_of_an_unread_message_are_still_learned(
    instance: Instance, provider: ScriptedProvider
) -> None:
    read_with(provider, instance)
    talk = Conversation.objects.create(instance=instance)
    added = append(talk, [NewMessage("user", "Remember: two cats. I moved to Oslo, too.")]).added
    candidate = Candidate("The user has two cats.", conversation_id=talk.pk, message_id=added[0].pk)
    (outcome,) = remember(instance, [candidate], PROGRAM)
    delete(outcome.memory)
    append(talk, [NewMessage("assistant", "Noted.")])

    learn(provider, "The user owns two cats.", "The user moved to Oslo.")

    assert texts() == {"The user moved to Oslo."}


def test_no_version_is_relearned_from_its_source(
    instance: Instance, conversation: Conversation, store_message: Callable[..., Message]
) -> None:
    first, second = (store_message(conversation, text) for text in ("Two cats.", "Three cats."))
    for message, text in ((first, "two"), (second, "three")):
        candidate = Candidate(
            f"The user has {text} cats.", conversation_id=conversation.pk, message_id=message.pk
        )
        remember(instance, [candidate], PROGRAM)
    memory = Memory.objects.get()
    assert memory.revisions.count() == 1
    Conversation.objects.update(watermark=99)

    delete(memory)

    assert set(SuppressedStatement.objects.values_list("message", "whole")) == {
        (first.pk, True),
        (second.pk, True),
    }


def test_undoing_the_deletion_lifts_the_suppression(
    talk: Conversation, instance: Instance, alice: User
) -> None:
    memory = memory_with("The user has two cats.")
    chosen = Memory.objects.filter(pk=memory.pk)
    forgotten = forget_undoably(instance, chosen, by=alice, never_again=True)
    assert (SuppressedStatement.objects.count(), SuppressionRule.objects.count()) == (1, 1)
    assert forgotten.undo_token

    restore_deleted(forgotten.undo_token, instance, alice)

    assert (SuppressedStatement.objects.count(), SuppressionRule.objects.count()) == (0, 0)


def test_conversation_being_read_is_not_started_again(
    talk: Conversation, provider: ScriptedProvider
) -> None:
    run = queue_again(talk)
    assert run
    assert run.claim()

    assert queue_again(talk) is None
    assert Run.objects.filter(state=Run.State.QUEUED).count() == 0


def test_repeated_extraction_stores_nothing_twice(
    talk: Conversation, provider: ScriptedProvider
) -> None:
    before = texts()
    queue_again(talk)
    run = learn(provider, *before)

    assert texts() == before
    assert (run.stored, run.repeated) == (0, 2)


# From any source


@pytest.fixture
def suppression(instance: Instance, store_memory: Store) -> SuppressionRule:
    """The suppression rule of a deleted fact."""
    delete(store_memory("The user is allergic to peanuts.", end_user="ann"), never_again=True)
    return SuppressionRule.objects.get()


SAME = ["The user is allergic to peanuts.", "The user has a peanut allergy!"]


@pytest.mark.parametrize("content", SAME)
def test_suppression_applies_to_every_write_path_and_is_counted(
    instance: Instance, suppression: SuppressionRule, content: str
) -> None:
    with pytest.raises(Suppressed) as refused:
        remember(instance, [Candidate(content, end_user="ann")], PROGRAM)
    assert (refused.value.code, str(refused.value)) == ("never_again", RULE)

    fit, unfit = admit(instance, [Candidate("She sails."), Candidate(content, end_user="ann")])
    assert [each.candidate.content for each in fit] == ["She sails."]
    assert [one.problem.code for one in unfit] == ["never_again"]
    suppression.refresh_from_db()
    assert suppression.kept_out == 2
    assert suppression.last_kept_out_at
    assert not Memory.objects.exists()


def test_suppression_does_not_affect_other_facts_people_or_instances(
    instance: Instance, private: Instance, suppression: SuppressionRule
) -> None:
    remember(instance, [Candidate("The user is a teacher.", end_user="ann")], PROGRAM)
    remember(instance, [Candidate(SAME[0], end_user="ben")], PROGRAM)
    remember(private, [Candidate(SAME[0], end_user="ann")], PROGRAM)

    assert Memory.objects.count() == 3


def test_manual_write_reports_the_suppression_and_may_lift_it(
    instance: Instance, suppression: SuppressionRule
) -> None:
    candidate = Candidate(SAME[1], end_user="ann")
    with pytest.raises(Suppressed):
        remember(instance, [candidate], BY_HAND)

    remember(instance, [candidate], BY_HAND, RememberOptions(lift_rules=True))

    assert texts() == {SAME[1]}
    assert not SuppressionRule.objects.exists()


def test_earlier_versions_are_suppressed_too(instance: Instance, store_memory: Store) -> None:
    memory = store_memory("The user plays the cello.")
    revise(memory, Changes("The user gave up music in 2020.", "fact", 5), by=Actor())
    delete(memory, never_again=True)

    for content in ("The user plays the cello.", "The user gave up music in 2020."):
        with pytest.raises(Suppressed):
            remember(instance, [Candidate(content)], PROGRAM)


def test_suppression_stores_no_text(instance: Instance, suppression: SuppressionRule) -> None:
    kept = bytes(suppression.words) + bytes(suppression.names)

    assert len(kept) == 128
    for word in (b"user", b"aller", b"peanu"):
        assert word not in kept
