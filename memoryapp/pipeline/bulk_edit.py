"""Changes tags, category, importance and end of many memories at once, and undoes that.

Each changed memory keeps its former version as a revision, as with an edit of one. All statements
are for all rows, so that tens of thousands of memories take seconds.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any, LiteralString
from uuid import UUID, uuid4

from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone
from psycopg import sql

from instances.actor import Actor
from instances.models import Instance
from memoryapp.models import Activity, Memory, MemoryRevision, MemorySource, Summary
from memoryapp.models.versions import REVISED_FIELDS
from memoryapp.pipeline.candidates import MAX_TAGS, importance_given_by
from memoryapp.pipeline.validation import admitted_tags
from memoryapp.runs.locks import lock_memories, lock_out_writers

#: The columns that can be changed in bulk, with their types in PostgreSQL.
COLUMNS: Mapping[str, LiteralString] = {
    "category": "text",
    "importance": "smallint",
    "tags": "text[]",
    "valid_until": "date",
    "expires_at": "timestamptz",
}


@dataclass(frozen=True)
class BulkChange:
    """Change to each memory; fields that are not given stay."""

    add_tags: Sequence[str] = ()
    remove_tags: Sequence[str] = ()
    #: New names of tags; a tag that a memory has already is merged with it.
    rename_tags: Mapping[str, str] = field(default_factory=dict)
    category: str = ""
    importance: int | None = None
    #: The new end; see `memoryapp.models.end_dates`.
    valid_until: date | None = None
    expires_at: datetime | None = None
    #: True if it does not expire any more.
    clear_end: bool = False

    def of(self, memory: Memory) -> dict[str, Any]:
        """The values of `COLUMNS` after the change. A memory with as many tags as one may have gets
        no more.
        """
        end = memory.valid_until, memory.expires_at
        if self.clear_end or self.valid_until is not None:
            end = self.valid_until, self.expires_at
        return {
            "category": self.category or memory.category,
            "importance": self.importance or memory.importance,
            "tags": self._tags(memory.tags),
            "valid_until": end[0],
            "expires_at": end[1],
        }

    def _tags(self, tags: Sequence[str]) -> list[str]:
        renamed = (self.rename_tags.get(tag, tag) for tag in tags)
        left = [tag for tag in dict.fromkeys(renamed) if tag not in self.remove_tags]
        added = [tag for tag in self.add_tags if tag not in left]
        return left if len(left) + len(added) > MAX_TAGS else [*left, *added]


@dataclass(frozen=True)
class BulkResult:
    """Result of a bulk change."""

    #: How many memories were changed.
    count: int
    #: How many got no more tags, since they have as many as they may.
    full: int
    #: The batch that undoes it.
    batch: UUID


def change_all(
    instance: Instance, memories: QuerySet[Memory], change: BulkChange, *, by: Actor
) -> BulkResult:
    """Change *memories* of *instance*; those that are that way already stay untouched.

    One entry in the activity log tells the number, and its batch is the key to `undo_all`.
    """
    change = replace(change, add_tags=admitted_tags(instance, change.add_tags))
    batch = uuid4()
    with transaction.atomic():
        mine = Memory.objects.in_instance(instance)
        rows = mine.filter(pk__in=lock_memories(instance, memories))
        wanted, full = {}, 0
        for memory in rows.only(*COLUMNS).iterator():
            after = change.of(memory)
            full += not set(change.add_tags) <= {*after["tags"]}
            if any(getattr(memory, name) != value for name, value in after.items()):
                wanted[memory.pk] = after
        if wanted:
            Summary.objects.drop(mine.filter(pk__in=wanted))
            _keep_versions(instance, list(wanted), batch, by)
            _update(instance, wanted, batch, by)
            instance.activity.record_memories(by, Activity.Action.UPDATED, wanted, batch=batch)
    return BulkResult(len(wanted), full, batch)


def undo_all(instance: Instance, batch: UUID, *, by: Actor) -> int:
    """Undo the bulk change *batch* where nothing was changed since; return for how many memories.
    Doing it twice does nothing.
    """
    with transaction.atomic():
        lock_out_writers(instance)
        revisions = dict(_undoable(instance, batch))
        if revisions:
            told = Memory.objects.in_instance(instance).filter(pk__in=revisions.values())
            Summary.objects.drop(told)
            _reinstate(instance, list(revisions))
            left = MemoryRevision.objects.filter(instance=instance, pk__in=revisions)
            sources = MemorySource.objects.filter(instance=instance, pk__in=left.values("source"))
            sources.update(action=MemorySource.Action.UNDONE)
            # They hold no vectors, which the ORM would look for.
            left._raw_delete(left.db)
            instance.activity.record_memories(by, Activity.Action.UNDONE, revisions.values())
    return len(revisions)


def _undoable(instance: Instance, batch: UUID) -> Iterator[tuple[int, int]]:
    """The revisions that the change left, with their memories: if the memory was changed since, its
    batch is another one.
    """
    memories = Memory.objects.in_instance(instance).filter(batch=batch)
    revisions = MemoryRevision.objects.versions().filter(
        memory__in=memories, reason=MemoryRevision.Reason.EDITED, source__batches=[batch]
    )
    newest = revisions.order_by("memory", "-pk").distinct("memory")
    yield from newest.values_list("pk", "memory")


_FIELDS = sql.SQL(", ").join(map(sql.Identifier, REVISED_FIELDS))
#: The former versions, each with a link that tells who changed it.
_KEEP = sql.SQL("""
WITH links AS (
    INSERT INTO memoryapp_memorysource (instance_id, memory_id, via, batches, action, created_at)
    SELECT instance_id, id, %(via)s, ARRAY[%(batch)s::uuid], %(action)s, %(now)s
    FROM memoryapp_memory WHERE instance_id = %(instance)s AND id = ANY(%(ids)s)
    RETURNING id, memory_id
)
INSERT INTO memoryapp_memoryrevision (
    instance_id, memory_id, {fields}, valid_from, replaced_at, reason, by_id, statement,
    statement_as, source_id
)
SELECT m.instance_id, m.id, {of_memory}, m.updated_at, %(now)s, %(reason)s, %(by)s, '',
    '{{}}', links.id
