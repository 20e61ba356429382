"""Configuration snippets for each kind of client, with an instance's API key."""

import json
from dataclasses import dataclass

from django.urls import reverse

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
            "Type this in a terminal.",
            f'claude mcp add --transport http keepsake {mcp} --header "Authorization: {bearer}"',
        ),
        ClientSnippet(
            "claude-desktop",
            "Claude Desktop",
            "In claude_desktop_config.json (Settings → Developer → Edit Config). Needs Node.js, "
            "which bridges to the server.",
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
            "Cursor and others",
            "In .cursor/mcp.json, or wherever your agent lists its MCP servers.",
            _json({"mcpServers": {"keepsake": {"url": mcp, "headers": headers}}}),
        ),
        ClientSnippet(
            "vs-code",
            "VS Code",
            "In .vscode/mcp.json.",
            _json({"servers": {"keepsake": {"type": "http", "url": mcp, "headers": headers}}}),
        ),
        ClientSnippet(
            "openai",
            "Any OpenAI client",
            "Point it here, with a key that may read and write. Your language model answers, and "
            "remembers.",
            "from openai import OpenAI\n\n"
            f'client = OpenAI(base_url="{address}/v1", api_key="{key}")',
        ),
        ClientSnippet(
            "mem0",
            "mem0’s client",
            "Give it another host, and this key.",
            "from mem0 import MemoryClient\n\n"
            f'memory = MemoryClient(host="{address}", api_key="{key}")',
        ),
        ClientSnippet(
            "http",
            "Plain HTTP",
            "From anything that can send a request.",
            f'curl -H "Authorization: {bearer}" -H "Content-Type: application/json" \\\n'
            """  -d '{"query": "What should I not cook?"}' \\\n"""
            f"  {address}{reverse('api:retrieve')}",
        ),
    ]


def _json(config: dict[str, object]) -> str:
    return json.dumps(config, indent=2, ensure_ascii=False)
