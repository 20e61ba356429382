"""The chat screen: with and without events, and what it says when it cannot."""

import re
import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connections
from django.db.models.signals import pre_delete
from django.test import Client
from django.utils import timezone

from conversations.messages import NewMessage, append
from conversations.models import Conversation
from instances.models import Agent, Instance, User
from memoryapp.assistant import answer_threads
from memoryapp.fair_slots import FairSlots
from memoryapp.models import Answer, RecallLog, Run
from tests.provider_fixtures import eventually, provider
from tests.scripted_provider import Says, ScriptedProvider
from tests.web.chat.chatting import (
    EVENTS,
    Store,
    answered,
    assisted,
    chat,
    events,
    page,
    say,
    words,
    written,
)

__all__ = ["assisted", "chat", "provider"]

# Answers are given in threads, which see only what is committed.
pytestmark = pytest.mark.django_db(transaction=True)


# Asking.


def test_a_new_chat_begins_with_its_first_message(
    as_alice: Client, assisted: Instance, provider: ScriptedProvider
) -> None:
    provider.reply_with("Soup.\n\nAnd *bread*.")
    stream = say(as_alice, "/chat?instance=desk", "What should I cook for the eight of us?")
    conversation = Conversation.objects.get()
    (name, begun), *_, (end, over) = stream
    assert (name, end) == ("begin", "end")
    assert begun["url"] == f"/chat/{conversation.pk}"
    assert begun["title"] == "What should I cook for the eight of us?"
    assert "aria-busy" in begun["html"]
    assert 'aria-current="page"' in begun["entry"]
    assert "Transcript" in begun["head"]
    assert written(stream) == "<p>Soup.</p>\n<p>And <em>bread</em>.</p>\n"
    assert "aria-busy" not in over["html"]
    assert "<p>And <em>bread</em>.</p>" in over["html"]
    shown = page(as_alice, begun["url"])
    assert "<p>And <em>bread</em>.</p>" in shown
    assert "Try again" in shown


def test_without_events_a_message_leads_to_the_page_that_shows_it(
    as_alice: Client, chat: Conversation, provider: ScriptedProvider
) -> None:
    gate = threading.Event()
    provider.reply_with(Says("All done.", before=lambda number: gate.wait(30)))
    response = as_alice.post(f"/chat/{chat.pk}", {"message": "Hello"})
    assert response["Location"] == f"/chat/{chat.pk}#t1"
    waiting = page(as_alice, f"/chat/{chat.pk}")
    assert "Answering" in waiting
    refresh = '<meta http-equiv="refresh" content="2;url={}">'
    assert refresh.format(f"/chat/{chat.pk}?turn=1#t1") in " ".join(waiting.split())
    latest = page(as_alice, f"/chat/{chat.pk}?turn=1")
    assert refresh.format(f"/chat/{chat.pk}#t1") in " ".join(latest.split())
    gate.set()
    eventually(lambda: answered(chat), "the answer is there")
    over = page(as_alice, f"/chat/{chat.pk}")
    assert "All done." in over
    assert "http-equiv" not in over


@pytest.mark.parametrize(
    ("message", "why"),
    [("", "Write a message first."), (" \n", "Write a message first."), ("x" * 32_001, "at most")],
)
def test_a_message_that_cannot_be_sent_is_kept(
    message: str, why: str, as_alice: Client, chat: Conversation
) -> None:
    for url in (f"/chat/{chat.pk}", "/chat?instance=desk"):
        response = as_alice.post(url, {"message": message})
        assert response.status_code == 422
        told = response.content.decode()
        assert why in told
        assert message in told
        refused = as_alice.post(url, {"message": message}, headers=EVENTS)
        assert refused.status_code == 422
        assert why in refused.json()["detail"]
    assert not chat.messages.exists()


def test_a_second_message_waits_for_the_first_ones_answer(
    as_alice: Client, chat: Conversation, provider: ScriptedProvider
) -> None:
    gate = threading.Event()
    provider.reply_with(Says("Done.", before=lambda number: gate.wait(30)))
    as_alice.post(f"/chat/{chat.pk}", {"message": "First"})
    refused = as_alice.post(f"/chat/{chat.pk}", {"message": "Second <3"})
    assert refused.status_code == 422
    assert "An answer is on its way" in refused.content.decode()
    assert "Second &lt;3</textarea>" in refused.content.decode()
    assert chat.messages.count() == 1
    gate.set()
    eventually(lambda: answered(chat), "the first is answered")


