"""Taking back a key, a conversation, a tool, a stretch of time, and what others have said too."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from conversations.messages import MessageDoor, NewMessage, append
from conversations.models import Conversation, Import, Message
from instances.actor import Actor
from instances.models import ApiKey, Instance, User
from instances.tiers import Tier
from memoryapp.forgetting.archive import unarchive
from memoryapp.forgetting.undo_buffer import restore_deleted
from memoryapp.models import (
    Activity,
    ArchivedMemory,
    HeldStatement,
    Memory,
    MemoryRevision,
    MemorySource,
    MutedMessage,
    Origin,
)
from memoryapp.pipeline import Candidate, Changes, Outcome, Suppressed, Writer, remember, revise
from memoryapp.policy.dedup import Action
from memoryapp.trust.change_source import ChangeSource
from memoryapp.trust.review import approve
from memoryapp.trust.rollback import RollbackEffect, effect_of, take_back

READ = Writer(Origin.CONVERSATION, Actor(via="extraction"), tier=Tier.USER)


def make_key(instance: Instance, name: str) -> ApiKey:
    key = ApiKey(instance=instance, name=name, scopes=["read", "write"])
    key.make_secret()
    key.save()
    return key


@pytest.fixture
def bot(instance: Instance) -> ApiKey:
    return make_key(instance, "Bot")


@pytest.fixture
def other(instance: Instance) -> ApiKey:
    return make_key(instance, "Other")


def write(key: ApiKey | User, content: str, **more: Any) -> Outcome:
    """Store *content* as a program does with its key, or as a person does on a screen."""
    instance = Instance.objects.get(slug="desk")
    by = Actor(via=f"api {key.prefix}") if isinstance(key, ApiKey) else Actor(key)
    tier = Tier.USER if isinstance(key, ApiKey) else Tier.PERSON
    writer = Writer(Origin.API, by, tier=more.pop("tier", tier))
    return remember(instance, [Candidate(content, **more)], writer)[0]


def learn(message: Message, content: str, **more: Any) -> Outcome:
    """Store *content* as reading *message* does."""
    candidate = Candidate(
        content,
        conversation_id=message.conversation_id,
        message_id=message.pk,
        tier=message.tier,
        **more,
    )
    return remember(message.instance, [candidate], READ)[0]


def an_hour_passes() -> None:
    hour = timedelta(hours=1)
    for memory in Memory.objects.all():
        Memory.objects.filter(pk=memory.pk).update(
            said_at=memory.said_at - hour, updated_at=memory.updated_at - hour
        )
    for source in MemorySource.objects.all():
        MemorySource.objects.filter(pk=source.pk).update(created_at=source.created_at - hour)
    for revision in MemoryRevision.objects.all():
        MemoryRevision.objects.filter(pk=revision.pk).update(
            replaced_at=revision.replaced_at - hour, valid_from=revision.valid_from - hour
        )


def texts() -> set[str]:
    return set(Memory.objects.values_list("content", flat=True))


def taken_back(by: User, **source: Any) -> RollbackEffect:
    instance = Instance.objects.get(slug="desk")
    return take_back(ChangeSource(instance, **source), by=by)[0]


def test_key_is_taken_back(instance: Instance, alice: User, bot: ApiKey, other: ApiKey) -> None:
    write(other, "The user has 3 cats.")
    an_hour_passes()
    write(bot, "The user has 30 cats.")
    write(bot, "The bank is in Minsk.")
    write(other, "Ana rows.")
    effect = taken_back(alice, key=bot)
    assert (len(effect.stored), len(effect.changed), effect.staying) == (1, 1, [])
    assert texts() == {"The user has 3 cats.", "Ana rows."}
    line = Activity.objects.latest("pk")
    assert (line.action, line.count, line.about) == ("rolled_back", 2, "the key “Bot”")
    assert taken_back(alice, key=bot) == RollbackEffect()


def test_what_others_have_said_as_well_stays(alice: User, bot: ApiKey, other: ApiKey) -> None:
    for who in (alice, other):
        said = f"The bank of {'Ana' if who is other else 'Ben'} is in Minsk."
        write(bot, said)
        write(who, said)
    write(bot, "The user rows.")
    write(bot, "The user rows.")
    effect = taken_back(alice, key=bot)
    assert (len(effect.stored), len(effect.staying)) == (1, 2)
    assert texts() == {"The bank of Ana is in Minsk.", "The bank of Ben is in Minsk."}


def test_version_that_another_has_said_comes_back(alice: User, bot: ApiKey, other: ApiKey) -> None:
    write(bot, "The user has 3 cats.")
    an_hour_passes()
    write(other, "The user has 3 cats.")
    an_hour_passes()
    write(bot, "The user has 30 cats.")
    assert texts() == {"The user has 30 cats."}
    assert len(taken_back(alice, key=bot).changed) == 1
    assert texts() == {"The user has 3 cats."}


def test_corrections_of_people_stay_and_edits_of_a_program_do_not(
    instance: Instance, alice: User, bot: ApiKey
) -> None:
    corrected = write(bot, "The bank is in Minsk.").memory
    revise(corrected, Changes("The bank is in Munich.", "fact", 5), by=Actor(alice))
    edited = write(alice, "The dose is 10 mg.").memory
    program = Actor(via=f"api {bot.prefix}")
    revise(edited, Changes("The dose is 100 mg.", "fact", 5), by=program)
    effect = taken_back(alice, key=bot)
    assert (effect.stored, effect.staying) == ([], [corrected.pk])
    assert texts() == {"The bank is in Munich.", "The dose is 10 mg."}


def test_messages_of_a_key_are_not_recalled_or_learned_again(
    instance: Instance, alice: User, bot: ApiKey, conversation: Conversation
) -> None:
    write(alice, "The user has 3 cats.", tier=Tier.USER)
    an_hour_passes()
    sent = [NewMessage("user", "The bank is in Minsk."), NewMessage("user", "I have 30 cats.")]
    bank, cats = append(conversation, sent, door=MessageDoor(Tier.USER, bot)).added
    conversation.watermark = cats.position
    conversation.save()
    learn(bank, "The user's bank is in Minsk.")
    learn(cats, "The user has 30 cats.")
    before = texts()
    effect, result = take_back(ChangeSource(instance, key=bot), by=alice)
    assert (len(effect.stored), len(effect.changed)) == (1, 1)
    assert texts() == {"The user has 3 cats."}
    assert set(MutedMessage.objects.values_list("message", flat=True)) == {bank.pk, cats.pk}
    for message in (bank, cats):
        with pytest.raises(Suppressed):
            learn(message, "The user has thirty cats and a bank in Minsk.")

    assert result.undo_token is not None
    restore_deleted(result.undo_token, instance, alice)
    assert texts() == before
    assert not MutedMessage.objects.exists()
    assert not ArchivedMemory.objects.exists()


def test_results_of_a_tool_are_taken_back(
    instance: Instance, alice: User, conversation: Conversation
) -> None:
    sent = [
        NewMessage("tool", "The pharmacy opens at 8.", tool_name="fetch"),
        NewMessage("tool", "It rains in Oslo.", tool_name="weather"),
    ]
    for message in append(conversation, sent).added:
        learn(message, message.content)
    assert len(taken_back(alice, tool="fetch").stored) == 1
    assert texts() == {"It rains in Oslo."}


def test_stretch_of_time_leaves_alone_what_people_have_typed(
    instance: Instance, alice: User, bot: ApiKey, other: ApiKey
) -> None:
    write(bot, "Ana rows.")
    an_hour_passes()
    began = timezone.now()
    write(bot, "Ben sails.")
    write(other, "Cleo dives.")
    write(alice, "Dora skis.")
    here = ChangeSource(instance, since=began - timedelta(minutes=1))
    assert len(effect_of(here).stored) == 2
    assert not effect_of(ChangeSource(instance, since=timezone.now())).count
    assert not effect_of(ChangeSource(instance)).count
    both = ChangeSource(instance, key=bot, since=began - timedelta(minutes=1))
    take_back(both, by=alice)
    assert texts() == {"Ana rows.", "Cleo dives.", "Dora skis."}


def test_conversations_of_an_import_are_taken_back(
    instance: Instance, alice: User, conversation: Conversation
) -> None:
    import_ = Import.objects.create(instance=instance, filename="chats.json")
    import_.add_conversation(conversation)
    door = MessageDoor(batch=import_.batch)
    (message,) = append(conversation, [NewMessage("user", "Ana rows.")], door=door).added
    learn(message, "Ana rows.")
    assert len(taken_back(alice, import_=import_).stored) == 1
    assert not texts()


def test_what_was_taken_back_can_be_restored_from_the_bin(
    instance: Instance, alice: User, bot: ApiKey
) -> None:
    write(bot, "The bank is in Minsk.")
    taken_back(alice, key=bot)
    line = Activity.objects.latest("pk")
    bin_ = ArchivedMemory.objects.filter(batch=line.batch)
    assert bin_.get().by == alice
    assert unarchive(instance, bin_, by=Actor(alice)) == 1
    # It is the key's as before.
    assert len(taken_back(alice, key=bot).stored) == 1


def test_what_waits_goes_as_well_and_what_was_approved_is_of_its_source(
    instance: Instance, alice: User, bot: ApiKey
) -> None:
    write(alice, "The user takes 10 mg of Ramipril every morning.")
    for dose in (100, 1000):
        text = f"The user takes {dose} mg of Ramipril every morning."
        assert write(bot, text, tier=Tier.TOOL).action is Action.HELD
    approve(HeldStatement.objects.earliest("pk"), by=Actor(alice))
    assert Memory.objects.count() == 2
    effect = taken_back(alice, key=bot)
    assert (len(effect.stored), effect.waiting) == (1, 1)
    assert not HeldStatement.objects.exists()
    assert texts() == {"The user takes 10 mg of Ramipril every morning."}


def test_other_instances_are_not_touched(
    instance: Instance, private: Instance, alice: User, bot: ApiKey
) -> None:
    write(bot, "Ana rows.")
    since = timezone.now() - timedelta(hours=1)
    assert not effect_of(ChangeSource(private, since=since)).count
    assert effect_of(ChangeSource(instance, since=since)).count == 1
