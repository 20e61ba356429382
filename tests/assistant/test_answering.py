"""One answer from the message to the reply, without HTTP: the real provider client, the real
recall, real tools.
"""

import threading
import time
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.utils import timezone

from conversations.messages import NewMessage, append
from conversations.models import Conversation, Message, Role
from instances.models import Agent, Instance
from memoryapp.assistant import answer as answering
from memoryapp.assistant.answer import answer
from memoryapp.assistant.events import (
    Delta,
    Event,
    Failed,
    Finished,
    MemoriesRecalled,
    Stopped,
    ToolBegan,
    ToolDone,
)
from memoryapp.assistant.submission import (
    SubmissionRefused,
    add_message,
    begin_conversation,
    retry,
    stop,
    title_of,
)
from memoryapp.assistant.tool_calls import MAX_CALLS, MAX_ROUNDS
from memoryapp.context import builder
from memoryapp.context.builder import context_for_message
from memoryapp.extraction.run import read
from memoryapp.models import Answer, Memory, Run, ToolRun, Usage
from memoryapp.models.answers import RESTARTED
from memoryapp.providers.chat_stream import converse
from tests.provider_fixtures import end_all_sessions
from tests.scripted_provider import Request, Says, ScriptedProvider

# Tools and providers run in threads of their own, which see only what is committed.
pytestmark = pytest.mark.django_db(transaction=True)
Store = Callable[..., Memory]


def said(events: list[Event]) -> str:
    return "".join(event.text for event in events if isinstance(event, Delta))


def talk(conversation: Conversation, text: str = "What should I not cook?") -> list[Event]:
    return list(answer(add_message(conversation, text)))


def told(provider: ScriptedProvider, number: int = -1) -> str:
    """The system message of a request."""
    return str(provider.requests[number].body["messages"][0]["content"])


def transcript(conversation: Conversation) -> list[tuple[str, str]]:
    return list(conversation.messages.values_list("role", "content"))


def test_a_message_is_answered_and_the_reply_is_stored_to_be_read(
    chat: Conversation, provider: ScriptedProvider
) -> None:
    provider.reply_with("Nothing with *peanuts*.")
    attempt = add_message(chat, "What should I not cook?")
    events = list(answer(attempt))
    reply = chat.messages.get(role=Role.ASSISTANT)
    assert events[0] == MemoriesRecalled({})
    assert said(events) == "Nothing with *peanuts*."
    assert events[-1] == Finished(reply.pk)
    assert transcript(chat) == [
        ("user", "What should I not cook?"),
        ("assistant", "Nothing with *peanuts*."),
    ]
    attempt.refresh_from_db()
    assert (attempt.state, attempt.reply, attempt.error) == (Answer.State.DONE, reply, "")
    assert attempt.model == "talker"
    assert attempt.finished_at is not None
    assert Run.objects.get().conversation == chat
    usage = Usage.objects.get()
    assert (usage.source, usage.model, usage.completion_tokens) == ("chat", "talker", 3)
    assert provider.requests[0].body["model"] == "talker"


def test_the_model_is_told_who_it_is_what_time_it_is_and_what_was_said(
    chat: Conversation, provider: ScriptedProvider
) -> None:
    chat.instance.instructions = "You are a cook."
    chat.instance.time_zone = "Asia/Tokyo"
    chat.instance.save()
    chat.agent = Agent.objects.create(
        instance=chat.instance, slug="sous", name="Sous", instructions="You only do soups."
    )
    chat.save()
    talk(chat, "First")
    talk(chat, "Second")
    system, *rest = provider.requests[-1].body["messages"]
    assert system["role"] == "system"
    assert system["content"].startswith("You are a cook.\n\nYou only do soups.\n\nNow it is ")
    assert "(Asia/Tokyo)" in system["content"]
    assert rest == [
        {"role": "user", "content": "First"},
        {"role": "assistant", "content": "You said: First"},
        {"role": "user", "content": "Second"},
    ]


def test_what_is_remembered_is_shown_to_the_model_and_logged_without_its_text(
    chat: Conversation, provider: ScriptedProvider, remembered: Store
) -> None:
    memory = remembered("The user is allergic to peanuts.", category="fact")
    events = talk(chat, "May I cook with peanuts?")
    assert events[0] == MemoriesRecalled({f"m{memory.pk}": f"/memory/{memory.pk}"})
    block = told(provider)
    assert "<memory_context>" in block
    assert f"1. [m{memory.pk}] ({timezone.now():%Y-%m-%d}, fact): The user is allergic" in block
    log = Answer.objects.get().recalls.get()
    assert [hit["memory"] for hit in log.hits] == [memory.pk]
    assert log.hits[0]["ranks"] == {"meaning": 1, "words": 1}
    assert log.hits[0]["similarity"] > 0.5
    assert "allergic" not in str(log.hits)
    memory.refresh_from_db()
    assert memory.recall_count == 1


