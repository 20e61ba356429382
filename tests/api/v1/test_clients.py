"""The official OpenAI client with Keepsake as its server: requests, responses and memory."""

import asyncio
import re
import threading
from collections.abc import Callable
from typing import Any

import pytest
from openai import AsyncOpenAI, OpenAI

from conversations.models import Conversation, ConversationOrigin
from instances.models import Agent, Instance
from memoryapp.api.v1 import worker_threads
from memoryapp.models import Answer, Memory, MemorySource, Run, Usage
from tests.faults.worker import Worker, empty_queue, sweep_until_over
from tests.provider_fixtures import eventually, keep_everything
from tests.scripted_provider import Request, Says, ScriptedProvider

# Requests are passed on in threads, which see only committed rows.
pytestmark = pytest.mark.django_db(transaction=True)
Store = Callable[..., Memory]

HELLO: list[Any] = [{"role": "user", "content": "What should I not cook?"}]


def transcript(conversation: Conversation | None = None) -> list[tuple[str, str]]:
    conversation = conversation or Conversation.objects.get()
    return list(conversation.messages.values_list("role", "content"))


def test_complete_reply(client: OpenAI, provider: ScriptedProvider) -> None:
    provider.reply_with("Nothing with peanuts.")
    reply = client.chat.completions.create(model="keepsake", messages=HELLO)
    assert reply.choices[0].message.content == "Nothing with peanuts."
    assert reply.choices[0].finish_reason == "stop"
    assert reply.usage is not None and reply.usage.completion_tokens == 3
    assert transcript() == [
        ("user", "What should I not cook?"),
        ("assistant", "Nothing with peanuts."),
    ]
    conversation = Conversation.objects.get()
    assert conversation.origin == ConversationOrigin.OPENAI
    assert conversation.title == "What should I not cook?"
    answer = Answer.objects.get()
    assert (answer.state, answer.model) == (Answer.State.DONE, "talker")
    assert answer.reply is not None and answer.reply.content == "Nothing with peanuts."
    assert Run.objects.get().conversation == conversation
    usage = Usage.objects.get(source=Usage.Source.CHAT)
    tokens = (usage.model, usage.prompt_tokens, usage.completion_tokens)
    assert tokens == ("talker", reply.usage.prompt_tokens, 3)


def test_streamed_reply(client: OpenAI, provider: ScriptedProvider) -> None:
    provider.reply_with("Nothing with peanuts.")
    with client.chat.completions.create(model="keepsake", messages=HELLO, stream=True) as stream:
        chunks = list(stream)
    words = [chunk.choices[0].delta.content or "" for chunk in chunks]
    assert "".join(words) == "Nothing with peanuts."
    assert chunks[-1].choices[0].finish_reason == "stop"
    assert all(chunk.usage is None for chunk in chunks), "usage was sent without a request"
    assert transcript()[-1] == ("assistant", "Nothing with peanuts.")
    usage = Usage.objects.get(source=Usage.Source.CHAT)
    assert (usage.prompt_tokens > 5, usage.completion_tokens) == (True, 3)


def test_stream_usage_is_included_on_request(client: OpenAI) -> None:
    with client.chat.completions.create(
        model="keepsake", messages=HELLO, stream=True, stream_options={"include_usage": True}
    ) as stream:
        last = list(stream)[-1]
    assert last.choices == []
    assert last.usage is not None and last.usage.total_tokens > 0


@pytest.mark.parametrize("streams", [False, True])
def test_async_client(
    streams: bool, with_async_client: Callable[..., Any], provider: ScriptedProvider
) -> None:
    provider.reply_with("Nothing with peanuts.")

    async def ask(client: AsyncOpenAI) -> str:
        if not streams:
            whole = await client.chat.completions.create(model="keepsake", messages=HELLO)
            return whole.choices[0].message.content or ""
        stream = await client.chat.completions.create(model="keepsake", messages=HELLO, stream=True)
        return "".join([c.choices[0].delta.content or "" async for c in stream])

    assert with_async_client(ask) == "Nothing with peanuts."
    assert transcript()[-1] == ("assistant", "Nothing with peanuts.")


