"""Moves the content tables from one form to another, in one transaction.

::

    plain         as the migrations make them: keys without the instance, no partitions
    keyed         every key holds the instance, as a PostgreSQL that distributes tables asks for
    partitioned   the same in hash partitions by instance

The statements are made from the catalogue, not from a list: a table that is added later is content
by its columns. A key that changes keeps its name, and in its comment the definition that it had;
the way back reads these comments. A table that is already in the wanted form is left alone, so
that `convert` also takes in what a migration has added since.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from django.db import connection, transaction
from psycopg import sql

from instances.partitions import forget, partition_name
from memoryapp.models import VectorIndex
from memoryapp.partitions import catalogue
from memoryapp.partitions.catalogue import APPROXIMATE, Constraint, Index, Place, Table
from memoryapp.partitions.keys import COLUMN, foreign_key_within_instance, with_instance

#: More make each statement that touches all of them slow.
MAX_PARTITIONS = 64
#: How long to wait for a table that is in use.
LOCK_TIMEOUT_SECONDS = 10
#: Locks that the move takes for each table and, to drop it, for each partition: on the relation,
#: its indexes, keys and triggers. Measured: 18,100 of 45 tables in 8 partitions, 33,200 in 16.
_LOCKS_OF_A_TABLE, _LOCKS_OF_A_PARTITION = 75, 42
#: Name the indexes of partitions as those of partitions are, where the name is not too long:
#: ``memory_list_3_of_8``. In plans, that says more than the names that PostgreSQL makes.
_NAME_INDEXES = """
DO $$
DECLARE one record;
BEGIN
    FOR one IN
        SELECT child.oid::regclass AS index,
            parent.relname || substring(place.relname FROM '_[0-9]+_of_[0-9]+$') AS name
        FROM pg_inherits i
        JOIN pg_class parent ON parent.oid = i.inhparent AND parent.relkind = 'I'
        JOIN pg_class child ON child.oid = i.inhrelid
        JOIN pg_index x ON x.indexrelid = child.oid
        JOIN pg_class place ON place.oid = x.indrelid
        WHERE parent.relnamespace = current_schema()::regnamespace
    LOOP
        CONTINUE WHEN length(one.name) > 63 OR one.index::text = quote_ident(one.name);
        EXECUTE format('ALTER INDEX %s RENAME TO %I', one.index, one.name);
    END LOOP;
