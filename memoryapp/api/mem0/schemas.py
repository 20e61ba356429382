"""How mem0 writes memories, their history and what becomes of what was added."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from memoryapp.api.mem0.entity_scope import LABELS, USER
from memoryapp.api.mem0.ids import id_of
from memoryapp.models import Category, Memory, MemoryRevision, MemorySource, Run
from memoryapp.policy.dedup import Action
from memoryapp.recall import Hit

#: What mem0 calls what becomes of a fact.
EVENTS = {Action.STORED: "ADD", Action.UPDATED: "UPDATE", Action.DUPLICATE: "NONE"}
#: … and of what was said in a message; whatever else: the memory stayed as it was.
_LEARNED = {MemorySource.Action.STORED: "ADD", MemorySource.Action.UPDATED: "UPDATE"}
_STATUS = {
    Run.State.QUEUED: "PENDING",
    Run.State.RUNNING: "RUNNING",
    Run.State.SUCCEEDED: "SUCCEEDED",
    Run.State.FAILED: "FAILED",
}


def written(memory: Memory) -> dict[str, Any]:
    """One memory."""
    return {
        "id": id_of(memory),
        "memory": memory.content,
        USER: memory.end_user or None,
        **{name: memory.metadata.get(name) for name in LABELS},
        "hash": hashlib.md5(memory.content.encode(), usedforsecurity=False).hexdigest(),
        "metadata": _labels_apart(memory.metadata) or None,
        "categories": categories_of(memory),
        "expiration_date": memory.valid_until,
        "created_at": memory.created_at,
        "updated_at": memory.updated_at,
    }


def found(hit: Hit, memory: Memory) -> dict[str, Any]:
    """One result of a search. Its score is its similarity to the question, as mem0's is; a memory
    that the words alone have found has none, which is 0. The order is that of all lists together.
    """
    return written(memory) | {"score": hit.similarity or 0.0, "ranks": hit.ranks}


def only(fields: Sequence[str] | None, results: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The results with the named fields alone, if any are named."""
    if not fields:
        return results
    wanted = {"id", *fields}
    return [{name: one[name] for name in one if name in wanted} for one in results]


def categories_of(memory: Memory) -> list[str]:
    """mem0's categories: the tags, and the category where it says something."""
    said = [] if memory.category == Category.GENERAL else [str(memory.category)]
    return [*said, *(tag for tag in memory.tags if tag not in said)]


def became(memory: Memory, event: str) -> dict[str, Any]:
    """What became of one fact."""
    return {"id": id_of(memory), "memory": memory.content, "event": event}


def queued(run: Run) -> dict[str, Any]:
    """The answer to messages that are read for facts in the background."""
    event = {
        "message": "The messages are stored and will be read in the background.",
        "status": _STATUS[Run.State(run.state)],
        "event_id": str(run.pk),
    }
    # Newer clients look on the outside, older ones among the results.
    return event | {"results": [event]}


def event(run: Run) -> dict[str, Any]:
    """How far reading has come, and what came of it."""
    return {
        "id": str(run.pk),
        "event_type": "ADD",
        "status": _STATUS[Run.State(run.state)],
        "error": run.error or None,
        "results": [
            became(source.memory, _LEARNED.get(MemorySource.Action(source.action), "NONE"))
            for source in _learned_by(run)
        ],
        "created_at": run.created_at,
        "started_at": run.started_at,
        "completed_at": run.finished_at,
    }


def _learned_by(run: Run) -> Iterable[MemorySource]:
    if run.first_position is None:
        return []
    return MemorySource.objects.filter(
        conversation=run.conversation_id,
        message__position__gte=run.first_position,
        message__position__lte=run.last_position,
    ).select_related("memory")


def deleted(count: int) -> dict[str, Any]:
    """How many memories are gone."""
    said = "1 memory is deleted." if count == 1 else f"{count:,} memories are deleted."
    return {"message": said, "deleted": count}


def history(memory: Memory) -> Iterator[dict[str, Any]]:
    """All that *memory* has said, the first wording first, in two queries."""
    revisions = list(
        MemoryRevision.objects.versions()
        .filter(memory=memory)
        .select_related("source__message")
        .order_by("id")
    )
    first = memory.sources.filter(action=MemorySource.Action.STORED).select_related("message")
    sources: list[MemorySource | None] = [first.first(), *(one.source for one in revisions)]
    versions: list[MemoryRevision | Memory] = [*revisions, memory]
    before: MemoryRevision | None = None
    for number, version in enumerate(versions):
        changed_at = before.replaced_at if before else memory.created_at
        yield {
            "id": f"{id_of(memory)}-{number + 1}",
            "memory_id": id_of(memory),
            "event": "UPDATE" if before else "ADD",
            "old_memory": before.content if before else None,
            "new_memory": version.content,
            "input": _said(sources[number]),
            USER: memory.end_user or None,
            "metadata": _labels_apart(version.metadata) or None,
            "created_at": memory.created_at,
            "updated_at": changed_at,
        }
        before = version if isinstance(version, MemoryRevision) else None


def _said(source: MemorySource | None) -> list[dict[str, str]]:
    """The message that a wording comes from."""
    message = source.message if source else None
    return [{"role": message.role, "content": message.content}] if message else []


def _labels_apart(metadata: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in metadata.items() if name not in LABELS}