def test_concurrent_requests(with_async_client: Callable[..., Any], assisted: Instance) -> None:
    async def ask(client: AsyncOpenAI, number: int) -> str:
        stream = await client.chat.completions.create(
            model="keepsake",
            messages=[{"role": "user", "content": f"I have {number} boats"}],
            stream=True,
            user=f"person {number}",
        )
        return "".join([c.choices[0].delta.content or "" async for c in stream])

    async def ask_all(client: AsyncOpenAI) -> list[str]:
        return await asyncio.gather(*(ask(client, number) for number in range(12)))

    replies = with_async_client(ask_all)
    assert replies == [f"You said: I have {number} boats" for number in range(12)]
    conversations = Conversation.objects.order_by("title")
    assert conversations.count() == 12
    for conversation in conversations:
        number = conversation.end_user.removeprefix("person ")
        assert transcript(conversation) == [
            ("user", f"I have {number} boats"),
            ("assistant", f"You said: I have {number} boats"),
        ]


def test_other_parameters_and_fields_are_passed_on(
    client: OpenAI, provider: ScriptedProvider
) -> None:
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0K"}}
    messages: list[Any] = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": "What is this?"}, picture]},
    ]
    client.chat.completions.create(
        model="some-model",
        messages=messages,
        temperature=0.3,
        seed=7,
        n=2,
        logprobs=True,
        max_tokens=99,
        response_format={"type": "json_object"},
        stop=["END"],
        extra_body={"top_k": 40, "chat_template_kwargs": {"thinking": False}},
    )
    sent_body = provider.requests[-1].body
    note = sent_body["messages"].pop(1)
    assert (note["role"], note["content"][:30]) == ("system", "You have a long-term memory of")
    assert sent_body == {
        "model": "some-model",
        "messages": messages,
        "temperature": 0.3,
        "seed": 7,
        "n": 2,
        "logprobs": True,
        "max_tokens": 99,
        "response_format": {"type": "json_object"},
        "stop": ["END"],
        "top_k": 40,
        "chat_template_kwargs": {"thinking": False},
    }
    assert transcript()[0] == ("user", "What is this?\n[image]")


def test_metadata_is_passed_on_without_keepsake_keys(
    client: OpenAI, provider: ScriptedProvider
) -> None:
    ours = {"conversation_id": "c1", "user_id": "ana"}
    client.chat.completions.create(model="m", messages=HELLO, metadata=ours)
    assert "metadata" not in provider.requests[-1].body
    client.chat.completions.create(model="m", messages=HELLO, metadata=ours | {"team": "red"})
    assert provider.requests[-1].body["metadata"] == {"team": "red"}


def test_memories_stand_behind_the_message_and_are_not_stored(
    client: OpenAI, provider: ScriptedProvider, store_memory: Store
) -> None:
    memory = store_memory("The user is allergic to peanuts.")
    messages: list[Any] = [
        {"role": "developer", "content": "Be brief."},
        {"role": "user", "content": "May I cook with peanuts?"},
    ]
    client.chat.completions.create(model="some-model", messages=messages)
    sent_body = provider.requests[-1].body["messages"]
    assert sent_body[0] == messages[0]
    nonce = re.search(r'id="(\w{12})"', sent_body[1]["content"])
    assert sent_body[1]["role"] == "system" and nonce
    text, clock, block = sent_body[2]["content"].split("\n\n")
    assert text == "May I cook with peanuts?"
    assert clock.startswith("Now it is ")
    assert block.startswith(f'<memory_context id="{nonce[1]}">\n')
    assert f"[m{memory.pk}]" in block
    assert transcript()[0] == ("user", "May I cook with peanuts?")
    memory.refresh_from_db()
    assert memory.recall_count == 1
    (log,) = Answer.objects.get().recalls.all()
    assert [hit["memory"] for hit in log.hits] == [memory.pk]


@pytest.mark.parametrize("off", ["instance", "agent", "request"])
def test_recall_can_be_switched_off(
    off: str, client: OpenAI, provider: ScriptedProvider, store_memory: Store, assisted: Instance
) -> None:
    store_memory("The user is allergic to peanuts.")
    agent = Agent.objects.create(instance=assisted, slug="cook", name="Cook")
    for switched in (assisted, agent):
        if off == ("agent" if switched is agent else "instance"):
            switched.recall_enabled = False
            switched.save()
    headers = {"X-Keepsake-Recall": "off"} if off == "request" else {}
    client.chat.completions.create(
        model="cook",
        messages=[{"role": "user", "content": "May I cook with peanuts?"}],
        extra_headers=headers,
    )
    assert "peanuts." not in str(provider.requests[-1].body)
    assert "long-term memory" not in str(provider.requests[-1].body)


