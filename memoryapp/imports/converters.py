"""Converts memories of other systems to the fields of Keepsake's own files. Pure.

Each function takes one record of a file and returns the fields of a memory, as `file_format` reads
them; a record that cannot become a memory raises `BadLine` with the reason. The id in the other
system is kept, so that its clients still find the memory by it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from conversations.importers.jsonl import BadLine
from conversations.importers.seen_counter import digest
from instances.translatable import translatable
from memoryapp.models import Category, EntityKind
from memoryapp.policy.labels import ID_FIELDS, MAX_NAME, label

Fields = dict[str, Any]
Record = Mapping[str, Any]

#: Fields in which records of mem0 have their text: those of its API, and of custom exports.
TEXT_FIELDS = ("memory", "content", "text", "data")


def from_mem0(record: Any) -> Fields:
    """Convert a memory as mem0's API returns it, or a relation of its graph."""
    if not isinstance(record, dict):
        raise BadLine(translatable("it is not an object"))
    if "relationship" in record and "source" in record:
        target = record.get("target", record.get("destination"))
        return _relation(record["source"], record["relationship"], target)
    text = next((record[name] for name in TEXT_FIELDS if record.get(name)), None)
    if not isinstance(text, str):
        raise BadLine(translatable("“memory” is missing or empty"))
    expires = record.get("expiration_date")
    return {
        "content": text,
        "end_user": id_text(record.get("user_id")),
        "external_id": _prefixed(id_text(record.get("id")), "mem0"),
        "metadata": _metadata(record),
        "labels": _labels(record),
        # Some have a time of day.
        "valid_until": expires[:10] if isinstance(expires, str) else expires,
        "created_at": record.get("created_at"),
        "updated_at": record.get("updated_at"),
        **_categories(record.get("categories")),
    }


def from_openmemory(record: Any, end_user: str) -> Fields:
    """Convert a line of OpenMemory's backup, which is that of *end_user*."""
    if not isinstance(record, dict):
        raise BadLine(translatable("it is not an object"))
    state = record.get("state") or "active"
    if state != "active":
        raise BadLine(translatable("its state there is “%(state)s”", state=str(state)))
    app = id_text(record.get("app"))
    return {
        "content": record.get("content"),
        "end_user": end_user,
        "external_id": _prefixed(id_text(record.get("id")), "openmemory"),
        "metadata": _metadata(record),
        "labels": [label("app", app[:MAX_NAME])] if app else [],
        "created_at": record.get("created_at"),
        "updated_at": record.get("updated_at"),
        **_categories(record.get("categories")),
    }


#: The kinds of entities by the words that a file may have for them.
_KINDS = {
    word: kind
    for kind, words in {
        EntityKind.PERSON: "person people human user friend colleague contact",
        EntityKind.ORGANISATION: "organisation organization company team employer institution",
        EntityKind.PLACE: "place location city country address",
        EntityKind.PROJECT: "project repository codebase software application",
        EntityKind.ITEM: "item thing object product tool device",
    }.items()
    for word in words.split()
}
#: Entities whose kinds are kept until a relation names them.
MAX_ENTITIES = 100_000


@dataclass(frozen=True)
class GraphEntity:
    """An entity as a file names it, with one of the kinds of `EntityKind`."""

    name: str
    kind: str = EntityKind.OTHER.value


@dataclass(frozen=True)
class GraphFact:
    """Fact of the graph that a memory states: an entity, or its relation to another."""

    subject: GraphEntity
    predicate: str = ""
    object: GraphEntity | None = None


