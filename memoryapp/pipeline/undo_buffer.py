"""What a deletion takes away, kept for ten seconds so that it can be undone.

The rows leave PostgreSQL at once. A copy of them waits in Redis, encrypted with a key that was made
for it and is stored nowhere: it stands in the page that answers the deletion, and only there. The
copy goes by itself, and with the first undo.

Rows are copied in PostgreSQL's own binary format, so that what comes back is what was there to the
last bit of a vector, and what is later added to a table comes along by itself.
"""

import logging
import secrets
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from typing import LiteralString

import redis
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings
from django.db import connection, models, transaction
from psycopg import sql

from instances.actor import Actor
from instances.models import Instance, User
from memoryapp.models import (
    Activity,
    Memory,
    MemoryEmbedding,
    MemoryRevision,
    MemorySource,
    RevisionEmbedding,
    Summary,
)
from memoryapp.pipeline import suppression
from memoryapp.runs.locks import lock_out_writers

logger = logging.getLogger(__name__)

#: What people are told, and for how much longer Redis holds it, for an answer that was on its way.
UNDO_SECONDS, GRACE = 10, 2
#: More than this is not kept, before compression: some 20,000 memories with the built-in vectors.
MAX_BYTES = 32 * 2**20

#: Every table that a deletion takes rows from, parents first, and which rows: of memories %s.
PARTS: list[tuple[type[models.Model], LiteralString]] = [
    (Memory, "id = ANY(%s)"),
    (MemoryEmbedding, "memory_id = ANY(%s)"),
    (MemorySource, "memory_id = ANY(%s)"),
    (MemoryRevision, "memory_id = ANY(%s)"),
    (
        RevisionEmbedding,
        "revision_id IN (SELECT id FROM memoryapp_memoryrevision WHERE memory_id = ANY(%s))",
    ),
]


class NothingToUndo(Exception):
    """The ten seconds are over, or it has been undone already."""


class NotYours(Exception):
    """The key does not fit: made for another person, another instance, or made up."""


@dataclass(frozen=True)
class UndoToken:
    """What undoes one deletion. It belongs into the page that answers it and nowhere else."""

    name: str
    key: str


@dataclass(frozen=True)
class Returned:
    """What came back, and how much of what hung on it could not, since its other end is gone."""

    memories: int
    links: int
    vectors: int
    #: Whom the memories are about.
    people: frozenset[str] = frozenset()


def weight(memory_ids: Sequence[int]) -> int:
    """How many bytes a deletion of these memories takes away, about."""
    sizes = sql.SQL(" UNION ALL ").join(
        sql.SQL("SELECT sum(pg_column_size(part)) AS size FROM {} AS part WHERE {}").format(
            sql.Identifier(model._meta.db_table), sql.SQL(rows)
        )
        for model, rows in PARTS
    )
    with connection.cursor() as cursor:
        cursor.execute(
            sql.SQL("SELECT coalesce(sum(size), 0) FROM ({}) AS sizes").format(sizes),
            [list(memory_ids)] * len(PARTS),
        )
        return int(cursor.fetchone()[0])


def pack(memory_ids: Sequence[int]) -> bytes:
    """Copy all that a deletion of these memories will take away."""
    parts = []
    with connection.cursor() as cursor:
        for model, rows in PARTS:
            query = sql.SQL(
                "COPY (SELECT {} FROM {} WHERE {} ORDER BY id) TO STDOUT (FORMAT BINARY)"
            ).format(_columns(model), sql.Identifier(model._meta.db_table), sql.SQL(rows))
            with cursor.copy(query, [list(memory_ids)]) as copy:
                part = b"".join(copy)
            parts.append(len(part).to_bytes(8) + part)
    return zlib.compress(b"".join(parts), level=1)


def keep(parcel: bytes, instance: Instance, user: User) -> UndoToken | None:
    """Lock *parcel* away for ten seconds; None when Redis does not take it."""
    ticket = UndoToken(
        secrets.token_urlsafe(16), urlsafe_b64encode(secrets.token_bytes(32)).decode()
    )
    nonce = secrets.token_bytes(12)
    cipher = AESGCM(urlsafe_b64decode(ticket.key))
    sealed = nonce + cipher.encrypt(nonce, parcel, _bound_to(ticket, instance, user))
    try:
        with _redis() as server:
            server.set(_place(ticket), sealed, ex=UNDO_SECONDS + GRACE)
    except redis.RedisError as error:
        logger.warning("A deletion cannot be undone, since Redis does not take it: %s", error)
        return None
    return ticket


