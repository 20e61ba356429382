"""The gate for extracted facts: the messages that were read are their source."""

from collections.abc import Iterable, Sequence
from typing import TypedDict

from conversations.models import Message, Role
from memoryapp.extraction.parse import ExtractedFact
from memoryapp.pipeline.gate_source import said_lines
from memoryapp.policy.gate import Refusal, Source, is_usable_key, refusal


class KeyAndValue(TypedDict):
    """Both, or both empty."""

    key: str
    value: str


class Gate:
    """Judges the facts that a model proposes, by the messages that it was shown."""

    def __init__(
        self, messages: Sequence[Message], time_zone: str, *, people: Iterable[str] = ()
    ) -> None:
        read = [message for message in messages if message.role != Role.SYSTEM]
        self._places = {message.position: place for place, message in enumerate(read)}
        self._source = Source(said_lines(read, time_zone), people=filter(None, people))

    def refusal(self, item: ExtractedFact) -> Refusal | None:
        """Why *item* is not stored; None if it may be."""
        return refusal(
            item.content,
            self._source,
            said_in=[self._places[item.message]],
            valid_until=item.valid_until,
        )

    def key_and_value(self, item: ExtractedFact) -> KeyAndValue:
        """The key and value of *item*; empty if they say something else than its text."""
        key, value = item.key or "", item.value or ""
        usable = key and is_usable_key(key, value, item.content, self._source)
        return KeyAndValue(key=key, value=value) if usable else KeyAndValue(key="", value="")
