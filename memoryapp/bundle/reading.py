"""Reads a bundle into a new instance.

First the whole file is checked, and the ids are seen that it mentions. Then as many new ids are
reserved, so that each id of the file has one that no other instance has, and none of the file can
mean a row of another instance. Then all rows are inserted in one transaction: the instance appears
when it is whole.
"""

import hashlib
import json
import zipfile
from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from secrets import token_hex
from typing import IO, Any

import numpy as np
from django.core.exceptions import ValidationError
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.models import Model
from django.utils import timezone
from django.utils.text import slugify
from psycopg import sql

from conversations.bounded_json import parse
from conversations.models import Import
from instances import secrets
from instances.actor import Actor
from instances.models import ApiKey, HashKey, Instance, Secret, User, Webhook
from instances.models.fields import EncryptedTextField
from instances.server_activity import ServerAction, record_on_server
from instances.translatable import encoded, translatable
from memoryapp.bundle.sealing import WrongPassphrase, unseal
from memoryapp.bundle.tables import TABLES, BundledTable, key_of
from memoryapp.bundle.writing import AUDIT, FORMAT, MANIFEST, NOT_SETTINGS, SECRETS, SETTINGS
from memoryapp.models import Erasure, Unfiled
from memoryapp.models.stored_rows import columns_from_json, plain_columns, stored_fields

#: Bounds for what a file may claim.
MAX_MANIFEST_BYTES = 1024**2
MAX_LINE_BYTES = 32 * 1024**2
#: A file that is so many times larger than in the archive is refused, unless it is small.
MAX_RATIO, ALWAYS_ALLOWED_BYTES = 200, 16 * 1024**2
#: The highest id.
MAX_ID = 2**62
#: Rows, and bytes of them, that are inserted at a time.
MAX_ROWS, MAX_BYTES = 1_000, 4 * 1024**2
#: Ids that others may draw between the two calls that reserve some.
_MARGIN = 10_000

#: The last of as many ids of a table that no other connection can be given.
_RESERVE = """
SELECT setval(sequence, nextval(sequence) + %(margin)s + %(count)s)
FROM pg_get_serial_sequence(%(table)s, 'id') AS sequence
"""


class BadBundle(ValueError):
    """A file that is no bundle, or a damaged or forged one, in words."""


@dataclass
class Imported:
    """A new instance, with what became of the file."""

    instance: Instance
    #: The numbers of rows by table.
    rows: dict[str, int] = field(default_factory=dict)
    #: Rows that stayed behind, since a secret or an account is missing, by table.
    left_out: dict[str, int] = field(default_factory=dict)


def import_bundle(
    file: IO[bytes],
    *,
    by: Actor,
    name: str = "",
    private_to: User | None = None,
    passphrase: str = "",
) -> Imported:
    """Make a new instance of the bundle in *file*, under its own or another *name*. Raises
    `BadBundle`.
    """
    try:
        with zipfile.ZipFile(file) as archive:
            bundle = _Bundle(archive, passphrase)
            bundle.check()
            return bundle.store(by, name, private_to)
    except WrongPassphrase as error:
        raise BadBundle("The passphrase is not the one of this file.") from error
    except zipfile.BadZipFile as error:
        raise BadBundle("This is no bundle of an instance, or it is damaged.") from error
    except ValidationError as error:
        raise BadBundle(f"The settings are not valid: {'; '.join(error.messages)}") from error
    except IntegrityError as error:
        raise BadBundle("Rows of this file contradict each other.") from error
    except DatabaseError as error:
        if connection.is_usable():
            raise BadBundle("A row of this file has a value that cannot be stored.") from error
        raise
    except (KeyError, TypeError, AttributeError, ValueError, RecursionError) as error:
        if isinstance(error, BadBundle):
            raise
        raise BadBundle("This is no bundle of an instance, or it is damaged.") from error
    # As `zipfile` answers archives that are encrypted, cut off, or packed in a way unknown to it.
    except (NotImplementedError, EOFError, OSError, RuntimeError) as error:
        raise BadBundle("This archive cannot be read.") from error


class _Ids:
    """The ids of one table that are mentioned, each with the new one at its place."""

    #: Ids that are noted, some of them several times, before they are sorted.
    _MAX_NOTED = 2**20

    def __init__(self) -> None:
        self._ids = array("q")
        self._sort_at = self._MAX_NOTED
        #: The new id of the first one.
        self._first = 0

    def see(self, old: int) -> None:
        """Note an id."""
        self._ids.append(old)
        if len(self._ids) >= self._sort_at:
            self._sort()
            self._sort_at = 2 * len(self._ids) + self._MAX_NOTED

    def reserve(self, table: str) -> None:
        """Reserve new ids for all that are noted."""
        self._sort()
        count = len(self._ids)
        with connection.cursor() as cursor:
            cursor.execute(_RESERVE, {"margin": _MARGIN, "count": count, "table": table})
            self._first = cursor.fetchone()[0] - count + 1

    def new(self, old: int) -> int:
        """Return the new id of one that is noted."""
        return self._first + bisect_left(self._ids, old)

    def _sort(self) -> None:
        self._ids = array("q", np.unique(np.asarray(self._ids, dtype=np.int64)).tobytes())


