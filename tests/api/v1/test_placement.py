"""Where clients of ``/v1`` have their model shown what was recalled, and what requests share."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import cache
from django.utils import timezone
from openai import OpenAI

from conversations.models import Conversation, Message
from instances.actor import Actor
from instances.models import ContextPlacement, Instance
from memoryapp.assistant import prompt
from memoryapp.forgetting.deletion import forget
from memoryapp.models import Memory, RecallLog
from memoryapp.trust.conversation_deletion import forget_conversation
from tests.api.v1.test_clients import transcript
from tests.api.v1.test_tools import LYON, ON, SEARCH, WEATHER, ask
from tests.prompt_prefix import assert_turns_continue, question
from tests.scripted_provider import Recorded, Request, Says, ScriptedProvider

pytestmark = pytest.mark.django_db(transaction=True)
Store = Callable[..., Memory]

SUBJECTS = "boat kiln violin orchard bakery puppy lighthouse marathon telescope beehive".split()
PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0K"}}
BOAT = {"role": "user", "content": "Which boat?"}


def chats(provider: ScriptedProvider) -> list[Recorded]:
    return [each for each in provider.requests if each.path.endswith("chat/completions")]


def results(made: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what a client sends after a reply with calls: the reply and the results."""
    reply = {"role": "assistant", "content": None, "tool_calls": made["tool_calls"]}
    return [
        reply,
        *(
            {"role": "tool", "tool_call_id": call["id"], "content": "Rain"}
            for call in made["tool_calls"]
        ),
    ]


def calling(call: tuple[str, object]) -> Callable[[Request], object]:
    """Return a model that calls a tool for each message, and then answers."""
    return lambda request: (
        Says("Noted.") if request["messages"][-1]["role"] == "tool" else Says(calls=[call])
    )


