"""The gate for extracted facts: the messages that were read are their source, and decide how far
each is believed.
"""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import TypedDict

from conversations.models import Message, Role
from instances.tiers import Tier
from memoryapp.extraction.parse import ExtractedFact
from memoryapp.pipeline.gate_source import said_lines, tiered_lines
from memoryapp.policy.evidence import Evidence
from memoryapp.policy.gate import Refusal, Source, is_said, is_usable_key, refusal
from memoryapp.policy.keyed_facts import canonical


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
        people, lines = list(filter(None, people)), said_lines(read, time_zone)
        self._source = Source(lines, people=people)
        self._evidence = Evidence(tiered_lines(read, lines), people=people)

    def refusal(self, item: ExtractedFact) -> Refusal | None:
        """Why *item* is not stored; None if it may be."""
        return refusal(item.content, self._source, said_in=[self._places[item.message]])

    def is_usable(self, item: ExtractedFact) -> bool:
        """Whether people have said *item* themselves."""
        return self.refusal(item) is None and self.tier(item) >= Tier.USER

    def valid_until(self, item: ExtractedFact) -> date | None:
        """The end date of *item*, if it was said; else None."""
        day, cited = item.valid_until, self._places[item.message]
        said = day and is_said(day, self._source, item.content, said_in=[cited])
        return day if said else None

    def tier(self, item: ExtractedFact) -> Tier:
        """How far *item* is believed: by whose words support it, whatever the model says."""
        until = self.valid_until(item)
        return Tier(self._evidence.tier_of(item.content, said_in=item.message, valid_until=until))

    def key_and_value(self, item: ExtractedFact) -> KeyAndValue:
        """The key and value of *item*; empty if they say something else than its text. Synonyms
        get one key, so that a new value replaces the present one whatever a model calls it.
        """
        key, value = item.key or "", item.value or ""
        usable = key and is_usable_key(key, value, item.content, self._source)
        return KeyAndValue(key=canonical(key) if usable else "", value=value if usable else "")
