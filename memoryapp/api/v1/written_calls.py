"""Calls that the model writes as text, in the answer to a request. Pure.

Those of our tools are hidden, and run. Those of the caller's tools become proper calls only if that
is certain: the answer is nothing but calls, and the arguments of each fit the tool's schema. Else
they stay the text that they are, since the caller may have asked for such a text.
"""

import json
from collections.abc import Collection, Mapping
from typing import Any

from memoryapp.providers.call_values import WrittenCall
from memoryapp.providers.written_calls import CallReader

_TYPES: Mapping[str, type | tuple[type, ...]] = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "array": list,
    "object": dict,
}


class RequestCalls:
    """Reads the calls in the text of one round.

    Args:
        ours: the names of our tools.
        theirs: the caller's tools, with the schemas of their parameters; empty if the caller's
            options do not allow calls.

    """

    def __init__(self, ours: Collection[str], theirs: Mapping[str, Any]) -> None:
        self._ours = CallReader(ours)
        self._schemas = theirs
        #: Reads both, while the answer may be nothing but calls.
        self._all = CallReader([*ours, *theirs]) if theirs else None
        #: The text so far, while all of it may be calls of the caller's tools.
        self._undecided = ""
        #: Calls of the caller's tools.
        self.their_calls: list[WrittenCall] = []

    @property
    def calls(self) -> list[WrittenCall]:
        """All calls."""
        return [*self._ours.calls, *self.their_calls]

    @property
    def unreadable(self) -> bool:
        """True if a call of our tools could not be read."""
        return self._ours.unreadable

    @property
    def has_ours(self) -> bool:
        """True if there are calls of our tools."""
        return bool(self._ours.calls)

    def feed(self, piece: str) -> str:
        """Take the next *piece*; return the text that is new."""
        return self._pass_on(self._ours.feed(piece), piece)

    def end(self) -> str:
        """Return the rest of the text."""
        text = self._pass_on(self._ours.end(), "")
        if self._all is None:
            return text
        reader, self._all = self._all, None
        talk = reader.end().strip()
        calls = [call for call in reader.calls if call.name in self._schemas]
        if calls and not talk and not reader.unreadable and all(map(self._fits, calls)):
            self.their_calls = calls
            return ""
        return self._undecided

    def _pass_on(self, text: str, piece: str) -> str:
        """Return *text*, which is what *piece* has besides our calls, once it is no call."""
        if self._all is None:
            return text
        self._undecided += text
        if not self._all.feed(piece).strip():
            return ""
        self._all = None
        return self._undecided

    def _fits(self, call: WrittenCall) -> bool:
        """True if the arguments of *call* have what its schema requires, and nothing else."""
        schema, arguments = self._schemas[call.name], json.loads(call.arguments)
        schema = schema if isinstance(schema, Mapping) else {}
        properties, required = schema.get("properties"), schema.get("required")
        properties = properties if isinstance(properties, Mapping) else {}
        if not set(required if isinstance(required, list) else ()) <= arguments.keys():
            return False
        return arguments.keys() <= properties.keys() and all(
            _is_of(properties[name], value) for name, value in arguments.items()
        )


def _is_of(schema: Any, value: Any) -> bool:
    """True if *value* has the type in *schema*, if that names one."""
    name = schema.get("type") if isinstance(schema, Mapping) else None
    wanted = _TYPES.get(name) if isinstance(name, str) else None
    if isinstance(value, bool) and name != "boolean":
        return wanted is None
    return wanted is None or isinstance(value, wanted)


def callers_tools(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the tools that the caller offers in *body*, with the schemas of their parameters; none
    if its options do not allow calls.
    """
    offered = body.get("tools")
    if body.get("n") not in (None, 1) or body.get("tool_choice") not in (None, "auto", "required"):
        return {}
    functions = [
        tool["function"]
        for tool in (offered if isinstance(offered, list) else ())
        if isinstance(tool, dict) and isinstance(tool.get("function"), dict)
    ]
    return {
        each["name"]: each.get("parameters")
        for each in functions
        if isinstance(each.get("name"), str)
    }


def with_calls(answer: dict[str, Any], text: str, calls: list[WrittenCall]) -> dict[str, Any]:
    """Return *answer*, a chunk or a whole one, with *text* in place of its own, and with *calls*
    written by the model.
    """
    choices = answer.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        return answer
    choice = dict(choices[0])
    name = "message" if isinstance(choice.get("message"), dict) else "delta"
    message = choice.get(name)
    message = dict(message) if isinstance(message, dict) else {}
    if message.get("content") or (text and not message.get("refusal")):
        message["content"] = text or (None if name == "message" else "")
    if calls:
        message["tool_calls"] = [
            {
                "index": number,
                "id": f"call_{number + 1}",
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            }
            for number, call in enumerate(calls)
        ]
        choice["finish_reason"] = "tool_calls"
    choice[name] = message
    return {**answer, "choices": [choice, *choices[1:]]}
