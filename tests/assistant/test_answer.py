"""One answer from the message to the reply, without HTTP, with the real provider client, recall
and tools.
"""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from conversations.models import Conversation, Message, Role
from instances.models import Agent, Instance
from memoryapp.assistant.answer import answer
from memoryapp.assistant.events import Finished, MemoriesRecalled, ToolDone
from memoryapp.assistant.submission import add_message
from memoryapp.context import builder
from memoryapp.context.builder import context_for_message
from memoryapp.extraction.run import read
from memoryapp.models import Answer, Memory, ProposedDeletion, Run, Usage
from tests.assistant.answering import talk, text_of, transcript, user_message
from tests.scripted_provider import Says, ScriptedProvider

# Tools and providers run in separate threads, which see only committed rows.
pytestmark = pytest.mark.django_db(transaction=True)
Store = Callable[..., Memory]


def test_message_is_answered_and_the_reply_queued_for_reading(
    chat: Conversation, provider: ScriptedProvider
) -> None:
    provider.reply_with("Nothing with *peanuts*.")
    attempt = add_message(chat, "What should I not cook?")
    events = list(answer(attempt))
    reply = chat.messages.get(role=Role.ASSISTANT)
    assert events[0] == MemoriesRecalled({})
    assert text_of(events) == "Nothing with *peanuts*."
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


