"""The messages of a request in Anthropic's form, as far as a conversation has them. Pure.

They are what was said, the calls of the caller's tools and their results. What a model has thought,
and what the provider's own tools have done, is left out. So is what has another form: the provider
refuses it.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from memoryapp.providers.message_assembly import said


def chat_messages(messages: Any) -> list[dict[str, Any]]:
    """Return *messages* in the form of chat completions, for `read_messages`; empty if they are no
    list.
    """
    given = messages if isinstance(messages, list) else []
    return [each for message in given for each in _chat_messages(message)]


def _chat_messages(message: Any) -> Iterator[dict[str, Any]]:
    role = message.get("role") if isinstance(message, Mapping) else None
    content = message.get("content") if isinstance(message, Mapping) else None
    blocks = content if isinstance(content, list) else []
    blocks = [block for block in blocks if isinstance(block, Mapping)]
    if isinstance(content, str):
        yield {"role": role, "content": content}
    elif role == "assistant":
        yield {"role": role, "content": said(blocks), "tool_calls": list(_calls(blocks))}
    else:
        yield from _results(blocks)
        if parts := [_part(block) for block in blocks if block.get("type") != "tool_result"]:
            yield {"role": role, "content": parts}


def _calls(blocks: list[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    for block in blocks:
        if block.get("type") == "tool_use":
            arguments = json.dumps(block.get("input") or {}, ensure_ascii=False)
            function = {"name": block.get("name"), "arguments": arguments}
            yield {"id": block.get("id"), "type": "function", "function": function}


def _results(blocks: list[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    for block in blocks:
        if block.get("type") == "tool_result":
            content = block.get("content")
            if isinstance(content, list):
                content = [_part(each) for each in content if isinstance(each, Mapping)]
            yield {"role": "tool", "tool_call_id": block.get("tool_use_id"), "content": content}


def _part(block: Mapping[str, Any]) -> dict[str, Any]:
    """Return *block* without its mark for the cache, which moves on with each request."""
    return {name: value for name, value in block.items() if name != "cache_control"}
