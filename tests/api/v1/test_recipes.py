"""The recipes of docs/clients.md, with requests as each client sends them."""

import re
import tomllib
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml
from django.conf import settings

from conversations.models import Conversation, Message
from instances.models import ApiKey, Instance
from memoryapp.models import Memory, Run
from tests.api.conftest import key_of
from tests.scripted_provider import ScriptedProvider

# Requests are passed on in threads, which see only committed rows.
pytestmark = pytest.mark.django_db(transaction=True)

ADDRESS = "http://127.0.0.1:8000"
FACT = "My cat is called Biscotto."
ASKED = "What is my cat called?"
SHELL = {"type": "function", "name": "shell", "strict": False, "parameters": {"type": "object"}}


def recipe(title: str, language: str) -> str:
    """Return the block of *language* under *title*."""
    page = (Path(settings.BASE_DIR) / "docs/clients.md").read_text()
    section = page.split(f"## {title}\n")[1].split("\n## ")[0]
    found = re.search(rf"```{language}\n(.*?)```", section, re.DOTALL)
    assert found is not None, f"{title} has no {language}"
    return found[1]


def values(title: str) -> dict[str, str]:
    """Return the lines of the ini block under *title*."""
    return dict(line.split("=", 1) for line in recipe(title, "ini").splitlines())


@pytest.fixture
def keys(assisted: Instance) -> dict[str, str]:
    """Keys by the person that they are of: nobody's, and that of a household."""
    _, nobody = key_of(assisted, ("read", "write"))
    key, household = key_of(assisted, ("read", "write"))
    ApiKey.objects.filter(pk=key.pk).update(end_user="household")
    return {"": nobody.secret, "household": household.secret}


def post(
    address: str, base: str, path: str, secret: str, body: Any, headers: Any = None
) -> httpx.Response:
    """Post *body* as a client does that was given the *base* of the recipe."""
    url = base.replace(ADDRESS, address.removesuffix("/v1")) + path
    bearer = {"Authorization": f"Bearer {secret}"}
    answer = httpx.post(url, json=body, headers=bearer | (headers or {}), timeout=30)
    assert answer.status_code == 200, answer.text
    return answer


def chat(*said: str, **further: Any) -> dict[str, Any]:
    messages = [{"role": "user", "content": text} for text in said]
    return {"model": "keepsake", "messages": messages, "stream": False, **further}


def codex_message(role: str, text: str) -> dict[str, Any]:
    return {"type": "message", "role": role, "content": [{"type": "input_text", "text": text}]}


def asked(provider: ScriptedProvider) -> str:
    """What the model was sent last for a chat."""
    return str([it.body for it in provider.requests if it.path.endswith("completions")][-1])


def people() -> set[str]:
    return set(Conversation.objects.values_list("end_user", flat=True))


def remember(instance: Instance, end_user: str) -> None:
    Memory.objects.create(instance=instance, end_user=end_user, content="The cat is Biscotto.")


def test_open_webui(
    address: str, keys: dict[str, str], assisted: Instance, provider: ScriptedProvider
) -> None:
    config = values("Open WebUI")
    assert config["ENABLE_FORWARD_USER_INFO_HEADERS"] == "true"
    base = config["OPENAI_API_BASE_URL"]
    ana = {"X-OpenWebUI-User-Id": "u-ana", "X-OpenWebUI-Chat-Id": "chat-1"}
    remember(assisted, "u-ana")
    post(address, base, "/chat/completions", keys[""], chat(ASKED), ana)
    assert "Biscotto" in asked(provider)
    conversation = Conversation.objects.get()
    assert (conversation.end_user, conversation.external_id) == ("u-ana", "chat-1")
    # It has the model name the chat, and tag it.
    said, runs = Message.objects.count(), Run.objects.count()
    for task in ("Give the chat a title.", "Was wird als Nächstes gesagt?\n### Ausgabe:\nJSON"):
        prompt = f"### Task:\n{task}\n<chat_history>\nUSER: {ASKED}\n</chat_history>"
        answer = post(address, base, "/chat/completions", keys[""], chat(prompt), ana).json()
        assert answer["choices"][0]["message"]["content"]
        assert "Biscotto" not in asked(provider)
        assert (Message.objects.count(), Run.objects.count()) == (said, runs)
    # It puts documents before a question; only the question was said.
    other = ana | {"X-OpenWebUI-Chat-Id": "chat-2"}
    rag = f"### Task:\nAnswer.\n<context>\nThe user is in Paris.\n</context>\n{ASKED}"
    post(address, base, "/chat/completions", keys[""], chat(rag), other)
    assert "Paris" in asked(provider)
    assert not Message.objects.filter(role="user", content__contains="Paris").exists()
    # Bob is somebody else.
    bob = {"X-OpenWebUI-User-Id": "u-bob", "X-OpenWebUI-Chat-Id": "chat-3"}
    post(address, base, "/chat/completions", keys[""], chat(ASKED), bob)
    assert "Biscotto" not in asked(provider)