def test_prompt_has_identity_time_and_transcript(
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
    assert system["content"].startswith("You are a cook.\n\nYou only do soups.\n\nYou have a ")
    assert rest[:-1] == [
        {"role": "user", "content": "First"},
        {"role": "assistant", "content": "You said: First"},
    ]
    assert re.fullmatch(
        r"Second\n\nNow it is \w+, \d{4}-\d\d-\d\d \d\d:\d\d \(Asia/Tokyo\)\.", rest[-1]["content"]
    )


def test_recalled_memories_are_in_the_prompt_and_logged_without_text(
    chat: Conversation, provider: ScriptedProvider, store_memory: Store
) -> None:
    memory = store_memory("The user is allergic to peanuts.", category="fact")
    events = talk(chat, "May I cook with peanuts?")
    assert events[0] == MemoriesRecalled({f"m{memory.pk}": f"/memory/{memory.pk}"})
    block = user_message(provider)
    assert "<memory_context id=" in block
    about = f"{timezone.now():%Y-%m-%d}, fact, said by the user"
    assert f"1. [m{memory.pk}] ({about}): The user is allergic" in block
    log = Answer.objects.get().recalls.get()
    assert [hit["memory"] for hit in log.hits] == [memory.pk]
    assert log.hits[0]["ranks"] == {"meaning": 1, "words": 1}
    assert log.hits[0]["similarity"] > 0.5
    assert "allergic" not in str(log.hits)
    memory.refresh_from_db()
    assert memory.recall_count == 1


def test_irrelevant_memories_add_no_block(chat: Conversation, provider: ScriptedProvider) -> None:
    talk(chat)
    assert "<memory_context" not in str(provider.requests[-1].body["messages"])


def test_recall_respects_the_limit_and_the_end_user(
    chat: Conversation, provider: ScriptedProvider, store_memory: Store, private: Instance
) -> None:
    for colour in ("red", "blue", "green", "white", "yellow"):
        store_memory(f"The user sold the {colour} boat.", end_user="ana")
    store_memory("The user has a boat.")
    store_memory("The user has a boat in the diary.", into=private)
    chat.instance.top_k = 3
    chat.instance.save()
    Conversation.objects.update(end_user="ana")
    chat.refresh_from_db()
    talk(chat, "Which boat?")
    assert user_message(provider).count(" boat.") == 3
    assert "has a boat" not in user_message(provider)


@pytest.mark.parametrize("off", ["instance", "agent"])
def test_recall_can_be_switched_off(
    off: str, chat: Conversation, provider: ScriptedProvider, store_memory: Store
) -> None:
    store_memory("The user is allergic to peanuts.")
    chat.agent = Agent.objects.create(instance=chat.instance, slug="a", name="A")
    chat.save()
    switched = chat.instance if off == "instance" else chat.agent
    switched.recall_enabled = False
    switched.save()
    events = talk(chat, "peanuts?")
    assert not [event for event in events if isinstance(event, MemoriesRecalled)]
    assert "memory_context" not in str(provider.requests[-1].body["messages"])
    offered = [tool["function"]["name"] for tool in provider.requests[-1].body["tools"]]
    assert offered == ["save_memory"]


def test_recalled_message_has_its_secrets_redacted(
    chat: Conversation, provider: ScriptedProvider, store_message: Callable[..., Message]
) -> None:
    earlier = Conversation.objects.create(instance=chat.instance, title="Boats")
    turn = store_message(
        earlier, "The harbour master of Kiel is called Jette, 4111 1111 1111 1111."
    )
    events = talk(chat, "Who is harbour master in Kiel?")
    assert events[0] == MemoriesRecalled({f"s{turn.pk}": turn.get_absolute_url()})
    block = user_message(provider)
    assert f"1. [s{turn.pk}] ({timezone.now():%Y-%m-%d}, said by user): The harbour" in block
    assert "Jette, [REDACTED:CARD]." in block
    assert "4111 1111" not in str([request.body for request in provider.requests])
    log = Answer.objects.get().recalls.get()
    assert [(hit["ref"], hit["message"]) for hit in log.hits] == [(f"s{turn.pk}", turn.pk)]
    assert "Jette" not in str(log.hits)
    # The same question in another conversation is not an answer.
    again = Conversation.objects.create(instance=chat.instance, title="Again")
    store_message(again, "who is the harbour master, in Kiel")
    assert list(
        context_for_message(
            chat.instance, "Who is the harbour master in Kiel?", end_user="", conversation=chat
        ).sources
    ) == [f"s{turn.pk}"]
    Instance.objects.filter(pk=chat.instance_id).update(turns_enabled=False)
    assert talk(Conversation.objects.get(pk=chat.pk), "Who is harbour master?")[
        0
    ] == MemoriesRecalled({})


def test_agent_without_recall_still_learns(
    chat: Conversation, provider: ScriptedProvider, store_memory: Store
) -> None:
    store_memory("The user is allergic to peanuts.")
    chat.agent = Agent.objects.create(
        instance=chat.instance, slug="aloof", name="Aloof", recall_enabled=False
    )
    chat.save()
    talk(chat, "I moved to Lyon.")
    assert "memory_context" not in str(provider.requests[-1].body["messages"])
    run = Run.objects.get(conversation=chat)
    assert run.claim()
    read(run)
    assert Memory.objects.filter(sources__conversation=chat, content__contains="Lyon").exists()


def test_reranking_by_a_model(
    chat: Conversation, provider: ScriptedProvider, store_memory: Store
) -> None:
    near = store_memory("The user is allergic to peanuts.")
    far = store_memory("The user’s doctor forbade peanuts.")
    chat.instance.rerank_enabled = True
    chat.instance.top_k = 1
    chat.instance.save()
    provider.reply_with({"best": [2]}, times=1)
    events = talk(chat, "Is the user allergic to peanuts?")
    assert events[0] == MemoriesRecalled({f"m{far.pk}": f"/memory/{far.pk}"})
    assert f"[m{far.pk}]" in user_message(provider)
    assert f"[m{near.pk}]" not in user_message(provider)
    assert Answer.objects.get().recalls.get().problem == ""


def test_failed_reranking_is_noted_and_the_answer_given(
    chat: Conversation, provider: ScriptedProvider, store_memory: Store
) -> None:
    memories = [store_memory(f"The user is allergic to {what}.") for what in ("peanuts", "cats")]
    Instance.objects.filter(pk=chat.instance_id).update(rerank_enabled=True)
    provider.reply_with("I would rather not say.", times=1)
    events = talk(chat, "What allergies?")
    assert isinstance(events[0], MemoriesRecalled)
    assert set(events[0].sources) == {f"m{memory.pk}" for memory in memories}
    assert isinstance(events[-1], Finished)
    assert Answer.objects.get().recalls.get().problem.startswith("Not reranked: reader gave no")


def test_memory_off_recalls_and_saves_nothing(
    chat: Conversation, provider: ScriptedProvider, store_memory: Store
) -> None:
    store_memory("The user is allergic to peanuts.")
    Instance.objects.filter(pk=chat.instance_id).update(memory_enabled=False)
    provider.reply_with(Says(calls=[("save_memory", {"content": "The user sails."})]), times=1)
    events = talk(chat, "peanuts?")
    assert "<memory_context" in user_message(provider)
    offered = [tool["function"]["name"] for tool in provider.requests[0].body["tools"]]
    assert offered == ["search_memory", "list_memories"]
    assert "No such tool" in [e.outcome for e in events if isinstance(e, ToolDone)]
    assert Memory.objects.count() == 1
    assert not Run.objects.exists()


def test_forget_tool_proposes_to_forget(
    chat: Conversation, provider: ScriptedProvider, store_memory: Store
) -> None:
    goat = store_memory("The user has a goat.")
    provider.reply_with(Says(calls=[("forget_memory", {"id": f"m{goat.pk}"})]), times=1)
    events = talk(chat, "The goat is gone. Forget it.")
    (done,) = [event for event in events if isinstance(event, ToolDone)]
    assert (done.outcome, done.ok, done.memory_ids) == (
        "Proposed to forget 1 memory",
        True,
        (goat.pk,),
    )
    assert Memory.objects.get() == goat
    assert ProposedDeletion.objects.get().memory_id == goat.pk
    offered = [tool["function"]["name"] for tool in provider.requests[0].body["tools"]]
    assert offered == ["search_memory", "list_memories", "save_memory", "forget_memory"]
    told = str(provider.requests[1].body["messages"][-1])
    assert "has not been forgotten yet" in told
    assert "decides under your reply" in told


def test_failed_recall_does_not_fail_the_answer(
    chat: Conversation, provider: ScriptedProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: Any, **kwargs: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(builder, "recall", fail)
    events = talk(chat)
    assert events[0] == MemoriesRecalled(
        {}, "The memory could not be searched (ZeroDivisionError)."
    )
    assert isinstance(events[-1], Finished)
    assert "could not be searched" in Answer.objects.get().recalls.get().problem
