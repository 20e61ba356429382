"""The shape of the answer about turns that are filed: subject, turns, entities and relations.

Each item stands or falls by itself. Pure.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BeforeValidator, ValidationInfo, WithJsonSchema, model_validator

from memoryapp.llm.answers import (
    NOT_AN_OBJECT,
    Answer,
    Dropped,
    Item,
    UnusableAnswer,
    clamped,
    text_of,
    whole,
)
from memoryapp.models.aaak import KINDS, Tags
from memoryapp.models.names import clean_name, slug
from memoryapp.text.shortening import one_line

MAX_TOPIC_CHARACTERS = 80
MAX_TAG_CHARACTERS = 100
MAX_PREDICATE_CHARACTERS = 60
MAX_VALUE_CHARACTERS = 200
#: Tags of one kind for one turn, and other names of one thing.
MAX_TAGS, MAX_ALIASES = 8, 5
#: How sure a relation is of which the model does not say so.
CONFIDENCE = 70


@dataclass(frozen=True)
class FilingContext:
    """The positions of the turns that an answer is about, and of those that people said."""

    positions: frozenset[int]
    by_people: frozenset[int]


def _of(info: ValidationInfo) -> FilingContext:
    context: FilingContext = info.context  # type: ignore[assignment]  # `Filing` requires one
    return context


def _name(value: Any) -> str:
    """A name that something can be found by; else nothing."""
    name = clean_name(value) if isinstance(value, str) else ""
    return name if slug(name) else ""


def _texts(values: Any, most: int) -> tuple[str, ...]:
    """The usable ones of *values*, each once."""
    if isinstance(values, str):
        values = [values]
    if not isinstance(values, list):
        return ()
    found = (_name(value)[:MAX_TAG_CHARACTERS].strip() for value in values)
    return tuple(dict.fromkeys(filter(None, found)))[:most]


def _kind(*kinds: str, otherwise: str) -> BeforeValidator:
    def choose(value: Any) -> str:
        kind = str(value).strip().lower().replace("organization", "organisation")
        return kind if kind in kinds else otherwise

    return BeforeValidator(choose)


def _since(value: Any) -> date | None:
    """The first day of what *value* names; a date that cannot be read is none."""
    written = value if isinstance(value, str) else ""
    found = re.match(r"\s*(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?", written)
    if found is None:
        return None
    try:
        return date(int(found[1]), int(found[2] or 1), int(found[3] or 1))
    except ValueError:
        return None


Name = Annotated[str, BeforeValidator(_name)]
Names = Annotated[tuple[str, ...], BeforeValidator(lambda values: _texts(values, MAX_TAGS))]
Aliases = Annotated[tuple[str, ...], BeforeValidator(lambda values: _texts(values, MAX_ALIASES))]
Flag = Annotated[bool, BeforeValidator(lambda value: value is True)]


class Subject(Item):
    """What the turns as a whole are about; without a usable name, its name is empty."""

    name: Name
    kind: Annotated[
        Literal["person", "project", "topic", "agent"],
        _kind("person", "project", "topic", "agent", otherwise="topic"),
    ]
    aliases: Aliases


def _subject(value: Any) -> dict[str, Any]:
    """A name alone is a subject as well."""
    given = value if isinstance(value, dict) else {"name": value}
    return dict.fromkeys(Subject.model_fields) | given


class FiledTurn(Item):
    """What one turn is about."""

    turn: int
    topic: Annotated[
        str, BeforeValidator(lambda value: _name(value)[:MAX_TOPIC_CHARACTERS].strip())
    ]
    people: Names
    places: Names
    events: Names
    items: Names
    times: Names

    @property
    def tags(self) -> Tags:
        """Its names of all kinds."""
        return Tags(**{kind: getattr(self, kind) for kind in KINDS.values()})

    @model_validator(mode="before")
    @classmethod
    def _mended(cls, raw: dict[str, Any], info: ValidationInfo) -> dict[str, Any]:
        return raw | {"turn": _position(raw, _of(info).positions)}

    @classmethod
    def position_of(cls, raw: Mapping[str, Any], context: FilingContext) -> int:
        return _position_or_0(raw, context.positions)


class FiledEntity(Item):
    """Who or what is named, and the turns that name it."""

    name: Name
    kind: Annotated[
        Literal["person", "project", "place", "organisation", "item", "other"],
        _kind("person", "project", "place", "organisation", "item", otherwise="other"),
    ]
    aliases: Aliases
    turns: tuple[int, ...]

    @model_validator(mode="before")
    @classmethod
    def _mended(cls, raw: dict[str, Any], info: ValidationInfo) -> dict[str, Any]:
        if not _name(raw["name"]):
            raise ValueError("has no name")
        turns = raw["turns"] if isinstance(raw["turns"], list) else []
        named = _of(info).positions.intersection(map(whole, turns))
        if not named:
            raise ValueError("names no turn")
        return raw | {"turns": sorted(named)}


class FiledRelation(Item):
    """What one turn says as a fact."""

    turn: int
    subject: Name
    predicate: str
    object: str
    since: Annotated[
        date | None, BeforeValidator(_since), WithJsonSchema({"type": ["string", "null"]})
    ]
    ends: Flag
    single: Flag
    confidence: Annotated[int, clamped(0, 100, CONFIDENCE)]

    @model_validator(mode="before")
    @classmethod
    def _mended(cls, raw: dict[str, Any], info: ValidationInfo) -> dict[str, Any]:
        position = _position(raw, _of(info).by_people)
        subject, predicate = _name(raw["subject"]), raw["predicate"]
        predicate = clean_name(predicate) if isinstance(predicate, str) else ""
        predicate = predicate[:MAX_PREDICATE_CHARACTERS].strip()
        value = one_line(text_of(raw["object"]))
        if not subject or not slug(predicate) or not slug(value):
            raise ValueError("has no subject, predicate or object")
        if len(value) > MAX_VALUE_CHARACTERS:
            raise ValueError("has a whole text for an object")
        if slug(subject) == slug(value):
            raise ValueError("relates something to itself")
        return raw | {"turn": position, "predicate": predicate, "object": value}

    @classmethod
    def position_of(cls, raw: Mapping[str, Any], context: FilingContext) -> int:
        return _position_or_0(raw, context.by_people)


def _position(raw: Mapping[str, Any], positions: frozenset[int]) -> int:
    position = whole(raw.get("turn"))
    if position is None or position not in positions:
        raise ValueError("names none of the turns it may name")
    return position


def _position_or_0(raw: Mapping[str, Any], positions: frozenset[int]) -> int:
    position = whole(raw.get("turn"))
    return position if position is not None and position in positions else 0


class Filing(Answer):
    """What the model is to answer with. The context is a `FilingContext`."""

    schema_name: ClassVar = "filing"
    unusable: ClassVar = "The language model’s answer does not say where the turns belong."
    known_by: ClassVar = ("subject", "turns")

    subject: Annotated[Subject, BeforeValidator(_subject)]
    turns: list[FiledTurn]
    entities: list[FiledEntity]
    relations: list[FiledRelation]

    @classmethod
    def from_text(cls, text: str, context: Any = None, *, model: str = "") -> Self:
        """Read the answer; one that names neither a subject nor a turn cannot be used."""
        filing = super().from_text(text, context, model=model)
        if not filing.subject.name and not filing.turns:
            raise UnusableAnswer(cls.unusable)
        return filing

    @property
    def by_position(self) -> dict[int, FiledTurn]:
        """The first description of each turn."""
        return {turn.turn: turn for turn in reversed(self.turns)}

    def all_dropped(self) -> list[Dropped]:
        """The items that could not be used, of whichever list."""
        kinds = {"turns": "a turn", "entities": "an entity", "relations": "a relation"}
        dropped = [
            Dropped(
                item.position,
                f"{kinds[name]} {'is ' if item.reason == NOT_AN_OBJECT else ''}{item.reason}",
            )
            for name, items in self.dropped.items()
            for item in items
        ]
        seen: set[int] = set()
        for turn in self.turns:
            if turn.turn in seen:
                dropped.append(Dropped(turn.turn, "a turn is described twice"))
            seen.add(turn.turn)
        if not self.subject.name:
            dropped.append(Dropped(0, "the subject has no name"))
        return dropped