END $$
"""
#: The settings that say for how many processes the server has room for locks.
_BACKENDS = (
    *("max_connections", "max_prepared_transactions", "max_worker_processes"),
    *("max_wal_senders", "autovacuum_worker_slots", "autovacuum_max_workers"),
)


class CannotConvert(Exception):
    """The database cannot be moved to this form; the text says why."""


@dataclass(frozen=True)
class Form:
    """The form of the content tables."""

    #: The number of partitions of each; 0 for none.
    partitions: int = 0
    #: True if every key holds the instance; partitions ask for that.
    keyed: bool = False

    def __str__(self) -> str:
        if self.partitions:
            return f"{self.partitions} partitions by instance"
        return "not partitioned, with the instance in every key" if self.keyed else "plain"


PLAIN, KEYED = Form(), Form(keyed=True)


def partitioned(partitions: int) -> Form:
    """Return the form with this many partitions, at least 2."""
    return Form(partitions, keyed=True)


@dataclass(frozen=True)
class Change:
    """Change of one table."""

    table: Table
    is_rebuilt: bool
    #: The keys and indexes that it has afterwards.
    constraints: list[Constraint]
    indexes: list[Index]
    #: Where Citus is to take it; empty if nowhere.
    destination: Place | Literal[""] = ""

    @property
    def is_needed(self) -> bool:
        return (
            self.is_rebuilt
            or bool(self.destination)
            or self.constraints != self.table.constraints
            or self.indexes != self.table.indexes
        )

    @property
    def changed_keys(self) -> int:
        before = {*self.table.constraints, *self.table.indexes}
        return len([key for key in (*self.constraints, *self.indexes) if key not in before])


def present_form() -> Form:
    """The form in which the database is; after a migration, tables of it may still be plain."""
    tables = catalogue.content_tables()
    return Form(
        max((table.partitions for table in tables), default=0),
        any(table.is_keyed for table in tables),
    )


def plan(form: Form) -> list[Change]:
    """Return what `convert` would do to each content table.

    Raises `CannotConvert` for a table that does not fit into the form.
    """
    tables = catalogue.content_tables(details=True)
    if form != KEYED and any(table.place == "distributed" for table in tables):
        raise CannotConvert(
            "The tables are divided among the workers of Citus. Take them back first: "
            "manage.py distribute --undo"
        )
    content = {table.name for table in tables}
    if form.keyed:
        elsewhere = catalogue.foreign_keys_from_elsewhere([table.oid for table in tables])
        if elsewhere:
            names = ", ".join(f"{name} of {table}" for table, name in elsewhere)
            raise CannotConvert(f"Foreign keys from tables without an instance: {names}.")
    return [
        Change(
            table,
            table.partitions != form.partitions,
            _keyed(table, content) if form.keyed else _plain(table),
            list(_indexes(table, keyed=form.keyed)),
        )
        for table in tables
    ]


def convert(form: Form, report: Callable[[str], None] = lambda line: None) -> list[Change]:
    """Move the content tables to *form*; return the changes. Nothing else can read or write them
    meanwhile. If it fails at any point, everything is as before.

    Raises `CannotConvert`, also if a count of rows differs afterwards.
    """
    with transaction.atomic():
        _execute("SELECT set_config('lock_timeout', %s, true)", [f"{LOCK_TIMEOUT_SECONDS}s"])
        _lock(catalogue.content_tables())
        changes = plan(form)
        if any(change.is_needed for change in changes):
            carry_out(changes, form, report)
    return changes


def take_in_new_tables() -> None:
    """Give content tables that were added since `convert` the form of the others."""
    form = present_form()
    if form.keyed and any(change.is_needed for change in plan(form)):
        convert(form)


def locks_needed(present: Form, form: Form) -> tuple[int, int]:
    """About how many locks it takes to move the tables from one form to the other or back, and how
    many the server has room for.
    """
    tables = len(catalogue.content_tables())
    partitions = present.partitions + form.partitions
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT sum(setting::int) FROM pg_settings WHERE name = ANY(%s)", [list(_BACKENDS)]
        )
        (backends,) = cursor.fetchone()
        cursor.execute("SELECT current_setting('max_locks_per_transaction')::int")
        (per_backend,) = cursor.fetchone()
    return tables * (_LOCKS_OF_A_TABLE + _LOCKS_OF_A_PARTITION * partitions), per_backend * backends


def other_connections() -> int:
    """How many other connections use this database."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
            # Those of the servers of Citus to each other.
            " AND application_name NOT LIKE 'citus%'"
        )
        return int(cursor.fetchone()[0])


# --- the keys that a table has afterwards -------------------------------------------------------


def _keyed(table: Table, content: set[str]) -> list[Constraint]:
    """The keys of *table* with the instance in each. A key that says the same as another one then
    is dropped, and kept in the comment of that.
    """
    keys = [_with_instance(key, content) for key in table.constraints]
    result: list[Constraint] = []
    for key in keys:
        place = next((n for n, other in enumerate(result) if _say_the_same(key, other)), None)
        if place is None:
            result.append(key)
            continue
        # Of two foreign keys the one stays that was written so, of others the primary key.
        kept, dropped = result[place], key
        if kept.kind == "f" and kept.plain and not key.plain:
            kept, dropped = dropped, kept
        result[place] = replace(kept, plain=(*_as_plain(kept), *_as_plain(dropped)))
    return result


