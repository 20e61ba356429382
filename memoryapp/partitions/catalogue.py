"""Catalogue of PostgreSQL about the content tables: columns, keys, triggers, sizes.

Content is what belongs to one instance and grows with its use: each table of `conversations` and
`memoryapp` whose `instance_id` cannot be null. A table that is added later is one by this rule.
Everything else is reference data: people, keys, instances and their settings.
"""

import json
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Literal

from django.apps import apps
from django.db import connection

from memoryapp.partitions.keys import COLUMN

#: The apps whose tables hold content.
CONTENT_APPS = ("conversations", "memoryapp")
#: Access methods of the approximate indexes, which belong to one instance; see
#: `memoryapp.embeddings.vector_indexes`.
APPROXIMATE = ("hnsw", "ivfflat")

# Tables, partitioned or not, that are not partitions themselves.
_TABLES = """
SELECT c.oid, c.relname,
    coalesce((SELECT count(*) FROM pg_inherits WHERE inhparent = c.oid AND c.relkind = 'p'), 0),
    EXISTS (
        SELECT FROM pg_constraint k
        JOIN pg_attribute n ON n.attrelid = c.oid AND n.attnum = ANY (k.conkey) AND n.attname = 'id'
        WHERE k.conrelid = c.oid AND k.contype = 'p' AND cardinality(k.conkey) > 1
    ),
    (
        SELECT coalesce(sum(greatest(p.reltuples, 0)), 0)::bigint FROM pg_class p
        JOIN pg_partition_tree(c.oid) t ON t.relid = p.oid WHERE t.isleaf
    ),
    (SELECT coalesce(sum(pg_table_size(t.relid)), 0)::bigint FROM pg_partition_tree(c.oid) t),
    (SELECT coalesce(sum(pg_indexes_size(t.relid)), 0)::bigint FROM pg_partition_tree(c.oid) t),
    (SELECT count(*) FROM pg_index i WHERE i.indrelid = c.oid)
FROM pg_class c
LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = %(column)s
WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
    AND NOT c.relispartition AND (
        a.attnotnull AND split_part(c.relname, '_', 1) = ANY(%(apps)s)
    ) IS TRUE = %(content)s
ORDER BY c.relname
"""
# What the extension Citus knows of tables, if it is there.
_HAS_CITUS = "SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')"
_PLACES = """
SELECT logicalrelid::oid,
    CASE WHEN partmethod = 'h' THEN 'distributed' WHEN repmodel = 't' THEN 'reference'
        ELSE 'local' END
FROM pg_dist_partition
"""
# In the order of the columns; those that are generated are computed anew.
_COLUMNS = """
SELECT attname, attidentity <> '', pg_get_serial_sequence(attrelid::regclass::text, attname),
    attgenerated <> ''
FROM pg_attribute WHERE attrelid = %s AND attnum > 0 AND NOT attisdropped ORDER BY attnum
"""
# Those of a partition follow those of its table.
_CONSTRAINTS = """
SELECT k.conname, k.contype::text, pg_get_constraintdef(k.oid),
    obj_description(k.oid, 'pg_constraint'),
    (SELECT array_agg(a.attname::text ORDER BY place)
     FROM unnest(k.conkey) WITH ORDINALITY AS n (number, place)
     JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = number),
    (SELECT relname FROM pg_class WHERE oid = k.confrelid),
    (SELECT array_agg(a.attname::text ORDER BY place)
     FROM unnest(k.confkey) WITH ORDINALITY AS n (number, place)
     JOIN pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = number)
FROM pg_constraint k
WHERE k.conrelid = %s AND k.contype IN ('p', 'u', 'f', 'x') AND k.conparentid = 0
ORDER BY k.contype <> 'p', k.oid
"""
_INDEXES = """
SELECT c.relname, pg_get_indexdef(i.indexrelid), i.indisunique, m.amname,
    obj_description(i.indexrelid, 'pg_class'),
    (SELECT array_agg(a.attname::text) FROM pg_attribute a WHERE a.attrelid = i.indrelid
     AND a.attnum = ANY (i.indkey))
FROM pg_index i
JOIN pg_class c ON c.oid = i.indexrelid
JOIN pg_am m ON m.oid = c.relam
WHERE i.indrelid = %s AND NOT EXISTS (
    SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u', 'x')
)
ORDER BY i.indexrelid
"""
_TRIGGERS = """
SELECT tgname, pg_get_triggerdef(oid) FROM pg_trigger
WHERE tgrelid = %s AND NOT tgisinternal AND tgparentid = 0 ORDER BY oid
"""
# In the order in which they were made, so that each comes after those that it reads.
_VIEWS = """
SELECT DISTINCT v.oid, v.relname, pg_get_viewdef(v.oid)
FROM pg_class v
JOIN pg_rewrite r ON r.ev_class = v.oid
JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
WHERE v.relkind = 'v' AND d.refclassid = 'pg_class'::regclass AND d.refobjid = ANY(%s)
ORDER BY v.oid
"""
_INBOUND = """
SELECT k.conrelid::regclass::text, k.conname FROM pg_constraint k
WHERE k.contype = 'f' AND k.conparentid = 0 AND k.confrelid = ANY(%s) AND k.conrelid <> ALL(%s)
ORDER BY 1, 2
"""
# A function is kept as text, so PostgreSQL knows nothing of the tables that it names.
_READ_BY_FUNCTIONS = r"""
SELECT name FROM unnest(%s::text[]) AS name WHERE EXISTS (
    SELECT FROM pg_proc
    WHERE pronamespace = current_schema()::regnamespace AND prosrc ~ ('\m' || name || '\M')
)
"""


