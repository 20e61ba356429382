"""The chat screen: with and without events, what it says when it cannot, and its notes."""

import json
import re
import threading
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.db import IntegrityError, connections
from django.db.models.signals import pre_delete
from django.test import Client
from django.utils import timezone
from django.utils.html import strip_tags

from conversations.models import Conversation, ConversationOrigin
from conversations.turns import Turn, append
from instances.models import Agent, Instance, User
from memoryapp.assistant import background
from memoryapp.models import Answer, Memory, Origin, RecallLog, Run, ToolRun
from memoryapp.pipeline import Candidate, Writer, remember
from tests.provided import eventually, provider, read_with
from tests.scripted_provider import Says, ScriptedProvider

__all__ = ["provider"]

# Answers are given in threads, which see only what is committed.
pytestmark = pytest.mark.django_db(transaction=True)
EVENTS = {"Accept": "text/event-stream"}
HTMX = {"HX-Request": "true"}
Store = Callable[..., Memory]
Events = list[tuple[str, dict[str, Any]]]


@pytest.fixture
def assisted(instance: Instance, provider: ScriptedProvider) -> Iterator[Instance]:
    """The instance, with memory on and somebody to answer."""
    read_with(provider, instance)
    yield instance
    eventually(lambda: not background._live, "every answer has come to its end")


@pytest.fixture
def chat(assisted: Instance) -> Conversation:
    return Conversation.objects.create(
        instance=assisted, title="Dinner", origin=ConversationOrigin.CHAT
    )


def events(response: Any) -> Events:
    """Read a stream of events to its end."""
    assert response.status_code == 200
    assert response["Content-Type"] == "text/event-stream"
    assert "no-store" in response["Cache-Control"]

    async def read() -> bytes:
        return b"".join([part async for part in response])

    text = async_to_sync(read)().decode()
    found = re.findall(r"event: (\w+)\ndata: (.*)\n\n", text)
    return [(name, json.loads(data)) for name, data in found]


def say(client: Client, url: str, message: str, **form: str) -> Events:
    return events(client.post(url, {"message": message} | form, headers=EVENTS))


def page(client: Client, url: str, headers: dict[str, str] | None = None) -> str:
    response = client.get(url, headers=headers or {})
    assert response.status_code == 200
    return str(response.content.decode())


def words(html: str) -> str:
    return " ".join(strip_tags(html).split())


def written(stream: Events) -> str:
    """The reply as the page has it before the last event."""
    parts = [data for name, data in stream if name == "words"]
    return "".join(part["done"] for part in parts) + (parts[-1]["last"] if parts else "")


def answered(conversation: Conversation) -> bool:
    return not Answer.objects.filter(conversation=conversation).running().exists()


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
    refresh = '<noscript><meta http-equiv="refresh" content="2;url={}"></noscript>'
    assert refresh.format(f"/chat/{chat.pk}?turn=1#t1") in waiting
    assert refresh.format(f"/chat/{chat.pk}#t1") in page(as_alice, f"/chat/{chat.pk}?turn=1")
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
    monkeypatch.setattr(background, "_slots", threading.BoundedSemaphore(1))
    with background._slots:
        refused = as_alice.post(f"/chat/{chat.pk}", {"message": "Me too"}, headers=EVENTS)
    assert refused.status_code == 422
    assert "Send it again in a moment" in refused.json()["detail"]
    assert not chat.messages.exists()
    assert say(as_alice, f"/chat/{chat.pk}", "Me too")[-1][0] == "end"
    # Each gives its slot back.
    assert say(as_alice, f"/chat/{chat.pk}", "And me")[-1][0] == "end"


def test_a_message_that_is_refused_gives_its_slot_back(
    as_alice: Client, chat: Conversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "_slots", threading.BoundedSemaphore(1))
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
    live = next(iter(background._live.values()))
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
    live = next(iter(background._live.values()))
    eventually(lambda: live.snapshot().text == "one two", "two words are there")
    background.stop_all()
    assert "<p>one two</p>" in page(as_alice, f"/chat/{chat.pk}")
    gate.set()


def test_coming_back_goes_on_showing_the_answer(
    as_alice: Client, chat: Conversation, provider: ScriptedProvider
) -> None:
    gate = threading.Event()
    provider.reply_with(Says("one two three", before=lambda n: n < 3 or gate.wait(30)))
    as_alice.post(f"/chat/{chat.pk}", {"message": "Count"})
    live = next(iter(background._live.values()))
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


def test_an_answer_that_another_process_gives_is_shown_when_it_is_there(
    as_alice: Client, chat: Conversation
) -> None:
    message = append(chat, [Turn("user", "Hello")]).added[0]
    attempt = Answer.objects.create(instance=chat.instance, conversation=chat, message=message)

    def end() -> None:
        reply = append(chat, [Turn("assistant", "From afar.")]).added[0]
        Answer.objects.filter(pk=attempt.pk).update(state=Answer.State.DONE, reply=reply)
        connections.close_all()

    threading.Timer(0.3, end).start()
    ((name, data),) = events(as_alice.get(f"/chat/{chat.pk}/follow", headers=EVENTS))
    assert (name, "From afar." in data["html"]) == ("end", True)


def test_an_answer_whose_server_died_says_so_and_can_be_tried_again(
    as_alice: Client, chat: Conversation, provider: ScriptedProvider
) -> None:
    message = append(chat, [Turn("user", "Hello")]).added[0]
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
    eventually(lambda: not background._live, "its thread has ended")
    assert not Answer.objects.exists()


