"""Requests and answers in the form of Anthropic's messages."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from instances.models import ContextPlacement
from memoryapp.api.v1.message_filter import MessageFilter
from memoryapp.api.v1.messages_request import MessagesRequest, offered_names
from memoryapp.api.v1.wire import Additions, Part
from memoryapp.assistant.tool_calls import Called
from memoryapp.providers.chat_stream import ToolCall
from memoryapp.providers.endpoints import Endpoint
from memoryapp.providers.errors import ProviderError
from memoryapp.providers.message_assembly import MessageAssembly
from memoryapp.providers.messages_api import MessagesOptions, complete_message, stream_events
from memoryapp.providers.messages_filter import events_of


class MessagesWire:
    """A request in the form of Anthropic's messages; see `Wire`."""

    def __init__(self, endpoint: Endpoint, body: dict[str, Any], options: MessagesOptions) -> None:
        self._endpoint = endpoint
        self._body = body
        self._options = options
        #: The last whole message, and the blocks of all that the caller is shown.
        self._message: Part = {}
        self._shown: list[Part] = []
        self._has_earlier_rounds = False

    @property
    def placement(self) -> ContextPlacement:
        return self._request.placement

    @property
    def continues(self) -> bool:
        return self._filter.continues

    def offered_names(self) -> Collection[Any] | None:
        return offered_names(self._body)

    def extend(self, additions: Additions) -> None:
        self._request = MessagesRequest(self._body, additions)
        self._filter = MessageFilter(additions.tool_names)

    def begin_round(self) -> MessageAssembly:
        self._round = MessageAssembly(self._endpoint)
        return self._round

    def send(self) -> Iterator[Part | ProviderError]:
        return stream_events(self._endpoint, self._request.body(), self._options)

    def take(self, part: Part) -> Iterator[Part]:
        self._round.take(part)
        return self._filter.filter(part)

    def send_whole(self) -> None:
        answer = complete_message(self._endpoint, self._request.body(), self._options)
        self._message = {**answer, "id": self._message.get("id", answer.get("id"))}
        for event in events_of(answer):
            shown = self.take(event)
            self._shown += [each["content_block"] for each in shown if "content_block" in each]

    def refused_by(self, error: ProviderError) -> bool:
        return False  # Of what we add, such a server knows all.

    def note_success(self) -> None:
        """Nothing is sent in another way, so nothing is remembered."""

    def ask_again(self) -> None:
        """No call is read from text: these models make proper ones."""

    def without_our_tools(self) -> None:
        self._request.without_our_tools()

    def add_results(self, calls: Sequence[ToolCall], runs: Sequence[Called]) -> None:
        self._request.add_results(self._round.blocks(), calls, runs)

    def next_round(self, text_before: str) -> None:
        self._has_earlier_rounds = True
        self._filter.next_round()

    def last(self) -> Iterator[Part]:
        return self._filter.last()

    def whole(self, text_before: str) -> Part:
        answer = {**self._message, "content": self._shown}
        return answer | ({"usage": self._filter.usage} if self._has_earlier_rounds else {})