def test_nothing_relevant_makes_no_block(chat: Conversation, provider: ScriptedProvider) -> None:
    talk(chat)
    assert "<memory_context>" not in told(provider)


def test_as_many_as_the_instance_wants_and_only_of_this_end_user(
    chat: Conversation, provider: ScriptedProvider, remembered: Store, private: Instance
) -> None:
    for colour in ("red", "blue", "green", "white", "yellow"):
        remembered(f"The user sold the {colour} boat.", end_user="ana")
    remembered("The user has a boat.")
    remembered("The user has a boat in the diary.", into=private)
    chat.instance.top_k = 3
    chat.instance.save()
    Conversation.objects.update(end_user="ana")
    chat.refresh_from_db()
    talk(chat, "Which boat?")
    assert told(provider).count(" boat.") == 3
    assert "has a boat" not in told(provider)


@pytest.mark.parametrize("off", ["instance", "agent"])
def test_recall_can_be_switched_off(
    off: str, chat: Conversation, provider: ScriptedProvider, remembered: Store
) -> None:
    remembered("The user is allergic to peanuts.")
    chat.agent = Agent.objects.create(instance=chat.instance, slug="a", name="A")
    chat.save()
    switched = chat.instance if off == "instance" else chat.agent
    switched.recall_enabled = False
    switched.save()
    events = talk(chat, "peanuts?")
    assert not [event for event in events if isinstance(event, MemoriesRecalled)]
    assert "memory_context" not in told(provider)
    offered = [tool["function"]["name"] for tool in provider.requests[-1].body["tools"]]
    assert offered == ["save_memory"]


def test_a_turn_that_answers_is_shown_without_the_secrets_in_it(
    chat: Conversation, provider: ScriptedProvider, spoken: Callable[..., Message]
) -> None:
    earlier = Conversation.objects.create(instance=chat.instance, title="Boats")
    turn = spoken(earlier, "The harbour master of Kiel is called Jette, 4111 1111 1111 1111.")
    events = talk(chat, "Who is harbour master in Kiel?")
    assert events[0] == MemoriesRecalled({f"s{turn.pk}": turn.get_absolute_url()})
    block = told(provider)
    assert f"1. [s{turn.pk}] ({timezone.now():%Y-%m-%d}, said by user): The harbour" in block
    assert "Jette, [REDACTED:CARD]." in block
    assert "4111" not in str([request.body for request in provider.requests])
    log = Answer.objects.get().recalls.get()
    assert [(hit["ref"], hit["message"]) for hit in log.hits] == [(f"s{turn.pk}", turn.pk)]
    assert "Jette" not in str(log.hits)
    # The same question elsewhere answers nothing.
    again = Conversation.objects.create(instance=chat.instance, title="Again")
    spoken(again, "who is the harbour master, in Kiel")
    assert list(
        context_for_message(
            chat.instance, "Who is the harbour master in Kiel?", end_user="", conversation=chat
        ).sources
    ) == [f"s{turn.pk}"]
    Instance.objects.filter(pk=chat.instance_id).update(turns_enabled=False)
    assert talk(Conversation.objects.get(pk=chat.pk), "Who is harbour master?")[
        0
    ] == MemoriesRecalled({})


def test_an_agent_without_recall_goes_on_learning(
    chat: Conversation, provider: ScriptedProvider, remembered: Store
) -> None:
    remembered("The user is allergic to peanuts.")
    chat.agent = Agent.objects.create(
        instance=chat.instance, slug="aloof", name="Aloof", recall_enabled=False
    )
    chat.save()
    talk(chat, "I moved to Lyon.")
    assert "memory_context" not in told(provider)
    run = Run.objects.get(conversation=chat)
    assert run.claim()
    read(run)
    assert Memory.objects.filter(sources__conversation=chat, content__contains="Lyon").exists()