FROM memoryapp_memory m JOIN links ON links.memory_id = m.id
WHERE m.instance_id = %(instance)s ORDER BY m.id
""").format(
    fields=_FIELDS,
    of_memory=sql.SQL(", ").join(sql.Identifier("m", name) for name in REVISED_FIELDS),
)
_CHANGE = sql.SQL("""
UPDATE memoryapp_memory m SET {columns},
    batch = %(batch)s, updated_at = %(now)s, stale_since = NULL, assessed = true,
    importance_by = CASE
        WHEN new.importance = m.importance THEN m.importance_by ELSE %(importance_by)s
    END
FROM jsonb_to_recordset(%(rows)s) AS new(id bigint, {types})
WHERE m.instance_id = %(instance)s AND m.id = new.id
""").format(
    columns=sql.SQL(", ").join(
        sql.SQL("{} = new.{}").format(sql.Identifier(name), sql.Identifier(name))
        for name in COLUMNS
    ),
    types=sql.SQL(", ").join(
        sql.SQL("{} {}").format(sql.Identifier(name), sql.SQL(kind))
        for name, kind in COLUMNS.items()
    ),
)
#: Without the time at which it was last stated, since it may have been stated again meanwhile.
_REINSTATE = sql.SQL("""
UPDATE memoryapp_memory m SET {columns}, updated_at = r.valid_from
FROM memoryapp_memoryrevision r
WHERE r.instance_id = %(instance)s AND r.id = ANY(%(revisions)s)
    AND m.instance_id = %(instance)s AND m.id = r.memory_id
""").format(
    columns=sql.SQL(", ").join(
        sql.SQL("{} = r.{}").format(sql.Identifier(name), sql.Identifier(name))
        for name in REVISED_FIELDS
        if name != "said_at"
    )
)


def _keep_versions(instance: Instance, ids: list[int], batch: UUID, by: Actor) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            _KEEP,
            {
                "instance": instance.pk,
                "ids": ids,
                "batch": batch,
                "via": by.via,
                "by": by.user.pk if by.user else None,
                "action": MemorySource.Action.EDITED.value,
                "reason": MemoryRevision.Reason.EDITED.value,
                "now": timezone.now(),
            },
        )


def _update(
    instance: Instance, wanted: Mapping[int, Mapping[str, Any]], batch: UUID, by: Actor
) -> None:
    rows = [{"id": pk, **after} for pk, after in wanted.items()]
    with connection.cursor() as cursor:
        cursor.execute(
            _CHANGE,
            {
                "instance": instance.pk,
                "rows": json.dumps(rows, default=str),
                "batch": batch,
                "now": timezone.now(),
                "importance_by": importance_given_by(by),
            },
        )


def _reinstate(instance: Instance, revisions: list[int]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(_REINSTATE, {"instance": instance.pk, "revisions": revisions})
