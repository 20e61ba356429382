"""What the provider gets: the caller's request as it is, with ours behind it."""

import json
from collections.abc import Callable
from typing import Any

import anthropic
import pytest
from anthropic import Anthropic

from conversations.models import Conversation
from instances.models import ContextPlacement, Instance
from memoryapp.models import Memory, Run
from tests.api.v1.anthropic_provider.exchange import (
    CACHED,
    KEY,
    ask,
    sent,
)
from tests.api.v1.test_clients import transcript
from tests.api.v1.test_messages import HELLO, WEATHER
from tests.extraction.runs import work
from tests.provider_fixtures import keep_everything, numbered_lines
from tests.scripted_provider import Says, ScriptedProvider

# Requests are passed on in threads, which see only committed rows.
pytestmark = pytest.mark.django_db(transaction=True)
Store = Callable[..., Memory]


@pytest.mark.parametrize("streams", [False, True])
def test_request_of_claude_code(
    streams: bool, claude: Anthropic, provider: ScriptedProvider, store_memory: Store
) -> None:
    """All of it reaches the provider as it is, with ours behind it."""
    store_memory("The user is allergic to peanuts.")
    tools: Any = [{**WEATHER, "name": f"Tool{number}"} for number in range(20)]
    tools[-1] |= CACHED
    system: Any = [
        {"type": "text", "text": "You are Claude Code."},
        {"type": "text", "text": "Be brief.", **CACHED},
    ]
    picture = {"type": "base64", "media_type": "image/png", "data": "aGVsbG8="}
    document = {"type": "text", "media_type": "text/plain", "data": "A long text."}
    content: Any = [
        {"type": "document", "source": document, "citations": {"enabled": True}},
        {"type": "image", "source": picture},
        {"type": "text", "text": "Am I allergic to peanuts?", **CACHED},
    ]
    user_id = json.dumps({"device_id": "d", "account_uuid": "", "session_id": "5f0c0a4e"})
    options: Any = {
        "model": "claude-opus-5",
        "max_tokens": 8_000,
        "system": system,
        "tools": tools,
        "messages": [{"role": "user", "content": content}],
        "metadata": {"user_id": user_id},
        "thinking": {"type": "enabled", "budget_tokens": 10_000},
        "betas": ["claude-code-20250219", "interleaved-thinking-2025-05-14"],
        "extra_body": {"temperature": 1, "top_k": 5, "new_field": {"a": [1]}},
        "extra_headers": {
            "anthropic-version": "2025-01-31",
            "X-App": "cli",
            "X-Stainless-Helper": "mine",
        },
        "extra_query": {"beta": "true", "other": "1"},
    }
    if streams:
        with claude.beta.messages.stream(**options) as stream:
            reply = stream.get_final_message()
    else:
        reply = claude.beta.messages.create(**options)
    assert reply.model == "claude-opus-5"

    (request,) = sent(provider)
    headers = request.headers
    assert request.query == "beta=true"
    assert headers["x-api-key"] == KEY
    assert "authorization" not in headers
    assert headers["anthropic-version"] == "2025-01-31"
    assert headers["anthropic-beta"] == "claude-code-20250219,interleaved-thinking-2025-05-14"
    assert not {"x-app", "x-stainless-helper"} & headers.keys()
    assert not any("ks_" in value for value in headers.values())

    body = dict(request.body)
    *theirs, ours = body.pop("system")
    assert theirs == system
    assert ours["type"] == "text" and ours["text"].startswith("You have a long-term memory")
    (message,) = body.pop("messages")
    *theirs, context = message["content"]
    assert theirs == content
    assert context["type"] == "text" and "The user is allergic to peanuts." in context["text"]
    assert body == {
        "model": "claude-opus-5",
        "max_tokens": 8_000,
        "tools": tools,
        "metadata": {"user_id": user_id},
        "thinking": {"type": "enabled", "budget_tokens": 10_000},
        "temperature": 1,
        "top_k": 5,
        "new_field": {"a": [1]},
        **({"stream": True} if streams else {}),
    }
    assert Conversation.objects.get().end_user == ""
    assert transcript()[0] == ("user", "[document]\n[image]\nAm I allergic to peanuts?")


def test_placement_in_the_system_message(
    claude: Anthropic, provider: ScriptedProvider, assisted: Instance, store_memory: Store
) -> None:
    store_memory("The user is allergic to peanuts.")
    assisted.context_placement = ContextPlacement.SYSTEM_MESSAGE
    assisted.save()
    question: Any = [{"role": "user", "content": "Am I allergic to peanuts?"}]
    ask(claude, streams=False, messages=question, system="Be brief.")
    body = sent(provider)[-1].body
    assert body["messages"] == question
    assert body["system"][0] == {"type": "text", "text": "Be brief."}
    assert "The user is allergic to peanuts." in body["system"][1]["text"]


