"""Converts memories of other systems to the fields of Keepsake's own files. Pure.

Each function takes one record of a file and returns the fields of a memory, as `file_format` reads
them; a record that cannot become a memory raises `BadLine` with the reason. The id in the other
system is kept, so that its clients still find the memory by it.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from conversations.importers.jsonl import BadLine
from conversations.importers.seen_counter import digest
from instances.translatable import translatable
from memoryapp.models import Category
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
        "end_user": _id(record.get("user_id")),
        "external_id": _prefixed(_id(record.get("id")), "mem0"),
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
    app = _id(record.get("app"))
    return {
        "content": record.get("content"),
        "end_user": end_user,
        "external_id": _prefixed(_id(record.get("id")), "openmemory"),
        "metadata": _metadata(record),
        "labels": [label("app", app[:MAX_NAME])] if app else [],
        "created_at": record.get("created_at"),
        "updated_at": record.get("updated_at"),
        **_categories(record.get("categories")),
    }


def from_graph(record: Any) -> Iterator[Fields]:
    """Convert a line of the MCP memory server's file: to a sentence for each observation of an
    entity, with its name, or to one for a relation. The types become tags.
    """
    if not isinstance(record, dict):
        raise BadLine(translatable("it is not an object"))
    if record.get("type") == "relation":
        yield _relation(record.get("from"), record.get("relationType"), record.get("to"))
        return
    if record.get("type") != "entity":
        raise BadLine(translatable("it is neither an entity nor a relation"))
    name, kind, observations = (
        record.get(field) for field in ("name", "entityType", "observations")
    )
    if not (isinstance(name, str) and name.strip()):
        raise BadLine(translatable("the entity has no name"))
    if not isinstance(observations, list) or not observations:
        raise BadLine(translatable("nothing has been observed about the entity"))
    for observation in observations:
        if not (isinstance(observation, str) and observation.strip()):
            raise BadLine(translatable("an observation is no text"))
        named = name.casefold() in observation.casefold()
        yield {
            "content": observation if named else f"{name}: {observation}",
            "category": Category.FACT.value,
            "tags": [kind] if isinstance(kind, str) and kind.strip() else [],
            # The file has no ids: equal observations of the same entity are the same memory.
            "external_id": f"entity:{digest(name, observation)}",
        }


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
        labels += [label(kind, name[:MAX_NAME]) for each in ids if (name := _id(each))]
    return list(dict.fromkeys(labels))


def _id(value: Any) -> str:
    if value is None or isinstance(value, bool) or not isinstance(value, str | int):
        return ""
    return str(value).strip()


def _prefixed(external_id: str, system: str) -> str:
    """Return an id that is no number, as Keepsake's own ids are."""
    return f"{system}:{external_id}" if external_id.isdigit() else external_id