def _with_instance(key: Constraint, content: set[str]) -> Constraint:
    if COLUMN in key.columns or (key.kind == "f" and key.referenced not in content):
        return key
    if key.kind == "x":
        raise CannotConvert(f"{key.name} excludes rows without regard to the instance.")
    write = foreign_key_within_instance if key.kind == "f" else with_instance
    others = (*key.referenced_columns, COLUMN) if key.kind == "f" else ()
    return replace(
        key,
        definition=write(key.definition),
        columns=(*key.columns, COLUMN),
        referenced_columns=others,
        plain=_as_plain(key),
    )


def _as_plain(key: Constraint) -> tuple[tuple[str, str], ...]:
    return key.plain or ((key.name, key.definition),)


def _say_the_same(one: Constraint, other: Constraint) -> bool:
    if "f" in (one.kind, other.kind):
        return (
            one.kind,
            one.referenced,
            set(zip(one.columns, one.referenced_columns, strict=False)),
        ) == (
            other.kind,
            other.referenced,
            set(zip(other.columns, other.referenced_columns, strict=False)),
        )
    return set(one.columns) == set(other.columns)


def _plain(table: Table) -> list[Constraint]:
    """The keys of *table* as they were before."""
    result = []
    for key in table.constraints:
        if key.plain is None:
            result.append(key)
            continue
        for name, definition in key.plain:
            kind = {"P": "p", "U": "u", "F": "f"}[definition[0]]
            result.append(
                Constraint(name, kind, definition, (), key.referenced if kind == "f" else "")
            )
    return result


def _indexes(table: Table, *, keyed: bool) -> Iterator[Index]:
    for index in table.indexes:
        if index.method in APPROXIMATE:
            yield index
        elif keyed and index.is_unique and COLUMN not in index.columns:
            yield replace(
                index,
                definition=with_instance(index.definition),
                columns=(*index.columns, COLUMN),
                plain=index.definition,
            )
        elif not keyed and index.plain:
            yield replace(index, definition=index.plain, plain=None)
        else:
            yield index


# --- carrying it out ----------------------------------------------------------------------------


def carry_out(
    changes: Sequence[Change],
    form: Form,
    report: Callable[[str], None],
    take: Callable[[Change], None] = lambda change: None,
) -> None:
    """Carry *changes* out, in the transaction of the caller. *take* takes a table to its
    destination, while it has no foreign keys and no triggers.
    """
    changing = [change for change in changes if change.is_needed]
    names = {change.table.name for change in changing}
    views = catalogue.views_over([change.table.oid for change in changing])
    for name, _ in reversed(views):
        _execute(sql.SQL("DROP VIEW {}").format(sql.Identifier(name)))
    for change in changes:
        for key in _foreign_keys(change.table.constraints, change, names):
            _drop_constraint(change.table, key)
    _change_tables(changing, form, report)
    _take_tables(changing, take)
    for change in changes:
        for key in _foreign_keys(change.constraints, change, names):
            _add_constraint(change.table, key)
    if form.partitions:
        _execute(_NAME_INDEXES)
    for name, definition in views:
        view = sql.Identifier(name)
        _execute(sql.SQL("CREATE VIEW {} AS {}").format(view, sql.SQL(definition)))
    forget()
    if any(change.is_rebuilt and _approximate(change.table) for change in changing):
        # Their approximate indexes are gone.
        VectorIndex.objects.update(state=VectorIndex.State.BUILDING, checks=[])


def _foreign_keys(
    constraints: Sequence[Constraint], change: Change, names: Collection[str]
) -> list[Constraint]:
    """Return the foreign keys of a table from or to one of the tables that change, by *names*."""
    from_here = change.table.name in names
    return [
        key for key in constraints if key.kind == "f" and (from_here or key.referenced in names)
    ]


def _change_tables(changing: Sequence[Change], form: Form, report: Callable[[str], None]) -> None:
    for change in changing:
        if change.is_rebuilt:
            report(f"{change.table.name}: {_rebuild(change.table, form.partitions):,} rows")
        else:
            _drop_changed(change)
        _add_keys(change)


