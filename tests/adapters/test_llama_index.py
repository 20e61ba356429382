"""The page on LlamaIndex, with LlamaIndex's own package."""

import asyncio
from typing import Any

import pytest
from llama_index.core.base.llms.types import ChatMessage, ImageBlock, MessageRole, TextBlock
from llama_index.core.memory import ChatMemoryBuffer

from conversations.models import Message
from instances.actor import Actor
from instances.models import Instance
from memoryapp.models import Origin, StoredDocument
from memoryapp.pipeline import Candidate, Writer, remember
from tests.adapters.conftest import Keepsake
from tests.adapters.pages import adapter

pytestmark = pytest.mark.soak


@pytest.fixture
def store(keepsake: Keepsake) -> Any:
    return adapter("llama-index").KeepsakeChatStore(
        url=keepsake.url, key=keepsake.key, user_id="ana"
    )


@pytest.fixture
def block(keepsake: Keepsake) -> Any:
    return adapter("llama-index").KeepsakeMemoryBlock(
        url=keepsake.url, key=keepsake.key, user_id="ana"
    )


def said(text: str, role: str = "user") -> ChatMessage:
    return ChatMessage(role=MessageRole(role), content=text)


def test_messages_are_kept_in_their_order(store: Any) -> None:
    odd = ChatMessage(
        role=MessageRole.ASSISTANT,
        blocks=[TextBlock(text=" line\r\n"), ImageBlock(url="https://example.org/a.png")],
        additional_kwargs={"tool_calls": [{"id": "call_1", "n": 1.5}]},
    )
    assert store.get_messages("one") == []
    store.add_message("one", said("a"))
    store.add_message("one", odd)
    store.add_message("two", said("other"))
    kept = store.get_messages("one")
    assert [each.model_dump(mode="json") for each in kept] == [
        each.model_dump(mode="json") for each in (said("a"), odd)
    ]
    assert sorted(store.get_keys()) == ["one", "two"]
    assert set(StoredDocument.objects.values_list("end_user", flat=True)) == {"ana"}
    store.set_messages("one", [said(text) for text in "abcd"])
    assert store.delete_message("one", 1).content == "b"
    assert store.delete_message("one", 9) is None
    assert store.delete_last_message("one").content == "d"
    store.add_message("one", said("e"))
    assert [each.content for each in store.get_messages("one")] == ["a", "c", "e"]
    assert [each.content for each in store.delete_messages("one")] == ["a", "c", "e"]
    assert store.delete_messages("one") is None
    assert store.get_keys() == ["two"]


def test_a_memory_buffer_uses_the_store(store: Any) -> None:
    buffer = ChatMemoryBuffer.from_defaults(chat_store=store, chat_store_key="chat")
    buffer.put(said("I keep bees."))
    asyncio.run(buffer.aput(said("Noted.", "assistant")))
    again = ChatMemoryBuffer.from_defaults(chat_store=store, chat_store_key="chat")
    assert [each.content for each in again.get()] == ["I keep bees.", "Noted."]
    again.reset()
    assert buffer.get() == []


def test_the_block_recalls_and_hands_over(block: Any, instance: Instance) -> None:
    remember(
        instance,
        [Candidate("The user keeps bees in Lyon.", end_user="ana")],
        Writer(Origin.MANUAL, Actor(via="test")),
    )
    found = asyncio.run(block.aget([said("Which animals do I keep?")]))
    assert found == "- The user keeps bees in Lyon."
    assert asyncio.run(block.aget([])) == ""
    asyncio.run(block.aput([said("I moved to Graz."), said("Noted.", "assistant")]))
    asyncio.run(block.aput([said("And I bought a boat.")]))
    texts = Message.objects.order_by("position").values_list("content", flat=True)
    assert list(texts) == ["I moved to Graz.", "Noted.", "And I bought a boat."]
    assert Message.objects.earliest("pk").conversation.end_user == "ana"


def test_the_key_is_not_shown(store: Any, block: Any, keepsake: Keepsake) -> None:
    for each in (store, block):
        assert keepsake.key not in repr(each)
        assert keepsake.key not in each.model_dump_json()
