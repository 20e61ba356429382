"""The language model's answer about a conversation: facts to remember. Pure."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, Self, get_args

from pydantic import BeforeValidator, ValidationInfo, WithJsonSchema, model_validator

from memoryapp.language.entities import without_entities
from memoryapp.language.marking import gettext_noop
from memoryapp.language.shortening import one_line
from memoryapp.llm.answers import (
    NOT_AN_OBJECT,
    Day,
    Item,
    StructuredAnswer,
    UnusableAnswer,
    clamped,
    one_of,
    text_of,
    whole,
)
from memoryapp.policy.keyed_facts import is_single_valued, normalised
from memoryapp.policy.sensitivity import SensitiveArea

MAX_CONTENT = 2_000
#: A longer value is dropped: the content says it anyway.
MAX_VALUE = 500

NO_TEXT = gettext_noop("has no text")
#: What models call the content if they do not keep to the schema.
_OTHER_NAMES = ("memory", "fact", "text", "statement", "sentence")
_TEXTLESS = frozenset((NOT_AN_OBJECT, NO_TEXT))

_Category = Literal["general", "preference", "fact", "event", "relationship", "decision"]
_Source = Literal["conversation", "tool_call", "auto_discovery", "user_explicit"]


def _content(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError(NO_TEXT)
    content = one_line(without_entities(value))
    if len(content) > MAX_CONTENT:
        raise ValueError(f"is longer than {MAX_CONTENT:,} characters")
    return content


def _area(value: Any) -> SensitiveArea | None:
    name = str(value).strip().lower()
    return SensitiveArea(name) if name in list(SensitiveArea) else None


def _words(text: str) -> list[str]:
    return text.casefold().replace(".", " ").replace(",", " ").split()


def _tags(value: Any) -> tuple[str, ...]:
    return tuple(str(tag) for tag in value if tag) if isinstance(value, list) else ()


#: The name of a sensitive area. Another one is none.
Area = Annotated[
    SensitiveArea | None,
    BeforeValidator(_area),
    WithJsonSchema({"type": ["string", "null"]}),
]


class ExtractedFact(Item):
    """A memory that the model proposes. The context is the positions that it may point
    to, best with the text of each.
    """

    #: The position of the new message that states it.
    message: int
    content: Annotated[str, BeforeValidator(_content)]
    category: Annotated[_Category, one_of(*get_args(_Category), otherwise="general")]
    importance: Annotated[int, clamped(1, 10, 5)]
    tags: Annotated[tuple[str, ...], BeforeValidator(_tags)]
    valid_until: Day
    #: Of a fact that has one value at a time: both, or neither.
    key: str | None
    value: str | None
    source: Annotated[_Source, one_of(*get_args(_Source), otherwise="conversation")]
    confidence: Annotated[int | None, clamped(0, 100)]
    #: The sensitive area that it is about, also if it only implies it; only asked for if needed.
    area: Area = None

    @model_validator(mode="before")
    @classmethod
    def _completed(cls, raw: dict[str, Any], info: ValidationInfo) -> dict[str, Any]:
        if not raw["content"]:
            raw = raw | {"content": next((raw[name] for name in _OTHER_NAMES if name in raw), None)}
        position = cls.position_of(raw, info.context)
        if not position:
            raise ValueError(gettext_noop("names no new message"))
        key, value = _fact(raw["key"], raw["value"])
        return raw | {"message": position, "key": key, "value": value}

    @classmethod
    def from_plain(cls, text: str) -> Mapping[str, Any]:
        return {"content": text}

    @classmethod
    def position_of(cls, raw: Mapping[str, Any], context: Any) -> int:
        """The new message that *raw* points to; 0 if there is none."""
        position = whole(raw.get("message"))
        if position is None and len(context) == 1:
            # Only one can be meant.
            (position,) = context
        if position is None and isinstance(context, Mapping) and context:
            # The message with the most words in common.
            said = frozenset(_words(str(raw.get("content"))))
            position = max(context, key=lambda each: len(said & frozenset(_words(context[each]))))
        return position if position is not None and position in context else 0


def _fact(key: Any, value: Any) -> tuple[str, str]:
    """The key and its value; both empty if one is missing or unusable. The content still counts."""
    value = one_line(without_entities(text_of(value)))
    usable = isinstance(key, str) and any(c.isalnum() for c in key)
    return (key.strip(), value) if usable and 0 < len(value) <= MAX_VALUE else ("", "")


class ExtractedFacts(StructuredAnswer):
    """The answer that the model is asked for."""

    schema_name: ClassVar = "memories"
    unusable: ClassVar = gettext_noop("The language model’s answer holds no list of memories.")
    known_by: ClassVar = ("content",)
    may_be_text: ClassVar = True

    memories: list[ExtractedFact]

    #: The names of an item that the model is not asked for. What it says of them is read.
    left_out: ClassVar[frozenset[str]] = frozenset({"area"})

    @classmethod
    def json_schema(cls) -> dict[str, Any]:
        schema = super().json_schema()
        item = schema["properties"]["memories"]["items"]
        item["properties"] = {k: v for k, v in item["properties"].items() if k not in cls.left_out}
        item["required"] = list(item["properties"])
        return schema

    @classmethod
    def from_text(
        cls, text: str, context: Any = None, *, model: str = "", cut_off: bool = False
    ) -> Self:
        """Read the facts. An answer with items of which none has a text cannot be used."""
        facts = super().from_text(text, context, model=model, cut_off=cut_off)
        dropped = facts.dropped["memories"]
        if dropped and not facts.memories and all(each.reason in _TEXTLESS for each in dropped):
            raise UnusableAnswer(cls.unusable)
        return facts


class FactsWithAreas(ExtractedFacts):
    """The answer for an instance that does not keep everything."""

    left_out: ClassVar = frozenset()


class ShortFact(ExtractedFact):
    """A memory that a slow model proposes. It makes up keys, so only known ones count."""

    @model_validator(mode="after")
    def _with_known_key(self) -> Self:
        if is_single_valued(normalised(self.key or "")):
            return self
        return self.model_copy(update={"key": "", "value": ""})


#: What a slow model is not asked for: each name costs it a second.
_LEFT_OUT = frozenset({"tags", "valid_until", "source", "confidence", "area"})


class ShortFacts(ExtractedFacts):
    """The answer that a slow model is asked for. What else it says is read as well."""

    memories: list[ShortFact]  # type: ignore[assignment]  # A list that is only read.

    left_out: ClassVar = _LEFT_OUT
