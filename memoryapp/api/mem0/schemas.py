"""Responses in mem0's form: memories, their history, and events."""

import hashlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import timedelta
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Q

from instances.models import Instance
from memoryapp.api.mem0.entity_scope import USER
from memoryapp.api.mem0.ids import id_of
from memoryapp.disclosure import excerpt_of
from memoryapp.models import Category, Memory, MemoryRevision, MemorySource, Run
from memoryapp.policy.dedup import Action
from memoryapp.policy.labels import ID_FIELDS, label, names
from memoryapp.recall import Hit

#: Characters of the message in the history of a memory.
MAX_INPUT_CHARACTERS = 5_000
#: mem0's names of what happened to a fact.
EVENTS = {
    Action.STORED: "ADD",
    Action.UPDATED: "UPDATE",
    Action.DUPLICATE: "NONE",
    Action.HELD: "NONE",
    Action.IGNORED: "NONE",
}
#: The same for a source; of any other action, the memory did not change.
_SOURCE_EVENTS = {MemorySource.Action.STORED: "ADD", MemorySource.Action.UPDATED: "UPDATE"}
_STATUS = {
    Run.State.QUEUED: "PENDING",
    Run.State.RUNNING: "RUNNING",
    Run.State.SUCCEEDED: "SUCCEEDED",
    Run.State.FAILED: "FAILED",
}


def memory_fields(memory: Memory, asked: Collection[str] = ()) -> dict[str, Any]:
    """Return the fields of a memory that was found by the labels *asked* for. mem0's clients know
    one agent, app and run: that of the question, or the first. ``agent_ids`` and so on have all.
    """
    ids = {field: names(memory.labels, kind) for field, kind in ID_FIELDS.items()}
    return {
        "id": id_of(memory),
        "memory": memory.content,
        USER: memory.end_user or None,
        **{name: _one_of(ids[name], ID_FIELDS[name], asked) for name in ids},
        **{f"{name}s": ids[name] for name in ids},
        "hash": hashlib.md5(memory.content.encode(), usedforsecurity=False).hexdigest(),
        "metadata": memory.metadata or None,
        "categories": categories_of(memory),
        "expiration_date": memory.valid_until,
        "feedback": memory.feedback.upper() or None,
        "created_at": memory.created_at,
        "updated_at": memory.updated_at,
    }


def hit_fields(hit: Hit, memory: Memory, asked: Collection[str]) -> dict[str, Any]:
    """Return the fields of a search result. As in mem0, the score is the similarity to the query; 0
    if only words were found. Results are ordered by all lists together.
    """
    return memory_fields(memory, asked) | {"score": hit.similarity or 0.0, "ranks": hit.ranks}


def only(fields: Sequence[str] | None, results: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return *results* with only the named fields, or all if none is named."""
    if not fields:
        return results
    names = {"id", *fields}
    return [{name: row[name] for name in row if name in names} for row in results]


def categories_of(memory: Memory) -> list[str]:
    """Return mem0's categories: the tags, and the category unless it is the general one."""
    category = [] if memory.category == Category.GENERAL else [str(memory.category)]
    return [*category, *(tag for tag in memory.tags if tag not in category)]


def memory_event(memory: Memory, event: str) -> dict[str, Any]:
    """Return what happened to one fact."""
    # What waits for review has no id.
    known = id_of(memory) if memory.pk else ""
    return {
        "id": known,
        "memory": memory.content,
        "event": event,
        USER: memory.end_user or None,
        # Where mem0's command line reads it.
        "data": {"memory": memory.content},
    }


def queued(run: Run) -> dict[str, Any]:
    """Return the response to messages from which facts are extracted in the background."""
    event = {
        "message": "The messages are stored. Facts are extracted in the background.",
        "status": _STATUS[Run.State(run.state)],
        "event_id": str(run.pk),
    }
    # Newer clients read the outer object, older ones the results.
    return event | {"results": [event]}


def run_events(runs: Sequence[Run]) -> list[dict[str, Any]]:
    """Return the progress of *runs*, with their results, in two queries."""
    sources = _sources(runs)
    return [_run_event(run, sources) for run in runs]


def _run_event(run: Run, sources: Iterable[MemorySource]) -> dict[str, Any]:
    took = run.finished_at - run.created_at if run.finished_at else None
    return {
        "id": str(run.pk),
        "event_type": "ADD",
        "status": _STATUS[Run.State(run.state)],
        "error": run.error or None,
        "results": [
            memory_event(
                source.memory, _SOURCE_EVENTS.get(MemorySource.Action(source.action), "NONE")
            )
            for source in sources
            if _is_of(source, run)
        ],
        "created_at": run.created_at,
        "started_at": run.started_at,
        "completed_at": run.finished_at,
        "updated_at": run.finished_at or run.started_at or run.created_at,
        # Milliseconds.
        "latency": took / timedelta(milliseconds=1) if took else None,
    }


def _sources(runs: Sequence[Run]) -> list[MemorySource]:
    """The links from memories to the messages that *runs* have read."""
    read = [run for run in runs if run.first_position is not None]
    if not read:
        return []
    within = reduce(
        or_,
        (
            Q(
                conversation=run.conversation_id,
                message__position__gte=run.first_position,
                message__position__lte=run.last_position,
            )
            for run in read
        ),
    )
    return list(MemorySource.objects.filter(within).select_related("memory", "message"))


def _is_of(source: MemorySource, run: Run) -> bool:
    if source.message is None or run.first_position is None or run.last_position is None:
        return False
    within = run.first_position <= source.message.position <= run.last_position
    return within and source.conversation_id == run.conversation_id


def deleted(count: int) -> dict[str, Any]:
    """Return the response to a deletion of *count* memories."""
    message = "1 memory deleted." if count == 1 else f"{count:,} memories deleted."
    return {"message": message, "deleted": count}


def history(memory: Memory) -> Iterator[dict[str, Any]]:
    """Yield the versions of *memory*, the oldest first, in two queries."""
    revisions = list(
        MemoryRevision.objects.versions()
        .filter(memory=memory)
        .select_related("source__message")
        .order_by("id")
    )
    first = memory.sources.filter(action=MemorySource.Action.STORED).select_related("message")
    sources: list[MemorySource | None] = [first.first(), *(each.source for each in revisions)]
    versions: list[MemoryRevision | Memory] = [*revisions, memory]
    before: MemoryRevision | None = None
    for number, version in enumerate(versions):
        yield {
            "id": f"{id_of(memory)}-{number + 1}",
            "memory_id": id_of(memory),
            "event": "UPDATE" if before else "ADD",
            "old_memory": before.content if before else None,
            "new_memory": version.content,
            "input": _input(sources[number], memory.instance),
            USER: memory.end_user or None,
            "metadata": version.metadata or None,
            "created_at": memory.created_at,
            "updated_at": before.replaced_at if before else memory.created_at,
        }
        before = version if isinstance(version, MemoryRevision) else None


def _input(source: MemorySource | None, instance: Instance) -> list[dict[str, str]]:
    message = source.message if source else None
    if message is None:
        return []
    return [{"role": message.role, "content": excerpt_of(instance, message, MAX_INPUT_CHARACTERS)}]


def _one_of(ids: Sequence[str], kind: str, asked: Collection[str]) -> str | None:
    """Id of *ids* that was *asked* for, or the first; None if there are none."""
    wanted = (name for name in ids if label(kind, name) in asked)
    return next(wanted, ids[0] if ids else None)
