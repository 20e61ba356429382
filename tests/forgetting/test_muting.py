"""Messages that state what was forgotten: empty for everything but the transcript."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from conversations.messages import NewMessage, append, append_new
from conversations.models import Conversation, Message
from instances.actor import Actor
from instances.models import Instance, User
from memoryapp.forgetting.deletion import forget, forget_undoably
from memoryapp.forgetting.undo_buffer import restore_deleted
from memoryapp.models import Memory, MutedMessage, Origin, SuppressedStatement
from memoryapp.models.muted_messages import BLACKED_OUT
from memoryapp.pipeline import Candidate, Writer, remember
from memoryapp.recall import RecallOptions, recall
from memoryapp.tasks.sweep import sweep_up
from tests.palace_factories import file_turn

Store = Callable[..., Memory]
SAID = "I live in Montevideo with my sister."
FACT = "The user lives in Montevideo with a sister."


@pytest.fixture
def talk(instance: Instance) -> Conversation:
    return Conversation.objects.create(instance=instance, title="I live in Montevideo…")


@pytest.fixture
def home(talk: Conversation) -> Memory:
    """A memory, learned from the first message."""
    (message,) = append(talk, [NewMessage("user", SAID)]).added
    file_turn(message, "Home")
    candidate = Candidate(FACT, conversation_id=talk.pk, message_id=message.pk)
    writer = Writer(Origin.CONVERSATION, Actor(via="extraction"))
    (outcome,) = remember(talk.instance, [candidate], writer)
    Conversation.objects.update(watermark=1)
    return outcome.memory


def forget_it(memory: Memory) -> None:
    assert forget(memory.instance, Memory.objects.filter(pk=memory.pk), by=Actor()) == 1


def texts(talk: Conversation) -> list[str]:
    return list(talk.messages.order_by("position").values_list("content", flat=True))


def test_message_is_found_nowhere_and_shown_to_people(
    as_alice: Client, talk: Conversation, home: Memory
) -> None:
    forget_it(home)
    assert texts(talk) == [""]
    talk.refresh_from_db()
    assert talk.title == ""
    assert not recall(talk.instance, "Who lives in Montevideo?", RecallOptions()).hits
    page = as_alice.get(talk.get_absolute_url()).content.decode()
    assert SAID in page
    assert "Not recalled: it states something forgotten." in page


def test_undo_brings_the_message_back(alice: User, talk: Conversation, home: Memory) -> None:
    chosen = Memory.objects.filter(pk=home.pk)
    undo_token = forget_undoably(talk.instance, chosen, by=alice).undo_token
    assert undo_token
    restore_deleted(undo_token, talk.instance, alice)
    assert texts(talk) == [SAID]
    talk.refresh_from_db()
    assert talk.title == "I live in Montevideo…"
    assert not MutedMessage.objects.exists()
    assert not SuppressedStatement.objects.exists()
    # It is filed where it was.
    assert Message.objects.get().drawer.closet.room.wing.name == "Home"


def test_message_of_two_forgotten_facts_stays_muted_until_both_are_back(
    alice: User, talk: Conversation, home: Memory
) -> None:
    message = talk.messages.get()
    sister = Candidate("The user has a sister.", conversation_id=talk.pk, message_id=message.pk)
    (outcome,) = remember(talk.instance, [sister], Writer(Origin.CONVERSATION, Actor(via="x")))
    forget_it(outcome.memory)
    chosen = Memory.objects.filter(pk=home.pk)
    undo_token = forget_undoably(talk.instance, chosen, by=alice).undo_token
    assert undo_token
    restore_deleted(undo_token, talk.instance, alice)
    assert texts(talk) == [""]


def test_other_messages_that_state_it_are_muted(talk: Conversation, home: Memory) -> None:
    other = Conversation.objects.create(instance=talk.instance)
    someone = Conversation.objects.create(instance=talk.instance, end_user="bea")
    same = "By the way: my sister and I have been living in Montevideo."
    append(other, [NewMessage("user", same), NewMessage("user", "Montevideo is a city.")])
    append(someone, [NewMessage("user", same)])
    forget_it(home)
    assert texts(other) == ["", "Montevideo is a city."]
    assert texts(someone) == [same]


def test_history_that_is_sent_again_stays_muted(talk: Conversation, home: Memory) -> None:
    forget_it(home)
    sent = [NewMessage("user", SAID), NewMessage("assistant", "Nice."), NewMessage("user", "Hm?")]
    new = Conversation.objects.create(instance=talk.instance)
    append(new, sent)
    assert texts(new) == ["", "Nice.", "Hm?"]
    append_new(talk, sent)
    assert texts(talk) == ["", "Nice.", "Hm?"]


def test_history_of_a_deleted_conversation_stays_muted(talk: Conversation, home: Memory) -> None:
    forget_it(home)
    talk.delete()
    new = Conversation.objects.create(instance=home.instance)
    append(new, [NewMessage("user", f" {SAID} ")], history=True)
    assert texts(new) == [""]


def test_what_is_said_anew_is_heard(talk: Conversation, home: Memory) -> None:
    forget_it(home)
    (message,) = append(talk, [NewMessage("user", SAID)]).added
    assert texts(talk) == ["", SAID]
    candidate = Candidate(FACT, conversation_id=talk.pk, message_id=message.pk)
    remember(talk.instance, [candidate], Writer(Origin.CONVERSATION, Actor(via="extraction")))
    assert Memory.objects.get().content == FACT


def test_same_messages_are_added_anew_after_they_were_forgotten(
    talk: Conversation, home: Memory
) -> None:
    sent = [NewMessage("user", SAID), NewMessage("assistant", "Nice.")]
    append_new(talk, sent)
    forget_it(home)
    append_new(talk, sent)
    assert texts(talk) == ["", "Nice.", SAID, "Nice."]
    # A program that sends them once more when in doubt adds nothing.
    append_new(talk, sent)
    assert texts(talk) == ["", "Nice.", SAID, "Nice."]


def test_assistant_does_not_bring_it_back(talk: Conversation, home: Memory) -> None:
    forget_it(home)
    reply = "Done. You live in Montevideo with your sister: that is forgotten."
    append(talk, [NewMessage("assistant", reply), NewMessage("assistant", "Anything else?")])
    assert texts(talk) == ["", "", "Anything else?"]


def test_assistant_does_not_bring_back_what_no_message_said(
    talk: Conversation, store_memory: Store
) -> None:
    forget_it(store_memory(FACT))
    reply = "You live in Montevideo with your sister."
    append(talk, [NewMessage("assistant", reply), NewMessage("assistant", "Anything else?")])
    assert texts(talk) == ["", "Anything else?"]
    # Who says it anew is obeyed.
    append(talk, [NewMessage("user", SAID)])
    assert texts(talk)[-1] == SAID


def test_sentence_is_taken_out_of_the_conversation(
    as_alice: Client, alice: User, talk: Conversation, home: Memory
) -> None:
    said = f"Good morning. {SAID} It rains."
    talk.messages.update(content=said)
    chosen = Memory.objects.filter(pk=home.pk)
    undo_token = forget_undoably(talk.instance, chosen, by=alice, take_out=True).undo_token
    page = as_alice.get(talk.get_absolute_url()).content.decode()
    assert "Montevideo" not in page
    assert f"Good morning. {BLACKED_OUT} It rains." in page
    # It can be undone for a while, then it is deleted.
    sweep_up()
    assert MutedMessage.objects.get().content == said
    MutedMessage.objects.update(muted_at=timezone.now() - timedelta(seconds=13))
    sweep_up()
    assert MutedMessage.objects.get().content == f"Good morning. {BLACKED_OUT} It rains."
    assert undo_token


def test_undo_brings_back_what_was_taken_out(alice: User, talk: Conversation, home: Memory) -> None:
    chosen = Memory.objects.filter(pk=home.pk)
    undo_token = forget_undoably(talk.instance, chosen, by=alice, take_out=True).undo_token
    assert undo_token
    restore_deleted(undo_token, talk.instance, alice)
    assert texts(talk) == [SAID]
