"""The request to a provider that speaks Anthropic's Messages API: the caller's, with our
instructions, context and tools. Pure.

What is added comes behind what the caller sends, so that its marks for the prompt cache hold.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from instances.models import ContextPlacement
from memoryapp import tools
from memoryapp.api.v1.wire import Additions
from memoryapp.assistant.prompt import paragraphs
from memoryapp.assistant.tool_calls import Called, results_of
from memoryapp.providers.chat_stream import ToolCall


class MessagesRequest:
    """A request in the form of Anthropic's messages.

    Args:
        body: the caller's request; it is passed on unchanged.
        additions: what is added to it.

    """

    def __init__(self, body: Mapping[str, Any], additions: Additions) -> None:
        self._body = dict(body)
        self._their_tools = body.get("tools")
        #: Answers of the model, and results of our tools since.
        self._added: list[dict[str, Any]] = []
        self.placement = ContextPlacement(additions.placement)
        instructions = additions.instructions
        if self.placement == ContextPlacement.SYSTEM_MESSAGE:
            instructions = paragraphs(instructions, additions.context)
        else:
            self._body["messages"] = with_context(body["messages"], additions.context)
        if instructions:
            self._body["system"] = _with_text(body.get("system"), instructions)
        if additions.tool_names:
            ours = [_tool(schema) for schema in tools.schemas(additions.tool_names)]
            self._body["tools"] = [*(self._their_tools or ()), *ours]

    def body(self) -> dict[str, Any]:
        """Return the body to send."""
        if not self._added:
            return self._body
        return {**self._body, "messages": [*self._body["messages"], *self._added]}

    def add_results(
        self,
        blocks: Sequence[dict[str, Any]],
        calls: Sequence[ToolCall],
        runs: Sequence[Called],
    ) -> None:
        """Append the model's *blocks*, and the results of its *calls*, which have run."""
        failed = {run.call.id for run in runs if not run.result.ok}
        results = [
            {"type": "tool_result", "tool_use_id": call.id, "content": text}
            | ({"is_error": True} if call.id in failed else {})
            for call, text in zip(calls, results_of(calls, runs), strict=True)
        ]
        self._added += [
            {"role": "assistant", "content": list(blocks)},
            {"role": "user", "content": results},
        ]

    def without_our_tools(self) -> None:
        """Let the model call only the tools of the caller. A request with results needs tools, so
        ours stay where the caller has none.
        """
        if self._their_tools:
            self._body["tools"] = self._their_tools
        elif "tools" in self._body:
            self._body["tool_choice"] = {"type": "none"}


def offered_names(body: Mapping[str, Any]) -> set[Any] | None:
    """Return the names of the caller's tools in *body*; None if its options do not allow calls that
    it does not know.
    """
    theirs, choice = body.get("tools"), body.get("tool_choice")
    kind = choice.get("type") if isinstance(choice, Mapping) else choice
    if kind not in (None, "auto") or not isinstance(theirs, list | None):
        return None
    return {str(tool.get("name")) for tool in theirs or () if isinstance(tool, Mapping)}


def with_context(messages: Sequence[Any], text: str) -> list[Any]:
    """Return *messages* with *text* behind the content of the last one in which the user says
    something; unchanged if there is none. Results of tools, which must come first, stay ahead of
    it.
    """
    spoken = (n for n in reversed(range(len(messages))) if _speaks(messages[n]))
    place = next(spoken, None)
    if not text or place is None:
        return list(messages)
    message = messages[place]
    content = _with_text(message["content"], text)
    return [*messages[:place], {**message, "content": content}, *messages[place + 1 :]]


def _speaks(message: Any) -> bool:
    """True if *message* is the user's, and not only results of tools."""
    if not isinstance(message, Mapping) or message.get("role") != "user":
        return False
    content = message.get("content")
    if isinstance(content, list):
        return any(
            isinstance(block, Mapping) and block.get("type") != "tool_result" for block in content
        )
    return isinstance(content, str)


def _with_text(content: Any, text: str) -> Any:
    """Return *content*, a text or a list of blocks, as blocks with *text* at the end. The provider
    refuses any other.
    """
    block = {"type": "text", "text": text}
    if isinstance(content, list):
        return [*content, block]
    if isinstance(content, str | None):
        return [{"type": "text", "text": content}, block] if content else [block]
    return content


def _tool(schema: Mapping[str, Any]) -> dict[str, Any]:
    function = schema["function"]
    return {
        "name": function["name"],
        "description": function["description"],
        "input_schema": function["parameters"],
    }
