"""A conversation with a language model that answers piece by piece, and may call tools."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from instances.translatable import translatable
from memoryapp.providers.call_values import WrittenCall
from memoryapp.providers.endpoints import Endpoint
from memoryapp.providers.errors import ProviderError, unusable
from memoryapp.providers.field_values import is_cut_off, model_name, said_in, storable, token_count
from memoryapp.providers.stream_chunks import (
    MAX_SILENCE_SECONDS,
    Extras,
    interrupted,
    stream_chunks,
)
from memoryapp.providers.written_calls import CallReader

#: The most calls in one answer, and characters of an id or name and of the arguments of a call. The
#: rest is dropped.
MAX_CALLS = 128
MAX_NAME_CHARACTERS = 200
MAX_ARGUMENT_CHARACTERS = 100_000


@dataclass(frozen=True)
class ToolCall:
    """A tool that the model wants to run. ``arguments`` is JSON as it wrote it, unchecked."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True)
class Reply:
    """A complete answer and what it cost. ``cut_off`` says that the model had reached its limit."""

    text: str
    tool_calls: tuple[ToolCall, ...]
    model: str
    prompt_tokens: int
    completion_tokens: int
    cut_off: bool = False
    #: True if it has a call that was written as text and could not be read.
    unreadable_call: bool = False


def converse(
    endpoint: Endpoint,
    messages: Sequence[Mapping[str, Any]],
    *,
    tools: Sequence[Mapping[str, Any]] = (),
    may_call: bool = True,
    offer: bool = True,
    silence: float = MAX_SILENCE_SECONDS,
) -> Iterator[str | Reply]:
    """Yield the answer's text in pieces as they come, and finally the whole `Reply`.

    A server that refuses tools is asked once more without them, and one that does not stream
    gives its text in one piece. Retries are the caller's.

    *messages* and *tools* are in the form of the OpenAI API. If it must not call the tools that the
    conversation mentions, pass them with ``may_call`` False: servers want to know them; with
    ``offer`` False, they are not sent. Calls of *tools* that the model writes as text are no text,
    but calls of the reply. *silence* is how many seconds the server may send nothing. Raises
    `ProviderError`, after the pieces that came before.
    """
    size = request_size(messages, tools if offer else ())
    silence = endpoint.abilities.limit_seconds(size, 0, usual=silence)
    options: dict[str, Any] = {"stream_options": {"include_usage": True}}
    if tools and offer:
        options |= {"tools": list(tools), "tool_choice": "auto" if may_call else "none"}
    extras = Extras(endpoint, options)
    names = [tool["function"]["name"] for tool in tools]
    answer = Assembly(endpoint, CallReader(names) if names else None)
    failure: ProviderError | None = None
    while True:
        again = False
        for chunk in stream_chunks(
            endpoint, {"messages": messages, **extras.options}, silence=silence
        ):
            if isinstance(chunk, ProviderError):
                failure = chunk
                # Text that was yielded cannot be taken back.
                again = not answer.text and extras.refused_by(chunk)
                break
            extras.note_success()
            if piece := answer.take(chunk):
                yield piece
        if not again:
            break
        failure = None
    if rest := answer.end():
        yield rest
    failure = failure or answer.problem()
    if failure is not None:
        raise failure
    yield answer.reply()


def request_size(
    messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]] = ()
) -> int:
    """Return the characters that a model reads before it answers, about."""
    texts = sum(len(str(message.get("content") or "")) for message in messages)
    return texts + sum(len(str(tool)) for tool in tools)


class WrittenCalls(Protocol):
    """Separates calls that a model writes as text from the rest; see `CallReader`."""

    @property
    def calls(self) -> list[WrittenCall]:
        """Return the calls so far."""

    @property
    def unreadable(self) -> bool:
        """Return whether one of them could not be read."""

    def feed(self, piece: str) -> str:
        """Take the next *piece*; return the text that is new."""

    def end(self) -> str:
        """Return the rest of the text."""


@dataclass
class _Call:
    id: str = ""
    name: str = ""
    arguments: str = ""


