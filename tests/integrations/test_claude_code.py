"""The plug-in for Claude Code: its manifests, and its hooks as Claude Code runs them."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conversations.models import Conversation, Message
from instances.models import Instance
from memoryapp.models import Memory
from tests.api.conftest import key_of
from tests.api.mcp.conftest import Agent
from tests.integrations.conftest import INTEGRATIONS

PLUGIN = INTEGRATIONS / "claude-code"
MANIFEST = json.loads((PLUGIN / ".claude-plugin/plugin.json").read_text())
HOOKS = json.loads((PLUGIN / "hooks/hooks.json").read_text())["hooks"]
#: What the user is asked for, by name: letters, digits and underscores.
CONFIG = MANIFEST["userConfig"]

# The app sees only committed rows.
live = pytest.mark.django_db(transaction=True)
Store = Callable[..., Memory]


def filled_in(text: str, **values: str) -> str:
    """The text with the values that Claude Code puts into it; it names no others."""
    return re.sub(
        r"\$\{([^}]+)\}", lambda match: values[match[1].removeprefix("user_config.")], text
    )


class Host:
    """A session of Claude Code, whose plug-in knows *address* and *secret*."""

    def __init__(self, folder: Path, address: str, secret: str, session: str = "s-1") -> None:
        self.transcript = folder / f"{session}.jsonl"
        self._session = session
        self._environment = {
            "CLAUDE_PLUGIN_OPTION_ADDRESS": address,
            "CLAUDE_PLUGIN_OPTION_KEY": secret,
            "CLAUDE_PLUGIN_DATA": str(folder / "data"),
        }
        self._secret = secret

    def writes(self, kind: str, content: Any, uuid: str, **marks: Any) -> None:
        """Add a line to the transcript."""
        entry = {
            "type": kind,
            "uuid": uuid,
            "timestamp": "2026-11-28T10:00:00.000Z",
            "message": {"role": kind, "content": content},
            **marks,
        }
        with self.transcript.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(entry, ensure_ascii=False) + "\n")

    def fires(self, event: str, **fields: Any) -> dict[str, Any]:
        """Run the hooks of an event; return what the only one of them says."""
        [matcher] = HOOKS[event]
        [hook] = matcher["hooks"]
        assert hook["command"] == "python3"
        arguments = [filled_in(each, CLAUDE_PLUGIN_ROOT=str(PLUGIN)) for each in hook["args"]]
        about = {
            "session_id": self._session,
            "transcript_path": str(self.transcript),
            "cwd": "/somewhere",
            "hook_event_name": event,
        }
        done = subprocess.run(
            [sys.executable, "-I", *arguments],
            env=self._environment,
            input=json.dumps(about | fields),
            capture_output=True,
            text=True,
            timeout=hook["timeout"],
        )
        assert (done.returncode, done.stderr) == (0, "")
        if self._secret:
            assert self._secret not in done.stdout
        return json.loads(done.stdout) if done.stdout else {}

    def asks(self, prompt: str) -> str:
        """Send a prompt; return what the model is told with it."""
        answer = self.fires("UserPromptSubmit", prompt=prompt)
        assert "systemMessage" not in answer, answer
        told = answer.get("hookSpecificOutput", {"additionalContext": ""})
        return str(told["additionalContext"])


def stored() -> list[tuple[str, str]]:
    rows = Message.objects.order_by("conversation_id", "position")
    return [(each.role, each.content) for each in rows]


def test_the_marketplace_leads_to_the_plugin() -> None:
    root = INTEGRATIONS.parent
    market = json.loads((root / ".claude-plugin/marketplace.json").read_text())
    [entry] = market["plugins"]
    assert {"name", "owner", "plugins"} <= market.keys()
    assert (root / entry["source"]).resolve() == PLUGIN
    assert entry["name"] == MANIFEST["name"] == "keepsake"
    assert "version" not in entry  # that of the plug-in counts


def test_the_user_is_asked_for_what_is_used() -> None:
    assert CONFIG.keys() == {"address", "key"}
    for option in CONFIG.values():
        assert option.keys() <= {
            *("type", "title", "description", "required", "default", "sensitive")
        }
        assert option["type"] == "string"
        assert option["title"] and option["description"] and option["required"]
    assert CONFIG["key"]["sensitive"] and "default" not in CONFIG["key"]


def test_commands_name_tools_that_the_server_has() -> None:
    commands = {path.stem: path.read_text() for path in (PLUGIN / "commands").glob("*.md")}
    assert commands.keys() == {"remember", "recall", "forget"}
    for text in commands.values():
        _, head, body = text.split("---\n")
        assert re.search(r"^description: \S", head, re.MULTILINE)
        assert "$ARGUMENTS" in body
        # Claude Code gives a tool this name: that of the plug-in, of its server, of the tool.
        allowed = re.findall(r"mcp__plugin_keepsake_keepsake__(\w+)", head)
        assert allowed and set(allowed) <= {"save_memory", "search_memory", "list_memories"}


@live
def test_the_tools_are_at_the_address(served: str, instance: Instance, store_memory: Store) -> None:
    secret = key_of(instance, ("read", "write", "delete"))[1].secret
    [server] = MANIFEST["mcpServers"].values()
    assert server["type"] == "http"
    url = filled_in(server["url"], address=served, key=secret)
    authorization = filled_in(server["headers"]["Authorization"], address=served, key=secret)
    assert (url, authorization) == (f"{served}/mcp", f"Bearer {secret}")
    named = {"save_memory", "search_memory", "list_memories", "forget_memory"}
    assert named <= Agent(url.removesuffix("/mcp"), secret).tools().keys()


@live
def test_a_prompt_is_told_what_is_relevant(
    served: str, instance: Instance, store_memory: Store, tmp_path: Path
) -> None:
    store_memory("The user is allergic to peanuts.", category="fact", importance=9)
    host = Host(tmp_path, served, key_of(instance, ("read", "write"))[1].secret)
    assert "allergic to peanuts" in host.asks("What about my peanut allergy?")
    assert host.asks("What about my peanut allergy? " + "Ä" * 5000)
    assert host.asks("How far away is the moon?") == ""
    assert host.asks("/keepsake:recall peanuts") == ""
    assert host.asks(" ") == ""
    assert not Conversation.objects.exists()


@live
def test_turns_are_kept_once(served: str, instance: Instance, tmp_path: Path) -> None:
    host = Host(tmp_path, served, key_of(instance, ("read", "write"))[1].secret)
    host.writes("user", "I moved to Lyon.\u2028In March.", "u-1")
    host.writes("assistant", [{"type": "thinking", "thinking": "Lyon!"}], "a-1")
    host.writes("assistant", [{"type": "text", "text": "Let me look."}], "a-2")
    host.writes("assistant", [{"type": "tool_use", "name": "Bash", "input": {}}], "a-3")
    host.writes("user", [{"type": "tool_result", "content": "secret file"}], "u-2")
    host.writes("assistant", [{"type": "text", "text": "Noted."}], "a-4")
    assert host.fires("Stop", last_assistant_message="Noted.", stop_hook_active=False) == {}
    first = [("user", "I moved to Lyon.\u2028In March."), ("assistant", "Noted.")]
    assert stored() == first

    host.writes("user", "<command-name>/clear</command-name>", "u-3")
    host.writes("user", "Caveat: the machine says this.", "u-4", isMeta=True)
    host.writes("user", "Look into the files.", "u-5", isSidechain=True)
    host.writes("user", [{"type": "text", "text": "And I keep bees."}], "u-6")
    with host.transcript.open("a") as lines:
        lines.write('{"type": "summary"}\n{"cut off')
    # The reply has not reached the transcript: the end of the session brings it.
    assert host.fires("Stop", last_assistant_message="Nice.") == {}
    assert stored() == first
    with host.transcript.open("a") as lines:
        lines.write("\n")
    host.writes("assistant", [{"type": "text", "text": "Nice."}], "a-6")
    assert host.fires("SessionEnd", reason="exit") == {}
    assert host.fires("SessionEnd", reason="exit") == {}
    assert stored() == [*first, ("user", "And I keep bees."), ("assistant", "Nice.")]
    [conversation] = Conversation.objects.all()
    assert conversation.external_id == "claude-code:s-1"
    assert {str(each.sent_at.date()) for each in conversation.messages.all()} == {"2026-11-28"}


@live
def test_a_branch_keeps_only_what_is_its_own(
    served: str, instance: Instance, tmp_path: Path
) -> None:
    host = Host(tmp_path, served, key_of(instance, ("read", "write"))[1].secret, "branch")
    origin = {"sessionId": "s-1", "messageUuid": "u-1"}
    host.writes("user", "I moved to Lyon.", "u-1", forkedFrom=origin)
    host.writes("assistant", "Noted.", "a-1", forkedFrom=origin)
    host.fires("SessionEnd", reason="exit")
    assert not Conversation.objects.exists()
    host.writes("user", "I keep bees.", "u-2")
    host.fires("SessionEnd", reason="exit")
    assert stored() == [("user", "I keep bees.")]


@live
def test_a_refusal_is_told_once(served: str, instance: Instance, tmp_path: Path) -> None:
    reader = Host(tmp_path, served, key_of(instance, ("read",))[1].secret)
    assert reader.asks("Hello") == ""
    reader.writes("user", "I keep bees.", "u-1")
    [told] = reader.fires("SessionEnd").values()
    assert told.startswith("Keepsake remembers nothing now: 403, ") and "write" in told
    assert reader.fires("SessionEnd") == {}
    other = Host(tmp_path, served, "ks_wrong", "s-2")
    says = {"systemMessage": "Keepsake remembers nothing now: it refuses the API key."}
    assert other.fires("UserPromptSubmit", prompt="Hello") == says
    assert other.fires("UserPromptSubmit", prompt="Hello") == {}


@pytest.mark.parametrize(
    "address, key, line",
    [
        ("", "ks_x", "it has no address or no key: /plugin, Keepsake, Configure"),
        ("http://127.0.0.1:8000", "", "it has no address or no key: /plugin, Keepsake, Configure"),
        ("keepsake.example", "ks_x", "its address must begin with http:// or https://"),
        ("http://127.0.0.1:8000", "ks_…", "its API key has characters that no key has"),
        ("http://a b", "ks_x", "http://a b does not answer as Keepsake"),
    ],
)
def test_what_is_wrong_is_said(address: str, key: str, line: str, tmp_path: Path) -> None:
    host = Host(tmp_path, address, key)
    says = {"systemMessage": f"Keepsake remembers nothing now: {line}."}
    assert host.fires("UserPromptSubmit", prompt="Hello") == says


def test_a_server_that_is_down_is_told_once_in_a_session(deaf: str, tmp_path: Path) -> None:
    host = Host(tmp_path, deaf, "ks_x")
    host.writes("user", "I keep bees.", "u-1")
    says = {"systemMessage": f"Keepsake remembers nothing now: {deaf} does not answer as Keepsake."}
    assert host.fires("UserPromptSubmit", prompt="Hello") == says
    assert host.fires("SessionEnd") == {}
    assert host.fires("UserPromptSubmit", prompt="Hello again") == {}
    assert Host(tmp_path, deaf, "ks_x", "s-2").fires("UserPromptSubmit", prompt="Hello") == says
