"""Differences between the APIs in which a request is passed on: how it is extended and sent, how
its answer is read, and what of it the caller is shown.

`ChatWire` is OpenAI's chat completions, `MessagesWire` Anthropic's messages.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from instances.models import ContextPlacement
from memoryapp.assistant.tool_calls import Called
from memoryapp.providers.chat_stream import Reply, ToolCall
from memoryapp.providers.errors import ProviderError

#: A chunk or an event of a stream, or a whole answer.
Part = dict[str, Any]


@dataclass(frozen=True)
class Additions:
    """Additions to the caller's request."""

    #: Our instructions, empty for none.
    instructions: str
    #: What was recalled, empty for nothing.
    context: str
    #: Where the context is to stand, see `ContextPlacement`.
    placement: str
    #: Our tools that the model may call, in addition to those of the caller.
    tool_names: Sequence[str]


class Round(Protocol):
    """Answer of the model in one round, as far as it has come."""

    @property
    def text(self) -> str:
        """Text that the model has said."""

    @property
    def finish_reason(self) -> str:
        """Why it has ended; empty until then."""

    @property
    def model(self) -> str:
        """The name of the model, if the server says it."""

    @property
    def prompt_tokens(self) -> int:
        """The tokens that the model has read."""

    @property
    def billed_prompt_tokens(self) -> int:
        """The same in units of the price of input; those from a cache cost less."""

    @property
    def completion_tokens(self) -> int:
        """The tokens that it has written."""

    def reply(self) -> Reply:
        """Return the answer, now that it is complete."""


class Wire(Protocol):
    """One request in the form of an API, and its answer.

    The order of calls: `offered_names`, `extend`; for each round `begin_round`, then `send` with
    `take` for each part, or `send_whole`; `add_results` and `next_round` before another one; at the
    end `last` or `whole`.
    """

    @property
    def placement(self) -> ContextPlacement:
        """Where the context stands."""

    @property
    def continues(self) -> bool:
        """True if a streamed round has ended with calls of only our tools."""

    def offered_names(self) -> Collection[Any] | None:
        """Return the names of the caller's tools; None if its options do not allow calls that it
        does not know.
        """

    def extend(self, additions: Additions) -> None:
        """Add *additions* to the request."""

    def begin_round(self) -> Round:
        """Expect the answer to the request as it is now."""

    def send(self) -> Iterator[Part | ProviderError]:
        """Send the request, and yield the parts of a streamed answer; an error is the last."""

    def take(self, part: Part) -> Iterator[Part]:
        """Add *part* to the round; yield what the caller is shown of it."""

    def send_whole(self) -> None:
        """Send the request, and add the whole answer to the round. Raises `ProviderError`."""

    def refused_by(self, error: ProviderError) -> bool:
        """True if *error* is about something that we have added and that is now left out or sent in
        another way: then it is worth sending again.
        """

    def note_success(self) -> None:
        """Remember what the server accepts, now that it has answered."""

    def ask_again(self) -> None:
        """Note that the model is asked once more, after a call of ours that could not be read. The
        answer then ends even if it writes another one.
        """

    def without_our_tools(self) -> None:
        """Let the model call only the tools of the caller."""

    def add_results(self, calls: Sequence[ToolCall], runs: Sequence[Called]) -> None:
        """Append the round to the request, with the results of *calls*, all of our tools."""

    def next_round(self, text_before: str) -> None:
        """Expect another round after the text of those before."""

    def last(self) -> Iterator[Part]:
        """Yield the end of a streamed answer."""

    def whole(self, text_before: str) -> Part:
        """Return the whole answer, which follows the text of earlier rounds."""
