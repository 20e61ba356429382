"""Typed answers of a language model: their JSON schema, and what is usable of a text. Pure.

A subclass of `StructuredAnswer` names the fields of the answer, a subclass of `Item` those of an
entry in one of its lists. The schema follows from the field types. Answers may be looser, since
small models ignore schemas: a missing key counts as null, validators repair what they can, and an
unusable item is dropped with a reason.
"""

import functools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any, ClassVar, Self, get_args, get_origin

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    PrivateAttr,
    TypeAdapter,
    ValidationError,
    WithJsonSchema,
)

from memoryapp.language.written_lists import items_in, lines_in
from memoryapp.providers.json_extraction import list_in, object_in
from memoryapp.providers.json_mending import UnfinishedList
from memoryapp.providers.thinking import separate

NOT_AN_OBJECT = "not an object"


class UnusableAnswer(ValueError):
    """Nothing in the answer is usable."""


@dataclass(frozen=True)
class Dropped:
    """An item that was not usable, by the message it points to (or 0), and why."""

    position: int
    reason: str


class Item(BaseModel):
    """One object in a list of an answer."""

    model_config = ConfigDict(frozen=True)

    @classmethod
    def position_of(cls, raw: Mapping[str, Any], context: Any) -> int:
        """The message that a dropped item points to; 0: none."""
        return 0

    @classmethod
    def from_plain(cls, text: str) -> Mapping[str, Any] | None:
        """The item that is written as a plain *text*; None: it cannot be."""
        return None


class StructuredAnswer(BaseModel):
    """An answer as one JSON object. A single list may also come without the object around it."""

    #: Name of the schema: letters, digits, ``_`` and ``-``.
    schema_name: ClassVar[str]
    #: Why an answer without anything usable is refused.
    unusable: ClassVar[str]
    #: The keys of which one must be there; and the key by which a lone item of the list is known.
    known_by: ClassVar[tuple[str, ...]]
    #: True if its list may also be written as text.
    may_be_text: ClassVar[bool] = False

    _dropped: dict[str, list[Dropped]] = PrivateAttr(default_factory=dict)
    _model: str = PrivateAttr(default="")
    _breaks_off: bool = PrivateAttr(default=False)

    @property
    def dropped(self) -> dict[str, list[Dropped]]:
        """The items that could not be used, by the field they belong to."""
        return self._dropped

    @property
    def model(self) -> str:
        """The model that answered, according to the server."""
        return self._model

    @property
    def breaks_off(self) -> bool:
        """True if the text ended within the list: what is there is usable, and more was to come."""
        return self._breaks_off

    @classmethod
    def json_schema(cls) -> dict[str, Any]:
        """The schema in the strict dialect: every property required, no additional ones."""
        schema = cls.model_json_schema()
        strict = _strict(schema, schema.get("$defs", {}))
        assert isinstance(strict, dict)  # noqa: S101 - The schema of a model is an object.
        return strict

    @classmethod
    def from_text(
        cls, text: str, context: Any = None, *, model: str = "", cut_off: bool = False
    ) -> Self:
        """Read an answer, which may have been ``cut_off``; validators find *context* in their info.
        Raises `UnusableAnswer`.
        """
        given = cls.find(text, cut_off=cut_off)
        if given is None:
            raise UnusableAnswer(cls.unusable)
        values: dict[str, Any] = {}
        dropped: dict[str, list[Dropped]] = {}
        for name, field in cls.model_fields.items():
            raw = given.get(name)
            if get_origin(field.annotation) is list:
                (of,) = get_args(field.annotation)
                raws = raw if isinstance(raw, list) else []
                values[name], dropped[name] = _items(of, raws, context)
            else:
                values[name] = _adapter(cls, name).validate_python(raw)
        answer = cls.model_construct(**values)
        answer._dropped, answer._model = dropped, model
        answer._breaks_off = any(isinstance(each, UnfinishedList) for each in given.values())
        return answer

    @classmethod
    def find(cls, text: str, *, cut_off: bool = False) -> Mapping[str, Any] | None:
        """The JSON object in *text*, not yet validated; None: there is none."""
        names = list(cls.model_fields)
        if len(names) > 1:
            return object_in(text, cls.known_by)
        items = list_in(text, names[0], part=cls.known_by[0], cut_off=cut_off)
        if items is None and cls.may_be_text:
            items = _written(text, names[0], cut_off=cut_off)
        return None if items is None else {names[0]: items}


