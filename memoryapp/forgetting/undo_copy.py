"""Copies of what a deletion of memories, the removal of an import, or a decision in review takes
away or changes, and its way back. `undo_buffer` keeps them.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, Model, OuterRef

from conversations.models import Conversation, Import, ImportedConversation, Message
from instances.models import Instance
from memoryapp.embeddings.search_text import BATCH_SIZE, write_search_text
from memoryapp.forgetting.import_removal import ImportRemoval
from memoryapp.forgetting.kept_filing import kept_filing, put_back
from memoryapp.forgetting.snapshot import (
    Brought,
    Part,
    brought,
    delete,
    size,
    taken,
    with_length,
    without_length,
)
from memoryapp.models import (
    Contradiction,
    Entity,
    HeldStatement,
    Memory,
    MemoryEmbedding,
    MemoryRevision,
    MemorySource,
    Mention,
    MutedMessage,
    Palace,
    RefusedProposal,
    RevisionEmbedding,
    Run,
    SavedFilter,
    Statement,
    Summary,
    Withdrawn,
)
from memoryapp.pipeline.keyed_rows import clear_taken_ids
from memoryapp.runs.locks import lock_memories

#: Maximum size before compression: some 20,000 memories with the built-in vectors.
MAX_BYTES = 32 * 2**20

#: The tables that the removal of an import takes rows from, parents first, with the condition for
#: the rows.
_OF_CONVERSATIONS: list[Part] = [
    Part(Conversation, "id = ANY(%(conversations)s)"),
    Part(Message, "conversation_id = ANY(%(conversations)s)"),
    Part(
        MutedMessage,
        "message_id IN (SELECT id FROM conversations_message"
        " WHERE instance_id = %(instance)s AND conversation_id = ANY(%(conversations)s))",
    ),
    Part(ImportedConversation, "conversation_id = ANY(%(conversations)s)"),
    Part(Run, "conversation_id = ANY(%(conversations)s) OR id = ANY(%(runs)s)"),
]
#: The tables that a deletion of memories takes rows from, likewise.
PARTS: list[Part] = [
    Part(Memory, "id = ANY(%(ids)s)", may_be_replaced=False),
    Part(MemoryEmbedding, "memory_id = ANY(%(ids)s)", may_be_replaced=False),
    Part(MemorySource, "memory_id = ANY(%(ids)s)", may_be_replaced=False),
    Part(MemoryRevision, "memory_id = ANY(%(ids)s)", may_be_replaced=False),
    Part(
        RevisionEmbedding,
        "revision_id IN (SELECT id FROM memoryapp_memoryrevision"
        " WHERE instance_id = %(instance)s AND memory_id = ANY(%(ids)s))",
        may_be_replaced=False,
    ),
    Part(Contradiction, "memory_id = ANY(%(ids)s) OR other_id = ANY(%(ids)s)"),
    Part(
        Entity,
        "id IN (SELECT entity_id FROM memoryapp_mention"
        " WHERE instance_id = %(instance)s AND memory_id = ANY(%(ids)s)"
        " UNION SELECT unnest(ARRAY[subject_id, object_id]) FROM memoryapp_statement"
        " WHERE instance_id = %(instance)s AND memory_id = ANY(%(ids)s))",
    ),
    Part(Mention, "memory_id = ANY(%(ids)s)"),
    Part(Statement, "memory_id = ANY(%(ids)s)"),
    Part(Withdrawn, "memory_id = ANY(%(ids)s)"),
]
#: What else states what is deleted, and is deleted with it. What the messages had in the palace and
#: in the graph is kept with these: see `memoryapp.forgetting.kept_filing`.
OTHERS: list[Part] = [
    Part(model, "id = ANY(%(ids)s)") for model in (RefusedProposal, HeldStatement, SavedFilter)
]
#: Tables of what a change gives a memory, and its undo removes.
_OF_CHANGED = {MemoryEmbedding, MemorySource, MemoryRevision, Contradiction}


@dataclass(frozen=True)
class RestoredRows:
    """Counts of restored memories, and of related rows that could not be restored."""

    memories: int
    links: int
    vectors: int
    #: The ids of the memories: those that had been deleted, and those that had been changed.
    deleted: Sequence[int] = ()
    changed: Sequence[int] = ()
    #: The people whom the memories are about.
    people: frozenset[str] = frozenset()
    #: The number of conversations of an import, and of statements that wait for review again.
    conversations: int = 0
    held: int = 0
    #: True if a decision in review was undone, and no deletion.
    is_decision: bool = False


def fits(
    instance: Instance, memory_ids: Sequence[int], removal: ImportRemoval | None = None
) -> bool:
    """True if a deletion of these memories, and the *removal* of an import with them, is small
    enough to be undone.
    """
    return size(instance, _parts(removal), _ids(memory_ids, removal)) <= MAX_BYTES


def pack(
    instance: Instance,
    memory_ids: Sequence[int],
    removal: ImportRemoval | None = None,
    import_: Import | None = None,
) -> bytes | None:
    """Copy the rows that a deletion of these memories, and the *removal* of *import_*, will take
    away; None if there are none, or too many. The caller has locked them.
    """
    if not (memory_ids or removal) or not fits(instance, memory_ids, removal):
        return None
    beside = {}
    if removal and import_:
        watermarks = Conversation.objects.filter(instance=instance, pk__in=removal.watermarks)
        messages = Message.objects.filter(instance=instance, conversation__in=removal.conversations)
        beside = {
            "import": import_.pk,
            "watermarks": dict(watermarks.values_list("pk", "watermark")),
            "filing": kept_filing(list(messages.values_list("pk", flat=True))),
        }
    return _as_beside(beside) + taken(instance, _parts(removal), _ids(memory_ids, removal))


def decision_fits(instance: Instance, held_ids: Sequence[int], changed: Sequence[int] = ()) -> bool:
    """True if a decision about these statements, which changes these memories, is small enough to
    be undone.
    """
    parts: list[Part] = [*PARTS, Part(HeldStatement, "id = ANY(%(held)s)")]
    return size(instance, parts, _ids(changed) | {"held": list(held_ids)}) <= MAX_BYTES


def pack_decision(
    instance: Instance, held: Sequence[HeldStatement], changed: Sequence[int] = ()
) -> bytes | None:
    """Copy the statements about which a person decides, and the memories that this will change;
    None if that is too much. The caller has locked them.
    """
    if not decision_fits(instance, [each.pk for each in held], changed):
        return None
    memories = taken(instance, PARTS, _ids(changed))
    return _as_beside({"added": []}) + memories + pack_others(instance, held)


def with_added(copied: bytes, memory_ids: Sequence[int]) -> bytes:
    """Note in what `pack_decision` has returned that the decision has stored these memories, which
    its undoing takes away.
    """
    _, rows = without_length(copied)
    return _as_beside({"added": list(memory_ids)}) + rows


def _as_beside(values: dict[str, Any]) -> bytes:
    return with_length(json.dumps(values).encode())


def _parts(removal: object) -> list[Part]:
    return [*_OF_CONVERSATIONS, *PARTS] if removal else PARTS


def _ids(memory_ids: Sequence[int], removal: ImportRemoval | None = None) -> dict[str, list[int]]:
    """The ids in the conditions."""
    ids = {"ids": list(memory_ids)}
    if removal:
        ids |= {"conversations": removal.conversations, "runs": removal.runs}
    return ids


def pack_others(instance: Instance, rows: Sequence[Model]) -> bytes:
    """Copy *rows* of `OTHERS`, to be added to what `pack` has returned."""
    return b"".join(
        taken(instance, [part], {"ids": [row.pk for row in rows if isinstance(row, part.model)]})
        for part in OTHERS
    )


def unpack(copied: bytes, instance: Instance) -> RestoredRows:
    """Insert the rows that `pack` or `pack_decision` has copied."""
    given, restored = {}, {}
    deleted, changed = list[int](), list[int]()
    people = frozenset[str]()
    text, copied = without_length(copied)
    beside = json.loads(text)
    if "added" in beside:
        people |= _take_away(instance, beside["added"])
    for part in (*_parts("import" in beside), *OTHERS):
        if not copied:
            break
        model = part.model
        binary, copied = without_length(copied)
        with brought(instance, model, binary) as rows:
            given[model] = rows.count
            rows.drop_dangling_references()
            if model in (Conversation, Memory):
                people |= {end_user for (end_user,) in rows.values("end_user")}
            if model is Memory:
                _clear_taken_ids(instance, rows)
                changed = _restore_changed(instance, rows)
                deleted = [pk for (pk,) in rows.values("id")]
            if model is Entity and rows.count:
                Palace.objects.hold(instance.pk)
            if model is HeldStatement:
                # What is left of those that were rejected.
                HeldStatement.objects.filter(
                    instance=instance,
                    pk__in=[pk for (pk,) in rows.values("id")],
                    rejected_at__isnull=False,
                ).delete()
            restored[model] = rows.insert(unless_replaced=part.may_be_replaced)
    if "import" in beside:
        _bring_back_import(instance, beside)
    return RestoredRows(
        memories=len(changed) + len(deleted),
        links=given[MemorySource] - restored[MemorySource],
        vectors=given[MemoryEmbedding] - restored[MemoryEmbedding],
        deleted=deleted,
        changed=changed,
        people=people,
        conversations=restored.get(Conversation, 0),
        held=restored.get(HeldStatement, 0),
        is_decision="added" in beside,
    )


def _take_away(instance: Instance, added: Sequence[int]) -> frozenset[str]:
    """Delete the memories that a decision has stored, unless they were changed since; return whom
    they were about. They wait for review again, so their messages are not muted.
    """
    versions = MemoryRevision.objects.filter(memory=OuterRef("pk"))
    unchanged = Memory.objects.in_instance(instance).filter(~Exists(versions), pk__in=added)
    # A worker may be making their vectors.
    rows = Memory.objects.filter(pk__in=lock_memories(instance, unchanged))
    people = frozenset(rows.order_by().values_list("end_user", flat=True))
    Summary.objects.drop(rows)
    rows.delete()
    return people


def _bring_back_import(instance: Instance, beside: dict[str, Any]) -> None:
    """Have the import count as not taken back, and its messages filed and read as before."""
    Import.objects.filter(instance=instance, pk=beside["import"]).update(rolled_back_at=None)
    for pk, position in beside["watermarks"].items():
        Conversation.objects.filter(instance=instance, pk=pk).update(watermark=position)
    filing = {int(pk): rows for pk, rows in beside["filing"].items()}
    drawers = put_back(instance, filing)
    # The words of many are written by the next worker.
    write_search_text(instance, drawers[:BATCH_SIZE])


def _clear_taken_ids(instance: Instance, rows: Brought) -> None:
    """Clear ids and keys that other memories have meanwhile."""
    names = ("id", "end_user", "key", "value", "external_id")
    known = [values for values in rows.values(*names) if values[2] or values[4]]
    memories = [Memory(**dict(zip(names, values, strict=True))) for values in known]
    clear_taken_ids(instance, memories)
    for memory, (pk, _, key, _, external_id) in zip(memories, known, strict=True):
        if (memory.key, memory.external_id) != (key, external_id):
            cleared = {name: getattr(memory, name) for name in ("key", "value", "external_id")}
            rows.update(cleared, "id", [pk])


def _restore_changed(instance: Instance, rows: Brought) -> list[int]:
    """Give memories that still exist, since they were changed and not deleted, back all that they
    had; leave them out of *rows*, and return their ids.
    """
    known = set(rows.values("id", "created_at"))
    present = Memory.objects.filter(instance=instance, pk__in=[pk for pk, _ in known])
    changed = sorted(pk for pk, _ in known.intersection(present.values_list("pk", "created_at")))
    if changed:
        delete(instance, [part for part in PARTS if part.model in _OF_CHANGED], _ids(changed))
        rows.overwrite(changed)
        rows.leave_out("id", changed)
    return changed