class _Bundle:
    def __init__(self, archive: zipfile.ZipFile, passphrase: str) -> None:
        self._archive = archive
        self._passphrase = passphrase
        manifest = self._opened_small(MANIFEST)
        if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
            raise BadBundle("This is no bundle of an instance, or of a later version.")
        self._files: dict[str, dict[str, Any]] = manifest["files"]
        self._former: int = manifest["instance"]["id"]
        self._name = str(manifest["instance"]["name"])
        self._ids: dict[type[Model], _Ids] = defaultdict(_Ids)
        self._secrets: dict[str, dict[str, dict[str, str]]] = {}
        self._users: dict[str, int | None] = {}
        #: The id of the new instance.
        self._new = 0

    # The check

    def check(self) -> None:
        """Read everything once. Raises `BadBundle` unless it is what the manifest says."""
        known = {SETTINGS, AUDIT, SECRETS, *(table.file for table in TABLES)}
        names = self._archive.namelist()
        if len({*names}) != len(names) or {*names} != {MANIFEST, *self._files}:
            raise BadBundle("The files of this archive are not those of its manifest.")
        if unknown := {*self._files} - known:
            raise BadBundle(f"This file has a table that is not known here: {min(unknown)[:100]}.")
        for name, told in self._files.items():
            self._check_size(name, told)
        for table in TABLES:
            if table.file in self._files:
                for row in self._rows(table):
                    table.renumbered(row, self._see)
        for name in {SETTINGS, AUDIT, SECRETS} & {*self._files}:
            for _line in self._lines(name):
                pass
        if self._passphrase and SECRETS in self._files:
            self._secrets = unseal(self._archive.read(SECRETS), self._passphrase)

    def _check_size(self, name: str, told: dict[str, Any]) -> None:
        info = self._archive.getinfo(name)
        size = info.file_size
        if size != told["bytes"]:
            raise BadBundle(f"{name} has another size than its manifest says.")
        if size > ALWAYS_ALLOWED_BYTES and size > MAX_RATIO * info.compress_size:
            raise BadBundle(f"{name} is packed too tightly to be what it claims.")

    def _opened_small(self, name: str) -> Any:
        if name not in self._archive.namelist():
            raise BadBundle("This is no bundle of an instance: it has no manifest.")
        if self._archive.getinfo(name).file_size > MAX_MANIFEST_BYTES:
            raise BadBundle(f"{name} is too large.")
        return parse(self._archive.read(name))

    def _lines(self, name: str) -> Iterator[bytes]:
        """Yield the lines of a file, whose size and digest are checked at its end."""
        hashed = hashlib.sha256()
        with self._archive.open(name) as lines:
            while line := lines.readline(MAX_LINE_BYTES + 1):
                if len(line) > MAX_LINE_BYTES:
                    raise BadBundle(f"{name} has a line that is too long.")
                hashed.update(line)
                yield line
        if hashed.hexdigest() != self._files[name]["sha256"]:
            raise BadBundle(f"{name} is not what its manifest says: its SHA-256 differs.")

    def _rows(self, table: BundledTable) -> Iterator[dict[str, Any]]:
        keys = {key_of(column) for column in table.columns}
        for line in self._lines(table.file):
            row = parse(line)
            if not isinstance(row, dict):
                raise BadBundle(f"{table.file} has a line that is no row.")
            if unknown := row.keys() - keys:
                raise BadBundle(
                    f"{table.label} has a column that is not known here: {min(unknown)[:100]}."
                )
            yield row

    # Ids

    def _see(self, model: type[Model], old: Any) -> int:
        if type(old) is not int or not 0 < old <= MAX_ID:
            raise BadBundle("A row of this file has an id that is none.")
        if model is Instance:
            if old != self._former:
                raise BadBundle("A row of this file is of another instance.")
        else:
            self._ids[model].see(old)
        return old

    def _renumber(self, model: type[Model], old: Any) -> int:
        if model is Instance:
            return self._new
        return self._ids[model].new(old)

    # The rows

    def store(self, by: Actor, name: str, private_to: User | None) -> Imported:
        """Store everything in one transaction."""
        with transaction.atomic():
            instance = self._make_instance(name, private_to)
            self._new = instance.pk
            imported = Imported(instance)
            for model, ids in self._ids.items():
                ids.reserve(model._meta.db_table)
            for table in TABLES:
                if table.file in self._files:
                    self._store(table, imported)
            with connection.cursor() as cursor:
                cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
                cursor.execute("SET CONSTRAINTS ALL DEFERRED")
            action = ServerAction.INSTANCE_CREATED
            record_on_server(by, action, about=instance.slug, instance=instance)
        return imported

    def _make_instance(self, name: str, private_to: User | None) -> Instance:
        columns = parse(self._archive.read(SETTINGS))
        unknown = columns.keys() - {column.attname for column in stored_fields(Instance)}
        if unknown or columns.keys() & NOT_SETTINGS:
            raise BadBundle("This file has a setting that is not known here.")
        instance = Instance(**columns_from_json(Instance, columns))
        instance.name = name or self._name
        instance.private_to = private_to
        instance.slug = _free_slug(name or instance.slug, is_private=private_to is not None)
        instance.clean_fields()
        instance.save(force_insert=True)
        return instance

    def _store(self, table: BundledTable, imported: Imported) -> None:
        if table.model is Unfiled:
            # Triggers have made them, all as if they were new.
            Unfiled.objects.filter(instance=self._new).delete()
        insert = _Insert(table)
        left_out = 0
        for row in self._rows(table):
            if self._complete(table, row):
                insert.add(table.renumbered(row, self._renumber))
            else:
                left_out += 1
        insert.finish()
        imported.rows[table.label] = insert.rows
        if left_out:
            imported.left_out[table.label] = left_out

    def _complete(self, table: BundledTable, row: dict[str, Any]) -> bool:
        """Add to a *row* of the file what is not in it; False if it cannot be completed."""
        for column in stored_fields(table.model):
            if column.attname in table.blank:
                row[column.attname] = table.blank[column.attname]
            elif column.related_model is User:
                row[column.attname] = pk = self._user(row.pop(key_of(column), None))
                if pk is None and not column.null:
                    return False
            elif column.attname not in row and column.attname not in table.secrets:
                # The file is of a version without the column.
                row |= plain_columns({column.attname: column.get_default()})
        if table.model is Erasure and Erasure.objects.filter(uid=row["uid"]).exists():
            row |= plain_columns({"uid": Erasure._meta.get_field("uid").get_default()})
        if table.model is Import and row["state"] not in Import.OVER:
            # Its file has stayed behind: nothing could ever carry it out.
            error = encoded(translatable("The file stayed behind when the instance was exported."))
            row |= plain_columns(Import.ended(Import.State.FAILED) | {"error": error})
        return self._with_secrets(table, row) if table.secrets else True

    def _user(self, username: Any) -> int | None:
        """The id of the account of this name, which may be none."""
        if username is None:
            return None
        if username not in self._users:
            found = User.objects.filter(username=str(username)[:150]).values_list("pk", flat=True)
            self._users[username] = found.first()
        return self._users[username]

    def _with_secrets(self, table: BundledTable, row: dict[str, Any]) -> bool:
        known = self._secrets.get(table.label, {}).get(str(row["id"]), {})
        for name in table.secrets:
            value = str(known.get(name, ""))
            if isinstance(table.model._meta.get_field(name), EncryptedTextField):
                value = secrets.encrypt(value) if value else ""
            row[name] = value
        if table.model in (HashKey, Secret):
            return bool(row["token"])
        if table.model is Webhook and not row["token"]:
            fresh = Webhook()
            fresh.make_secret()
            row |= {"token": fresh.token, "enabled": False}
        if table.model is ApiKey and (
            not row["digest"] or ApiKey.objects.filter(digest=row["digest"]).exists()
        ):
            # Nobody has the key of this digest.
            row["digest"] = token_hex(32)
            row["revoked_at"] = row.get("revoked_at") or timezone.now().isoformat()
        return True


