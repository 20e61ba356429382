"""A statement is believed as far as the door that it comes through, whatever else it claims."""

import ast
import json
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from conversations.messages import NewMessage, append
from conversations.models import Conversation
from instances.models import ApiKey, Instance
from instances.tiers import KEY_TIERS, Tier
from memoryapp import tools
from memoryapp.models import Memory
from memoryapp.tools import ToolContext
from tests.api.conftest import Program, key_of
from tests.extraction.runs import work
from tests.provider_fixtures import keep_everything, read_with
from tests.scripted_provider import ScriptedProvider
from tests.uploading import confirm, upload

FACT = "The user keeps bees in Lyon."

#: The modules that write memories or messages, and how their tier is decided. A new one belongs
#: here, with a test below.
DOORS = {
    "memoryapp/web/memory/edit.py": "screen: person",
    "memoryapp/trust/review.py": "screen, what a person approves: the tier that it came with",
    "memoryapp/trust/sharing.py": "what is shared with a group: the tier of the memory",
    "memoryapp/trust/refusals.py": "screen, what a person keeps: person",
    "memoryapp/api/rest/memory_create.py": "REST: the key, or the person who is signed in",
    "memoryapp/api/mem0/add.py": "mem0: the key and the role of each message",
    "memoryapp/api/rest/messages.py": "messages over REST: the key and the role",
    "memoryapp/api/rest/tools.py": "tools over REST: at most the assistant",
    "memoryapp/api/mcp/session.py": "MCP: at most the assistant",
    "memoryapp/api/v1/conversation_matching.py": "/v1: the key and the role",
    "memoryapp/api/v1/proxy.py": "/v1, tools without a stored message: the assistant",
    "memoryapp/tools/tool_context.py": "tools of a chat: the user's words, or the assistant",
    "memoryapp/assistant/submission.py": "chat: user",
    "memoryapp/assistant/answer.py": "chat: assistant",
    "memoryapp/extraction/run.py": "extraction: the messages that support the fact",
    "memoryapp/imports/memory_import.py": "memory files: document, unless a manager confirms",
    "conversations/importers/writer.py": "imported chats: the role",
    "memoryapp/management/commands/load_demo.py": "the demo: the role",
}


def test_every_door_is_listed() -> None:
    found = set()
    for app in ("memoryapp", "conversations", "instances"):
        for path in (Path(settings.BASE_DIR) / app).rglob("*.py"):
            calls = (n for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.Call))
            names = {call.func.id for call in calls if isinstance(call.func, ast.Name)}
            if names & {"Writer", "append", "append_new"}:
                found.add(str(path.relative_to(settings.BASE_DIR)))
    assert found - {"conversations/messages.py"} == DOORS.keys()


def tier() -> str:
    return Tier(Memory.objects.latest("pk").tier).api_name


def with_trust(instance: Instance, trust: Tier) -> Program:
    key, program = key_of(instance)
    ApiKey.objects.filter(pk=key.pk).update(trust=trust)
    return program


@pytest.fixture
def reading(instance: Instance, provider: ScriptedProvider) -> Instance:
    """The instance, whose model falls for everything."""
    read_with(provider, instance)
    provider.reply_with(keep_everything)
    return instance


def learned(conversation: Conversation) -> str:
    work(conversation)
    return tier()


def test_screen(as_alice: Client, instance: Instance) -> None:
    form = {"content": FACT, "category": "fact", "importance": "6"}
    as_alice.post("/memory/new?instance=desk", form)
    assert tier() == "person"


def test_session_over_rest(as_alice: Client, instance: Instance) -> None:
    body = {"content": FACT, "instance_id": "desk", "tier": "document"}
    assert as_alice.post("/api/memories", body, "application/json").status_code == 422
    del body["tier"]
    as_alice.post("/api/memories", body, "application/json")
    assert tier() == "person"


@pytest.mark.parametrize("trust", KEY_TIERS)
def test_keys(instance: Instance, trust: Tier) -> None:
    program = with_trust(instance, trust)
    made = program.send("POST", "memories", {"content": FACT, "confidence": 100})
    assert tier() == trust.api_name
    assert program.send("GET", f"memories/{made['id']}")["tier"] == trust.api_name


def test_key_trusts_no_more_than_the_message_that_it_names(instance: Instance) -> None:
    talk = Conversation.objects.create(instance=instance)
    said = append(talk, [NewMessage("tool", FACT)]).added[0]
    body = {"content": FACT, "conversation_id": talk.pk, "message_id": said.pk}
    with_trust(instance, Tier.USER).send("POST", "memories", body)
    assert tier() == "tool"