def test_only_memories_of_the_user_are_injected(
    client: OpenAI, provider: ScriptedProvider, store_memory: Store
) -> None:
    store_memory("The user sails a red boat.", end_user="ana")
    store_memory("The user sails a blue boat.", end_user="bo")
    boat: list[Any] = [{"role": "user", "content": "Which boat?"}]
    ways: list[dict[str, Any]] = [
        {"user": "ana"},
        {"extra_headers": {"X-User-Id": "ana"}},
        {"metadata": {"user_id": "ana"}},
    ]
    for way in ways:
        client.chat.completions.create(model="m", messages=boat, **way)
        assert "red boat" in str(provider.requests[-1].body)
        assert "blue boat" not in str(provider.requests[-1].body)
    assert Conversation.objects.get().end_user == "ana"


def test_agent_instructions_are_used(
    client: OpenAI, provider: ScriptedProvider, assisted: Instance
) -> None:
    assisted.instructions = "You are a cook."
    assisted.save()
    agent = Agent.objects.create(
        instance=assisted, slug="sous", name="Sous", instructions="You only do soups."
    )
    client.chat.completions.create(model="sous", messages=HELLO)
    sent_body = provider.requests[-1].body
    assert sent_body["model"] == "talker"
    assert sent_body["messages"][0]["content"].startswith("You are a cook.\n\nYou only do soups.")
    assert Conversation.objects.get().agent == agent
    other: list[Any] = [{"role": "user", "content": "Good evening."}]
    client.chat.completions.create(model="some-model", messages=other)
    system, *rest = provider.requests[-1].body["messages"]
    assert "You are a cook" not in system["content"]
    assert rest == other


def test_store_false_stores_nothing(client: OpenAI, provider: ScriptedProvider) -> None:
    client.chat.completions.create(model="m", messages=HELLO, store=False)
    assert not Conversation.objects.exists()
    assert provider.requests[-1].body["store"] is False
    assert Usage.objects.filter(source=Usage.Source.CHAT).count() == 1


def test_models_are_listed(client: OpenAI, provider: ScriptedProvider, assisted: Instance) -> None:
    Agent.objects.create(instance=assisted, slug="cook", name="Cook")
    assert [each.id for each in client.models.list()] == ["keepsake", "cook", "scripted"]
    assert client.models.retrieve("cook").owned_by == "keepsake"
    provider.fail_next("500")
    assert [each.id for each in client.models.list()] == ["keepsake", "cook"]


def test_messages_are_extracted_and_recalled(
    client: OpenAI,
    provider: ScriptedProvider,
    assisted: Instance,
    servers: Any,
) -> None:
    """The complete cycle with a real worker."""

    def model(request: Request) -> object:
        return keep_everything(request) if "response_format" in request else "Noted."

    provider.reply_with(model)
    empty_queue(servers)
    with Worker():
        client.chat.completions.create(
            model="keepsake",
            messages=[{"role": "user", "content": "I moved to Lyon in March."}],
        )
        sweep_until_over()
    memory = Memory.objects.get()
    assert memory.content == "I moved to Lyon in March."
    assert MemorySource.objects.get().message is not None
    client.chat.completions.create(
        model="keepsake", messages=[{"role": "user", "content": "Where did I move to?"}]
    )
    assert "I moved to Lyon in March." in str(provider.requests[-1].body["messages"][-1])


def test_disconnect_keeps_the_partial_reply(client: OpenAI, provider: ScriptedProvider) -> None:
    disconnected = threading.Event()

    def before(number: int) -> None:
        if number == 3:
            assert disconnected.wait(30)
        elif number > 3:
            eventually(lambda: not worker_threads.threads.running, "nobody waits for more")

    provider.reply_with(Says("One two three four five", before=before))
    with client.chat.completions.create(model="keepsake", messages=HELLO, stream=True) as stream:
        received = ""
        for chunk in stream:
            received += chunk.choices[0].delta.content or ""
            if received.endswith("two"):
                break
    disconnected.set()
    eventually(lambda: Answer.objects.exists(), "the reply is stored")
    answer = Answer.objects.get()
    assert answer.state == Answer.State.STOPPED
    assert transcript()[-1][0] == "assistant"
    assert transcript()[-1][1].startswith("One two")
    assert "five" not in transcript()[-1][1]
    provider.reply_with("Six")
    continued: list[Any] = [
        *HELLO,
        {"role": "assistant", "content": received},
        {"role": "user", "content": "Go on"},
    ]
    client.chat.completions.create(model="keepsake", messages=continued)
    assert [role for role, _ in transcript()] == ["user", "assistant", "user", "assistant"]
    continued += [{"role": "assistant", "content": "Six"}, {"role": "user", "content": "And on"}]
    client.chat.completions.create(model="keepsake", messages=continued)
    assert len(transcript()) == 6