class _Insert:
    """Inserts rows of a table, many with each statement; PostgreSQL converts the values."""

    def __init__(self, table: BundledTable) -> None:
        columns = stored_fields(table.model)
        names = sql.SQL(", ").join([sql.Identifier(column.attname) for column in columns])
        row_type = sql.Identifier(table.name)
        self._statement = sql.SQL(
            "INSERT INTO {} ({}) SELECT {} FROM jsonb_populate_recordset(NULL::{}, %s::jsonb)"
        ).format(row_type, names, sql.SQL(", ").join(map(_value, columns)), row_type)
        self._waiting: list[str] = []
        self._bytes = 0
        self.rows = 0

    def add(self, row: dict[str, Any]) -> None:
        text = json.dumps(row)
        self._waiting.append(text)
        self._bytes += len(text)
        self.rows += 1
        if len(self._waiting) >= MAX_ROWS or self._bytes >= MAX_BYTES:
            self.finish()

    def finish(self) -> None:
        if self._waiting:
            with connection.cursor() as cursor:
                cursor.execute(self._statement, [f"[{','.join(self._waiting)}]"])
            self._waiting.clear()
            self._bytes = 0


def _value(column: Any) -> sql.Composable:
    name = sql.Identifier(column.column)
    if column.get_internal_type() == "JSONField" and not column.null:
        # JSON's null, which is no NULL.
        return sql.SQL("coalesce({}, 'null')").format(name)
    return name


def _free_slug(wanted: str, *, is_private: bool) -> str:
    # A private instance has two dashes in its slug, and tells nothing of others by it.
    base = slugify(wanted.replace("--", "-"))[:50].strip("-") or "assistant"
    if is_private:
        return f"{base}--{token_hex(3)}"
    taken = {"new", *Instance.objects.filter(private_to=None).values_list("slug", flat=True)}
    if base not in taken:
        return base
    return next(slug for n in count(2) if (slug := f"{base}-{n}") not in taken)