def test_what_an_answer_adds_does_not_keep_its_chat_from_being_deleted(
    as_alice: Client, chat: Conversation
) -> None:
    message = append(chat, [Turn("user", "Hello")]).added[0]
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
    append(chat, [Turn("user" if n % 2 else "assistant", f"Turn {n}.") for n in range(1, 71)])
    shown = page(as_alice, f"/chat/{chat.pk}")
    assert "10 earlier messages are in the" in words(shown)
    assert "Turn 11." in shown
    assert "Turn 10." not in shown


# The notes.


def test_the_notes_say_what_was_recalled_and_why_and_what_is_gone(
    as_alice: Client, chat: Conversation, remembered: Store
) -> None:
    kept = remembered("The user is allergic to peanuts.")
    gone = remembered("The user once had a goat.")
    say(as_alice, f"/chat/{chat.pk}", "Are peanuts good for a goat?")
    gone.delete()
    notes = words(page(as_alice, f"/chat/{chat.pk}", headers=HTMX))
    assert "The user is allergic to peanuts. meaning #" in notes
    assert "similarity 0." in notes
    assert "Deleted since." in notes
    assert "goat" not in notes
    assert f'href="/memory/{kept.pk}"' in page(as_alice, f"/chat/{chat.pk}")


def test_the_notes_say_which_tools_ran_and_for_what(
    as_alice: Client, chat: Conversation, provider: ScriptedProvider
) -> None:
    calls = [("save_memory", {"content": "The user is called Ines."}), ("search_memory", {})]
    provider.reply_with(Says(calls=calls), times=1)
    stream = say(as_alice, f"/chat/{chat.pk}", "I am Ines, remember that.")
    assert ("doing", {"text": "Saving a memory"}) in stream or (
        "doing",
        {"text": "Searching memory"},
    ) in stream
    notes = words(page(as_alice, f"/chat/{chat.pk}", headers=HTMX))
    assert "save_memory to keep something at once Remembered · " in notes
    assert "search_memory looked for more in memory Its arguments were not usable" in notes
    assert "The user is called Ines.learned here" in notes


def test_the_notes_follow_what_is_learned_until_it_is_over(
    as_alice: Client, chat: Conversation
) -> None:
    say(as_alice, f"/chat/{chat.pk}", "I live in Gent.")
    url = f"/chat/{chat.pk}?turn=1"
    waiting = page(as_alice, url, headers=HTMX)
    assert "Waiting to be read." in waiting
    assert 'hx-trigger="every 1s"' in waiting
    message = chat.messages.get(role="user")
    candidate = Candidate("The user lives in Gent.", conversation_id=chat.pk, message_id=message.pk)
    remember(chat.instance, [candidate], Writer(Origin.CONVERSATION, via="test"))
    Run.objects.update(state=Run.State.SUCCEEDED)
    Conversation.objects.update(watermark=2)
    over = page(as_alice, url, headers=HTMX)
    assert "The user lives in Gent." in over
    assert "every 1s" not in over


def test_a_failed_reading_is_said_and_leads_back_here(as_alice: Client, chat: Conversation) -> None:
    say(as_alice, f"/chat/{chat.pk}", "I live in Gent.")
    Run.objects.update(state=Run.State.FAILED, error="The key was refused (401).")
    notes = page(as_alice, f"/chat/{chat.pk}", headers=HTMX)
    assert "Failed: The key was refused (401)." in notes
    back = f"/chat/{chat.pk}?turn=1"
    assert f'name="next" value="{back}"' in notes
    read = as_alice.post(f"/conversations/{chat.pk}/read", {"next": back})
    assert read["Location"] == back
    elsewhere = {"next": "https://evil.example/"}
    read = as_alice.post(f"/conversations/{chat.pk}/read", elsewhere)
    assert read["Location"] == f"/conversations/{chat.pk}"


def test_an_earlier_message_has_notes_of_its_own(
    as_alice: Client, chat: Conversation, remembered: Store
) -> None:
    say(as_alice, f"/chat/{chat.pk}", "Hello")
    remembered("The user is allergic to peanuts.")
    say(as_alice, f"/chat/{chat.pk}", "peanuts?")
    first = page(as_alice, f"/chat/{chat.pk}?turn=1")
    assert 'data-turn="t1"' in first
    assert "Nothing that it remembers bears on this message." in first
    assert 'data-turn="t3"' in page(as_alice, f"/chat/{chat.pk}?turn=99999999999")
    assert "allergic to peanuts" in page(as_alice, f"/chat/{chat.pk}?turn=3")


def test_what_is_said_is_text_and_never_markup(
    as_alice: Client, chat: Conversation, provider: ScriptedProvider
) -> None:
    provider.reply_with("<img src=x onerror=alert(1)> & [x](javascript:alert(1))")
    stream = say(as_alice, f"/chat/{chat.pk}", "<script>alert(1)</script>")
    for html in (written(stream), stream[-1][1]["html"], page(as_alice, f"/chat/{chat.pk}")):
        assert "<script>alert" not in html
        assert "<img" not in html
        assert 'href="javascript' not in html


def test_nothing_that_is_kept_of_an_answer_holds_a_memorys_text(
    as_alice: Client, chat: Conversation, remembered: Store, provider: ScriptedProvider
) -> None:
    """What is deleted is gone, also from the ledger of answers."""
    remembered("The user hides heliotrope.")
    calls = [
        ("search_memory", {"query": "heliotrope"}),
        ("save_memory", {"content": "The user loves heliotrope."}),
        ("save_memory", {"content": "heliotrope", "importance": 99}),
        ("heliotrope", {}),
    ]
    provider.reply_with(Says(calls=calls), times=1)
    provider.reply_with("I see.")
    say(as_alice, f"/chat/{chat.pk}", "What do I hide?")
    for model in (Answer, RecallLog, ToolRun):
        rows = list(model._default_manager.values())
        assert rows
        assert "heliotrope" not in str(rows)
