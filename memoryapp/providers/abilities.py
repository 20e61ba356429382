"""Abilities of a language model, as they were measured, and what follows from them. Pure."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from typing import Any, Self

#: Characters of a token of English text. Other languages have fewer, so times are estimates.
CHARACTERS_PER_TOKEN = 4
#: A model that reads or writes fewer tokens a second is slow: a usual request takes a minute.
SLOW_READING, SLOW_WRITING = 60.0, 8.0
#: A smaller context, in tokens, has no room for usual requests.
SMALL_CONTEXT = 6_000
#: Seconds that a slow model may spend on the conversation in one request.
READING_SECONDS = 30.0
#: The share of the context that a conversation may fill.
CONTEXT_SHARE = 0.4
#: Characters of a conversation in one request at least.
MIN_CHARACTERS = 1_500
#: Time limits, as a multiple of the expected time; seconds besides it; and the longest.
PATIENCE, EXTRA_SECONDS, MAX_SECONDS = 2.0, 20.0, 600.0


class Schema(StrEnum):
    """How a server can be made to answer with JSON."""

    JSON_SCHEMA = "json_schema"
    JSON_OBJECT = "json_object"
    NONE = "none"


class Tools(StrEnum):
    """How a model calls tools."""

    NATIVE = "native"
    TEXT = "text"
    NONE = "none"


@dataclass(frozen=True)
class ModelAbilities:
    """Abilities of the model called ``model`` at ``address``. None: not known."""

    address: str = ""
    model: str = ""
    #: True if it runs on this machine or in a private network, where calls share its processors.
    is_local: bool = False
    #: Tokens of a request and its answer.
    context: int | None = None
    schema: Schema | None = None
    tools: Tools | None = None
    #: Tokens a second.
    read: float | None = None
    written: float | None = None

    @classmethod
    def stored(cls, values: Mapping[str, Any]) -> Self:
        """Return the abilities that `as_dict` has written."""
        known: dict[str, Any] = {field.name: values.get(field.name) for field in fields(cls)}
        schema, tools = known.pop("schema"), known.pop("tools")
        return cls(
            **known,
            schema=Schema(schema) if schema else None,
            tools=Tools(tools) if tools else None,
        )

    def as_dict(self) -> dict[str, Any]:
        """Return it for a JSON column."""
        return asdict(self)

    @property
    def is_slow(self) -> bool:
        """True if a usual request takes a minute or more, or does not fit."""
        return (
            (self.read is not None and self.read < SLOW_READING)
            or (self.written is not None and self.written < SLOW_WRITING)
            or (self.context is not None and self.context < SMALL_CONTEXT)
        )

    @property
    def work_seconds(self) -> float:
        """The seconds that work with a slow model may take in all; 0 for others."""
        return 1.5 * MAX_SECONDS if self.is_slow else 0.0

    def reading_seconds(self, characters: int) -> float:
        """The expected seconds until a model that was sent so many *characters* begins to write."""
        return characters / CHARACTERS_PER_TOKEN / self.read if self.read else 0.0

    def expected_seconds(self, characters: int, answer_tokens: int) -> float:
        """The expected seconds for reading so many *characters* and writing so many tokens."""
        writing = answer_tokens / self.written if self.written else 0.0
        return self.reading_seconds(characters) + writing

    def limit_seconds(self, characters: int, answer_tokens: int, *, usual: float) -> float:
        """The time limit for such a request; the *usual* one for a model that is fast enough, or
        was not measured.
        """
        if not self.model:
            return usual
        expected = self.expected_seconds(characters, answer_tokens)
        return min(MAX_SECONDS, max(usual, PATIENCE * expected + EXTRA_SECONDS))

    def conversation_characters(self, usual: int) -> int:
        """The characters of a conversation in one request; *usual* for a model with enough room."""
        room = float(usual)
        if self.context is not None:
            room = min(room, CONTEXT_SHARE * self.context * CHARACTERS_PER_TOKEN)
        if self.is_slow and self.read is not None:
            room = min(room, READING_SECONDS * self.read * CHARACTERS_PER_TOKEN)
        return min(usual, max(MIN_CHARACTERS, int(room)))

    def history_characters(self, usual: int) -> int:
        """The characters of earlier messages in a chat, most of which the server has read before;
        *usual* for a model with enough room.
        """
        return min(usual, 2 * self.conversation_characters(usual))

    @property
    def offers_tools(self) -> bool:
        """True if the chat offers it tools, whose descriptions alone are a thousand tokens."""
        return self.tools is not Tools.NONE and not self.is_slow


#: What is known of a model that was not measured.
UNMEASURED = ModelAbilities()