def test_librechat(
    address: str, keys: dict[str, str], assisted: Instance, provider: ScriptedProvider
) -> None:
    (endpoint,) = yaml.safe_load(recipe("LibreChat", "yaml"))["endpoints"]["custom"]
    filled = {"{{LIBRECHAT_USER_ID}}": "ana", "{{LIBRECHAT_BODY_CONVERSATIONID}}": "c-1"}
    headers = {name: filled[value] for name, value in endpoint["headers"].items()}
    remember(assisted, "ana")
    post(address, endpoint["baseURL"], "/chat/completions", keys[""], chat(ASKED), headers)
    assert "Biscotto" in asked(provider)
    conversation = Conversation.objects.get()
    assert (conversation.end_user, conversation.external_id) == ("ana", "c-1")
    title = f"Write a title for the conversation.\n\nConversation:\nUser: {ASKED}\nAI: Biscotto."
    body = chat(title, model=endpoint["titleModel"])
    post(address, endpoint["baseURL"], "/chat/completions", keys[""], body, headers)
    assert Conversation.objects.get().messages.count() == 2


def test_home_assistant(
    address: str, keys: dict[str, str], assisted: Instance, provider: ScriptedProvider
) -> None:
    base, person = values("Home Assistant")["Base URL"], "household"
    remember(assisted, person)
    functions = [{"type": "function", "function": {"name": "turn_on", "parameters": {}}}]
    for conversation in ("01JD8ZQ4N1V6T2B7XK5M3C9RWE", "01JD8ZR7Q5A9H3D2YN8P4F6KTS"):
        body = chat(ASKED, user=conversation, tools=functions, tool_choice="auto", max_tokens=150)
        post(address, base, "/chat/completions", keys[person], body)
        assert "Biscotto" in asked(provider)
    assert people() == {person}


def test_claude_code(
    address: str, keys: dict[str, str], assisted: Instance, provider: ScriptedProvider
) -> None:
    found = re.search(r"ANTHROPIC_BASE_URL=(\S+)", recipe("Claude Code", "bash"))
    assert found is not None
    remember(assisted, "")
    body: dict[str, Any] = {
        "model": "claude-sonnet-4-6",
        "max_tokens": 32_000,
        "system": [
            {
                "type": "text",
                "text": "You are a coding agent.",
                "cache_control": {"type": "ephemeral"},
            }
        ],
        "messages": [
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": "<system-reminder>Use tabs.</system-reminder>"},
                    {"type": "text", "text": ASKED},
                ],
            }
        ],
        "metadata": {"user_id": "user_1f_account_2b_session_8d"},
    }
    headers = {"anthropic-version": "2023-06-01", "anthropic-beta": "claude-code-20250219"}
    post(address, found[1], "/v1/messages?beta=true", keys[""], body, headers)
    assert "Biscotto" in asked(provider) and "Use tabs" in asked(provider)
    assert people() == {""}
    assert Message.objects.filter(role="user").get().content == ASKED
    # It names its session with a request of its own, and tries the server with a probe.
    named = [{"type": "text", "text": "Write a title of five words for this coding session."}]
    post(address, found[1], "/v1/messages", keys[""], body | {"system": named}, headers)
    probe = {"model": "claude-haiku-4-5", "max_tokens": 1}
    probe |= {"messages": [{"role": "user", "content": "quota"}]}
    post(address, found[1], "/v1/messages", keys[""], probe, headers)
    assert Message.objects.filter(role="user").count() == 1


def test_codex(
    address: str, keys: dict[str, str], assisted: Instance, provider: ScriptedProvider
) -> None:
    config = tomllib.loads(recipe("Codex", "toml"))
    server = config["model_providers"][config["model_provider"]]
    assert server["wire_api"] == "responses"
    remember(assisted, "")
    group = {"type": "namespace", "name": "agents", "tools": [SHELL]}
    body = {
        "model": config["model"],
        "input": [
            codex_message("developer", "You are a coding agent."),
            codex_message("user", "<environment_context><cwd>/srv</cwd></environment_context>"),
            codex_message("user", ASKED),
        ],
        "tools": [SHELL, group, {"type": "web_search", "external_web_access": False}],
        "tool_choice": "auto",
        "parallel_tool_calls": True,
        "reasoning": {"summary": "auto"},
        "store": False,
        "stream": True,
        "include": ["reasoning.encrypted_content"],
        "prompt_cache_key": "0199-session",
        "client_metadata": {"session_id": "0199-session"},
    }
    headers = server["http_headers"] | {"session-id": "0199-session", "originator": "codex_exec"}
    answer = post(address, server["base_url"], "/responses", keys[""], body, headers)
    assert "event: response.completed" in answer.text
    assert "Biscotto" in asked(provider)
    assert list(Message.objects.filter(role="user").values_list("content", flat=True)) == [ASKED]


def test_hermes(
    address: str, keys: dict[str, str], assisted: Instance, provider: ScriptedProvider
) -> None:
    model = yaml.safe_load(recipe("Hermes", "yaml"))["model"]
    assert model["provider"] == "custom"
    remember(assisted, "")
    body = chat(ASKED, model=model["default"], stream=True, stream_options={"include_usage": True})
    answer = post(address, model["base_url"], "/chat/completions", keys[""], body)
    assert answer.text.rstrip().endswith("[DONE]")
    assert "Biscotto" in asked(provider)


@pytest.mark.parametrize("path", ["/chat/completions", "/responses"])
def test_n8n(
    path: str,
    address: str,
    keys: dict[str, str],
    assisted: Instance,
    provider: ScriptedProvider,
) -> None:
    base = values("n8n")["Base URL"]
    remember(assisted, "ana")
    body = chat(ASKED, user="ana")
    if path == "/responses":
        body["input"] = body.pop("messages")
    post(address, base, path, keys[""], body)
    assert "Biscotto" in asked(provider)
    assert people() == {"ana"}