@pytest.mark.parametrize("tools", ["none", "ours", "the client's"])
def test_ten_turns_begin_as_the_one_before(
    tools: str, client: OpenAI, provider: ScriptedProvider, store_memory: Store
) -> None:
    """Streamed and not, with and without pictures."""
    more: dict[str, Any] = {"none": {}, "ours": {"extra_headers": ON}}.get(
        tools, {"tools": [WEATHER]}
    )
    if tools != "none":
        provider.reply_with(calling(SEARCH if tools == "ours" else LYON))
    sent: list[dict[str, Any]] = [{"role": "system", "content": "Be brief."}]
    turns: list[list[Recorded]] = []
    said: list[Any] = []
    for number, subject in enumerate(SUBJECTS):
        memory = store_memory(f"The user has a {subject}.")
        text = f"What do you know of my {subject}?"
        said.append([{"type": "text", "text": text}, PICTURE] if number % 3 == 1 else text)
        sent.append({"role": "user", "content": said[-1]})
        before = len(chats(provider))
        answer = ask(client, streams=bool(number % 2), messages=sent, **more)
        if answer.get("tool_calls"):
            sent += results(answer)
            answer = ask(client, streams=bool(number % 2), messages=sent, **more)
        sent.append({"role": "assistant", "content": answer["content"]})
        turns.append(chats(provider)[before:])
        assert f"[m{memory.pk}]" in question(turns[-1][0])
    assert [len(turn) for turn in turns] == [1 if tools == "none" else 2] * 10
    assert_turns_continue(turns, said)
    kept = [content for role, content in transcript() if role == "user"]
    assert kept == [
        text if isinstance(text, str) else f"{text[0]['text']}\n[image]" for text in said
    ]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Set the minute that models are told."""

    def set_to(minute: int) -> None:
        told = f"Now it is Monday, 2026-03-02 08:{minute:02} (UTC)."
        monkeypatch.setattr(prompt, "date_line", lambda now, zone: told)

    return set_to


@pytest.mark.parametrize("stores", [True, False])
def test_message_and_addition_stay_as_they_are_while_the_clients_tools_run(
    stores: bool,
    client: OpenAI,
    provider: ScriptedProvider,
    store_memory: Store,
    clock: Callable[[int], None],
) -> None:
    boat = store_memory("The user sails a red boat.")
    provider.reply_with(calling(LYON))
    clock(1)
    more: dict[str, Any] = {"tools": [WEATHER], "store": stores}
    made = ask(client, streams=False, messages=[BOAT], **more)
    clock(2)
    store_memory("The user sails a blue boat.")
    sent = [BOAT, *results(made)]
    ask(client, streams=True, messages=sent, **more)
    first, second = map(question, chats(provider))
    assert f"[m{boat.pk}]" in first and "08:01" in first
    assert second == first
    boat.refresh_from_db()
    assert boat.recall_count == 1
    if stores:
        assert [log.hits for log in RecallLog.objects.all()] == [
            RecallLog.objects.all()[0].hits
        ] * 2
    # The next message is another turn.
    sent += [{"role": "assistant", "content": "Noted."}, BOAT]
    ask(client, streams=False, messages=sent, **more)
    assert "blue boat" in question(chats(provider)[-1]) and "08:02" in question(chats(provider)[-1])


def test_addition_is_kept_encrypted(
    client: OpenAI, provider: ScriptedProvider, store_memory: Store, assisted: Instance
) -> None:
    store_memory("The user sails a red boat.")
    provider.reply_with(calling(LYON))
    ask(client, streams=False, messages=[BOAT], tools=[WEATHER])
    server = cache._cache.get_client()  # type: ignore[attr-defined]
    values = [server.get(key) for key in server.keys(f"*turn:{assisted.pk}:*")]
    assert len(values) == 1
    assert b"boat" not in values[0]


@pytest.mark.parametrize("gone", ["memory", "conversation"])
def test_what_was_deleted_meanwhile_is_not_told_again(
    gone: str, client: OpenAI, provider: ScriptedProvider, store_memory: Store, assisted: Instance
) -> None:
    if gone == "memory":
        store_memory("The user sails a red boat.")
    else:
        earlier = Conversation.objects.create(instance=assisted, title="Boats")
        Message.objects.create(
            instance=assisted,
            conversation=earlier,
            position=1,
            role="user",
            content="My boat is red.",
            language="english",
            sent_at=timezone.now(),
        )
    provider.reply_with(calling(LYON))
    made = ask(client, streams=False, messages=[BOAT], tools=[WEATHER])
    assert "red" in question(chats(provider)[-1])
    by = Actor(via="test")
    if gone == "memory":
        forget(assisted, assisted.memories.all(), by=by)
    else:
        forget_conversation(earlier, with_memories=False, by=by)
    ask(client, streams=False, messages=[BOAT, *results(made)], tools=[WEATHER])
    assert "red" not in question(chats(provider)[-1])


def test_context_is_recalled_anew_if_it_was_not_kept(
    client: OpenAI, provider: ScriptedProvider, store_memory: Store
) -> None:
    store_memory("The user sails a red boat.")
    provider.reply_with(calling(LYON))
    made = ask(client, streams=False, messages=[BOAT], tools=[WEATHER])
    cache.clear()
    ask(client, streams=False, messages=[BOAT, *results(made)], tools=[WEATHER])
    assert "red boat" in question(chats(provider)[-1])


def test_note_and_nonce_are_the_same_with_and_without_memories(
    client: OpenAI, provider: ScriptedProvider, store_memory: Store
) -> None:
    hello = {"role": "user", "content": "Hello!"}
    answer = ask(client, streams=False, messages=[hello], store=False)
    store_memory("The user sails a red boat.")
    sent = [hello, {"role": "assistant", "content": answer["content"]}, BOAT]
    ask(client, streams=False, messages=sent, store=False)
    first, second = (request.body["messages"] for request in chats(provider))
    assert second[:2] == first
    assert second[1] == hello
    assert "red boat" in second[-1]["content"]
    ask(client, streams=False, messages=sent, store=False, user="ana")
    assert chats(provider)[-1].body["messages"][0] != first[0]


def test_memories_may_stand_in_the_system_message(
    client: OpenAI, provider: ScriptedProvider, store_memory: Store, assisted: Instance
) -> None:
    store_memory("The user sails a red boat.")
    assisted.context_placement = ContextPlacement.SYSTEM_MESSAGE
    assisted.save()
    ask(client, streams=False, messages=[BOAT])
    system, asked = chats(provider)[-1].body["messages"]
    assert asked == BOAT
    assert "red boat" in system["content"]
    assert RecallLog.objects.get().placement == ContextPlacement.SYSTEM_MESSAGE
    # Where the model takes no system message, they stand behind the message all the same.
    provider.fail_next("no_system", times=None)
    messages: Any = [BOAT]
    client.chat.completions.create(model="other", messages=messages)
    (asked,) = chats(provider)[-1].body["messages"]
    assert asked["content"].index("Which boat?") < asked["content"].index("red boat")
    assert RecallLog.objects.last().placement == ContextPlacement.USER_MESSAGE  # type: ignore[union-attr]


def test_message_with_the_addition_of_another_keepsake_is_known_without_it(
    client: OpenAI, provider: ScriptedProvider, store_memory: Store
) -> None:
    """Another Keepsake that has this one as its provider adds to the last message only."""
    store_memory("The user sails a red boat.")
    ask(client, streams=False, messages=[BOAT])
    sent = [json.loads(question(chats(provider)[-1]))]
    assert "red boat" in sent[0]["content"]
    Conversation.objects.all().delete()
    answer = ask(client, streams=False, messages=sent)
    later = [BOAT, {"role": "assistant", "content": answer["content"]}]
    ask(client, streams=False, messages=[*later, {"role": "user", "content": "Why?"}])
    assert [role for role, _ in transcript()] == ["user", "assistant", "user", "assistant"]
    assert transcript()[0] == ("user", sent[0]["content"])
