"""`X-Keepsake-Memory: off` begins a conversation without memory, which stays so."""

from collections.abc import Callable
from typing import Any

import pytest
from openai import ConflictError, OpenAI

from conversations.models import Conversation
from instances.models import Instance
from memoryapp.models import Memory, Run
from tests.scripted_provider import ScriptedProvider

pytestmark = pytest.mark.django_db(transaction=True)

OFF = {"X-Keepsake-Memory": "off"}
ASKED = [{"role": "user", "content": "What should I not cook, given my peanuts allergy?"}]


def ask(client: OpenAI, messages: Any, **headers: str) -> str:
    answer = client.chat.completions.create(
        model="keepsake", messages=messages, extra_headers=headers
    )
    return answer.choices[0].message.content or ""


def test_nothing_is_recalled_or_kept(
    client: OpenAI, provider: ScriptedProvider, store_memory: Callable[..., Memory]
) -> None:
    store_memory("The user is allergic to peanuts.")
    reply = ask(client, ASKED, **OFF)
    assert "memory" not in str(provider.requests[-1].body["messages"])
    # Also without the header: the conversation is recognised.
    longer = [*ASKED, {"role": "assistant", "content": reply}, *ASKED]
    ask(client, longer)
    assert "memory" not in str(provider.requests[-1].body["messages"])
    conversation = Conversation.objects.get()
    assert conversation.without_memory and conversation.messages.count() == 4
    assert not Run.objects.exists()


def test_it_is_not_added_to_a_conversation_with_memory(client: OpenAI, assisted: Instance) -> None:
    reply = ask(client, ASKED)
    ask(client, [*ASKED, {"role": "assistant", "content": reply}, *ASKED], **OFF)
    with_memory, without = Conversation.objects.order_by("pk")
    assert (with_memory.without_memory, without.without_memory) == (False, True)
    assert with_memory.messages.count() == 2


def test_a_named_conversation_with_memory_is_a_conflict(client: OpenAI, assisted: Instance) -> None:
    ask(client, ASKED, **{"X-Conversation-Id": "c1"})
    with pytest.raises(ConflictError, match="begun with memory"):
        ask(client, ASKED, **OFF, **{"X-Conversation-Id": "c1"})
