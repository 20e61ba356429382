"""Writes a bundle, a few rows at a time: PostgreSQL gives each as a line of JSON."""

import hashlib
import json
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from tempfile import TemporaryFile
from typing import Any

from django.db import connection, transaction
from django.utils import timezone
from psycopg import sql

import memoryapp
from instances import secrets
from instances.models import Instance, User
from instances.models.fields import EncryptedTextField
from memoryapp.audit.archive import write_archive
from memoryapp.audit.chaining import chain
from memoryapp.bundle.sealing import seal
from memoryapp.bundle.streamed_zip import SENT_AT_ONCE, File, Pieces, encoded, parts_of
from memoryapp.bundle.tables import LEFT_OUT, TABLES, BundledTable, key_of
from memoryapp.models.stored_rows import plain_columns, stored_fields

FORMAT = "keepsake-instance-1"
MANIFEST, SETTINGS, SECRETS, AUDIT = "manifest.json", "settings.json", "secrets.json", "audit.zip"
#: Columns of the instance that stay behind.
NOT_SETTINGS = frozenset({"id", "private_to_id"})
#: Rows that are fetched at a time.
CHUNK_SIZE = 500
#: The reason that the manifest gives for tables without a passphrase.
_LOCKED_AWAY = "only with a passphrase"


def filename(instance: Instance) -> str:
    """The name of the file."""
    return f"keepsake-{instance.slug}-{timezone.localdate().isoformat()}.zip"


def bundle_of(instance: Instance, *, passphrase: str = "") -> Generator[bytes]:
    """Return the parts of the bundle, all as of one moment; secrets are encrypted with the
    *passphrase*, and left out without one.
    """
    chain()
    with _one_moment():
        yield from parts_of(_files(instance, passphrase))


@contextmanager
def _one_moment() -> Iterator[None]:
    if (
        connection.in_atomic_block
    ):  # Its statements are of several moments; it is not for us to say.
        yield
        return
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


class _Noted:
    """Pieces of a file on their way, which are counted."""

    def __init__(self, pieces: Pieces) -> None:
        self._pieces = pieces
        self._hash = hashlib.sha256()
        self.lines = self.bytes = 0

    def __iter__(self) -> Iterator[bytes]:
        for piece in map(encoded, self._pieces):
            self._hash.update(piece)
            self.lines += 1
            self.bytes += len(piece)
            yield piece

    @property
    def described(self) -> dict[str, Any]:
        return {"lines": self.lines, "bytes": self.bytes, "sha256": self._hash.hexdigest()}


def _files(instance: Instance, passphrase: str) -> Iterator[File]:
    noted: dict[str, _Noted] = {}

    def note(name: str, pieces: Pieces) -> File:
        noted[name] = _Noted(pieces)
        return name, noted[name]

    left_out = dict(LEFT_OUT)
    yield note(SETTINGS, [_settings(instance)])
    for table in TABLES:
        if table.needs_passphrase and not passphrase:
            left_out[table.label] = _LOCKED_AWAY
        else:
            yield note(table.file, _lines(table, instance))
    if passphrase:
        yield note(SECRETS, [seal(_secrets(instance), passphrase)])
    yield note(AUDIT, _audit(instance))
    manifest = {
        "format": FORMAT,
        "keepsake": memoryapp.__version__,
        "made_at": timezone.now().isoformat(),
        "instance": {"id": instance.pk, "slug": instance.slug, "name": instance.name},
        "files": {name: each.described for name, each in noted.items()},
        "left_out": left_out,
    }
    yield MANIFEST, [json.dumps(manifest, indent=2, ensure_ascii=False)]


def _settings(instance: Instance) -> str:
    columns = {
        column.attname: column.value_from_object(instance)
        for column in stored_fields(Instance)
        if column.attname not in NOT_SETTINGS
    }
    return json.dumps(plain_columns(columns), default=str, ensure_ascii=False, indent=2)


def _lines(table: BundledTable, instance: Instance) -> Iterator[str]:
    columns = sql.SQL(", ").join(map(_column, table.columns))
    query = sql.SQL("SELECT row_to_json(r)::text FROM (SELECT {} FROM {} AS t WHERE {}) AS r")
    with connection.chunked_cursor() as cursor:
        cursor.execute(
            query.format(columns, sql.Identifier(table.name), _ours(table)),
            {"instance": instance.pk},
        )
        while rows := cursor.fetchmany(CHUNK_SIZE):
            for (line,) in rows:
                yield line + "\n"


def _column(column: Any) -> sql.Composable:
    if column.related_model is not User:
        return sql.Identifier("t", column.column)
    return sql.SQL("(SELECT u.username FROM instances_user AS u WHERE u.id = {}) AS {}").format(
        sql.Identifier("t", column.column), sql.Identifier(key_of(column))
    )


def _ours(table: BundledTable) -> sql.Composable:
    """The condition for rows of the instance, and their order."""
    condition: sql.Composable = sql.SQL("t.instance_id = %(instance)s")
    if table.owner:
        owner: Any = table.model._meta.get_field(table.owner)
        condition = sql.SQL("t.{} IN (SELECT id FROM {} WHERE instance_id = %(instance)s)").format(
            sql.Identifier(owner.column), sql.Identifier(owner.related_model._meta.db_table)
        )
    keys = [sql.Identifier("t", column.attname) for column in table.model._meta.pk_fields]
    return condition + sql.SQL(" ORDER BY ") + sql.SQL(", ").join(keys)


def _secrets(instance: Instance) -> dict[str, dict[str, dict[str, str]]]:
    """Return the secret columns by table and id. What the present keys do not decrypt is empty."""
    found: dict[str, dict[str, dict[str, str]]] = {}
    for table in TABLES:
        if not table.secrets:
            continue
        rows = table.model._base_manager.filter(instance=instance).values("pk", *table.secrets)
        found[table.label] = {
            str(row.pop("pk")): {name: _plain(table, name, row[name]) for name in table.secrets}
            for row in rows
        }
    return found


def _plain(table: BundledTable, name: str, value: str) -> str:
    if not isinstance(table.model._meta.get_field(name), EncryptedTextField):
        return value
    try:
        return secrets.decrypt(value) if value else ""
    except secrets.UnreadableSecret:
        return ""


def _audit(instance: Instance) -> Iterator[bytes]:
    """Yield the archive of the audit log with the records of the instance."""
    with TemporaryFile() as file:
        write_archive(file, of_instance=instance)
        file.seek(0)
        while part := file.read(SENT_AT_ONCE):
            yield part