def test_a_model_reads_what_was_found_before_it_is_shown(
    chat: Conversation, provider: ScriptedProvider, remembered: Store
) -> None:
    near = remembered("The user is allergic to peanuts.")
    far = remembered("The user’s doctor forbade peanuts.")
    chat.instance.rerank_enabled = True
    chat.instance.top_k = 1
    chat.instance.save()
    provider.reply_with({"best": [2]}, times=1)
    events = talk(chat, "Is the user allergic to peanuts?")
    assert events[0] == MemoriesRecalled({f"m{far.pk}": f"/memory/{far.pk}"})
    assert f"[m{far.pk}]" in told(provider)
    assert f"[m{near.pk}]" not in told(provider)
    assert Answer.objects.get().recalls.get().problem == ""


def test_a_rerank_that_fails_is_noted_and_the_answer_is_given(
    chat: Conversation, provider: ScriptedProvider, remembered: Store
) -> None:
    memories = [remembered(f"The user is allergic to {what}.") for what in ("peanuts", "cats")]
    Instance.objects.filter(pk=chat.instance_id).update(rerank_enabled=True)
    provider.reply_with("I would rather not say.", times=1)
    events = talk(chat, "What allergies?")
    assert isinstance(events[0], MemoriesRecalled)
    assert set(events[0].sources) == {f"m{memory.pk}" for memory in memories}
    assert isinstance(events[-1], Finished)
    assert Answer.objects.get().recalls.get().problem.startswith("Not reranked: reader gave no")


def test_with_memory_off_it_recalls_and_saves_nothing(
    chat: Conversation, provider: ScriptedProvider, remembered: Store
) -> None:
    remembered("The user is allergic to peanuts.")
    Instance.objects.filter(pk=chat.instance_id).update(memory_enabled=False)
    provider.reply_with(Says(calls=[("save_memory", {"content": "The user sails."})]), times=1)
    events = talk(chat, "peanuts?")
    assert "<memory_context>" in told(provider)
    offered = [tool["function"]["name"] for tool in provider.requests[0].body["tools"]]
    assert offered == ["search_memory", "list_memories"]
    assert "No such tool" in [e.outcome for e in events if isinstance(e, ToolDone)]
    assert Memory.objects.count() == 1
    assert not Run.objects.exists()


def test_it_forgets_what_it_is_asked_to(
    chat: Conversation, provider: ScriptedProvider, remembered: Store
) -> None:
    goat = remembered("The user has a goat.")
    provider.reply_with(Says(calls=[("forget_memory", {"id": f"m{goat.pk}"})]), times=1)
    events = talk(chat, "The goat is gone. Forget it.")
    (done,) = [event for event in events if isinstance(event, ToolDone)]
    assert (done.outcome, done.ok, done.memory_ids) == ("Forgot 1 memory", True, (goat.pk,))
    assert not Memory.objects.exists()
    offered = [tool["function"]["name"] for tool in provider.requests[0].body["tools"]]
    assert offered == ["search_memory", "list_memories", "save_memory", "forget_memory"]
    assert "is deleted for good" in str(provider.requests[1].body["messages"][-1])