#: Divided among the workers, with a copy on each server, or on the coordinator alone.
Place = Literal["distributed", "reference", "local"]


@dataclass(frozen=True)
class Column:
    name: str
    is_identity: bool
    #: The sequence of its numbers, with its schema, as SQL names it; None if it has none.
    sequence: str | None
    is_generated: bool


@dataclass(frozen=True)
class Constraint:
    """A primary, unique, foreign or excluding key, by the first letter of its kind."""

    name: str
    kind: str
    definition: str
    columns: tuple[str, ...]
    #: Of a foreign key: the table and the columns to which it refers.
    referenced: str = ""
    referenced_columns: tuple[str, ...] = ()
    #: The names and definitions that it replaces in the plain form; None if it is plain itself.
    plain: tuple[tuple[str, str], ...] | None = None


@dataclass(frozen=True)
class Index:
    """An index that is no key."""

    name: str
    definition: str
    is_unique: bool
    method: str
    columns: tuple[str, ...]
    plain: str | None = None


@dataclass(frozen=True)
class Table:
    name: str
    oid: int
    #: The number of partitions; 0 for a table without.
    partitions: int
    #: True if its keys hold the instance.
    is_keyed: bool
    #: As PostgreSQL estimates it.
    rows: int
    table_bytes: int
    index_bytes: int
    index_count: int
    #: Where Citus keeps its rows; empty for a table that it does not know.
    place: Place | Literal[""] = ""
    columns: list[Column] = field(default_factory=list)
    constraints: list[Constraint] = field(default_factory=list)
    indexes: list[Index] = field(default_factory=list)
    triggers: list[tuple[str, str]] = field(default_factory=list)

    @property
    def bytes(self) -> int:
        return self.table_bytes + self.index_bytes


def content_tables(*, details: bool = False) -> list[Table]:
    """The content tables by name; with *details*, their columns, keys and triggers as well."""
    return _tables(content=True, details=details)


def other_tables() -> list[Table]:
    """The tables by name that hold no content, with their columns, keys and triggers."""
    return _tables(content=False, details=True)


def read_by_functions(names: Collection[str]) -> set[str]:
    """Members of the tables with these *names* that functions in the database name."""
    with connection.cursor() as cursor:
        cursor.execute(_READ_BY_FUNCTIONS, [list(names)])
        return {name for (name,) in cursor}


def has_citus() -> bool:
    """True if the database has the extension that distributes tables."""
    with connection.cursor() as cursor:
        cursor.execute(_HAS_CITUS)
        return bool(cursor.fetchone()[0])


def _tables(*, content: bool, details: bool) -> list[Table]:
    labels = [apps.get_app_config(name).label for name in CONTENT_APPS]
    places = _places()
    with connection.cursor() as cursor:
        cursor.execute(_TABLES, {"column": COLUMN, "apps": labels, "content": content})
        tables = [
            replace(Table(name, oid, *values), place=places.get(oid, ""))
            for oid, name, *values in cursor.fetchall()
        ]
    if details:
        for table in tables:
            _read(table)
    return tables


def _places() -> dict[int, Place]:
    if not has_citus():
        return {}
    with connection.cursor() as cursor:
        cursor.execute(_PLACES)
        return dict(cursor.fetchall())


def _read(table: Table) -> None:
    with connection.cursor() as cursor:
        cursor.execute(_COLUMNS, [table.oid])
        table.columns.extend(Column(*row) for row in cursor.fetchall())
        cursor.execute(_CONSTRAINTS, [table.oid])
        for name, kind, text, comment, columns, referenced, others in cursor.fetchall():
            plain = plain_of(comment)
            table.constraints.append(
                Constraint(
                    name,
                    kind,
                    text,
                    tuple(columns),
                    referenced or "",
                    tuple(others or ()),
                    None if plain is None else tuple((key, value) for key, value in plain),
                )
            )
        cursor.execute(_INDEXES, [table.oid])
        for name, text, is_unique, method, comment, columns in cursor.fetchall():
            plain = plain_of(comment)
            table.indexes.append(
                Index(
                    name,
                    # The parent alone, when it is made again, makes those of the partitions.
                    text.replace(" ON ONLY ", " ON ", 1),
                    is_unique,
                    method,
                    tuple(columns or ()),
                    plain[0][1] if plain else None,
                )
            )
        cursor.execute(_TRIGGERS, [table.oid])
        table.triggers.extend(cursor.fetchall())


def views_over(oids: Collection[int]) -> list[tuple[str, str]]:
    """The views that read one of these tables, with their definitions."""
    with connection.cursor() as cursor:
        cursor.execute(_VIEWS, [list(oids)])
        return [(name, text) for _, name, text in cursor.fetchall()]


def foreign_keys_from_elsewhere(oids: Collection[int]) -> list[tuple[str, str]]:
    """The tables and names of foreign keys by which other tables refer to one of these."""
    with connection.cursor() as cursor:
        cursor.execute(_INBOUND, [list(oids), list(oids)])
        return [(table, name) for table, name in cursor.fetchall()]


#: What a comment begins with that keeps the plain form of a key.
_MARK = "Keepsake, plain form: "


def comment_with(plain: Collection[tuple[str, str]]) -> str:
    """A comment for a key that keeps the names and definitions which it replaces."""
    return _MARK + json.dumps(list(plain))


def plain_of(comment: str | None) -> list[tuple[str, str]] | None:
    """The names and definitions that `comment_with` wrote into *comment*; None if it did not."""
    if not comment or not comment.startswith(_MARK):
        return None
    return [(name, text) for name, text in json.loads(comment.removeprefix(_MARK))]