def test_assistant_and_conversation_id(
    claude: Anthropic, provider: ScriptedProvider, assisted: Instance
) -> None:
    assisted.instructions = "Speak like a pirate."
    assisted.save()
    metadata: Any = {"user_id": "ana", "conversation_id": "mine"}
    ask(claude, streams=False, model="keepsake", metadata=metadata)
    body = sent(provider)[-1].body
    assert body["model"] == "claude-sonnet-5"
    assert body["metadata"] == {"user_id": "ana"}
    assert body["system"][0]["text"].startswith("Speak like a pirate.")
    assert Conversation.objects.get().end_user == "ana"


def test_request_without_memory_is_unchanged(claude: Anthropic, provider: ScriptedProvider) -> None:
    ask(
        claude,
        streams=False,
        system="Be brief.",
        extra_headers={"X-Keepsake-Memory": "off", "X-Keepsake-Tools": "on"},
    )
    assert sent(provider)[-1].body == {
        "model": "claude-sonnet-5",
        "max_tokens": 100,
        "messages": HELLO,
        "system": "Be brief.",
    }


@pytest.mark.parametrize(
    "headers",
    [
        {"anthropic-version": "latest"},
        {"anthropic-beta": "a feature"},
        {"anthropic-beta": "x" * 101},
        {"anthropic-beta": ",".join(f"f{number}" for number in range(101))},
    ],
)
def test_bad_headers_are_refused(
    headers: dict[str, str], claude: Anthropic, provider: ScriptedProvider
) -> None:
    with pytest.raises(anthropic.BadRequestError, match=r"anthropic-(version|beta) must be"):
        ask(claude, streams=False, extra_headers=headers)
    assert not provider.requests


def test_other_faces_use_the_compatible_address(
    address: str, secret: str, provider: ScriptedProvider
) -> None:
    from openai import OpenAI

    provider.reply_with("Nothing with peanuts.")
    with OpenAI(base_url=address, api_key=secret, max_retries=0) as client:
        client.chat.completions.create(model="keepsake", messages=HELLO)
        client.responses.create(model="keepsake", input="What should I not cook?")
    assert [each.path for each in provider.requests] == ["/v1/chat/completions"] * 2
    assert provider.requests[0].headers["authorization"] == f"Bearer {KEY}"


def test_two_sessions(claude: Anthropic, provider: ScriptedProvider) -> None:
    def reply(body: dict[str, Any]) -> object:
        return keep_everything(body) if numbered_lines(body) else Says("I see.")

    provider.reply_with(reply)
    told: Any = [{"role": "user", "content": "My favourite tea is Darjeeling."}]
    ask(claude, streams=True, messages=told, metadata={"user_id": "ana"})
    (run,) = work(Conversation.objects.get())
    assert run.state == Run.State.SUCCEEDED
    asked: Any = [{"role": "user", "content": "What is my favourite tea?"}]
    ask(claude, streams=True, messages=asked, metadata={"user_id": "ana"})
    *_, context = sent(provider)[-1].body["messages"][-1]["content"]
    assert "Darjeeling" in context["text"]
    ask(claude, streams=True, messages=asked, metadata={"user_id": "ben"})
    assert "Darjeeling" not in json.dumps(sent(provider)[-1].body)


def test_tokens_are_counted_by_the_provider(claude: Anthropic, provider: ScriptedProvider) -> None:
    provider.answer_with("count_tokens", {"input_tokens": 77, "more": "secret"})
    betas = ["token-counting-2024-11-01"]
    count = claude.beta.messages.count_tokens(
        model="claude-opus-5", messages=HELLO, system="Be brief.", betas=betas
    )
    assert count.model_dump(exclude_none=True) == {"input_tokens": 77}
    (request,) = provider.requests
    assert request.body == {"model": "claude-opus-5", "messages": HELLO, "system": "Be brief."}
    assert request.headers["x-api-key"] == KEY
    assert "token-counting-2024-11-01" in request.headers["anthropic-beta"]
    assert not Conversation.objects.exists()


def test_errors_of_counting_have_anthropics_form(
    claude: Anthropic, provider: ScriptedProvider
) -> None:
    provider.answer_with("count_tokens", {"input_tokens": "many"})
    with pytest.raises(anthropic.APIStatusError) as caught:
        claude.messages.count_tokens(model="claude-opus-5", messages=HELLO)
    assert caught.value.body["type"] == "error"  # type: ignore[index]  # The error object.


def test_work_of_claude_code_is_answered_and_not_kept(
    claude: Anthropic, provider: ScriptedProvider, store_memory: Store
) -> None:
    store_memory("The user is allergic to peanuts.")
    naming: Any = [{"type": "text", "text": "Write a title of five words for this coding session."}]
    ask(claude, streams=True, system=naming)
    claude.messages.create(model="claude-haiku-4-5", max_tokens=1, messages=HELLO)
    assert len(sent(provider)) == 2
    assert not any("peanuts" in str(each.body) for each in sent(provider))
    assert not Conversation.objects.exists()
