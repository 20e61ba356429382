"""From the model's answer to what is usable of it: each item stands or falls by itself. Pure."""

import math
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from memoryapp.mining.prompt import ENTITY_KINDS, WING_KINDS
from memoryapp.models.aaak import KINDS, Tags
from memoryapp.models.names import one_line, slug
from memoryapp.providers.json_extraction import object_in

#: Characters of a topic, a tag, a predicate and a value.
MAX_TOPIC_CHARACTERS, MAX_TAG_CHARACTERS, MAX_PREDICATE_CHARACTERS, MAX_VALUE_CHARACTERS = (
    80,
    100,
    60,
    200,
)
#: Tags of one kind for one turn, and other names of one thing.
MAX_TAGS, MAX_ALIASES = 8, 5
#: How sure a relation is of which the model does not say so.
CONFIDENCE = 70


class UnusableAnswer(ValueError):
    """There is nothing in the answer by which turns could be filed."""


@dataclass(frozen=True)
class Thing:
    """A subject or an entity: its name, what it is, other names, and the turns that name it."""

    name: str
    kind: str
    aliases: tuple[str, ...] = ()
    positions: tuple[int, ...] = ()


@dataclass(frozen=True)
class Described:
    """What one turn is about."""

    topic: str = ""
    tags: Tags = field(default_factory=Tags)


@dataclass(frozen=True)
class Related:
    """What one turn says as a fact."""

    position: int
    subject: str
    predicate: str
    object: str
    since: date | None
    ends: bool
    single: bool
    confidence: int


@dataclass(frozen=True)
class Dropped:
    """An item that was not usable, by the turn it points to (or 0), and why."""

    position: int
    reason: str


@dataclass
class Mined:
    """All that is usable of an answer."""

    subject: Thing | None = None
    turns: dict[int, Described] = field(default_factory=dict)
    entities: list[Thing] = field(default_factory=list)
    relations: list[Related] = field(default_factory=list)
    dropped: list[Dropped] = field(default_factory=list)


class _Unusable(ValueError):
    def __init__(self, reason: str, position: int = 0) -> None:
        super().__init__(reason)
        self.position = position


def parse(answer: str, *, positions: Collection[int], by_people: Collection[int]) -> Mined:
    """Read the model's *answer* about the turns at *positions*; those ``by_people`` may say facts.

    Raises:
        UnusableAnswer: it names neither a subject nor a turn.

    """
    given = object_in(answer, ("subject", "turns"))
    if given is None:
        raise UnusableAnswer("The language model’s answer does not say where the turns belong.")
    mined = Mined()
    for name, read in (("turns", _turn), ("entities", _entity), ("relations", _relation)):
        items = given.get(name)
        for raw in items if isinstance(items, list) else ():
            try:
                if not isinstance(raw, dict):
                    raise _Unusable("is not an object")
                read(mined, raw, frozenset(by_people if read is _relation else positions))
            except _Unusable as problem:
                reason = f"{_SINGULAR[name]} {problem}"
                mined.dropped.append(Dropped(problem.position, reason))
    subject = given.get("subject")
    if isinstance(subject, str):
        subject = {"name": subject}
    if isinstance(subject, dict) and (name := _name(subject.get("name"))):
        mined.subject = Thing(name, _kind(subject, WING_KINDS, "topic"), _aliases(subject))
    elif not mined.turns:
        raise UnusableAnswer("The language model’s answer does not say where the turns belong.")
    else:
        mined.dropped.append(Dropped(0, "the subject has no name"))
    return mined


_SINGULAR = {"turns": "a turn", "entities": "an entity", "relations": "a relation"}


def _turn(mined: Mined, raw: Mapping[str, Any], positions: frozenset[int]) -> None:
    position = _position(raw.get("turn"), positions)
    if position in mined.turns:
        raise _Unusable("is described twice", position)
    topic = _name(raw.get("topic"))[:MAX_TOPIC_CHARACTERS].strip()
    tags = {kind: tuple(_texts(raw.get(kind), MAX_TAGS)) for kind in KINDS.values()}
    mined.turns[position] = Described(topic, Tags(**tags))


def _entity(mined: Mined, raw: Mapping[str, Any], positions: frozenset[int]) -> None:
    name = _name(raw.get("name"))
    if not name:
        raise _Unusable("has no name")
    turns = raw.get("turns")
    numbers = [_whole(number) for number in turns] if isinstance(turns, list) else []
    named = sorted({number for number in numbers if number in positions})
    if not named:
        raise _Unusable("names no turn")
    kind = _kind(raw, ENTITY_KINDS, "other")
    mined.entities.append(Thing(name, kind, _aliases(raw), tuple(named)))


def _relation(mined: Mined, raw: Mapping[str, Any], positions: frozenset[int]) -> None:
    position = _position(raw.get("turn"), positions)
    subject = _name(raw.get("subject"))
    said = raw.get("predicate")
    predicate = one_line(said)[:MAX_PREDICATE_CHARACTERS].strip() if isinstance(said, str) else ""
    of = raw.get("object")
    if isinstance(of, int | float) and not isinstance(of, bool):
        of = str(of)
    value = " ".join(of.split()) if isinstance(of, str) else ""
    if not subject or not slug(predicate) or not slug(value):
        raise _Unusable("has no subject, predicate or object", position)
    if len(value) > MAX_VALUE_CHARACTERS:
        raise _Unusable("has a whole text for an object", position)
    if slug(subject) == slug(value):
        raise _Unusable("relates something to itself", position)
    confidence = _whole(raw.get("confidence"))
    mined.relations.append(
        Related(
            position,
            subject,
            predicate,
            value,
            _since(raw.get("since")),
            raw.get("ends") is True,
            raw.get("single") is True,
            CONFIDENCE if confidence is None else min(100, max(0, confidence)),
        )
    )


def _position(value: Any, positions: frozenset[int]) -> int:
    position = _whole(value)
    if position is None or position not in positions:
        raise _Unusable("names none of the turns it may name")
    return position


def _whole(value: Any) -> int | None:
    if isinstance(value, str) and re.fullmatch(r"\s*-?\d{1,9}\s*", value):
        return int(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return round(value) if math.isfinite(value) else None


def _name(value: Any) -> str:
    """A name that something can be found by; else nothing."""
    name = one_line(value) if isinstance(value, str) else ""
    return name if slug(name) else ""


def _kind(raw: Mapping[str, Any], kinds: Collection[str], otherwise: str) -> str:
    kind = str(raw.get("kind", "")).strip().lower().replace("organization", "organisation")
    return kind if kind in kinds else otherwise


def _texts(values: Any, most: int) -> list[str]:
    """The usable ones of *values*, each once."""
    if isinstance(values, str):
        values = [values]
    if not isinstance(values, list):
        return []
    found = (_name(value)[:MAX_TAG_CHARACTERS].strip() for value in values)
    return list(dict.fromkeys(filter(None, found)))[:most]


def _aliases(raw: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(_texts(raw.get("aliases"), MAX_ALIASES))


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
