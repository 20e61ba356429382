"""What other systems keep as memories, in the words of Keepsake's own files. Pure functions.

Each takes one record of a file and returns the fields of a memory, as `memory_file` reads them;
what cannot become one raises `BadLine` with the reason. The id that the other system has given goes
along, so that whoever has kept it goes on finding the memory by it.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from conversations.importers.jsonl import BadLine
from conversations.importers.seen_counter import digest
from memoryapp.models import Category
from memoryapp.pipeline import IDS_ATTACHED

Fields = dict[str, Any]
Record = Mapping[str, Any]

#: Where a record of mem0 has its text: its API, and what people let it export.
TEXTS = ("memory", "content", "text", "data")


def from_mem0(record: Any) -> Fields:
    """A memory as mem0's API gives it, hosted or your own; or a relation of its graph."""
    if not isinstance(record, dict):
        raise BadLine("it is not an object.")
    if "relationship" in record and "source" in record:
        other = record.get("target", record.get("destination"))
        return _relation(record["source"], record["relationship"], other)
    text = next((record[name] for name in TEXTS if record.get(name)), None)
    if not isinstance(text, str):
        raise BadLine("“memory” is missing or empty.")
    ids = {name: found for name in IDS_ATTACHED if (found := _id(record.get(name)))}
    expires = record.get("expiration_date")
    return {
        "content": text,
        "end_user": _id(record.get("user_id")),
        "external_id": _apart(_id(record.get("id")), "mem0"),
        "metadata": _metadata(record) | ids,
        # Sometimes with a time of the day.
        "valid_until": expires[:10] if isinstance(expires, str) else expires,
        "created_at": record.get("created_at"),
        "updated_at": record.get("updated_at"),
        **_categories(record.get("categories")),
    }


def from_openmemory(record: Any, end_user: str) -> Fields:
    """A line of OpenMemory's backup; *end_user* is whose backup it is."""
    if not isinstance(record, dict):
        raise BadLine("it is not an object.")
    state = record.get("state") or "active"
    if state != "active":
        raise BadLine(f"it is {state} there.")
    app = _id(record.get("app"))
    return {
        "content": record.get("content"),
        "end_user": end_user,
        "external_id": _apart(_id(record.get("id")), "openmemory"),
        "metadata": _metadata(record) | ({"app_id": app} if app else {}),
        "created_at": record.get("created_at"),
        "updated_at": record.get("updated_at"),
        **_categories(record.get("categories")),
    }


def from_graph(record: Any) -> Iterator[Fields]:
    """What a line of the memory server's file says: a sentence for each observation of an entity,
    which names it; or one for a relation. The types become tags.
    """
    if not isinstance(record, dict):
        raise BadLine("it is not an object.")
    if record.get("type") == "relation":
        yield _relation(record.get("from"), record.get("relationType"), record.get("to"))
        return
    if record.get("type") != "entity":
        raise BadLine("it is neither an entity nor a relation.")
    name, kind, said = (record.get(field) for field in ("name", "entityType", "observations"))
    if not (isinstance(name, str) and name.strip()):
        raise BadLine("the entity has no name.")
    if not isinstance(said, list) or not said:
        raise BadLine("nothing has been observed about the entity.")
    for observation in said:
        if not (isinstance(observation, str) and observation.strip()):
            raise BadLine("an observation is no text.")
        named = name.casefold() in observation.casefold()
        yield {
            "content": observation if named else f"{name}: {observation}",
            "category": Category.FACT.value,
            "tags": [kind] if isinstance(kind, str) and kind.strip() else [],
            # The file has no ids. What says the same of the same is the same.
            "external_id": f"entity:{digest(name, observation)}",
        }


def _relation(one: Any, how: Any, other: Any) -> Fields:
    parts = [one, how, other]
    if not all(isinstance(part, str) and part.strip() for part in parts):
        raise BadLine("the relation lacks one of its ends, or its type.")
    return {
        "content": f"{one} {how.replace('_', ' ')} {other}.",
        "category": Category.RELATIONSHIP.value,
        "tags": [how],
        "external_id": f"relation:{digest(*parts)}",
    }


def _categories(value: Any) -> Fields:
    """Theirs are open: one that Keepsake has is the category, and the others are tags."""
    if value is None:
        return {}
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise BadLine("“categories” is not a list of words.")
    words = [one.strip().lower() for one in value if one.strip()]
    known = [one for one in words if one in Category.values]
    return {
        "category": known[0] if known else None,
        "tags": [one for one in words if one not in known[:1]],
    }


def _metadata(record: Record) -> dict[str, Any]:
    value = record.get("metadata")
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise BadLine("“metadata” is not an object.")
    return value


def _id(value: Any) -> str:
    if value is None or isinstance(value, bool) or not isinstance(value, str | int):
        return ""
    return str(value).strip()


def _apart(external_id: str, system: str) -> str:
    """An id that cannot be taken for one of Keepsake's, which are numbers."""
    return f"{system}:{external_id}" if external_id.isdigit() else external_id
