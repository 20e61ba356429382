"""Submitting messages and retries: one at a time, rejected with a reason."""

import pytest

from conversations.messages import NewMessage, append
from conversations.models import Conversation, Role
from instances.models import Agent, Instance
from memoryapp.assistant.answer import answer
from memoryapp.assistant.events import Failed, Finished
from memoryapp.assistant.submission import (
    SubmissionRefused,
    add_message,
    begin_conversation,
    retry,
)
from memoryapp.models import Answer
from tests.assistant.answering import talk, transcript
from tests.scripted_answers import said
from tests.scripted_provider import ScriptedProvider

# Tools and providers run in separate threads, which see only committed rows.
pytestmark = pytest.mark.django_db(transaction=True)


def test_retry_replaces_the_reply_when_the_new_one_is_complete(
    chat: Conversation, provider: ScriptedProvider
) -> None:
    provider.reply_with("Old.")
    talk(chat, "Say something")
    provider.fail_next("500")
    failed = list(answer(retry(chat)))
    assert isinstance(failed[-1], Failed)
    assert transcript(chat) == [("user", "Say something"), ("assistant", "Old.")]
    provider.reply_with("New.")
    list(answer(retry(chat)))
    assert transcript(chat) == [("user", "Say something"), ("assistant", "New.")]
    (asked,) = provider.requests[-1].body["messages"][1:]
    assert said(asked["content"]) == "Say something"
    first, second, third = Answer.objects.all()
    assert (first.reply, second.reply) == (None, None)
    assert third.reply == chat.messages.get(role=Role.ASSISTANT)
    assert list(chat.messages.values_list("position", flat=True)) == [1, 2]


def test_retry_after_a_failure(chat: Conversation, provider: ScriptedProvider) -> None:
    provider.fail_next("500")
    talk(chat, "Hello")
    assert isinstance(list(answer(retry(chat)))[-1], Finished)
    assert transcript(chat) == [("user", "Hello"), ("assistant", "You said: Hello")]


def test_retry_replaces_an_imported_reply(chat: Conversation, provider: ScriptedProvider) -> None:
    append(chat, [NewMessage("user", "Hello"), NewMessage("assistant", "From elsewhere.")])
    list(answer(retry(chat)))
    assert transcript(chat) == [("user", "Hello"), ("assistant", "You said: Hello")]


def test_retry_requires_a_message_to_answer(chat: Conversation) -> None:
    with pytest.raises(SubmissionRefused, match="nothing to answer yet"):
        retry(chat)


def test_one_answer_at_a_time(chat: Conversation) -> None:
    add_message(chat, "First")
    with pytest.raises(SubmissionRefused, match="An answer is being written"):
        add_message(chat, "Second")
    with pytest.raises(SubmissionRefused, match="An answer is being written"):
        retry(chat)
    assert transcript(chat) == [("user", "First")]


def test_chat_starts_with_a_message(assisted: Instance) -> None:
    agent = Agent.objects.create(instance=assisted, slug="a", name="A")
    attempt = begin_conversation(
        assisted, "  What\r\nshould I cook? ", agent=agent, end_user=" ana "
    )
    conversation = attempt.conversation
    assert (conversation.title, conversation.origin) == ("What should I cook?", "chat")
    assert (conversation.agent, conversation.end_user) == (agent, "ana")
    assert transcript(conversation) == [("user", "What\nshould I cook?")]


@pytest.mark.parametrize("text", ["", " \n ", "\x00", "x" * 32_001])
def test_empty_message_creates_no_chat(text: str, assisted: Instance) -> None:
    with pytest.raises(SubmissionRefused):
        begin_conversation(assisted, text, agent=None)
    assert not Conversation.objects.exists()
