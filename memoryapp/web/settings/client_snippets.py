"""Configuration snippets for each kind of client, with an instance's API key."""

import json
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

#: Shown in place of a key.
KEY_PLACEHOLDER = "ks_…"


@dataclass(frozen=True)
class ClientSnippet:
    """One kind of client, and its configuration."""

    slug: str
    name: str
    #: Where the snippet goes.
    where: str
    snippet: str


def client_snippets(address: str, key: str | None = None) -> list[ClientSnippet]:
    """Return snippets for the server at *address*, without a trailing slash, and for *key*."""
    key = key or KEY_PLACEHOLDER
    mcp = f"{address}{reverse('mcp')}"
    bearer = f"Bearer {key}"
    headers = {"Authorization": bearer}
    # The bridge forwards headers, but drops those with a space in them.
    bridge = ["mcp-remote", mcp, "--header", "Authorization:${KEEPSAKE_KEY}"]
    if mcp.startswith("http://"):
        bridge.append("--allow-http")
    return [
        ClientSnippet(
            "claude-code",
            "Claude Code",
            _("Type this in a terminal."),
            f'claude mcp add --transport http keepsake {mcp} --header "Authorization: {bearer}"',
        ),
        ClientSnippet(
            "claude-desktop",
            "Claude Desktop",
            _(
                "In claude_desktop_config.json (Settings → Developer → Edit Config). Needs "
                "Node.js, which bridges to the server."
            ),
            _json(
                {
                    "mcpServers": {
                        "keepsake": {
                            "command": "npx",
                            "args": bridge,
                            "env": {"KEEPSAKE_KEY": bearer},
                        }
                    }
                }
            ),
        ),
        ClientSnippet(
            "cursor",
            _("Cursor and others"),
            _("In .cursor/mcp.json, or wherever your agent lists its MCP servers."),
            _json({"mcpServers": {"keepsake": {"url": mcp, "headers": headers}}}),
        ),
        ClientSnippet(
            "vs-code",
            "VS Code",
            _("In .vscode/mcp.json."),
            _json({"servers": {"keepsake": {"type": "http", "url": mcp, "headers": headers}}}),
        ),
        ClientSnippet(
            "apps",
            _("Claude, ChatGPT and other apps"),
            _(
                "Add this address as a connector. The app opens Keepsake, where you connect it; it "
                "needs no key. Apps on the web reach only servers that the internet reaches."
            ),
            mcp,
        ),
        ClientSnippet(
            "openai",
            _("Any OpenAI client"),
            _(
                "Point it here, with a key that may read and write. Your language model answers, "
                "and remembers."
            ),
            "from openai import OpenAI\n\n"
            f'client = OpenAI(base_url="{address}/v1", api_key="{key}")',
        ),
        ClientSnippet(
            "mem0",
            _("mem0’s client"),
            _("Give it another host, and this key."),
            "from mem0 import MemoryClient\n\n"
            f'memory = MemoryClient(host="{address}", api_key="{key}")',
        ),
        ClientSnippet(
            "store",
            _("Plain HTTP: store a memory"),
            _("From anything that can send a request, with a key that may write."),
            _curl(
                bearer,
                f"{address}{reverse('api:store')}",
                {"content": "The user takes the train to work."},
            ),
        ),
        ClientSnippet(
            "search",
            _("Plain HTTP: search"),
            _("From anything that can send a request, with a key that may read."),
            _curl(
                bearer,
                f"{address}{reverse('api:retrieve')}",
                {"query": "How does the user get to work?"},
            ),
        ),
    ]


def _curl(authorization: str, url: str, body: dict[str, str]) -> str:
    return (
        f'curl -H "Authorization: {authorization}" -H "Content-Type: application/json" \\\n'
        f"  -d '{json.dumps(body)}' \\\n"
        f"  {url}"
    )


def _json(config: dict[str, object]) -> str:
    return json.dumps(config, indent=2, ensure_ascii=False)
