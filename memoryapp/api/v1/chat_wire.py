"""Requests and answers in the form of OpenAI's chat completions."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from instances.models import ContextPlacement
from memoryapp.api.v1 import tool_call_filter
from memoryapp.api.v1.tool_call_filter import ToolCallFilter
from memoryapp.api.v1.upstream_request import UpstreamRequest
from memoryapp.api.v1.wire import Additions, Part
from memoryapp.api.v1.written_calls import RequestCalls, callers_tools, with_calls
from memoryapp.assistant.tool_calls import Called, as_messages
from memoryapp.providers.chat_stream import Assembly, ToolCall
from memoryapp.providers.endpoints import Endpoint
from memoryapp.providers.errors import ProviderError
from memoryapp.providers.stream_chunks import complete_answer, stream_chunks


class ChatWire:
    """A request in the form of chat completions; see `Wire`."""

    def __init__(self, endpoint: Endpoint, body: dict[str, Any]) -> None:
        self._endpoint = endpoint
        self._body = body
        self._names: Sequence[str] = ()
        options = body.get("stream_options")
        self._wants_usage = isinstance(options, dict) and bool(options.get("include_usage"))
        #: True if the model is asked without our tools, after a call that could not be read.
        self._asked_again = False
        #: The whole answer of the round, and the usage of all.
        self._answer: Part = {}
        self._usage: dict[str, Any] = {}

    @property
    def placement(self) -> ContextPlacement:
        return self._request.placement

    @property
    def continues(self) -> bool:
        return self._filter.continues

    def offered_names(self) -> Collection[Any] | None:
        body = self._body
        theirs = body.get("tools")
        if (
            body.get("n") not in (None, 1)
            or body.get("tool_choice") not in (None, "auto")
            or body.get("functions")
            or not isinstance(theirs, list | None)
        ):
            return None
        return {tool_call_filter.tool_name(tool) for tool in theirs or []}

    def extend(self, additions: Additions) -> None:
        self._names = additions.tool_names
        self._request = UpstreamRequest(
            self._endpoint,
            self._body,
            instructions=additions.instructions,
            context=additions.context,
            placement=additions.placement,
            tool_names=self._names,
        )
        self._filter = ToolCallFilter(self._names, wants_usage=self._wants_usage)

    def begin_round(self) -> Assembly:
        theirs = callers_tools(self._body)
        #: Finds the calls that are written as text.
        self._calls = RequestCalls(self._names, theirs) if self._names or theirs else None
        self._round = Assembly(self._endpoint, self._calls)
        return self._round

    def send(self) -> Iterator[Part | ProviderError]:
        return stream_chunks(self._endpoint, self._request.body())

    def take(self, part: Part) -> Iterator[Part]:
        text, calls = self._round.take(part), self._calls
        if calls is None:
            return self._filter.filter(part)
        part = with_calls(part, text, calls.their_calls if self._round.finish_reason else [])
        # With such a call in the text, the model is asked again.
        hides = calls.has_ours or (calls.unreadable and not self._asked_again)
        return self._filter.filter(part, hides_calls=hides)

    def send_whole(self) -> None:
        answer = complete_answer(self._endpoint, self._request.body())
        text, calls = self._round.take(answer) + self._round.end(), self._calls
        self._answer = with_calls(answer, text, calls.their_calls) if calls else answer
        self._usage = tool_call_filter.add_usage(self._usage, answer.get("usage"))

    def refused_by(self, error: ProviderError) -> bool:
        return self._request.refused_by(error)

    def note_success(self) -> None:
        self._request.note_success()

    def ask_again(self) -> None:
        self._asked_again = True

    def without_our_tools(self) -> None:
        self._request.without_our_tools()

    def add_results(self, calls: Sequence[ToolCall], runs: Sequence[Called]) -> None:
        self._request.add_messages(as_messages(self._round.text, calls, runs))

    def next_round(self, text_before: str) -> None:
        self._filter.next_round(text_before)

    def last(self) -> Iterator[Part]:
        return self._filter.last()

    def whole(self, text_before: str) -> Part:
        if not self._names:
            return self._answer
        answer = tool_call_filter.without_calls(self._answer, self._names, text_before)
        return answer | ({"usage": self._usage} if self._usage else {})
