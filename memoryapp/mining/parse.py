"""The language model's answer about messages ("turns") that are to be filed. Pure.

An unusable item is dropped without the others.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any, ClassVar, Literal, Self, get_args

from pydantic import BeforeValidator, ValidationInfo, WithJsonSchema, model_validator

from memoryapp.language.marking import gettext_noop
from memoryapp.language.shortening import one_line
from memoryapp.llm.answers import (
    NOT_AN_OBJECT,
    Dropped,
    Item,
    StructuredAnswer,
    UnusableAnswer,
    clamped,
    one_of,
    text_of,
    whole,
)
from memoryapp.models.aaak import KINDS, Tags
from memoryapp.models.names import clean_name, slug

MAX_TOPIC_CHARACTERS = 80
MAX_TAG_CHARACTERS = 100
MAX_PREDICATE_CHARACTERS = 60
MAX_VALUE_CHARACTERS = 200
#: Tags of one kind for one turn, and aliases of one entity.
MAX_TAGS, MAX_ALIASES = 8, 5
#: Of a relation for which the model gives none.
DEFAULT_CONFIDENCE = 70

_SubjectKind = Literal["person", "project", "topic", "agent"]
_EntityKind = Literal["person", "project", "place", "organisation", "item", "other"]


@dataclass(frozen=True)
class FilingContext:
    """The positions of the turns that an answer is about, and of those that people wrote."""

    positions: frozenset[int]
    by_people: frozenset[int]


def _of(info: ValidationInfo) -> FilingContext:
    context: FilingContext = info.context  # type: ignore[assignment]  # `Filing` requires one
    return context


def _name(value: Any) -> str:
    """A name that has a slug; empty for anything else."""
    name = clean_name(value) if isinstance(value, str) else ""
    return name if slug(name) else ""


def _texts(values: Any, most: int) -> tuple[str, ...]:
    """The usable ones of *values*, each once."""
    if isinstance(values, str):
        values = [values]
    if not isinstance(values, list):
        return ()
    names = (_name(value)[:MAX_TAG_CHARACTERS].strip() for value in values)
    return tuple(dict.fromkeys(filter(None, names)))[:most]


def _entity_kind(value: Any) -> str:
    kind = str(value).strip().lower().replace("organization", "organisation")
    return kind if kind in get_args(_EntityKind) else "other"


def _since(value: Any) -> date | None:
    """The first day of the date, month or year *value*; None if it cannot be read."""
    text = value if isinstance(value, str) else ""
    match = re.match(r"\s*(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?", text)
    if match is None:
        return None
    try:
        return date(int(match[1]), int(match[2] or 1), int(match[3] or 1))
    except ValueError:
        return None


Name = Annotated[str, BeforeValidator(_name)]
Names = Annotated[tuple[str, ...], BeforeValidator(lambda values: _texts(values, MAX_TAGS))]
Aliases = Annotated[tuple[str, ...], BeforeValidator(lambda values: _texts(values, MAX_ALIASES))]
Flag = Annotated[bool, BeforeValidator(lambda value: value is True)]


class Subject(Item):
    """Subject of the turns as a whole; its name is empty if it has no usable one."""

    name: Name
    kind: Annotated[_SubjectKind, one_of(*get_args(_SubjectKind), otherwise="topic")]
    aliases: Aliases


def _subject(value: Any) -> dict[str, Any]:
    """Accept a name alone as a subject."""
    given = value if isinstance(value, dict) else {"name": value}
    return dict.fromkeys(Subject.model_fields) | given


class FiledTurn(Item):
    """The topic and the tags of one turn."""

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
        """Tags of all kinds."""
        return Tags(**{kind: getattr(self, kind) for kind in KINDS.values()})

    @model_validator(mode="before")
    @classmethod
    def _completed(cls, raw: dict[str, Any], info: ValidationInfo) -> dict[str, Any]:
        return raw | {"turn": _required_position(raw, _of(info).positions)}

    @classmethod
    def position_of(cls, raw: Mapping[str, Any], context: FilingContext) -> int:
        return _position(raw, context.positions)


class FiledEntity(Item):
    """An entity, and the turns that name it."""

    name: Name
    kind: Annotated[_EntityKind, BeforeValidator(_entity_kind)]
    aliases: Aliases
    turns: tuple[int, ...]

    @model_validator(mode="before")
    @classmethod
    def _completed(cls, raw: dict[str, Any], info: ValidationInfo) -> dict[str, Any]:
        if not _name(raw["name"]):
            raise ValueError("has no name")
        turns = raw["turns"] if isinstance(raw["turns"], list) else []
        named = _of(info).positions.intersection(map(whole, turns))
        if not named:
            raise ValueError("names no turn")
        return raw | {"turns": sorted(named)}


class FiledRelation(Item):
    """A fact that one turn states."""

    turn: int
    subject: Name
    predicate: str
    object: str
    since: Annotated[
        date | None, BeforeValidator(_since), WithJsonSchema({"type": ["string", "null"]})
    ]
    ends: Flag
    single: Flag
    confidence: Annotated[int, clamped(0, 100, DEFAULT_CONFIDENCE)]

    @model_validator(mode="before")
    @classmethod
    def _completed(cls, raw: dict[str, Any], info: ValidationInfo) -> dict[str, Any]:
        position = _required_position(raw, _of(info).by_people)
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
        return _position(raw, context.by_people)


def _position(raw: Mapping[str, Any], positions: frozenset[int]) -> int:
    """The turn that *raw* points to; 0 if it is none of *positions*, which begin with 1."""
    position = whole(raw.get("turn"))
    return position if position is not None and position in positions else 0


def _required_position(raw: Mapping[str, Any], positions: frozenset[int]) -> int:
    if position := _position(raw, positions):
        return position
    raise ValueError("names none of the turns it may name")


class Filing(StructuredAnswer):
    """The answer that the model is asked for. The context is a `FilingContext`."""

    schema_name: ClassVar = "filing"
    unusable: ClassVar = gettext_noop(
        "The language model’s answer does not say where the messages belong."
    )
    known_by: ClassVar = ("subject", "turns")

    subject: Annotated[Subject, BeforeValidator(_subject)]
    turns: list[FiledTurn]
    entities: list[FiledEntity]
    relations: list[FiledRelation]

    @classmethod
    def from_text(
        cls, text: str, context: Any = None, *, model: str = "", cut_off: bool = False
    ) -> Self:
        """Read the answer; one that names neither a subject nor a turn cannot be used."""
        filing = super().from_text(text, context, model=model, cut_off=cut_off)
        if not filing.subject.name and not filing.turns:
            raise UnusableAnswer(cls.unusable)
        return filing

    @property
    def by_position(self) -> dict[int, FiledTurn]:
        """The first description of each turn."""
        return {turn.turn: turn for turn in reversed(self.turns)}

    def all_dropped(self) -> list[Dropped]:
        """The items of all lists that could not be used."""
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
