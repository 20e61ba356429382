"""Assembles a message of Anthropic's API from its events."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from conversations.bounded_json import parse
from memoryapp.providers.chat_stream import (
    MAX_ARGUMENT_CHARACTERS,
    MAX_CALLS,
    MAX_NAME_CHARACTERS,
    Reply,
    ToolCall,
)
from memoryapp.providers.endpoints import Endpoint
from memoryapp.providers.field_values import model_name, storable, token_count

#: The reasons for an end with which an answer is not complete.
CUT_OFF = frozenset(("max_tokens", "model_context_window_exceeded"))

#: The fields of deltas that are pieces of a text.
_PIECES = frozenset(("text", "thinking", "partial_json"))


@dataclass
class _Block:
    """A block of the content: how it began, and what was added."""

    start: Mapping[str, Any]
    pieces: dict[str, list[str]] = field(default_factory=dict)
    citations: list[Any] = field(default_factory=list)
    values: dict[str, Any] = field(default_factory=dict)

    @property
    def kind(self) -> str:
        return str(self.start["type"])

    def take(self, delta: Mapping[str, Any]) -> None:
        for name, value in delta.items():
            if name in _PIECES and isinstance(value, str):
                self.pieces.setdefault(name, []).append(value)
            elif name == "citation":
                self.citations.append(value)
            elif name != "type":
                self.values[name] = value

    def text_of(self, name: str) -> str:
        begun = self.start.get(name)
        return (begun if isinstance(begun, str) else "") + "".join(self.pieces.get(name, ()))

    @property
    def arguments(self) -> str:
        """The input of a tool, as JSON."""
        written = self.text_of("partial_json")
        return written or json.dumps(self.start.get("input") or {}, ensure_ascii=False)

    def whole(self) -> dict[str, Any]:
        """Return the block as a request holds it."""
        block = {**self.start, **self.values}
        block |= {name: self.text_of(name) for name in self.pieces if name != "partial_json"}
        if self.citations:
            given = self.start.get("citations")
            block["citations"] = [*(given if isinstance(given, list) else ()), *self.citations]
        if "partial_json" in self.pieces:
            block["input"] = _object(self.arguments)
        return block


@dataclass
class MessageAssembly:
    """One message, as far as its events have come. They have passed `messages_filter`."""

    endpoint: Endpoint
    model: str = ""
    #: Why the message has ended; empty until then.
    finish_reason: str = ""
    #: What the provider counts, by its names.
    usage: dict[str, Any] = field(default_factory=dict)
    _blocks: dict[int, _Block] = field(default_factory=dict)

    def take(self, event: Mapping[str, Any]) -> None:
        """Add one event."""
        match event["type"]:
            case "message_start":
                self.model = model_name(event["message"])
                self._count(event["message"].get("usage"))
            case "content_block_start":
                self._blocks[event["index"]] = _Block(event["content_block"])
            case "content_block_delta" if block := self._blocks.get(event["index"]):
                block.take(event["delta"])
            case "message_delta":
                reason = event.get("delta", {}).get("stop_reason")
                self.finish_reason = reason if isinstance(reason, str) else self.finish_reason
                self._count(event.get("usage"))

    def _count(self, usage: Any) -> None:
        # The counts of later events include those of earlier ones.
        known = usage if isinstance(usage, Mapping) else {}
        self.usage |= {name: value for name, value in known.items() if value is not None}

    @property
    def text(self) -> str:
        """Text that the model has said, without what it has thought."""
        blocks = self._blocks.values()
        return said({"type": each.kind, "text": each.text_of("text")} for each in blocks)

    @property
    def prompt_tokens(self) -> int:
        """All tokens that the model has read, from the cache or not."""
        return self._tokens("input_tokens") + self._written + self._read

    @property
    def billed_prompt_tokens(self) -> int:
        """The tokens that it has read, in units of the price of input: what is written to the cache
        costs 1.25 of them for five minutes and 2 for an hour, and what is read from it 0.1; see
        https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching.
        """
        for_an_hour = token_count(self.usage.get("cache_creation"), "ephemeral_1h_input_tokens")
        for_an_hour = min(for_an_hour, self._written)
        cached = 1.25 * (self._written - for_an_hour) + 2 * for_an_hour + 0.1 * self._read
        return self._tokens("input_tokens") + round(cached)

    @property
    def completion_tokens(self) -> int:
        """The tokens that the model has written."""
        return self._tokens("output_tokens")

    @property
    def _written(self) -> int:
        return self._tokens("cache_creation_input_tokens")

    @property
    def _read(self) -> int:
        return self._tokens("cache_read_input_tokens")

    def _tokens(self, name: str) -> int:
        return token_count(self.usage, name)

    def blocks(self) -> list[dict[str, Any]]:
        """Return the blocks as the next request holds them, signatures included. The API refuses
        text without words.
        """
        return [
            block.whole()
            for block in self._blocks.values()
            if block.kind != "text" or block.text_of("text").strip()
        ]

    def reply(self) -> Reply:
        """Return the answer, now that it is complete. Calls are those of the caller's tools and
        ours, not those that the provider has run.
        """
        calls = [block for block in self._blocks.values() if block.kind == "tool_use"]
        return Reply(
            text=self.text,
            tool_calls=tuple(
                ToolCall(
                    _name(call.start.get("id")) or f"toolu_{number}",
                    _name(call.start.get("name")),
                    call.arguments[:MAX_ARGUMENT_CHARACTERS],
                )
                for number, call in enumerate(calls[:MAX_CALLS], start=1)
                if _name(call.start.get("name"))
            ),
            model=self.model or self.endpoint.model,
            prompt_tokens=self.prompt_tokens,
            completion_tokens=self.completion_tokens,
            cut_off=self.finish_reason in CUT_OFF,
        )


def said(blocks: Iterable[Mapping[str, Any]]) -> str:
    """Return the text of an assistant's *blocks*. A sentence with citations comes in several, one
    directly after the other; all other texts are paragraphs.
    """
    paragraphs: list[str] = []
    begins = True
    for block in blocks:
        text = block.get("text")
        if block.get("type") != "text":
            begins = True
        elif isinstance(text, str) and text:
            if begins:
                paragraphs.append("")
            paragraphs[-1] += text
            begins = False
    return "\n\n".join(paragraphs)


def _name(value: object) -> str:
    return storable(value)[:MAX_NAME_CHARACTERS] if isinstance(value, str) else ""


def _object(arguments: str) -> dict[str, Any]:
    """Return the *arguments* of a call, which a model may have written badly."""
    try:
        value = parse(arguments)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
