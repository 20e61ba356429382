"""Tool calls that the model writes as text, during an answer and in what is stored."""

from collections.abc import Callable

import pytest

from conversations.messages import NewMessage, append
from conversations.models import Conversation
from memoryapp.assistant.events import Failed, Finished
from memoryapp.mining.run import mine_here
from memoryapp.models import Drawer, Memory, ToolRun
from memoryapp.recall import RecallOptions, recall
from tests.assistant.answering import talk, text_of, transcript
from tests.scripted_provider import Request, Says, ScriptedProvider

# Tools and providers run in separate threads, which see only committed rows.
pytestmark = pytest.mark.django_db(transaction=True)
Store = Callable[..., Memory]

SEARCH = '{{"name": "search_memory", "arguments": {"query": "peanuts"}}}'
BROKEN = '{"name": "save_memory", "arguments": {"content": "called "Ines""}}'


def test_written_call_runs_and_is_not_shown(
    chat: Conversation, provider: ScriptedProvider, store_memory: Store
) -> None:
    memory = store_memory("The user is allergic to peanuts.")
    provider.reply_with(Says(f"Let me see.\n```json\n{SEARCH}\n```"), times=1)
    provider.reply_with("No satay.")
    assert text_of(talk(chat)) == "Let me see.\n\n\nNo satay."
    assert ToolRun.objects.get().memory_ids == [memory.pk]
    *_, called, result = provider.requests[1].body["messages"]
    assert "search_memory" not in called["content"]
    assert called["tool_calls"][0]["id"] == result["tool_call_id"]
    assert f"[m{memory.pk}]" in result["content"]
    assert "search_memory" not in transcript(chat)[-1][1]


def test_broken_call_is_followed_by_a_request_without_tools(
    chat: Conversation, provider: ScriptedProvider
) -> None:
    def answer(request: Request) -> str:
        return BROKEN if "tools" in request else "Hello, Ines."

    provider.reply_with(answer)
    events = talk(chat)
    assert isinstance(events[-1], Finished)
    assert text_of(events) == "Hello, Ines."
    assert provider.count("completions") == 2
    assert not ToolRun.objects.exists()


def test_only_broken_calls_are_not_an_answer(
    chat: Conversation, provider: ScriptedProvider
) -> None:
    provider.reply_with(BROKEN)
    events = talk(chat)
    assert isinstance(events[-1], Failed)
    assert "gave no answer" in events[-1].error
    assert text_of(events) == ""


def test_text_about_tools_is_shown(chat: Conversation, provider: ScriptedProvider) -> None:
    text = 'Call save_memory, or write {"name": "Ines"} into a [list].'
    provider.reply_with(text)
    assert text_of(talk(chat)) == text


def test_stored_call_is_neither_filed_nor_recalled_nor_sent(
    chat: Conversation, provider: ScriptedProvider
) -> None:
    append(chat, [NewMessage("user", "Peanuts make me ill."), NewMessage("assistant", SEARCH)])
    hits = recall(chat.instance, "peanuts", RecallOptions()).hits
    assert [hit.content for hit in hits] == ["Peanuts make me ill."]
    mine_here(chat, with_model=False)
    assert [drawer.content for drawer in Drawer.objects.all()] == ["Peanuts make me ill."]
    provider.reply_with("No satay.")
    talk(chat)
    assert "search_memory" not in str(provider.requests[-1].body["messages"])