def bring_back(ticket: UndoToken, instance: Instance, user: User) -> Returned:
    """Undo the deletion that *ticket* was given for; once.

    Raises `NothingToUndo` when it is too late, `NotYours` when the ticket is not this person's in
    this instance. What cannot come back, since a conversation, a message or a vector space has
    gone in the meantime, is left out and counted.
    """
    try:
        sealed, parcel = _taken(ticket, instance, user)
    except redis.RedisError as error:
        raise NothingToUndo from error
    try:
        with transaction.atomic():
            lock_out_writers(instance)
            returned, ids = _unpack(zlib.decompress(parcel))
            suppression.lift_for(ids)
            Summary.objects.want(instance, returned.people)
            instance.activity.record(Actor(user), Activity.Action.UNDONE, count=returned.memories)
    except Exception:
        # Nothing is lost by what went wrong here: it can be tried once more.
        with _redis() as server:
            server.set(_place(ticket), sealed, ex=UNDO_SECONDS)
        raise
    return returned


def _taken(ticket: UndoToken, instance: Instance, user: User) -> tuple[bytes, bytes]:
    """Take the parcel out of Redis: sealed, and opened."""
    with _redis() as server:
        sealed = server.get(_place(ticket))
        if not isinstance(sealed, bytes):
            raise NothingToUndo
        parcel = _opened(sealed, ticket, instance, user)
        # Of two that undo the same at the same moment, the one that takes it away goes on.
        if server.delete(_place(ticket)) != 1:
            raise NothingToUndo
    return sealed, parcel


def _opened(sealed: bytes, ticket: UndoToken, instance: Instance, user: User) -> bytes:
    try:
        cipher = AESGCM(urlsafe_b64decode(ticket.key.encode()))
        return cipher.decrypt(sealed[:12], sealed[12:], _bound_to(ticket, instance, user))
    except (InvalidTag, ValueError) as error:
        raise NotYours from error


def _bound_to(ticket: UndoToken, instance: Instance, user: User) -> bytes:
    """Whose the parcel is: authenticated with it, so that it opens for nobody else."""
    return f"{ticket.name}:{instance.pk}:{user.pk}".encode()


def _unpack(parcel: bytes) -> tuple[Returned, list[int]]:
    """Put the rows back; also return the ids of the memories."""
    there, back = {}, {}
    ids: list[int] = []
    at, people = 0, frozenset[str]()
    with connection.cursor() as cursor:
        for model, _ in PARTS:
            end = at + 8 + int.from_bytes(parcel[at : at + 8])
            table = sql.Identifier(model._meta.db_table)
            columns = _columns(model)
            # Through a table of its own, since COPY cannot leave rows out.
            cursor.execute(sql.SQL("CREATE TEMPORARY TABLE brought (LIKE {})").format(table))
            with cursor.copy(
                sql.SQL("COPY brought ({}) FROM STDIN (FORMAT BINARY)").format(columns)
            ) as copy:
                copy.write(parcel[at + 8 : end])
            cursor.execute("SELECT count(*) FROM brought")
            there[model] = cursor.fetchone()[0]
            _drop_loose_ends(model)
            if model is Memory:
                _let_go_of_taken_keys()
                cursor.execute("SELECT id FROM brought")
                ids = [pk for (pk,) in cursor]
                cursor.execute("SELECT DISTINCT end_user FROM brought")
                people = frozenset(end_user for (end_user,) in cursor)
            cursor.execute(
                sql.SQL("INSERT INTO {} ({}) SELECT {} FROM brought ORDER BY id").format(
                    table, columns, columns
                )
            )
            back[model] = cursor.rowcount
            cursor.execute("DROP TABLE brought")
            at = end
    returned = Returned(
        memories=back[Memory],
        links=there[MemorySource] - back[MemorySource],
        vectors=there[MemoryEmbedding] - back[MemoryEmbedding],
        people=people,
    )
    return returned, ids


def _drop_loose_ends(model: type[models.Model]) -> None:
    """Take out of ``brought`` what points to something that is gone. What is there is held until
    the transaction ends, so that nobody deletes it in between.
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


def _let_go_of_taken_keys() -> None:
    """Take the key from what comes back where a new fact has got it meanwhile: both stay, and a
    person decides between them.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE brought SET key = '', value = '' FROM memoryapp_memory AS new"
            " WHERE brought.key <> '' AND brought.key = new.key"
            " AND brought.instance_id = new.instance_id AND brought.end_user = new.end_user"
            " AND brought.category = new.category"
        )


def _columns(model: type[models.Model]) -> sql.Composed:
    return sql.SQL(", ").join(
        sql.Identifier(str(field.column))
        for field in model._meta.concrete_fields
        if not isinstance(field, models.GeneratedField)
    )


def _place(ticket: UndoToken) -> str:
    return f"keepsake:undo:{ticket.name}"


def _redis() -> "redis.Redis":
    return redis.Redis.from_url(
        settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=1, retry=None
    )
