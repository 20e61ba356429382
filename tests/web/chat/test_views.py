"""The chat screen: with and without events, and its messages about failures."""

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
from memoryapp.models import Answer, RecallLog, Run
from memoryapp.process.fair_slots import FairSlots
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
    rendered_reply,
    send,
)
from tests.web.page_text import text_of

__all__ = ["assisted", "chat", "provider"]

# Answers run in threads, which see only committed rows.
pytestmark = pytest.mark.django_db(transaction=True)


# Sending messages


def test_new_chat_starts_with_its_first_message(
    as_alice: Client, assisted: Instance, provider: ScriptedProvider
) -> None:
    provider.reply_with("Soup.\n\nAnd *bread*.")
    stream = send(as_alice, "/chat?instance=desk", "What should I cook for the eight of us?")
    conversation = Conversation.objects.get()
    (name, begun), *_, (end, over) = stream
    assert (name, end) == ("begin", "end")
    assert begun["url"] == f"/chat/{conversation.pk}"
    assert begun["title"] == "What should I cook for the eight of us?"
    assert "aria-busy" in begun["html"]
    assert 'aria-current="page"' in begun["entry"]
    assert "Transcript" in begun["head"]
    assert rendered_reply(stream) == "<p>Soup.</p>\n<p>And <em>bread</em>.</p>\n"
    assert "aria-busy" not in over["html"]
    assert "<p>And <em>bread</em>.</p>" in over["html"]
    html = page(as_alice, begun["url"])
    assert "<p>And <em>bread</em>.</p>" in html
    assert "Try again" in html


def test_message_without_javascript_redirects_to_the_chat(
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
    [
        ("", "Write a message first."),
        (" \n", "Write a message first."),
        ("x" * 32_001, "at most 32,000"),
    ],
)
def test_rejected_message_is_kept_in_the_form(
    message: str, why: str, as_alice: Client, chat: Conversation
) -> None:
    for url in (f"/chat/{chat.pk}", "/chat?instance=desk"):
        response = as_alice.post(url, {"message": message})
        assert response.status_code == 422
        content = response.content.decode()
        assert why in content
        assert message in content
        refused = as_alice.post(url, {"message": message}, headers=EVENTS)
        assert refused.status_code == 422
        assert why in refused.json()["detail"]
    assert not chat.messages.exists()


def test_second_message_is_rejected_during_an_answer(
    as_alice: Client, chat: Conversation, provider: ScriptedProvider
) -> None:
    gate = threading.Event()
    provider.reply_with(Says("Done.", before=lambda number: gate.wait(30)))
    as_alice.post(f"/chat/{chat.pk}", {"message": "First"})
    refused = as_alice.post(f"/chat/{chat.pk}", {"message": "Second <3"})
    assert refused.status_code == 422
    assert "An answer is being written" in refused.content.decode()
    assert "Second &lt;3</textarea>" in refused.content.decode()
    assert chat.messages.count() == 1
    gate.set()
    eventually(lambda: answered(chat), "the first is answered")


def test_too_many_answers_are_rejected_without_loss(
    as_alice: Client, chat: Conversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answer_threads.threads, "slots", FairSlots(1, what="answers"))
    with answer_threads.threads.slots.taken("instance of somebody else"):
        refused = as_alice.post(f"/chat/{chat.pk}", {"message": "Me too"}, headers=EVENTS)
    assert refused.status_code == 422
    assert "The server is busy: 1 answers are under way" in refused.json()["detail"]
    assert not chat.messages.exists()
    assert send(as_alice, f"/chat/{chat.pk}", "Me too")[-1][0] == "end"
    # Each answer releases its slot.
    assert send(as_alice, f"/chat/{chat.pk}", "And me")[-1][0] == "end"


