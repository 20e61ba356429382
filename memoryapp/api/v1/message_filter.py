"""Removes calls of our own tools, which run here, from the events of a message. Pure."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from memoryapp.api.v1.tool_call_filter import add_usage

#: Reasons for which a message ends without its calls being run.
_UNFINISHED = frozenset(("max_tokens", "model_context_window_exceeded", "refusal", "pause_turn"))


class MessageFilter:
    """Removes calls of the tools *names* from the events of a message.

    After a round with calls of only those tools, the answer continues in another round; to the
    caller, all rounds are one message, whose blocks are numbered through.
    """

    def __init__(self, names: Collection[str]) -> None:
        self._names = names
        self._first_round = True
        #: The blocks that the caller is shown, and the type of the last one.
        self._blocks = 0
        self._last_type = ""
        #: The usage of earlier rounds, and of this one.
        self._usage_before: dict[str, Any] = {}
        self._usage: dict[str, Any] = {}
        self._begin()

    def _begin(self) -> None:
        #: Maps the server's index of a block to the caller's; to None for a call of ours.
        self._index: dict[int, int | None] = {}
        #: True if blocks are shown, whether calls are, and whether calls of ours are not.
        self._shows_blocks = self._shows_calls = self._hides_calls = False
        #: The caller's index of a block of text that needs a gap to the one of the round before.
        self._needs_gap: int | None = None
        #: True if the round has ended with calls of only our tools.
        self.continues = False

    @property
    def usage(self) -> dict[str, Any]:
        """The usage of all rounds."""
        return add_usage(self._usage_before, self._usage)

    def next_round(self) -> None:
        """Expect the events of another round."""
        self._first_round = False
        self._usage_before, self._usage = self.usage, {}
        self._begin()

    def filter(self, event: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield *event* as the caller is shown it, if it is."""
        match event["type"]:
            case "message_start":
                self._count(event["message"].get("usage"))
                if self._first_round:
                    yield event
            case "content_block_start":
                yield from self._started(event)
            case "content_block_delta" | "content_block_stop":
                place = self._index.get(event["index"])
                if place is not None:
                    yield self._spaced(_numbered(event, place), place)
            case "message_delta":
                yield from self._changed(event)
            case "message_stop":
                pass  # Another round may follow.
            case _:
                yield event

    def last(self) -> Iterator[dict[str, Any]]:
        """Yield the end of the message."""
        yield {"type": "message_stop"}

    def _started(self, event: dict[str, Any]) -> Iterator[dict[str, Any]]:
        block = event["content_block"]
        kind = block["type"]
        name = block.get("name")
        if kind == "tool_use" and isinstance(name, str) and name in self._names:
            self._index[event["index"]] = None
            self._hides_calls = True
            return
        self._shows_calls = self._shows_calls or kind == "tool_use"
        place = self._index[event["index"]] = self._blocks
        if kind == "text" == self._last_type and not (self._first_round or self._shows_blocks):
            self._needs_gap = place
        self._shows_blocks = True
        self._blocks += 1
        self._last_type = kind
        yield self._spaced(_numbered(event, place), place)

    def _spaced(self, event: dict[str, Any], place: int) -> dict[str, Any]:
        """Return *event* with a paragraph's space ahead of its text, if that is needed."""
        name = {"content_block_start": "content_block", "content_block_delta": "delta"}
        part = name.get(event["type"])
        if place != self._needs_gap or part is None or not event[part].get("text"):
            return event
        self._needs_gap = None
        return {**event, part: {**event[part], "text": "\n\n" + str(event[part]["text"])}}

    def _changed(self, event: dict[str, Any]) -> Iterator[dict[str, Any]]:
        self._count(event.get("usage"))
        reason = event.get("delta", {}).get("stop_reason")
        only_ours = self._hides_calls and not self._shows_calls
        if reason and only_ours and reason not in _UNFINISHED:
            self.continues = True
        elif self._first_round:
            yield event
        else:
            yield {**event, "usage": self.usage}

    def _count(self, usage: Any) -> None:
        # The counts of later events include those of earlier ones.
        known = usage if isinstance(usage, Mapping) else {}
        self._usage |= {name: value for name, value in known.items() if value is not None}


def _numbered(event: dict[str, Any], place: int) -> dict[str, Any]:
    return event if event["index"] == place else {**event, "index": place}