def test_a_recall_that_fails_does_not_fail_the_answer(
    chat: Conversation, provider: ScriptedProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: Any, **kwargs: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(builder, "recall", fail)
    events = talk(chat)
    assert events[0] == MemoriesRecalled({}, "The memory could not be asked (ZeroDivisionError).")
    assert isinstance(events[-1], Finished)
    assert "could not be asked" in Answer.objects.get().recalls.get().problem


# Tools.


def test_parallel_calls_run_and_their_results_go_back_in_order(
    chat: Conversation, provider: ScriptedProvider, remembered: Store
) -> None:
    memory = remembered("The user is allergic to peanuts.")
    calls = [
        ("search_memory", {"query": "peanuts"}),
        ("save_memory", {"content": "The user is called Ines.", "category": "fact"}),
        ("search_memory", {"query": ""}),
    ]
    provider.reply_with(Says("Let me see.", calls), times=1)
    provider.reply_with("No satay, Ines.")
    events = talk(chat)
    saved = Memory.objects.latest("pk")
    assert [type(event) for event in events if not isinstance(event, Delta)] == [
        MemoriesRecalled,
        ToolBegan,
        ToolBegan,
        ToolBegan,
        ToolDone,
        ToolDone,
        ToolDone,
        Finished,
    ]
    assert transcript(chat)[-1] == ("assistant", "Let me see.\n\nNo satay, Ines.")
    _, _, called, *results = provider.requests[1].body["messages"]
    assert called["content"] == "Let me see."
    assert [call["id"] for call in called["tool_calls"]] == ["call-0", "call-1", "call-2"]
    assert [result["tool_call_id"] for result in results] == ["call-0", "call-1", "call-2"]
    assert f"[m{memory.pk}]" in results[0]["content"]
    assert results[1]["content"] == f"[m{saved.pk}] stored."
    assert "not usable" in results[2]["content"]
    runs = list(ToolRun.objects.values_list("name", "outcome", "ok", "memory_ids"))
    assert runs == [
        ("search_memory", "Found 1 memory", True, [memory.pk]),
        ("save_memory", "Remembered", True, [saved.pk]),
        ("search_memory", "Its arguments were not usable", False, []),
    ]
    assert saved.sources.get().message == chat.messages.get(role=Role.USER)
    assert Usage.objects.filter(source="chat").count() == 2


def test_rounds_are_bounded_and_then_it_has_to_answer(
    chat: Conversation, provider: ScriptedProvider
) -> None:
    def search_on(request: Request) -> Says | str:
        if request["tool_choice"] == "none":
            return "I looked long enough."
        return Says(calls=[("search_memory", {"query": "x"})])

    provider.reply_with(search_on)
    events = talk(chat)
    assert said(events) == "I looked long enough."
    assert provider.count("completions") == MAX_ROUNDS + 1
    assert ToolRun.objects.count() == MAX_ROUNDS


def test_a_model_that_only_calls_tools_has_not_answered(
    chat: Conversation, provider: ScriptedProvider
) -> None:
    provider.reply_with(Says(calls=[("search_memory", {"query": "x"})]))
    events = talk(chat)
    assert isinstance(events[-1], Failed)
    assert "kept calling tools and gave no answer" in events[-1].error
    assert ToolRun.objects.count() == MAX_ROUNDS


def test_too_many_calls_at_once_are_not_all_carried_out(
    chat: Conversation, provider: ScriptedProvider
) -> None:
    calls = [("no_such_tool", {"n": n}) for n in range(MAX_CALLS + 2)]
    provider.reply_with(Says(calls=calls), times=1)
    assert isinstance(talk(chat)[-1], Finished)
    results = [m for m in provider.requests[1].body["messages"] if m["role"] == "tool"]
    assert len(results) == len(calls)
    assert "Not carried out" in results[-1]["content"]
    assert set(ToolRun.objects.values_list("name", flat=True)) == {"unknown"}


def test_a_server_without_tools_answers_without(
    chat: Conversation, provider: ScriptedProvider
) -> None:
    provider.fail_next("reject_tools", times=None)
    assert isinstance(talk(chat)[-1], Finished)


# Failures.


@pytest.mark.parametrize(
    ("fault", "words", "kept"),
    [
        ("429", "too many requests (429)", ""),
        ("500", "failed (500)", ""),
        ("401", "Check the key in Settings", ""),
        ("garbage_stream", "broken JSON", "one two"),
        ("cut_stream", "", "one two"),
        ("end_stream", "broke off in the middle", "one two"),
    ],
)
def test_a_failure_says_what_happened_and_keeps_what_was_said(
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


def test_a_silent_provider_is_given_up(
    chat: Conversation, provider: ScriptedProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answering, "converse", partial(converse, silence=0.3))
    provider.fail_next("hang", seconds=5)
    (*_, last) = talk(chat)
    assert isinstance(last, Failed)
    assert "did not answer in time" in last.error


def test_without_a_provider_nothing_is_stored(chat: Conversation) -> None:
    Instance.objects.update(provider="")
    chat.instance.refresh_from_db()
    with pytest.raises(SubmissionRefused, match="No language model is set up"):
        add_message(chat, "Hello")
    assert not chat.messages.exists()


def test_a_provider_that_is_taken_away_meanwhile_is_missed(chat: Conversation) -> None:
    attempt = add_message(chat, "Hello")
    Instance.objects.update(provider="")
    (last,) = answer(attempt)
    assert isinstance(last, Failed)
    assert "No language model is set up" in last.error


# Stopping.


@pytest.mark.parametrize("by", ["this process", "another process"])
def test_stopping_keeps_what_was_said(
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
        if said(events) == "one two":
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


def test_stopping_before_a_word_was_said_leaves_no_reply(
    chat: Conversation, provider: ScriptedProvider
) -> None:
    provider.fail_next("hang", seconds=10)
    attempt = add_message(chat, "Count")
    stop(chat)
    assert list(answer(attempt))[-1] == Stopped(None)
    assert transcript(chat) == [("user", "Count")]
    assert not Run.objects.exists()


# Trying again.


def test_trying_again_replaces_the_reply_once_the_new_one_is_there(
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
    assert [m["content"] for m in provider.requests[-1].body["messages"][1:]] == ["Say something"]
    first, second, third = Answer.objects.all()
    assert (first.reply, second.reply) == (None, None)
    assert third.reply == chat.messages.get(role=Role.ASSISTANT)
    assert list(chat.messages.values_list("position", flat=True)) == [1, 2]


def test_trying_again_after_a_failure(chat: Conversation, provider: ScriptedProvider) -> None:
    provider.fail_next("500")
    talk(chat, "Hello")
    assert isinstance(list(answer(retry(chat)))[-1], Finished)
    assert transcript(chat) == [("user", "Hello"), ("assistant", "You said: Hello")]


def test_a_reply_that_came_from_elsewhere_is_replaced_too(
    chat: Conversation, provider: ScriptedProvider
) -> None:
    append(chat, [NewMessage("user", "Hello"), NewMessage("assistant", "From elsewhere.")])
    list(answer(retry(chat)))
    assert transcript(chat) == [("user", "Hello"), ("assistant", "You said: Hello")]


def test_there_must_be_something_to_answer(chat: Conversation) -> None:
    with pytest.raises(SubmissionRefused, match="nothing to answer yet"):
        retry(chat)


# One at a time, and none for ever.


def test_one_answer_at_a_time(chat: Conversation) -> None:
    add_message(chat, "First")
    with pytest.raises(SubmissionRefused, match="An answer is on its way"):
        add_message(chat, "Second")
    with pytest.raises(SubmissionRefused, match="An answer is on its way"):
        retry(chat)
    assert transcript(chat) == [("user", "First")]


def test_an_answer_whose_process_died_is_given_up(
    chat: Conversation, provider: ScriptedProvider
) -> None:
    attempt = add_message(chat, "First")
    assert Answer.objects.give_up() == 0
    long_ago = timezone.now() - timedelta(seconds=Answer.SILENCE + 1)
    Answer.objects.update(heartbeat_at=long_ago)
    list(answer(add_message(chat, "Second")))
    attempt.refresh_from_db()
    assert (attempt.state, attempt.error) == (Answer.State.FAILED, RESTARTED)
    # Both messages are answered together, since speakers have to alternate.
    assert provider.requests[-1].body["messages"][1:] == [
        {"role": "user", "content": "First\n\nSecond"}
    ]


def test_one_that_was_taken_for_dead_stores_nothing(
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


def test_a_reply_without_end_is_cut_off(
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


# Beginning.


def test_a_chat_begins_with_a_message(assisted: Instance) -> None:
    agent = Agent.objects.create(instance=assisted, slug="a", name="A")
    attempt = begin_conversation(
        assisted, "  What\r\nshould I cook? ", agent=agent, end_user=" ana "
    )
    conversation = attempt.conversation
    assert (conversation.title, conversation.origin) == ("What should I cook?", "chat")
    assert (conversation.agent, conversation.end_user) == (agent, "ana")
    assert transcript(conversation) == [("user", "What\nshould I cook?")]


@pytest.mark.parametrize("text", ["", " \n ", "\x00", "x" * 32_001])
def test_no_message_no_chat(text: str, assisted: Instance) -> None:
    with pytest.raises(SubmissionRefused):
        begin_conversation(assisted, text, agent=None)
    assert not Conversation.objects.exists()


def test_titles_are_the_first_words() -> None:
    assert title_of("Short.") == "Short."
    long = title_of("What would you say about a dinner for eight people on the last Sunday of May?")
    assert long == "What would you say about a dinner for eight people on the…"
    assert title_of("日" * 100) == "日" * 59 + "…"


@pytest.mark.parametrize("number", [0, 2])
def test_a_restart_of_the_database_meanwhile_costs_no_word(
    number: int, chat: Conversation, provider: ScriptedProvider
) -> None:
    def restart(piece: int) -> None:
        if piece == number:
            end_all_sessions()
            time.sleep(1.5)  # for longer than it takes to give a sign of life

    provider.reply_with(Says("one two three", before=restart))

    events = list(answer(add_message(chat, "Count")))

    reply = chat.messages.get(role=Role.ASSISTANT)
    assert (reply.content, events[-1]) == ("one two three", Finished(reply.pk))
    assert Answer.objects.get().state == Answer.State.DONE
    assert Usage.objects.filter(error="").count() == 1