def test_more_than_a_process_can_give_are_refused_and_lose_nothing(
    as_alice: Client, chat: Conversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answer_threads.threads, "slots", FairSlots(1, what="answers"))
    with answer_threads.threads.slots.taken("instance of somebody else"):
        refused = as_alice.post(f"/chat/{chat.pk}", {"message": "Me too"}, headers=EVENTS)
    assert refused.status_code == 422
    assert "The server is busy: 1 answers are under way" in refused.json()["detail"]
    assert not chat.messages.exists()
    assert say(as_alice, f"/chat/{chat.pk}", "Me too")[-1][0] == "end"
    # Each gives its slot back.
    assert say(as_alice, f"/chat/{chat.pk}", "And me")[-1][0] == "end"


def test_a_message_that_is_refused_gives_its_slot_back(
    as_alice: Client, chat: Conversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answer_threads.threads, "slots", FairSlots(1, what="answers"))
    for _ in range(3):
        as_alice.post(f"/chat/{chat.pk}", {"message": ""})
    assert say(as_alice, f"/chat/{chat.pk}", "Hello")[-1][0] == "end"


def test_a_chat_is_held_with_an_agent_and_about_somebody(
    as_alice: Client, assisted: Instance, remembered: Store, provider: ScriptedProvider
) -> None:
    Agent.objects.create(
        instance=assisted, slug="nora", name="Nora", instructions="Speak as a pirate."
    )
    remembered("Imre sails a boat.", end_user="imre")
    assert 'value="nora" selected' in page(as_alice, "/chat?instance=desk&agent=nora")
    say(as_alice, "/chat?instance=desk", "Which boat?", agent="nora", end_user="imre")
    conversation = Conversation.objects.get()
    assert "with <bdi>Nora</bdi> · about <bdi>imre</bdi>" in page(
        as_alice, f"/chat/{conversation.pk}"
    )
    told = provider.requests[0].body["messages"][0]["content"]
    assert "Speak as a pirate." in told
    assert "Imre sails a boat." in told


@pytest.mark.parametrize("agent", ["nobody", "theirs"])
def test_an_agent_of_nobody_or_of_others_is_404(
    agent: str, as_alice: Client, assisted: Instance, private: Instance
) -> None:
    Agent.objects.create(instance=private, slug="theirs", name="Theirs")
    assert as_alice.get(f"/chat?instance=desk&agent={agent}").status_code == 404
    body = {"message": "Hello", "agent": agent}
    assert as_alice.post("/chat?instance=desk", body).status_code == 404


# Stopping, trying again, coming back.


def test_stopping_keeps_what_was_said(
    as_alice: Client, chat: Conversation, provider: ScriptedProvider
) -> None:
    gate = threading.Event()
    provider.reply_with(Says("one two three", before=lambda n: n < 3 or gate.wait(30)))
    as_alice.post(f"/chat/{chat.pk}", {"message": "Count"})
    live = next(iter(answer_threads.threads.running))
    eventually(lambda: live.snapshot().text == "one two", "two words are there")
    assert as_alice.post(f"/chat/{chat.pk}/stop", headers=EVENTS).status_code == 204
    eventually(lambda: answered(chat), "it has stopped")
    gate.set()
    shown = page(as_alice, f"/chat/{chat.pk}")
    assert "<p>one two</p>" in shown
    assert "Stopped." in shown
    assert as_alice.post(f"/chat/{chat.pk}/stop")["Location"] == f"/chat/{chat.pk}"


def test_what_was_said_is_kept_when_the_server_is_shut_down(
    as_alice: Client, chat: Conversation, provider: ScriptedProvider
) -> None:
    gate = threading.Event()
    provider.reply_with(Says("one two three", before=lambda n: n < 3 or gate.wait(30)))
    as_alice.post(f"/chat/{chat.pk}", {"message": "Count"})
    live = next(iter(answer_threads.threads.running))
    eventually(lambda: live.snapshot().text == "one two", "two words are there")
    answer_threads.stop_all()
    assert "<p>one two</p>" in page(as_alice, f"/chat/{chat.pk}")
    gate.set()