class GraphConverter:
    """Converts the lines of the MCP memory server's file, in their order: to a sentence for each
    observation of an entity, with its name, or to one for a relation. The types become tags, and
    each sentence says what it adds to the graph.
    """

    def __init__(self) -> None:
        #: The kinds of the entities so far: relations name them only.
        self._kinds: dict[str, str] = {}

    def __call__(self, record: Any) -> Iterator[Fields]:
        """Yield the fields of each memory in *record*. Raises `BadLine`."""
        if not isinstance(record, dict):
            raise BadLine(translatable("it is not an object"))
        if record.get("type") == "relation":
            source, target = record.get("from"), record.get("to")
            fields = _relation(source, record.get("relationType"), target)
            fact = GraphFact(
                self._entity(str(source)), str(record["relationType"]), self._entity(str(target))
            )
            yield {**fields, "graph": fact}
            return
        if record.get("type") != "entity":
            raise BadLine(translatable("it is neither an entity nor a relation"))
        yield from self._observations(record)

    def _observations(self, record: Record) -> Iterator[Fields]:
        name, kind, observations = (
            record.get(field) for field in ("name", "entityType", "observations")
        )
        if not (isinstance(name, str) and name.strip()):
            raise BadLine(translatable("the entity has no name"))
        kind = kind.strip() if isinstance(kind, str) else ""
        if len(self._kinds) < MAX_ENTITIES:
            self._kinds[name] = _KINDS.get(kind.casefold(), EntityKind.OTHER).value
        if not isinstance(observations, list) or not observations:
            raise BadLine(translatable("nothing has been observed about the entity"))
        texts = [each for each in observations if isinstance(each, str) and each.strip()]
        for observation in texts:
            named = name.casefold() in observation.casefold()
            yield {
                "content": observation if named else f"{name}: {observation}",
                "category": Category.FACT.value,
                "tags": [kind] if kind else [],
                # The file has no ids: equal observations of the same entity are the same memory.
                "external_id": f"entity:{digest(name, observation)}",
                "graph": GraphFact(self._entity(name)),
            }
        # Last, so that the others are not lost.
        if len(texts) < len(observations):
            raise BadLine(translatable("an observation is no text"))

    def _entity(self, name: str) -> GraphEntity:
        return GraphEntity(name, self._kinds.get(name, EntityKind.OTHER.value))


def _relation(source: Any, relationship: Any, target: Any) -> Fields:
    parts = [source, relationship, target]
    if not all(isinstance(part, str) and part.strip() for part in parts):
        raise BadLine(translatable("the relation lacks one of its ends, or its type"))
    return {
        "content": f"{source} {relationship.replace('_', ' ')} {target}.",
        "category": Category.RELATIONSHIP.value,
        "tags": [relationship],
        "external_id": f"relation:{digest(*parts)}",
    }


def _categories(value: Any) -> Fields:
    """Take the first category that Keepsake has, too; the others become tags."""
    if value is None:
        return {}
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise BadLine(translatable("“categories” is not a list of words"))
    words = [item.strip().lower() for item in value if item.strip()]
    known = [word for word in words if word in Category.values]
    return {
        "category": known[0] if known else None,
        "tags": [word for word in words if word not in known[:1]],
    }


def _metadata(record: Record) -> dict[str, Any]:
    value = record.get("metadata")
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise BadLine(translatable("“metadata” is not an object"))
    return value


def _labels(record: Record) -> list[str]:
    """The labels of a record of mem0; Keepsake's own answers also have lists of ids."""
    labels = []
    for field, kind in ID_FIELDS.items():
        several = record.get(f"{field}s")
        ids = [record.get(field), *(several if isinstance(several, list) else [])]
        labels += [label(kind, name[:MAX_NAME]) for each in ids if (name := id_text(each))]
    return list(dict.fromkeys(labels))


def id_text(value: Any) -> str:
    """Return an id as text, empty if *value* is none."""
    if value is None or isinstance(value, bool) or not isinstance(value, str | int):
        return ""
    return str(value).strip()


def _prefixed(external_id: str, system: str) -> str:
    """Return an id that is no number, as Keepsake's own ids are."""
    return f"{system}:{external_id}" if external_id.isdigit() else external_id