def test_rejected_message_releases_its_slot(
    as_alice: Client, chat: Conversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answer_threads.threads, "slots", FairSlots(1, what="answers"))
    for _ in range(3):
        as_alice.post(f"/chat/{chat.pk}", {"message": ""})
    assert send(as_alice, f"/chat/{chat.pk}", "Hello")[-1][0] == "end"


def test_chat_has_an_agent_and_an_end_user(
    as_alice: Client, assisted: Instance, store_memory: Store, provider: ScriptedProvider
) -> None:
    Agent.objects.create(
        instance=assisted, slug="nora", name="Nora", instructions="Speak as a pirate."
    )
    store_memory("Imre sails a boat.", end_user="imre")
    assert 'value="nora" selected' in page(as_alice, "/chat?instance=desk&agent=nora")
    send(as_alice, "/chat?instance=desk", "Which boat?", agent="nora", end_user="imre")
    conversation = Conversation.objects.get()
    assert "With Nora · About imre" in text_of(page(as_alice, f"/chat/{conversation.pk}"))
    system, asked = provider.requests[0].body["messages"]
    assert "Speak as a pirate." in system["content"]
    assert "Imre sails a boat." in asked["content"]


@pytest.mark.parametrize("agent", ["nobody", "theirs"])
def test_unknown_or_foreign_agent_is_404(
    agent: str, as_alice: Client, assisted: Instance, private: Instance
) -> None:
    Agent.objects.create(instance=private, slug="theirs", name="Theirs")
    assert as_alice.get(f"/chat?instance=desk&agent={agent}").status_code == 404
    body = {"message": "Hello", "agent": agent}
    assert as_alice.post("/chat?instance=desk", body).status_code == 404


# Stop, retry, reload


