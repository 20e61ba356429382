"""Keeps deleted rows for ten seconds, so that a deletion, or a decision in review, can be undone.

The rows are deleted from PostgreSQL at once. A copy of them expires in Redis, encrypted with a new
key that is stored nowhere: only the page that answers the deletion contains it. The first undo
deletes the copy.

Rows are copied in PostgreSQL's binary format: vectors are restored exactly, and columns that are
added to a table later need no change here.
"""

import json
import logging
import secrets
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, LiteralString

import redis
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings
from django.db import connection, models, transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from psycopg import sql

from conversations.models import Conversation, Import, ImportedConversation, Message
from instances.actor import Actor
from instances.models import Instance, User
from memoryapp.embeddings.search_text import BATCH_SIZE, write_search_text
from memoryapp.models import (
    Activity,
    ArchivedMemory,
    Contradiction,
    Entity,
    Erasure,
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
from memoryapp.models.stored_rows import stored_fields
from memoryapp.pipeline import suppression
from memoryapp.pipeline.import_removal import ImportRemoval
from memoryapp.pipeline.kept_filing import kept_filing, put_back
from memoryapp.policy.keyed_facts import is_single_valued
from memoryapp.runs.locks import lock_out_writers

logger = logging.getLogger(__name__)

#: The time that people are told, and the extra time in Redis for requests under way.
UNDO_SECONDS, GRACE = 10, 2
#: Seconds after the erasure of a person in which none of their memories are restored: as long as
#: any copy exists, a second attempt included.
ERASURE_SECONDS = 60
#: Maximum size before compression: some 20,000 memories with the built-in vectors.
MAX_BYTES = 32 * 2**20

#: The tables that the removal of an import takes rows from, parents first, with the condition for
#: the rows.
_OF_CONVERSATIONS: list[tuple[type[models.Model], LiteralString]] = [
    (Conversation, "id = ANY(%(conversations)s)"),
    (Message, "conversation_id = ANY(%(conversations)s)"),
    (
        MutedMessage,
        "message_id IN (SELECT id FROM conversations_message"
        " WHERE conversation_id = ANY(%(conversations)s))",
    ),
    (ImportedConversation, "conversation_id = ANY(%(conversations)s)"),
    (Run, "conversation_id = ANY(%(conversations)s) OR id = ANY(%(runs)s)"),
]
#: The tables that a deletion of memories takes rows from, likewise.
PARTS: list[tuple[type[models.Model], LiteralString]] = [
    (Memory, "id = ANY(%(ids)s)"),
    (MemoryEmbedding, "memory_id = ANY(%(ids)s)"),
    (MemorySource, "memory_id = ANY(%(ids)s)"),
    (MemoryRevision, "memory_id = ANY(%(ids)s)"),
    (
        RevisionEmbedding,
        "revision_id IN (SELECT id FROM memoryapp_memoryrevision WHERE memory_id = ANY(%(ids)s))",
    ),
    (Contradiction, "memory_id = ANY(%(ids)s) OR other_id = ANY(%(ids)s)"),
    (
        Entity,
        "id IN (SELECT entity_id FROM memoryapp_mention WHERE memory_id = ANY(%(ids)s)"
        " UNION SELECT unnest(ARRAY[subject_id, object_id]) FROM memoryapp_statement"
        " WHERE memory_id = ANY(%(ids)s))",
    ),
    (Mention, "memory_id = ANY(%(ids)s)"),
    (Statement, "memory_id = ANY(%(ids)s)"),
    (Withdrawn, "memory_id = ANY(%(ids)s)"),
]
#: What else states what is deleted, and is deleted with it. What the messages had in the palace and
#: in the graph is kept with these: see `memoryapp.pipeline.kept_filing`.
OTHERS: list[type[models.Model]] = [RefusedProposal, HeldStatement, SavedFilter]
#: Tables in which something else may have taken the place of a row.
_UNLESS_REPLACED = {
    Contradiction,
    Entity,
    Mention,
    Statement,
    Withdrawn,
    *(model for model, _ in _OF_CONVERSATIONS),
    *OTHERS,
}


class NothingToUndo(Exception):
    """The ten seconds are over, or the deletion has been undone already."""


class WrongUndoToken(Exception):
    """The key is wrong: made for another person or another instance, or invented."""


@dataclass(frozen=True)
class UndoToken:
    """The key to one deletion, for the page that answers it and nothing else."""

    name: str
    key: str


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


def fits(memory_ids: Sequence[int], removal: ImportRemoval | None = None) -> bool:
    """True if a deletion of these memories, and the *removal* of an import with them, is small
    enough to be undone.
    """
    return _are_small(_parts(removal), _ids(memory_ids, removal))


def _are_small(
    parts: Sequence[tuple[type[models.Model], LiteralString]], ids: dict[str, list[int]]
) -> bool:
    sizes = sql.SQL(" UNION ALL ").join(
        sql.SQL("SELECT sum(pg_column_size(part)) AS size FROM {} AS part WHERE {}").format(
            sql.Identifier(model._meta.db_table), sql.SQL(rows)
        )
        for model, rows in parts
    )
    with connection.cursor() as cursor:
        cursor.execute(
            sql.SQL("SELECT coalesce(sum(size), 0) FROM ({}) AS sizes").format(sizes),
            ids,
        )
        return int(cursor.fetchone()[0]) <= MAX_BYTES


def pack(
    memory_ids: Sequence[int], removal: ImportRemoval | None = None, import_: Import | None = None
) -> bytes | None:
    """Copy the rows that a deletion of these memories, and the *removal* of *import_*, will take
    away; None if there are none, or too many. The caller has locked them.
    """
    if not (memory_ids or removal) or not fits(memory_ids, removal):
        return None
    beside = (0).to_bytes(8)
    if removal and import_:
        watermarks = Conversation.objects.filter(pk__in=removal.watermarks)
        messages = Message.objects.filter(conversation__in=removal.conversations)
        beside = _as_beside(
            {
                "import": import_.pk,
                "watermarks": dict(watermarks.values_list("pk", "watermark")),
                "filing": kept_filing(list(messages.values_list("pk", flat=True))),
            }
        )
    return b"".join([beside, *_copies(memory_ids, removal)])


def _copies(memory_ids: Sequence[int], removal: ImportRemoval | None = None) -> Iterator[bytes]:
    ids = _ids(memory_ids, removal)
    return (_copied(model, rows, ids) for model, rows in _parts(removal))


def decision_fits(held_ids: Sequence[int], changed: Sequence[int] = ()) -> bool:
    """True if a decision about these statements, which changes these memories, is small enough to
    be undone.
    """
    parts: list[tuple[type[models.Model], LiteralString]]
    parts = [*PARTS, (HeldStatement, "id = ANY(%(held)s)")]
    return _are_small(parts, _ids(changed) | {"held": list(held_ids)})


def pack_decision(held: Sequence[HeldStatement], changed: Sequence[int] = ()) -> bytes | None:
    """Copy the statements about which a person decides, and the memories that this will change;
    None if that is too much. The caller has locked them.
    """
    if not decision_fits([each.pk for each in held], changed):
        return None
    return b"".join([_as_beside({"added": []}), *_copies(changed), pack_others(held)])


def with_added(copied: bytes, memory_ids: Sequence[int]) -> bytes:
    """Note in what `pack_decision` has returned that the decision has stored these memories, which
    its undoing takes away.
    """
    rows = copied[8 + int.from_bytes(copied[:8]) :]
    return _as_beside({"added": list(memory_ids)}) + rows


def _as_beside(values: dict[str, Any]) -> bytes:
    text = json.dumps(values).encode()
    return len(text).to_bytes(8) + text


def _parts(removal: object) -> list[tuple[type[models.Model], LiteralString]]:
    return [*_OF_CONVERSATIONS, *PARTS] if removal else PARTS


def _ids(memory_ids: Sequence[int], removal: ImportRemoval | None = None) -> dict[str, list[int]]:
    """The parameters of the conditions."""
    ids = {"ids": list(memory_ids)}
    if removal:
        ids |= {"conversations": removal.conversations, "runs": removal.runs}
    return ids


def pack_others(rows: Sequence[models.Model]) -> bytes:
    """Copy *rows* of `OTHERS`, to be added to what `pack` has returned."""
    return b"".join(
        _copied(
            model, "id = ANY(%(ids)s)", {"ids": [row.pk for row in rows if isinstance(row, model)]}
        )
        for model in OTHERS
    )


def _copied(model: type[models.Model], rows: LiteralString, ids: dict[str, list[int]]) -> bytes:
    query = sql.SQL("COPY (SELECT {} FROM {} WHERE {} ORDER BY {}) TO STDOUT (FORMAT BINARY)")
    query_of_rows = query.format(
        _columns(model), sql.Identifier(model._meta.db_table), sql.SQL(rows), _key(model)
    )
    with connection.cursor() as cursor, cursor.copy(query_of_rows, ids) as copy:
        part = b"".join(copy)
    return len(part).to_bytes(8) + part


def keep(copied: bytes | None, instance: Instance, user: User) -> UndoToken | None:
    """Store *copied*, encrypted, for ten seconds; None if there is nothing to store, or Redis does
    not answer.
    """
    if copied is None:
        return None
    token = UndoToken(
        secrets.token_urlsafe(16), urlsafe_b64encode(secrets.token_bytes(32)).decode()
    )
    nonce = secrets.token_bytes(12)
    cipher = AESGCM(urlsafe_b64decode(token.key))
    packed = zlib.compress(copied, level=1)
    sealed = nonce + cipher.encrypt(nonce, packed, _owner(token, instance, user))
    try:
        with _redis() as server:
            server.set(_redis_key(token), sealed, ex=UNDO_SECONDS + GRACE)
    except redis.RedisError as error:
        logger.warning("A deletion cannot be undone, since Redis does not take it: %s", error)
        return None
    return token


def restore_deleted(token: UndoToken, instance: Instance, user: User) -> RestoredRows:
    """Undo the deletion of *token*, once.

    Raises `NothingToUndo` if it is too late, `WrongUndoToken` if *token* is not this person's in
    this instance. Related rows whose conversation, message or vector space has been deleted
    meanwhile are left out and counted.
    """
    try:
        sealed, copied = _taken(token, instance, user)
    except redis.RedisError as error:
        raise NothingToUndo from error
    try:
        with transaction.atomic():
            lock_out_writers(instance)
            returned = _unpack(zlib.decompress(copied), instance)
            ids = [*returned.deleted, *returned.changed]
            since = timezone.now() - timedelta(seconds=ERASURE_SECONDS)
            if Erasure.objects.asked_since(instance, returned.people, since):
                raise NothingToUndo
            Summary.objects.want(instance, returned.people)
            if returned.is_decision:
                instance.activity.record(
                    Actor(user), Activity.Action.REVIEW_UNDONE, count=returned.held
                )
                return returned
            suppression.lift_for(instance, ids)
            # What a rollback made of them.
            ArchivedMemory.objects.filter(instance=instance, memory_id__in=ids).delete()
            for action, restored in (
                (Activity.Action.UNDONE, returned.changed),
                (Activity.Action.UNDELETED, returned.deleted),
            ):
                if restored:
                    only = restored[0] if len(restored) == 1 else None
                    instance.activity.record(
                        Actor(user), action, memory_id=only, count=len(restored)
                    )
    except Exception:
        # Whatever went wrong, it can be tried once more.
        with _redis() as server:
            server.set(_redis_key(token), sealed, ex=UNDO_SECONDS)
        raise
    return returned


def _taken(token: UndoToken, instance: Instance, user: User) -> tuple[bytes, bytes]:
    """Take the copy out of Redis; return it encrypted and decrypted."""
    with _redis() as server:
        sealed = server.get(_redis_key(token))
        if not isinstance(sealed, bytes):
            raise NothingToUndo
        copied = _opened(sealed, token, instance, user)
        # Of two undos at the same moment, the one that deletes the copy continues.
        if server.delete(_redis_key(token)) != 1:
            raise NothingToUndo
    return sealed, copied


def _opened(sealed: bytes, token: UndoToken, instance: Instance, user: User) -> bytes:
    try:
        cipher = AESGCM(urlsafe_b64decode(token.key.encode()))
        return cipher.decrypt(sealed[:12], sealed[12:], _owner(token, instance, user))
    except (InvalidTag, ValueError) as error:
        raise WrongUndoToken from error


def _owner(token: UndoToken, instance: Instance, user: User) -> bytes:
    """The person and instance, authenticated with the copy so that it opens for no others."""
    return f"{token.name}:{instance.pk}:{user.pk}".encode()


def _unpack(copied: bytes, instance: Instance) -> RestoredRows:
    """Insert the rows."""
    given, restored = {}, {}
    deleted, changed = list[int](), list[int]()
    at, people = 8 + int.from_bytes(copied[:8]), frozenset[str]()
    beside = json.loads(copied[8:at]) if at > 8 else {}
    if "added" in beside:
        people |= _take_away(instance, beside["added"])
    with connection.cursor() as cursor:
        for model in (*(model for model, _ in _parts("import" in beside)), *OTHERS):
            if at == len(copied):
                break
            end = at + 8 + int.from_bytes(copied[at : at + 8])
            table = sql.Identifier(model._meta.db_table)
            # Through a temporary table, since COPY cannot leave rows out.
            cursor.execute(sql.SQL("CREATE TEMPORARY TABLE brought (LIKE {})").format(table))
            with cursor.copy(
                sql.SQL("COPY brought ({}) FROM STDIN (FORMAT BINARY)").format(_columns(model))
            ) as copy:
                copy.write(copied[at + 8 : end])
            cursor.execute("SELECT count(*) FROM brought")
            given[model] = cursor.fetchone()[0]
            _drop_dangling_references(model)
            if model in (Conversation, Memory):
                cursor.execute("SELECT DISTINCT end_user FROM brought")
                people |= {end_user for (end_user,) in cursor}
            if model is Memory:
                _clear_taken_ids(instance)
                changed = _restore_changed()
                cursor.execute("SELECT id FROM brought ORDER BY id")
                deleted = [pk for (pk,) in cursor]
            if model is Entity and given[model]:
                Palace.objects.hold(instance.pk)
            if model is HeldStatement:
                # What is left of those that were rejected.
                cursor.execute(
                    "DELETE FROM memoryapp_heldstatement AS present USING brought"
                    " WHERE present.id = brought.id AND present.rejected_at IS NOT NULL"
                )
            restored[model] = _insert(model)
            cursor.execute("DROP TABLE brought")
            at = end
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
    rows = Memory.objects.in_instance(instance).filter(~Exists(versions), pk__in=added)
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


def _insert(model: type[models.Model]) -> int:
    """Insert the rows of ``brought``, and return how many there are."""
    table, columns = sql.Identifier(model._meta.db_table), _columns(model)
    with connection.cursor() as cursor:
        cursor.execute(
            sql.SQL("INSERT INTO {} ({}) SELECT {} FROM brought ORDER BY {} {}").format(
                table,
                columns,
                columns,
                _key(model),
                sql.SQL("ON CONFLICT DO NOTHING" if model in _UNLESS_REPLACED else ""),
            )
        )
        return int(cursor.rowcount)


def _restore_changed() -> list[int]:
    """Give memories that still exist, since they were changed and not deleted, back all that they
    had; take them out of ``brought``, and return their ids.
    """
    assignments = sql.SQL(", ").join(
        sql.SQL("{0} = brought.{0}").format(sql.Identifier(name)) for name in _column_names(Memory)
    )
    same = sql.SQL("brought.id = present.id AND brought.created_at = present.created_at")
    with connection.cursor() as cursor:
        for related, _ in PARTS[1:4]:
            cursor.execute(
                sql.SQL(
                    "DELETE FROM {} WHERE memory_id IN"
                    " (SELECT id FROM brought JOIN memoryapp_memory AS present USING (id))"
                ).format(sql.Identifier(related._meta.db_table))
            )
        cursor.execute(
            "DELETE FROM memoryapp_contradiction USING brought"
            " JOIN memoryapp_memory AS present USING (id) WHERE brought.id IN (memory_id, other_id)"
        )
        cursor.execute(
            sql.SQL("UPDATE memoryapp_memory AS present SET {} FROM brought WHERE {}").format(
                assignments, same
            )
        )
        cursor.execute(
            sql.SQL(
                "DELETE FROM brought USING memoryapp_memory AS present WHERE {}"
                " RETURNING brought.id"
            ).format(same)
        )
        return sorted(pk for (pk,) in cursor)


def _drop_dangling_references(model: type[models.Model]) -> None:
    """Remove references to deleted rows from ``brought``. The rows that exist are locked until the
    transaction ends, so that they are not deleted meanwhile.
    """
    with connection.cursor() as cursor:
        for field in model._meta.concrete_fields:
            if not isinstance(field, models.ForeignKey):
                continue
            missing = sql.SQL(
                "{column} IS NOT NULL AND NOT EXISTS"
                " (SELECT FROM {parent} WHERE id = {column} FOR KEY SHARE)"
            ).format(
                column=sql.SQL("brought.") + sql.Identifier(field.column),
                parent=sql.Identifier(field.related_model._meta.db_table),
            )
            if field.remote_field.on_delete is models.SET_NULL:
                query = sql.SQL("UPDATE brought SET {} = NULL WHERE {}").format(
                    sql.Identifier(field.column), missing
                )
            else:
                query = sql.SQL("DELETE FROM brought WHERE {}").format(missing)
            cursor.execute(query)


def _clear_taken_ids(instance: Instance) -> None:
    """As `keyed_rows.clear_taken_ids`, for the rows of ``brought``."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT DISTINCT key FROM brought WHERE key <> ''")
        keys = [key for (key,) in cursor if is_single_valued(key, instance.single_valued_keys)]
        cursor.execute(
            "UPDATE brought SET key = '', value = '' FROM memoryapp_memory AS new"
            " WHERE brought.key = ANY(%s) AND brought.key = new.key"
            " AND brought.instance_id = new.instance_id AND brought.end_user = new.end_user"
            " AND brought.id <> new.id",
            [keys],
        )
        cursor.execute(
            "UPDATE brought SET external_id = '' FROM memoryapp_memory AS new"
            " WHERE brought.external_id <> '' AND brought.external_id = new.external_id"
            " AND brought.instance_id = new.instance_id AND brought.id <> new.id"
        )


def _columns(model: type[models.Model]) -> sql.Composed:
    return sql.SQL(", ").join(map(sql.Identifier, _column_names(model)))


def _key(model: type[models.Model]) -> sql.Identifier:
    """The column of the primary key."""
    return sql.Identifier(str(model._meta.pk.column))


def _column_names(model: type[models.Model]) -> list[str]:
    return [str(field.column) for field in stored_fields(model)]


def _redis_key(token: UndoToken) -> str:
    return f"keepsake:undo:{token.name}"


def _redis() -> "redis.Redis":
    return redis.Redis.from_url(
        settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=1, retry=None
    )
