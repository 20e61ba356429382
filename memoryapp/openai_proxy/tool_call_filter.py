"""Our own tools, taken out of what the caller is sent: they ran here. Pure functions."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any


class ToolCallFilter:
    """Passes the chunks of an answer on, without calls of the tools *names*.

    Each time the model has called only those, the answer goes on in another round; to the caller,
    all rounds are one answer.
    """

    def __init__(self, names: Collection[str], *, wants_usage: bool) -> None:
        self._names = names
        self._wants_usage = wants_usage
        #: What makes chunks one answer: their id and its date.
        self._label: dict[str, Any] = {}
        self._first_round = True
        #: What stands between what earlier rounds have said and this one.
        self._gap = ""
        self._usage_chunk: dict[str, Any] = {}
        self._begin()

    def _begin(self) -> None:
        #: The server's index of a call to the caller's; None for a call of ours.
        self._index: dict[Any, int | None] = {}
        self._ids: dict[Any, Any] = {}
        self._shown = 0
        #: Ended by calls of ours alone.
        self.goes_on = False

    def next_round(self, said_before: str) -> None:
        """Expect the chunks of another round, after what has been said."""
        self._first_round = False
        self._gap = "\n\n" if said_before.strip() else ""
        self._begin()

    def pass_on(self, chunk: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield *chunk* as the caller is to see it, if there is anything in it for them."""
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
            shown = [kept for each in choices if (kept := self._choice(each)) is not None]
            if choices and not shown:
                return
            chunk = {**chunk, "choices": shown}
        yield chunk

    def last(self) -> Iterator[dict[str, Any]]:
        """Yield what the whole answer cost, if the caller wants to know."""
        if self._wants_usage and self._usage_chunk:
            yield self._usage_chunk

    def _choice(self, choice: Any) -> Any:
        delta = choice.get("delta") if isinstance(choice, dict) else None
        if not isinstance(delta, dict):
            return choice
        said, reason = dict(delta), choice.get("finish_reason")
        if isinstance(delta.get("tool_calls"), list):
            calls = [kept for call in delta["tool_calls"] if (kept := self._call(call))]
            del said["tool_calls"]
            said |= {"tool_calls": calls} if calls else {}
        if not self._first_round:
            said.pop("role", None)
        if self._gap and isinstance(said.get("content"), str) and said["content"]:
            said["content"], self._gap = self._gap + said["content"], ""
        hidden = any(place is None for place in self._index.values())
        if reason in ("tool_calls", "stop", "function_call") and hidden and not self._shown:
            self.goes_on = True
            reason = None
        if (said, reason) == (delta, choice.get("finish_reason")):
            return choice
        if not reason and not any(said.values()):
            return None
        return {**choice, "delta": said, "finish_reason": reason}

    def _call(self, call: Any) -> Any:
        """A fragment of a call as the caller is to see it; None for one of ours."""
        function = call.get("function") if isinstance(call, dict) else None
        if not isinstance(function, dict):
            return call
        index = call.get("index")
        name, call_id = function.get("name"), call.get("id")
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
    answer: dict[str, Any], names: Collection[str], said_before: str
) -> dict[str, Any]:
    """Return a whole *answer* without calls of the tools *names*, and with what earlier rounds had
    said before it.
    """
    shown = []
    choices = answer.get("choices")
    for choice in choices if isinstance(choices, list) else []:
        message = choice.get("message") if isinstance(choice, dict) else None
        if isinstance(message, dict):
            calls = message.get("tool_calls")
            if isinstance(calls, list):
                kept = [call for call in calls if name_of(call) not in names]
                message = {k: v for k, v in message.items() if k != "tool_calls"}
                message |= {"tool_calls": kept} if kept else {}
            if said_before.strip():
                text = message.get("content")
                said = f"{said_before}\n\n{text}" if isinstance(text, str) and text else said_before
                message = {**message, "content": said}
            choice = {**choice, "message": message}
        shown.append(choice)
    return {**answer, "choices": shown}


def add_usage(total: Any, usage: Any) -> dict[str, Any]:
    """Add the tokens of one round to those of the rounds before, whichever are told."""
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
    """A chunk, also of a server that does not stream and has sent its whole answer."""
    choices = chunk.get("choices")
    if chunk.get("object") != "chat.completion" or not isinstance(choices, list):
        return chunk
    told = [
        {**{k: v for k, v in each.items() if k != "message"}, "delta": each.get("message") or {}}
        for each in choices
        if isinstance(each, dict)
    ]
    return {**chunk, "object": "chat.completion.chunk", "choices": told}


def name_of(call: Any) -> Any:
    """The name of the function in a call or in the description of a tool."""
    function = call.get("function") if isinstance(call, dict) else None
    return function.get("name") if isinstance(function, dict) else None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