def test_stopping_keeps_the_partial_reply(
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
    html = page(as_alice, f"/chat/{chat.pk}")
    assert "<p>one two</p>" in html
    assert "Stopped." in html
    assert as_alice.post(f"/chat/{chat.pk}/stop")["Location"] == f"/chat/{chat.pk}"


def test_shutdown_keeps_the_partial_reply(
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


def test_reload_continues_the_stream(
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
    assert rendered_reply(stream) == "<p>one two three</p>\n"
    assert stream[-1][0] == "end"
    # Later requests are shown how it ended.
    ((name, data),) = events(as_alice.get(f"/chat/{chat.pk}/follow", headers=EVENTS))
    assert name == "end"
    assert "one two three" in data["html"]


def test_reply_that_arrives_during_rendering_is_shown(as_alice: Client, chat: Conversation) -> None:
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


def test_answer_of_another_process_is_shown_when_complete(
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


def test_answer_of_a_dead_server_fails_and_can_be_retried(
    as_alice: Client, chat: Conversation, provider: ScriptedProvider
) -> None:
    message = append(chat, [NewMessage("user", "Hello")]).added[0]
    silent = timezone.now() - timedelta(seconds=Answer.MAX_SILENCE_SECONDS + 1)
    Answer.objects.create(
        instance=chat.instance, conversation=chat, message=message, heartbeat_at=silent
    )
    html = page(as_alice, f"/chat/{chat.pk}")
    assert "No answer came: the server was restarted. Try again." in html
    assert f'action="/chat/{chat.pk}/again"' in html
    provider.reply_with("Here I am.")
    stream = events(as_alice.post(f"/chat/{chat.pk}/again", headers=EVENTS))
    assert "Here I am." in stream[-1][1]["html"]
    assert "restarted" not in page(as_alice, f"/chat/{chat.pk}")


def test_failure_is_shown_under_the_message_and_the_earlier_reply_kept(
    as_alice: Client, chat: Conversation, provider: ScriptedProvider
) -> None:
    provider.fail_next("429")
    stream = send(as_alice, f"/chat/{chat.pk}", "Hello")
    assert "gets too many requests (429)" in stream[-1][1]["html"]
    events(as_alice.post(f"/chat/{chat.pk}/again", headers=EVENTS))
    assert "You said: Hello" in page(as_alice, f"/chat/{chat.pk}")
    provider.fail_next("500")
    as_alice.post(f"/chat/{chat.pk}/again")
    eventually(lambda: answered(chat), "it has failed")
    html = page(as_alice, f"/chat/{chat.pk}")
    assert "You said: Hello" in html
    assert "The new attempt failed, and the earlier reply is kept" in html


def test_deleting_a_chat_ends_its_answer(
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


def test_chat_can_be_deleted_while_an_answer_adds_rows(
    as_alice: Client, chat: Conversation
) -> None:
    message = append(chat, [NewMessage("user", "Hello")]).added[0]
    attempt = Answer.objects.create(instance=chat.instance, conversation=chat, message=message)
    refused = threading.Event()

    def add() -> None:
        try:
            RecallLog.objects.create(instance=chat.instance, answer=attempt)
        except IntegrityError:
            refused.set()
        finally:
            connections.close_all()

    adding = threading.Thread(target=add)

    def meanwhile(**kwargs: object) -> None:
        # The related rows are collected, and nothing is deleted yet.
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


# Missing provider, disabled memory, other conversations


def test_missing_provider_is_explained(
    as_alice: Client, client: Client, instance: Instance, bob: User
) -> None:
    html = page(as_alice, "/chat?instance=desk")
    assert "the chat answers with what the search finds" in text_of(html)
    assert 'href="/instances/desk/settings/models#language-model"' in html
    assert "<textarea" in html
    client.force_login(bob)
    unprivileged_html = page(client, "/chat?instance=desk")
    assert "alice can connect one." in text_of(unprivileged_html)
    assert "#language-model" not in unprivileged_html


def test_memory_off_is_shown(as_alice: Client, chat: Conversation) -> None:
    Instance.objects.update(memory_enabled=False)
    html = text_of(page(as_alice, "/chat?instance=desk"))
    assert "Memory is off for Support desk: no facts are learned from this chat." in html
    send(as_alice, f"/chat/{chat.pk}", "My name is Ines.")
    assert "Not read: memory is off." in page(as_alice, f"/chat/{chat.pk}")
    assert not Run.objects.exists()


def test_imported_conversation_redirects_to_its_transcript(
    as_alice: Client, conversation: Conversation
) -> None:
    response = as_alice.get(f"/chat/{conversation.pk}")
    assert response["Location"] == f"/conversations/{conversation.pk}"


def test_list_shows_only_chats_latest_first(
    as_alice: Client, assisted: Instance, conversation: Conversation
) -> None:
    for title in ("Older", "Newer"):
        Conversation.objects.create(instance=assisted, title=title, origin="chat")
    html = page(as_alice, "/chat?instance=desk")
    assert re.findall(r"<span>(Older|Newer|Dinner for eight)</span>", html) == ["Newer", "Older"]


def test_long_chat_shows_its_end_and_a_link_to_the_rest(
    as_alice: Client, chat: Conversation
) -> None:
    append(chat, [NewMessage("user" if n % 2 else "assistant", f"Turn {n}.") for n in range(1, 71)])
    html = page(as_alice, f"/chat/{chat.pk}")
    assert "10 earlier messages are in the" in text_of(html)
    assert "Turn 11." in html
    assert "Turn 10." not in html


def test_a_chat_without_memory_says_so(
    as_alice: Client, assisted: Instance, provider: ScriptedProvider
) -> None:
    new = page(as_alice, "/chat?instance=desk")
    assert 'name="memory" value="off"' in new
    as_alice.post("/chat?instance=desk", {"message": "I sail.", "memory": "off"})
    begun = Conversation.objects.get()
    answered(begun)
    assert begun.without_memory and not Run.objects.exists()
    for address in (f"/chat/{begun.pk}", begun.get_absolute_url()):
        assert "without memory" in text_of(page(as_alice, address)).lower()
    assert "This chat is without memory." in page(as_alice, f"/chat/{begun.pk}")