def test_coming_back_goes_on_showing_the_answer(
    as_alice: Client, chat: Conversation, provider: ScriptedProvider
) -> None:
    gate = threading.Event()
    provider.reply_with(Says("one two three", before=lambda n: n < 3 or gate.wait(30)))
    as_alice.post(f"/chat/{chat.pk}", {"message": "Count"})
    live = next(iter(answer_threads.threads.running))
    eventually(lambda: live.snapshot().text == "one two", "two words are there")
    assert f'data-follow="/chat/{chat.pk}/follow"' in page(as_alice, f"/chat/{chat.pk}")
    threading.Timer(0.2, gate.set).start()
    stream = events(as_alice.get(f"/chat/{chat.pk}/follow", headers=EVENTS))
    assert stream[0] == ("words", {"done": "", "last": "<p>one two</p>\n"})
    assert written(stream) == "<p>one two three</p>\n"
    assert stream[-1][0] == "end"
    # And whoever comes later is shown how it ended.
    ((name, data),) = events(as_alice.get(f"/chat/{chat.pk}/follow", headers=EVENTS))
    assert name == "end"
    assert "one two three" in data["html"]


def test_a_reply_that_comes_while_the_page_is_made_is_on_it(
    as_alice: Client, chat: Conversation
) -> None:
    message = append(chat, [NewMessage("user", "Hello?")]).added[0]
    answer = Answer.objects.create(instance=chat.instance, conversation=chat, message=message)
    came = False

    def meanwhile(execute: Callable[..., Any], sql: str, *args: Any) -> Any:
        nonlocal came
        if "memoryapp_answer" in sql and not came:
            came = True
            reply = append(chat, [NewMessage("assistant", "At your service.")]).added[0]
            Answer.objects.filter(pk=answer.pk).update(state=Answer.State.DONE, reply=reply)
        return execute(sql, *args)

    with connections["default"].execute_wrapper(meanwhile):
        assert "At your service." in page(as_alice, f"/chat/{chat.pk}")


def test_an_answer_that_another_process_gives_is_shown_when_it_is_there(
    as_alice: Client, chat: Conversation
) -> None:
    message = append(chat, [NewMessage("user", "Hello")]).added[0]
    attempt = Answer.objects.create(instance=chat.instance, conversation=chat, message=message)

    def end() -> None:
        reply = append(chat, [NewMessage("assistant", "From afar.")]).added[0]
        Answer.objects.filter(pk=attempt.pk).update(state=Answer.State.DONE, reply=reply)
        connections.close_all()

    threading.Timer(0.3, end).start()
    ((name, data),) = events(as_alice.get(f"/chat/{chat.pk}/follow", headers=EVENTS))
    assert (name, "From afar." in data["html"]) == ("end", True)


def test_an_answer_whose_server_died_says_so_and_can_be_tried_again(
    as_alice: Client, chat: Conversation, provider: ScriptedProvider
) -> None:
    message = append(chat, [NewMessage("user", "Hello")]).added[0]
    silent = timezone.now() - timedelta(seconds=Answer.SILENCE + 1)
    Answer.objects.create(
        instance=chat.instance, conversation=chat, message=message, heartbeat_at=silent
    )
    shown = page(as_alice, f"/chat/{chat.pk}")
    assert "No answer came: the server was restarted. Try again." in shown
    assert f'action="/chat/{chat.pk}/again"' in shown
    provider.reply_with("Here I am.")
    stream = events(as_alice.post(f"/chat/{chat.pk}/again", headers=EVENTS))
    assert "Here I am." in stream[-1][1]["html"]
    assert "restarted" not in page(as_alice, f"/chat/{chat.pk}")


def test_a_failure_is_said_under_the_message_and_the_earlier_reply_stays(
    as_alice: Client, chat: Conversation, provider: ScriptedProvider
) -> None:
    provider.fail_next("429")
    stream = say(as_alice, f"/chat/{chat.pk}", "Hello")
    assert "gets too many requests (429)" in stream[-1][1]["html"]
    events(as_alice.post(f"/chat/{chat.pk}/again", headers=EVENTS))
    assert "You said: Hello" in page(as_alice, f"/chat/{chat.pk}")
    provider.fail_next("500")
    as_alice.post(f"/chat/{chat.pk}/again")
    eventually(lambda: answered(chat), "it has failed")
    shown = page(as_alice, f"/chat/{chat.pk}")
    assert "You said: Hello" in shown
    assert "Tried again in vain, the earlier reply stays" in shown


