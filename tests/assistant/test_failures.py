"""Answers that fail, are stopped, or lose their process."""

import threading
import time
from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone

from conversations.models import Conversation, Role
from instances.models import Instance
from memoryapp.assistant import answer as answering
from memoryapp.assistant.answer import answer
from memoryapp.assistant.events import Delta, Event, Failed, Finished, Searched, Stopped
from memoryapp.assistant.submission import SubmissionRefused, add_message, retry, stop
from memoryapp.models import Answer, Run, Usage
from memoryapp.models.answers import RESTARTED
from memoryapp.providers.chat_stream import converse
from tests.assistant.answering import talk, text_of, transcript
from tests.provider_fixtures import end_all_sessions
from tests.scripted_answers import said
from tests.scripted_provider import Says, ScriptedProvider

# Tools and providers run in separate threads, which see only committed rows.
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(
    ("fault", "words", "kept"),
    [
        ("429", "too many requests (429)", ""),
        ("500", "failed (500)", ""),
        ("401", "Check the key in Settings", ""),
        ("garbage_stream", "broken JSON", "one two"),
        ("cut_stream", "", "one two"),
        ("end_stream", "closed the connection in the middle", "one two"),
    ],
)
def test_failure_is_reported_and_the_message_kept(
    fault: str, words: str, kept: str, chat: Conversation, provider: ScriptedProvider
) -> None:
    provider.reply_with("one two three four")
    provider.fail_next(fault)
    events = talk(chat, "Count")
    attempt = Answer.objects.get()
    assert isinstance(events[-1], Failed)
    assert words in events[-1].error == attempt.error
    assert attempt.state == Answer.State.FAILED
    assert transcript(chat)[1:] == ([("assistant", kept)] if kept else [])
    # Without a reply there is nothing to read.
    assert Run.objects.count() == bool(kept)
    assert Usage.objects.get().error == attempt.error


def test_silent_provider_times_out(
    chat: Conversation, provider: ScriptedProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answering, "converse", partial(converse, silence=0.3))
    provider.fail_next("hang", seconds=5)
    (*_, last) = talk(chat)
    assert isinstance(last, Failed)
    assert "did not answer in time" in last.error


def test_search_answers_without_a_provider(chat: Conversation) -> None:
    Instance.objects.update(provider="")
    chat.instance.refresh_from_db()
    events = list(answer(add_message(chat, "Hello")))
    assert isinstance(events[-1], Searched)
    assert transcript(chat) == [("user", "Hello")]
    with pytest.raises(SubmissionRefused, match="No language model is set up"):
        retry(chat)


def test_search_answers_if_the_provider_is_removed_meanwhile(chat: Conversation) -> None:
    attempt = add_message(chat, "Hello")
    Instance.objects.update(provider="")
    assert isinstance(list(answer(attempt))[-1], Searched)


@pytest.mark.parametrize("by", ["this process", "another process"])
def test_stopping_keeps_the_partial_reply(
    by: str, chat: Conversation, provider: ScriptedProvider
) -> None:
    gate, here = threading.Event(), threading.Event()

    def wait(number: int) -> None:
        if number == 3:
            gate.wait(30)

    provider.reply_with(Says("one two three four", before=wait))
    events: list[Event] = []
    for event in answer(add_message(chat, "Count"), here):
        events.append(event)
        if text_of(events) == "one two":
            if by == "this process":
                here.set()
            else:
                stop(chat)
    gate.set()
    reply = chat.messages.get(role=Role.ASSISTANT)
    assert reply.content == "one two"
    assert events[-1] == Stopped(reply.pk)
    assert Answer.objects.get().state == Answer.State.STOPPED
    assert Run.objects.count() == 1
    assert Usage.objects.get().error == "Stopped by hand."


def test_stopping_before_the_first_word_stores_no_reply(
    chat: Conversation, provider: ScriptedProvider
) -> None:
    provider.fail_next("hang", seconds=10)
    attempt = add_message(chat, "Count")
    stop(chat)
    assert list(answer(attempt))[-1] == Stopped(None)
    assert transcript(chat) == [("user", "Count")]
    assert not Run.objects.exists()


def test_answer_of_a_dead_process_fails(chat: Conversation, provider: ScriptedProvider) -> None:
    attempt = add_message(chat, "First")
    assert Answer.objects.give_up() == 0
    long_ago = timezone.now() - timedelta(seconds=Answer.MAX_SILENCE_SECONDS + 1)
    Answer.objects.update(heartbeat_at=long_ago)
    list(answer(add_message(chat, "Second")))
    attempt.refresh_from_db()
    assert (attempt.state, attempt.error) == (Answer.State.FAILED, RESTARTED)
    # Both messages are answered together, since speakers have to alternate.
    (asked,) = provider.requests[-1].body["messages"][1:]
    assert (asked["role"], said(asked["content"])) == ("user", "First\n\nSecond")


def test_answer_presumed_dead_stores_nothing(
    chat: Conversation, provider: ScriptedProvider
) -> None:
    gate = threading.Event()
    provider.reply_with(Says("one two", before=lambda number: number < 2 or gate.wait(30)))
    for event in answer(add_message(chat, "Count")):
        if isinstance(event, Delta):
            Answer.objects.update(state=Answer.State.FAILED, error=RESTARTED)
            gate.set()
    assert isinstance(event, Failed)
    assert transcript(chat) == [("user", "Count")]
    assert Answer.objects.get().error == RESTARTED


def test_endless_reply_is_cut_off(
    chat: Conversation, provider: ScriptedProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answering, "MAX_REPLY_CHARACTERS", 50)
    provider.reply_with("and on " * 50)
    talk(chat, "Go")
    attempt = Answer.objects.select_related("reply").get()
    assert attempt.cut_off
    assert attempt.reply is not None
    assert len(attempt.reply.content) <= 50
    assert attempt.reply.content.startswith("and on")


@pytest.mark.parametrize("number", [0, 2])
def test_database_restart_during_a_reply_loses_nothing(
    number: int, chat: Conversation, provider: ScriptedProvider
) -> None:
    def restart(piece: int) -> None:
        if piece == number:
            end_all_sessions()
            time.sleep(1.5)  # longer than the heartbeat interval

    provider.reply_with(Says("one two three", before=restart))

    events = list(answer(add_message(chat, "Count")))

    reply = chat.messages.get(role=Role.ASSISTANT)
    assert (reply.content, events[-1]) == ("one two three", Finished(reply.pk))
    assert Answer.objects.get().state == Answer.State.DONE
    assert Usage.objects.filter(error="").count() == 1
