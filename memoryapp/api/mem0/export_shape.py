"""Puts memories into the shape of a JSON schema, without a language model.

A list of objects becomes one object for each memory; its properties are a memory's fields (``id``,
``memory``, ``created_at`` …), its metadata, or its key. Any other property is the value of the fact
with that key, such as ``home_city``, or of the newest metadata with that name.
"""

import json
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from memoryapp.api.mem0.schemas import memory_fields
from memoryapp.models import Memory

#: Characters of a schema.
MAX_SCHEMA = 20_000
#: Values of one export: lists times properties times memories.
MAX_VALUES = 100_000
#: Levels of objects and lists in a schema.
_MAX_DEPTH = 10
#: Names that programs give to the text of a memory.
_TEXT = {"memory", "memories", "content", "text", "fact"}


class UnreadableSchema(ValueError):
    """The shape is no JSON schema; ``str()`` says why."""


class NotFilled(ValueError):
    """The shape cannot be filled with these memories; ``str()`` says why."""


def read(given: Any) -> dict[str, Any]:
    """Return a schema that is given as an object or as JSON text; raises `UnreadableSchema`."""
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except ValueError:
            raise UnreadableSchema("must be a JSON schema, as an object or as JSON text.") from None
    if not isinstance(given, dict):
        raise UnreadableSchema("must be a JSON schema, such as {“type”: “object”, …}.")
    return given


def shaped(
    schema: Mapping[str, Any], memories: Iterable[Memory], asked: Collection[str] = ()
) -> Any:
    """Return *memories*, the newest first, in the shape of *schema*; a schema without properties
    gets all fields in ``{"memories": […]}``. What is not known is null. Raises `NotFilled`.
    """
    return _Shape(schema, list(memories), asked).filled()


class _Shape:
    def __init__(
        self, schema: Mapping[str, Any], memories: list[Memory], asked: Collection[str]
    ) -> None:
        self.root = schema
        self.rows = [(memory, memory_fields(memory, asked)) for memory in memories]
        self.found = False
        self.values = 0

    def filled(self) -> Any:
        schema = self._resolved(self.root)
        if not schema.get("properties") and schema.get("type") != "array":
            return {"memories": [fields for _, fields in self.rows]}
        answer = self._whole(schema, 0)
        if self.rows and not self.found:
            raise NotFilled(
                "none of its properties is a field of a memory, a name of its metadata, or the key "
                "of a fact, and exports are made without a language model. Ask for a list of "
                "objects with properties such as memory, categories, created_at and user_id."
            )
        return answer

    def _resolved(self, schema: Any) -> Mapping[str, Any]:
        """*schema* without references, and without "or null"."""
        for _ in range(_MAX_DEPTH):
            if not isinstance(schema, dict):
                return {}
            if isinstance(name := schema.get("$ref"), str):
                schema = self._definition(name)
            elif isinstance(options := schema.get("anyOf"), list):
                others = [each for each in options if each != {"type": "null"}]
                schema = others[0] if others else {}
            else:
                return schema
        return {}

    def _definition(self, name: str) -> Any:
        part: Any = self.root
        for step in name.removeprefix("#/").split("/"):
            part = part.get(step) if isinstance(part, dict) else None
        return part

    def _whole(self, schema: Mapping[str, Any], depth: int) -> Any:
        """Value that *schema* asks for of all memories together."""
        if depth > _MAX_DEPTH:
            return None
        if schema.get("type") == "array" or "items" in schema:
            return self._list(self._resolved(schema.get("items")))
        if isinstance(schema.get("properties"), dict):
            return {
                name: self._property(str(name), self._resolved(part), depth)
                for name, part in schema["properties"].items()
            }
        return None

    def _property(self, name: str, schema: Mapping[str, Any], depth: int) -> Any:
        # A schema may refer to itself more than once, and each memory is looked at.
        self._count(max(1, len(self.rows)))
        if (value := self._known(name)) is not None:
            self.found = True
            return value
        return self._whole(schema, depth + 1)

    def _known(self, name: str) -> Any:
        """The value of the fact with this key, or of the newest metadata with this name."""
        for memory, _ in self.rows:
            if memory.key and memory.key == name.lower():
                return memory.value
        attached = (memory.metadata[name] for memory, _ in self.rows if name in memory.metadata)
        return next(attached, None)

    def _list(self, item: Mapping[str, Any]) -> list[Any]:
        properties = item.get("properties")
        names = [str(name) for name in properties] if isinstance(properties, dict) else []
        self._count(len(self.rows) * max(1, len(names)))
        if not names:
            self.found = True
            return [memory.content for memory, _ in self.rows]
        return [{name: self._field(name, *row) for name in names} for row in self.rows]

    def _count(self, values: int) -> None:
        self.values += values
        if self.values > MAX_VALUES:
            raise NotFilled(
                f"an export has at most {MAX_VALUES:,} values. Ask for fewer lists and properties."
            )

    def _field(self, name: str, memory: Memory, fields: Mapping[str, Any]) -> Any:
        """A property of one memory."""
        if name in _TEXT:
            value: Any = memory.content
        elif name == "category":
            value = memory.category
        elif name in fields:
            value = fields[name]
        elif memory.key and memory.key == name.lower():
            value = memory.value
        else:
            value = memory.metadata.get(name)
        self.found = self.found or name in fields or value is not None
        return value
