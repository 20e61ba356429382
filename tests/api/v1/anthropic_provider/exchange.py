"""Requests of Anthropic's client, and blocks of the model's answers."""

from typing import Any

from anthropic import Anthropic

from tests.api.v1.test_messages import HELLO
from tests.scripted_provider import Recorded, ScriptedProvider

KEY = "sk-ant-4f2aQ9zLk31VbXw7Yp0C"
ON = {"X-Keepsake-Tools": "on"}
CACHED: Any = {"cache_control": {"type": "ephemeral"}}
THOUGHT = {"type": "thinking", "thinking": "I should look.", "signature": "c2lnbmF0dXJl"}
SEARCH = {
    "type": "tool_use",
    "id": "toolu_search",
    "name": "search_memory",
    "input": {"query": "peanuts"},
}
LYON = {"type": "tool_use", "id": "toolu_lyon", "name": "weather", "input": {"city": "Lyon"}}
ANSWER = {"type": "text", "text": "Nothing with peanuts."}


def ask(claude: Anthropic, *, streams: bool, messages: Any = HELLO, **more: Any) -> Any:
    """Send a request, and assemble the message as the client does."""
    options = {"model": "claude-sonnet-5", "max_tokens": 100, "messages": messages, **more}
    if not streams:
        return claude.messages.create(**options)
    with claude.messages.stream(**options) as stream:
        return stream.get_final_message()


def content_of(message: Any) -> list[dict[str, Any]]:
    return [block.model_dump(exclude_none=True) for block in message.content]


def sent(provider: ScriptedProvider) -> list[Recorded]:
    return [each for each in provider.requests if each.path == "/v1/messages"]


def in_turn(provider: ScriptedProvider, *replies: object) -> None:
    for each in replies:
        provider.reply_with(each, times=1)