def _take_tables(changing: Sequence[Change], take: Callable[[Change], None]) -> None:
    """*take* each table that has a destination, and create the triggers that it, or a table that
    was rebuilt, has lost.
    """
    for change in changing:
        if change.destination:
            if not change.is_rebuilt:
                _drop_triggers(change.table)
            take(change)
    for change in changing:
        if change.is_rebuilt or change.destination:
            for _, definition in change.table.triggers:
                _execute(sql.SQL(definition))


def _approximate(table: Table) -> bool:
    return any(index.method in APPROXIMATE for index in table.indexes)


def _lock(tables: Sequence[Table]) -> None:
    names = sql.SQL(", ").join(sql.Identifier(table.name) for table in tables)
    _execute(sql.SQL("LOCK TABLE {} IN ACCESS EXCLUSIVE MODE").format(names))


def _rebuild(table: Table, number_of_partitions: int) -> int:
    """Make *table* anew with this many partitions, and move its rows; return how many."""
    name = sql.Identifier(table.name)
    # PostgreSQL cuts longer names.
    moved = sql.Identifier(f"{table.name[:55]}_moved")
    numbered = [column for column in table.columns if column.sequence]
    last = {column.name: _last_number(column.sequence) for column in numbered if column.sequence}
    grants = _grants(table)
    _execute(sql.SQL("ALTER TABLE {} RENAME TO {}").format(name, moved))
    _execute(
        sql.SQL(
            "CREATE TABLE {} (LIKE {} INCLUDING ALL EXCLUDING INDEXES EXCLUDING IDENTITY){}"
        ).format(
            name,
            moved,
            sql.SQL(" PARTITION BY HASH ({})").format(sql.Identifier(COLUMN))
            if number_of_partitions
            else sql.SQL(""),
        )
    )
    for number in range(number_of_partitions):
        _execute(
            sql.SQL(
                "CREATE TABLE {} PARTITION OF {} FOR VALUES WITH (MODULUS {}, REMAINDER {})"
            ).format(
                sql.Identifier(partition_name(table.name, number_of_partitions, number)),
                name,
                sql.Literal(number_of_partitions),
                sql.Literal(number),
            )
        )
    rows = _move_rows(table, moved)
    for column in numbered:
        if not column.is_identity:
            _execute(
                sql.SQL("ALTER TABLE {} ALTER COLUMN {} DROP DEFAULT").format(
                    name, sql.Identifier(column.name)
                )
            )
    _execute(sql.SQL("DROP TABLE {}").format(moved))
    for column in numbered:
        _number(table, column.name, *last[column.name], sequence=bool(number_of_partitions))
    for grant in grants:
        _execute(grant)
    if rows:
        # Autovacuum analyses partitions only; plans also read the statistics of the whole.
        _execute(sql.SQL("ANALYZE {}").format(name))
    return rows


def _move_rows(table: Table, moved: sql.Identifier) -> int:
    name = sql.Identifier(table.name)
    columns = sql.SQL(", ").join(
        sql.Identifier(column.name) for column in table.columns if not column.is_generated
    )
    _execute(sql.SQL("INSERT INTO {} ({}) SELECT {} FROM {}").format(name, columns, columns, moved))
    before, after = (
        _value(sql.SQL("SELECT count(*) FROM {}").format(each)) for each in (moved, name)
    )
    if before != after:
        raise CannotConvert(f"{table.name}: {before:,} rows became {after:,}.")
    return int(after)