def test_a_chat_that_is_deleted_meanwhile_ends_its_answer(
    as_alice: Client, chat: Conversation, provider: ScriptedProvider
) -> None:
    gate = threading.Event()
    provider.reply_with(Says("one two", before=lambda number: gate.wait(30)))
    as_alice.post(f"/chat/{chat.pk}", {"message": "Hello"})
    as_alice.post(f"/conversations/{chat.pk}/delete", {"memories": "keep"})
    assert not Conversation.objects.exists()
    gate.set()
    eventually(lambda: not answer_threads.threads.running, "its thread has ended")
    assert not Answer.objects.exists()


def test_what_an_answer_adds_does_not_keep_its_chat_from_being_deleted(
    as_alice: Client, chat: Conversation
) -> None:
    message = append(chat, [NewMessage("user", "Hello")]).added[0]
    attempt = Answer.objects.create(instance=chat.instance, conversation=chat, message=message)
    refused = threading.Event()

    def add() -> None:
        try:
            RecallLog.objects.create(answer=attempt)
        except IntegrityError:
            refused.set()
        finally:
            connections.close_all()

    adding = threading.Thread(target=add)

    def meanwhile(**kwargs: object) -> None:
        # All that belongs to the chat has been looked up, and nothing is deleted yet.
        adding.start()
        adding.join(0.3)

    pre_delete.connect(meanwhile, sender=Answer)
    try:
        deleted = as_alice.post(f"/conversations/{chat.pk}/delete", {"memories": "keep"})
    finally:
        pre_delete.disconnect(meanwhile, sender=Answer)
    adding.join()
    assert deleted.status_code == 302
    assert not Conversation.objects.exists()
    assert refused.is_set()


# What cannot be, and what is off.


def test_without_a_provider_the_screen_says_how_to_set_one_up(
    as_alice: Client, client: Client, instance: Instance, bob: User
) -> None:
    shown = page(as_alice, "/chat?instance=desk")
    assert "Nobody answers yet" in shown
    assert 'href="/instances/desk/settings#language-model"' in shown
    assert "<textarea" not in shown
    client.force_login(bob)
    asked = page(client, "/chat?instance=desk")
    assert "Ask alice, who may set one up." in words(asked)
    assert "settings#language-model" not in asked


def test_with_memory_off_it_says_that_nothing_is_learned(
    as_alice: Client, chat: Conversation
) -> None:
    Instance.objects.update(memory_enabled=False)
    shown = words(page(as_alice, "/chat?instance=desk"))
    assert "Memory is off for Support desk: nothing is learned" in shown
    say(as_alice, f"/chat/{chat.pk}", "My name is Ines.")
    assert "Not read: memory is off." in page(as_alice, f"/chat/{chat.pk}")
    assert not Run.objects.exists()


def test_a_conversation_from_elsewhere_is_shown_as_a_transcript(
    as_alice: Client, conversation: Conversation
) -> None:
    response = as_alice.get(f"/chat/{conversation.pk}")
    assert response["Location"] == f"/conversations/{conversation.pk}"


def test_the_list_shows_chats_only_and_the_last_first(
    as_alice: Client, assisted: Instance, conversation: Conversation
) -> None:
    for title in ("Older", "Newer"):
        Conversation.objects.create(instance=assisted, title=title, origin="chat")
    shown = page(as_alice, "/chat?instance=desk")
    assert re.findall(r"<span>(Older|Newer|Dinner for eight)</span>", shown) == ["Newer", "Older"]


def test_a_long_chat_shows_its_end_and_where_the_rest_is(
    as_alice: Client, chat: Conversation
) -> None:
    append(chat, [NewMessage("user" if n % 2 else "assistant", f"Turn {n}.") for n in range(1, 71)])
    shown = page(as_alice, f"/chat/{chat.pk}")
    assert "10 earlier messages are in the" in words(shown)
    assert "Turn 11." in shown
    assert "Turn 10." not in shown
