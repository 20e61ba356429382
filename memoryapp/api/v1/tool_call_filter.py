"""Removes calls of our own tools, which run here, from the answer to the caller. Pure."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any


class ToolCallFilter:
    """Removes calls of the tools *names* from the chunks of an answer.

    After a round with calls of only those tools, the answer continues in another round; to the
    caller, all rounds are one answer.
    """

    def __init__(self, names: Collection[str], *, wants_usage: bool) -> None:
        self._names = names
        self._wants_usage = wants_usage
        #: The id and the date, which all chunks of one answer share.
        self._label: dict[str, Any] = {}
        self._first_round = True
        #: Separates the text of earlier rounds from that of this one.
        self._gap = ""
        self._usage_chunk: dict[str, Any] = {}
        self._begin()

    def _begin(self) -> None:
        #: Maps the server's index of a call to the caller's; to None for a call of ours.
        self._index: dict[Any, int | None] = {}
        self._ids: dict[Any, Any] = {}
        self._shown = 0
        self._hides_calls = False
        #: True if the round has ended with calls of only our tools.
        self.continues = False

    def next_round(self, text_before: str) -> None:
        """Expect the chunks of another round, after the text of those before."""
        self._first_round = False
        self._gap = "\n\n" if text_before.strip() else ""
        self._begin()

    def filter(
        self, chunk: dict[str, Any], *, hides_calls: bool = False
    ) -> Iterator[dict[str, Any]]:
        """Yield *chunk* without our calls, unless nothing is left of it. *hides_calls* says that
        the text so far had calls of ours, which it has no longer.
        """
        self._hides_calls = hides_calls
        chunk = _as_chunk(chunk)
        self._label = self._label or {k: chunk[k] for k in ("id", "created") if k in chunk}
        choices = chunk.get("choices")
        if isinstance(chunk.get("usage"), dict) and not choices:
            total = add_usage(self._usage_chunk.get("usage"), chunk["usage"])
            self._usage_chunk = {**chunk, **self._label, "usage": total}
            return
        if not self._wants_usage and chunk.get("usage", True) is None:
            chunk = {name: value for name, value in chunk.items() if name != "usage"}
        if not self._first_round:
            chunk = {**chunk, **self._label}
        if self._names and isinstance(choices, list):
            shown = [choice for each in choices if (choice := self._choice(each)) is not None]
            if choices and not shown:
                return
            chunk = {**chunk, "choices": shown}
        yield chunk

    def last(self) -> Iterator[dict[str, Any]]:
        """Yield the usage of the whole answer, if the caller wants it."""
        if self._wants_usage and self._usage_chunk:
            yield self._usage_chunk

    def _choice(self, choice: Any) -> Any:
        delta = choice.get("delta") if isinstance(choice, dict) else None
        if not isinstance(delta, dict):
            return choice
        shown, reason = dict(delta), choice.get("finish_reason")
        if isinstance(delta.get("tool_calls"), list):
            calls = [shown_call for call in delta["tool_calls"] if (shown_call := self._call(call))]
            del shown["tool_calls"]
            shown |= {"tool_calls": calls} if calls else {}
        if not self._first_round:
            shown.pop("role", None)
        if self._gap and isinstance(shown.get("content"), str) and shown["content"]:
            shown["content"], self._gap = self._gap + shown["content"], ""
        hidden = self._hides_calls or any(place is None for place in self._index.values())
        if reason in ("tool_calls", "stop", "function_call") and hidden and not self._shown:
            self.continues = True
            reason = None
        if (shown, reason) == (delta, choice.get("finish_reason")):
            return choice
        if not reason and not any(shown.values()):
            return None
        return {**choice, "delta": shown, "finish_reason": reason}

    def _call(self, call: Any) -> Any:
        """Return a fragment of a call with the caller's index; None for one of ours."""
        function = call.get("function") if isinstance(call, dict) else None
        if not isinstance(function, dict):
            return call
        index = call.get("index")
        if isinstance(index, list | dict):
            return call
        name, call_id = tool_name(call), call.get("id")
        # Some servers give all calls the same index; then a new id begins a new call.
        begins = index not in self._index or (call_id and call_id != self._ids.get(index))
        if name and begins:
            ours = name in self._names
            self._ids[index] = call_id
            self._index[index] = None if ours else self._shown
            self._shown += not ours
        place = self._index.get(index, index)
        return None if place is None else {**call, "index": place}


def without_calls(
    answer: dict[str, Any], names: Collection[str], text_before: str
) -> dict[str, Any]:
    """Return a complete *answer* without calls of the tools *names*, and with the text of earlier
    rounds before its own.
    """
    shown = []
    choices = answer.get("choices")
    for choice in choices if isinstance(choices, list) else []:
        message = choice.get("message") if isinstance(choice, dict) else None
        if isinstance(message, dict):
            calls = message.get("tool_calls")
            if isinstance(calls, list):
                theirs = [call for call in calls if tool_name(call) not in names]
                message = {k: v for k, v in message.items() if k != "tool_calls"}
                message |= {"tool_calls": theirs} if theirs else {}
            if text_before.strip():
                text = message.get("content")
                has_text = isinstance(text, str) and text
                content = f"{text_before}\n\n{text}" if has_text else text_before
                message = {**message, "content": content}
            choice = {**choice, "message": message}
        shown.append(choice)
    return {**answer, "choices": shown}


def add_usage(total: Any, usage: Any) -> dict[str, Any]:
    """Add the usage of one round to the *total* of the rounds before; either may be missing."""
    if not isinstance(total, Mapping) or not isinstance(usage, Mapping):
        known = total if isinstance(total, Mapping) else usage
        return dict(known) if isinstance(known, Mapping) else {}
    result = dict(total)
    for name, value in usage.items():
        before = total.get(name)
        if isinstance(value, Mapping) and isinstance(before, Mapping):
            result[name] = add_usage(before, value)
        elif _is_number(value) and _is_number(before):
            result[name] = before + value
        else:
            result[name] = value
    return result


def _as_chunk(chunk: dict[str, Any]) -> dict[str, Any]:
    """Return *chunk* as a chunk, even if the server has sent a complete answer instead."""
    choices = chunk.get("choices")
    if chunk.get("object") != "chat.completion" or not isinstance(choices, list):
        return chunk
    deltas = [
        {**{k: v for k, v in each.items() if k != "message"}, "delta": each.get("message") or {}}
        for each in choices
        if isinstance(each, dict)
    ]
    return {**chunk, "object": "chat.completion.chunk", "choices": deltas}


def tool_name(call: Any) -> str | None:
    """Return the name of the function in a call or in the schema of a tool, if it has one."""
    function = call.get("function") if isinstance(call, dict) else None
    name = function.get("name") if isinstance(function, dict) else None
    return name if isinstance(name, str) else None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