def _number(table: Table, column: str, last: int, is_called: bool, *, sequence: bool) -> None:
    """Number *column* from *last* on, by a sequence or as an identity: PostgreSQL 16 knows no
    identities in partitioned tables.
    """
    name, place = sql.Identifier(table.name), sql.Identifier(column)
    if sequence:
        numbers = sql.Identifier(f"{table.name}_{column}_seq"[:63])
        for statement in (
            "CREATE SEQUENCE {0} OWNED BY {1}.{2}",
            "ALTER TABLE {1} ALTER COLUMN {2} SET DEFAULT nextval({3}::regclass)",
        ):
            _execute(
                sql.SQL(statement).format(
                    numbers, name, place, sql.Literal(numbers.as_string(None))
                )
            )
    else:
        _execute(
            sql.SQL("ALTER TABLE {} ALTER COLUMN {} ADD GENERATED BY DEFAULT AS IDENTITY").format(
                name, place
            )
        )
    _execute(
        "SELECT setval(pg_get_serial_sequence(%s, %s), %s, %s)",
        [table.name, column, last, is_called],
    )


def _last_number(sequence: str) -> tuple[int, bool]:
    with connection.cursor() as cursor:
        # The name comes from PostgreSQL, quoted where it has to be.
        cursor.execute(f"SELECT last_value, is_called FROM {sequence}")  # noqa: S608
        last, is_called = cursor.fetchone()
        return last, is_called


def _grants(table: Table) -> list[sql.Composed]:
    """The statements that give other roles the rights that they have on *table*."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END,"
            " privilege_type, is_grantable"
            " FROM pg_class c, aclexplode(c.relacl) WHERE c.oid = %s AND grantee <> c.relowner",
            [table.oid],
        )
        return [
            sql.SQL("GRANT {} ON {} TO {}{}").format(
                sql.SQL(privilege),
                sql.Identifier(table.name),
                sql.SQL(role),
                sql.SQL(" WITH GRANT OPTION" if grantable else ""),
            )
            for role, privilege, grantable in cursor.fetchall()
        ]


def _drop_changed(change: Change) -> None:
    """Drop what `_add_keys` adds anew."""
    for key in change.table.constraints:
        if key.kind != "f" and key not in change.constraints:
            _drop_constraint(change.table, key)
    for index in change.table.indexes:
        if index not in change.indexes:
            _execute(sql.SQL("DROP INDEX {}").format(sql.Identifier(index.name)))


def _add_keys(change: Change) -> None:
    """Add the keys, save foreign ones, and the indexes. Approximate indexes are built by the
    workers afterwards: in the background, one at a time.
    """
    table = change.table
    for key in change.constraints:
        if key.kind != "f" and (change.is_rebuilt or key not in table.constraints):
            _add_constraint(table, key)
    for index in change.indexes:
        if not change.is_rebuilt and index in table.indexes:
            continue
        if index.method in APPROXIMATE:
            continue
        _execute(sql.SQL(index.definition))
        if index.plain:
            _comment(
                sql.SQL("INDEX {}").format(sql.Identifier(index.name)), ((index.name, index.plain),)
            )


def _add_constraint(table: Table, key: Constraint) -> None:
    name, owner = sql.Identifier(key.name), sql.Identifier(table.name)
    _execute(
        sql.SQL("ALTER TABLE {} ADD CONSTRAINT {} {}").format(
            owner,
            name,
            sql.SQL(key.definition),
        )
    )
    if key.plain:
        _comment(sql.SQL("CONSTRAINT {} ON {}").format(name, owner), key.plain)


def _drop_constraint(table: Table, key: Constraint) -> None:
    _execute(
        sql.SQL("ALTER TABLE {} DROP CONSTRAINT {}").format(
            sql.Identifier(table.name), sql.Identifier(key.name)
        )
    )


def _drop_triggers(table: Table) -> None:
    for name, _ in table.triggers:
        _execute(
            sql.SQL("DROP TRIGGER {} ON {}").format(
                sql.Identifier(name), sql.Identifier(table.name)
            )
        )


def _comment(what: sql.Composable, plain: Sequence[tuple[str, str]]) -> None:
    text = sql.Literal(catalogue.comment_with(plain))
    _execute(sql.SQL("COMMENT ON {} IS {}").format(what, text))


def _execute(statement: str | sql.Composable, params: Sequence[Any] | None = None) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, params)


def _value(statement: sql.Composable) -> int:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return int(cursor.fetchone()[0])
