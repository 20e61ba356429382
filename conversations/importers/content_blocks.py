"""Turns the content of one message into messages: a text, or a list of blocks.

Blocks are those of Anthropic and of OpenAI: ``{"type": "text", "text": …}``, ``tool_use``,
``tool_result``, ``image_url`` … A tool's result is a message of its own, between the texts before
it and after it.
"""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from conversations.importers.export_fields import EMPTY, mapping_in, mappings_in, text_in
from conversations.importers.report import Report
from conversations.messages import NewMessage
from conversations.models import Role
from instances.translatable import translatable, translatable_kind

#: What blocks of these types are, as the caption of the message says it.
_CAPTIONS = {
    "image": "a picture",
    "image_url": "a picture",
    "input_image": "a picture",
    "audio": "a recording",
    "input_audio": "a recording",
    "video": "a video",
    "video_url": "a video",
}
#: Why these are skipped.
REASONING = translatable("the model’s reasoning")
RESULTS = translatable_kind("result of a tool", "results of tools")
SYSTEM_MESSAGES = translatable_kind("system message", "system messages")
PROGRAM_MESSAGES = translatable_kind(
    "message that the program wrote", "messages that the program wrote"
)
NOTES = translatable_kind(
    "note of the program about the session", "notes of the program about the session"
)
UNKNOWN_PARTS = translatable_kind(
    "part of a message whose type is not known", "parts of messages whose type is not known"
)


class ContentBlocks:
    """Collects the content of one message, and writes the messages that it becomes."""

    def __init__(
        self,
        role: Role,
        message_id: str,
        sent_at: datetime | None,
        report: Report,
        *,
        with_results: bool = True,
    ) -> None:
        """Without ``with_results``, results of tools are skipped; *report* counts what is."""
        self._role = role
        self._id = message_id
        self._sent_at = sent_at
        self._report = report
        self._with_results = with_results
        self._messages: list[NewMessage] = []
        self._texts: list[str] = []
        self._calls: list[dict[str, Any]] = []
        self._captions: list[str] = []

    @property
    def says_nothing(self) -> bool:
        """True if nothing but files has been added."""
        has_text = any(text.strip() for text in self._texts)
        return not (has_text or self._messages or self._calls)

    def add_content(self, content: Any) -> None:
        """Add a text, or a list of texts and blocks."""
        for item in content if isinstance(content, list) else [content]:
            if isinstance(item, str):
                self._texts.append(item)
            elif isinstance(item, Mapping):
                self.add(item)
            elif item is not None:
                self._report.pass_over(UNKNOWN_PARTS)

    def add_text(self, text: str) -> None:
        self._texts.append(text)

    def add_file(self, name: str) -> None:
        """Add a file that is not there itself, if it has a name."""
        if name:
            self._captions.append(f"file: {name}")

    def add_call(self, name: str, arguments: Any) -> None:
        """Add the call of a tool, with its arguments as text or as an object."""
        if not isinstance(arguments, str):
            arguments = json.dumps(arguments, ensure_ascii=False)
        self._calls.append({"name": name or "tool", "arguments": arguments})

    def add(self, block: Mapping[str, Any]) -> None:
        """Add a block."""
        kind = text_in(block, "type")
        match kind:
            case "tool_use" | "server_tool_use":
                self.add_call(text_in(block, "name"), block.get("input"))
            case "tool_result":
                if self._with_results:
                    self._end(self._role)
                    self._texts = [_result(block)]
                    self._end(Role.TOOL, tool_name=text_in(block, "name") or "tool")
                else:
                    self._report.pass_over(RESULTS)
            case "thinking" | "redacted_thinking" | "reasoning" | "think":
                self._report.pass_over(REASONING)
            case "file" | "input_file" | "document":
                described = {**mapping_in(block, "file"), **block}
                names = (text_in(described, key) for key in ("filename", "title", "name"))
                self._captions.append(f"file: {next(filter(None, names), 'a file')}")
            case _ if kind in _CAPTIONS:
                self._captions.append(_CAPTIONS[kind])
            case _:
                texts = [text_in(block, key) for key in ("text", "refusal")]
                if any(texts):
                    self._texts += texts
                elif kind not in ("text", "input_text", "output_text"):
                    self._report.pass_over(UNKNOWN_PARTS)

    def messages(self, *, tool_name: str = "", counts_empty: bool = True) -> list[NewMessage]:
        """Return the messages, without empty ones. With ``counts_empty``, the report counts one if
        there is none.
        """
        self._end(self._role, tool_name=tool_name)
        if counts_empty and not self._messages:
            self._report.pass_over(EMPTY)
        return self._messages

    def _end(self, role: Role, *, tool_name: str = "") -> None:
        content = "\n\n".join(text for text in self._texts if text.strip())
        if content or self._calls or self._captions:
            number = len(self._messages)
            self._messages.append(
                NewMessage(
                    role=role.value,
                    content=content,
                    caption="; ".join(self._captions),
                    external_id=f"{self._id}:{number}" if number else self._id,
                    tool_name=tool_name,
                    tool_calls=self._calls,
                    sent_at=self._sent_at,
                )
            )
        self._texts, self._calls, self._captions = [], [], []


def _result(block: Mapping[str, Any]) -> str:
    content = block.get("content")
    if isinstance(content, str):
        return content
    return "\n\n".join(
        text for part in mappings_in(block, "content") if (text := text_in(part, "text"))
    )