def _written(answer: str, name: str, *, cut_off: bool) -> list[str] | None:
    """The items of a list that is written as text, under its *name* or alone; None if none are."""
    text = (object_in(answer, [name]) or {}).get(name)
    texts = lines_in(text) if isinstance(text, str) else items_in(separate(answer)[0])
    # Of the last one, half may be missing.
    return (UnfinishedList(texts[:-1]) if cut_off else texts) or None


def _items(of: Any, raws: list[Any], context: Any) -> tuple[list[Any], list[Dropped]]:
    items: list[Any] = []
    dropped: list[Dropped] = []
    model = of if isinstance(of, type) and issubclass(of, Item) else None
    for raw in raws:
        if model is not None and isinstance(raw, str):
            raw = model.from_plain(raw)
        if model is not None and not isinstance(raw, dict):
            dropped.append(Dropped(0, NOT_AN_OBJECT))
            continue
        try:
            items.append(_item_adapter(of).validate_python(_complete(of, raw), context=context))
        except ValidationError as error:
            position = model.position_of(raw, context) if model is not None else 0
            dropped.append(Dropped(position, _reason(error)))
    return items, dropped


def _complete(of: Any, raw: Any) -> Any:
    """*raw* with null for each key that is missing."""
    if isinstance(raw, dict) and isinstance(of, type) and issubclass(of, BaseModel):
        return dict.fromkeys(of.model_fields) | raw
    return raw


def _reason(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    return str(first.get("ctx", {}).get("error") or first["msg"])


@functools.cache
def _item_adapter(of: Any) -> TypeAdapter[Any]:
    return TypeAdapter(of)


@functools.cache
def _adapter(cls: type[StructuredAnswer], name: str) -> TypeAdapter[Any]:
    return TypeAdapter(cls.model_fields[name].rebuild_annotation())


def _strict(schema: Any, definitions: Mapping[str, Any]) -> Any:
    """*schema* with only the keys that every server knows, and without references."""
    if "$ref" in schema:
        return _strict(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    if "anyOf" in schema:
        # Optional values, as one list of types.
        return {"type": [each["type"] for each in schema["anyOf"]]}
    strict = {key: schema[key] for key in ("type", "enum") if key in schema}
    if "items" in schema:
        strict["items"] = _strict(schema["items"], definitions)
    if "properties" in schema:
        parts = {n: _strict(part, definitions) for n, part in schema["properties"].items()}
        strict |= {"additionalProperties": False, "required": list(parts), "properties": parts}
    return strict


# Lenient types, for values that models write instead of those in the schema.


def whole(value: Any) -> int | None:
    """The whole number in 7, 7.2 or "7"; None if there is none."""
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return round(value)


def clamped(low: int, high: int, otherwise: int | None = None) -> BeforeValidator:
    """A validator for a whole number from *low* to *high*; *otherwise* without a number."""

    def clamp(value: Any) -> int | None:
        number = whole(value)
        return otherwise if number is None else min(high, max(low, number))

    return BeforeValidator(clamp)


def one_of(*names: str, otherwise: str) -> BeforeValidator:
    """A validator for one of *names*, ignoring case; *otherwise* for anything else."""

    def choose(value: Any) -> str:
        name = str(value).strip().lower()
        return name if name in names else otherwise

    return BeforeValidator(choose)


def _day(value: Any) -> date | None:
    try:
        return date.fromisoformat(value[:10]) if isinstance(value, str) else None
    except ValueError:
        return None


def text_of(value: Any) -> str:
    """*value* if it is text, or a number as text; else nothing."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) else ""


#: A date. One that cannot be read is none.
Day = Annotated[date | None, BeforeValidator(_day), WithJsonSchema({"type": ["string", "null"]})]