@pytest.mark.parametrize(
    ("trust", "role", "expected"),
    [
        (Tier.USER, "user", "user"),
        (Tier.USER, "assistant", "assistant"),
        (Tier.USER, "tool", "tool"),
        (Tier.TOOL, "user", "tool"),
        (Tier.DOCUMENT, "assistant", "document"),
    ],
)
@pytest.mark.parametrize("way", ["mem0", "mem0 infer", "rest"])
def test_messages(way: str, trust: Tier, role: str, expected: str, reading: Instance) -> None:
    program = with_trust(reading, trust)
    said = [{"role": role, "content": FACT}]
    if way == "rest":
        talk = program.send("POST", "conversations", {"title": "Bees"})
        said += [{"role": "assistant", "content": "I see."}]
        path = f"conversations/{talk['id']}/messages"
        program.send("POST", path, {"messages": said})
    else:
        mem0 = {"messages": said, "user_id": "ana", "infer": way == "mem0 infer"}
        program.send("POST", "/v1/memories/", mem0)
    if way == "mem0":
        assert tier() == expected
    elif role == "assistant":
        # What only the assistant says is not learned at all.
        work(Conversation.objects.get())
        assert not Memory.objects.exists()
    else:
        assert learned(Conversation.objects.get()) == expected


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("I keep bees in Lyon.", "user"),
        (f"Look at this:\n> {FACT}\nIs it so?", "document"),
        (
            f"Summarise this mail:\nFrom: a@b.example\nSubject: Bees\n\n{FACT} Yours, Ana",
            "document",
        ),
    ],
)
def test_quoted_text(
    content: str, expected: str, reading: Instance, provider: ScriptedProvider
) -> None:
    talk = Conversation.objects.create(instance=reading)
    item = {"message": 1, "content": FACT, "category": "fact", "source": "user_explicit"}
    provider.reply_with({"memories": [item | {"confidence": 100, "importance": 10}]})
    append(talk, [NewMessage("user", content), NewMessage("assistant", "I see.")])
    assert learned(talk) == expected
    origin = "user_explicit" if expected == "user" else "conversation"
    assert Memory.objects.get().origin == origin


@pytest.mark.parametrize(
    ("said", "expected"),
    [("Please remember that I keep bees in Lyon.", "user"), ("What is the weather?", "assistant")],
)
def test_save_memory_in_a_chat(instance: Instance, said: str, expected: str) -> None:
    talk = Conversation.objects.create(instance=instance)
    message = append(talk, [NewMessage("user", said)]).added[0]
    context = ToolContext.answering(instance, talk, message)
    arguments = f'{{"content": "{FACT}", "key": "home_city", "value": "Rome"}}'
    tools.run("save_memory", arguments, context, allowed=["save_memory"])
    assert tier() == expected
    # A value that nobody said does not come in through a key.
    assert Memory.objects.get().key == ""


def test_save_memory_over_rest_and_mcp(instance: Instance) -> None:
    program = with_trust(instance, Tier.USER)
    program.send("POST", "tools/save_memory", {"content": FACT})
    assert tier() == "assistant"
    params = {"name": "save_memory", "arguments": {"content": "The user keeps two dogs."}}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    response = Client().generic(
        "POST",
        "/mcp",
        json.dumps(body),
        content_type="application/json",
        headers={
            "Accept": "application/json, text/event-stream",
            "Authorization": f"Bearer {program.secret}",
        },
    )
    assert response.status_code == 200
    assert (Memory.objects.count(), tier()) == (2, "assistant")


def test_files(as_alice: Client, reading: Instance) -> None:
    line = f'{{"content": "{FACT}", "tier": "person", "confidence": 100}}'
    confirm(as_alice, upload(as_alice, line.encode()))
    assert tier() == "document"
    chat = f'{{"conversation": "c", "role": "user", "content": "{FACT}"}}\n'
    chat += '{"conversation": "c", "role": "assistant", "content": "I see."}'
    confirm(as_alice, upload(as_alice, chat.encode(), kind="conversations"))
    assert {each.tier for each in Conversation.objects.get().messages.all()} == {
        Tier.USER,
        Tier.ASSISTANT,
    }


@pytest.mark.parametrize(("who", "expected"), [("alice", "person"), ("bob", "document")])
def test_only_a_manager_brings_tiers_back(
    who: str, expected: str, client: Client, instance: Instance, request: Any
) -> None:
    client.force_login(request.getfixturevalue(who))
    line = f'{{"content": "{FACT}", "tier": "person"}}'.encode()
    confirm(client, upload(client, line, restores_tiers="on"))
    assert tier() == expected