@dataclass
class Assembly:
    """Assembles an answer from chunks, which may have any shape."""

    endpoint: Endpoint
    #: Finds the calls that the model writes as text.
    reader: WrittenCalls | None = None
    text: str = ""
    calls: list[_Call] = field(default_factory=list)
    #: The server's index of a call to its place in ``calls``.
    places: dict[int, int] = field(default_factory=dict)
    finish_reason: str = ""
    model: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0

    @property
    def billed_prompt_tokens(self) -> int:
        """The tokens that are paid for: all, since the API does not say what a cached one costs."""
        return self.prompt_tokens

    def take(self, chunk: Mapping[str, Any]) -> str:
        """Add one chunk, or a whole answer that was not streamed; return the text that is new."""
        usage = chunk.get("usage")
        self.model = model_name(chunk) or self.model
        self.prompt_tokens = token_count(usage, "prompt_tokens") or self.prompt_tokens
        self.completion_tokens = token_count(usage, "completion_tokens") or self.completion_tokens
        choices = chunk.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(choice, dict):
            return ""
        if isinstance(choice.get("finish_reason"), str):
            self.finish_reason = choice["finish_reason"]
        message = choice.get("delta") or choice.get("message")
        if not isinstance(message, dict):
            return self.end() if self.finish_reason else ""
        calls = message.get("tool_calls")
        for call in calls if isinstance(calls, list) else ():
            if isinstance(call, dict) and len(self.calls) < MAX_CALLS:
                self._take_call(call)
        piece = said_in(message.get("content")) or said_in(message.get("refusal"))
        if self.reader is not None:
            piece = self.reader.feed(piece)
        self.text += piece
        return piece + self.end() if self.finish_reason else piece

    def end(self) -> str:
        """Return the text that was held back, because it could have become a call."""
        rest = self.reader.end() if self.reader is not None else ""
        self.text += rest
        return rest

    def _take_call(self, raw: Mapping[str, Any]) -> None:
        function = raw.get("function")
        function = function if isinstance(function, dict) else {}
        call_id = storable(said_in(raw.get("id")))[:MAX_NAME_CHARACTERS]
        name = storable(said_in(function.get("name")))[:MAX_NAME_CHARACTERS]
        call = self._call(raw.get("index"), call_id, begins=bool(call_id or name))
        call.id = call.id or call_id
        call.name = call.name or name
        arguments = function.get("arguments")
        if isinstance(arguments, dict):
            arguments = json.dumps(arguments, ensure_ascii=False)
        room = MAX_ARGUMENT_CHARACTERS - len(call.arguments)
        call.arguments += said_in(arguments)[:room]

    def _call(self, index: object, call_id: str, *, begins: bool) -> _Call:
        """Find the call that a fragment belongs to. Some servers give no index, and some give all
        calls the same one; then a new id begins a new call.
        """
        if isinstance(index, int):
            place = self.places.get(index)
            known = self.calls[place] if place is not None else None
            if known and not (call_id and known.id and call_id != known.id):
                return known
            self.places[index] = len(self.calls)
        elif self.calls and not begins:
            return self.calls[-1]
        elif call_id and (same := next((c for c in self.calls if c.id == call_id), None)):
            return same
        self.calls.append(_Call())
        return self.calls[-1]

    def problem(self) -> ProviderError | None:
        """The reason why this is no answer; None if it is one."""
        if not self.finish_reason and (self.text or self.calls):
            return interrupted(self.endpoint)
        if self.text.strip() or any(call.name for call in self.calls):
            return None
        if self.reader is not None and (self.reader.calls or self.reader.unreadable):
            return None
        server = self.endpoint.base_url
        if self.finish_reason == "content_filter":
            return unusable(
                translatable(
                    "%(server)s answered with a refusal: the model did not want to answer this.",
                    server=server,
                )
            )
        if is_cut_off(self.finish_reason):
            return unusable(
                translatable(
                    "%(server)s answered with nothing: the model reached its limit before the "
                    "first word.",
                    server=server,
                )
            )
        return unusable(translatable("%(server)s answered with an empty message.", server=server))

    def reply(self) -> Reply:
        """The answer, now that it is complete."""
        written = self.reader.calls if self.reader is not None else []
        calls = [*self.calls, *(_Call("", call.name, call.arguments) for call in written)]
        return Reply(
            text=self.text,
            tool_calls=tuple(
                ToolCall(call.id or f"call_{number}", call.name, call.arguments)
                for number, call in enumerate(calls[:MAX_CALLS], start=1)
                if call.name
            ),
            model=self.model or self.endpoint.model,
            prompt_tokens=self.prompt_tokens,
            completion_tokens=self.completion_tokens,
            cut_off=is_cut_off(self.finish_reason),
            unreadable_call=self.reader is not None and self.reader.unreadable,
        )
