"""Tool calls of the model during an answer."""

from collections.abc import Callable

import pytest

from conversations.models import Conversation, Role
from memoryapp.assistant.events import (
    Delta,
    Failed,
    Finished,
    MemoriesRecalled,
    ModelAsked,
    ToolBegan,
    ToolDone,
)
from memoryapp.assistant.tool_calls import MAX_CALLS, MAX_ROUNDS
from memoryapp.models import Memory, ToolRun, Usage
from tests.assistant.answering import talk, text_of, transcript
from tests.scripted_provider import Request, Says, ScriptedProvider

# Tools and providers run in separate threads, which see only committed rows.
pytestmark = pytest.mark.django_db(transaction=True)
Store = Callable[..., Memory]


def test_parallel_calls_run_and_their_results_go_back_in_order(
    chat: Conversation, provider: ScriptedProvider, store_memory: Store
) -> None:
    memory = store_memory("The user is allergic to peanuts.")
    calls = [
        ("search_memory", {"query": "peanuts"}),
        ("save_memory", {"content": "The user is called Ines.", "category": "fact"}),
        ("search_memory", {"query": ""}),
    ]
    provider.reply_with(Says("Let me see.", calls), times=1)
    provider.reply_with("No satay, Ines.")
    events = talk(chat)
    saved = Memory.objects.latest("pk")
    assert [type(event) for event in events if not isinstance(event, Delta | ModelAsked)] == [
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
        ("search_memory", "The model called it wrongly", False, []),
    ]
    assert saved.sources.get().message == chat.messages.get(role=Role.USER)
    assert Usage.objects.filter(source="chat").count() == 2


def test_rounds_are_limited_and_then_an_answer_is_required(
    chat: Conversation, provider: ScriptedProvider
) -> None:
    def search_on(request: Request) -> Says | str:
        if request["tool_choice"] == "none":
            return "I looked long enough."
        return Says(calls=[("search_memory", {"query": "x"})])

    provider.reply_with(search_on)
    events = talk(chat)
    assert text_of(events) == "I looked long enough."
    assert provider.count("completions") == MAX_ROUNDS + 1
    assert ToolRun.objects.count() == MAX_ROUNDS


def test_only_tool_calls_are_not_an_answer(chat: Conversation, provider: ScriptedProvider) -> None:
    provider.reply_with(Says(calls=[("search_memory", {"query": "x"})]))
    events = talk(chat)
    assert isinstance(events[-1], Failed)
    assert "kept calling tools and gave no answer" in events[-1].error
    assert ToolRun.objects.count() == MAX_ROUNDS


def test_parallel_tool_calls_are_limited(chat: Conversation, provider: ScriptedProvider) -> None:
    calls = [("no_such_tool", {"n": n}) for n in range(MAX_CALLS + 2)]
    provider.reply_with(Says(calls=calls), times=1)
    assert isinstance(talk(chat)[-1], Finished)
    results = [m for m in provider.requests[1].body["messages"] if m["role"] == "tool"]
    assert len(results) == len(calls)
    assert "Not carried out" in results[-1]["content"]
    assert set(ToolRun.objects.values_list("name", flat=True)) == {"unknown"}


def test_server_without_tool_support_answers_without_tools(
    chat: Conversation, provider: ScriptedProvider
) -> None:
    provider.fail_next("reject_tools", times=None)
    assert isinstance(talk(chat)[-1], Finished)
