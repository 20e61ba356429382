"""Divides the tables among the workers of Citus, and takes them back, in one transaction.

::

    distributed   content, by instance: all rows of one instance are on one worker
    reference     what content refers to, such as people and instances, and what its triggers read:
                  a copy on each server
    coordinator   everything else, such as sessions: where it was

Citus neither accepts a table that refers to one which it does not know yet, nor triggers on rows
that it copies. Therefore foreign keys and triggers are dropped first and made again afterwards. A
table that is where it belongs is left alone, so that `distribute` also takes in what a migration
has added since.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from django.db import connection, transaction
from psycopg import sql

from instances.partitions import is_divided
from memoryapp.partitions import catalogue, conversion
from memoryapp.partitions.catalogue import Place, Table
from memoryapp.partitions.conversion import KEYED, CannotConvert, Change
from memoryapp.partitions.keys import COLUMN

#: Shards of each table: a worker more takes whole ones over. Citus's own default.
SHARDS = 32
#: More make each statement that touches all of them slow.
MAX_SHARDS = 256
#: Every shard of a table lies with the shard of this one that has the same instances.
FIRST = "conversations_conversation"

#: What later statements find set in this database. Triggers, and statements in them, are what Citus
#: calls unsafe: ours name the instance in each statement. Shards are changed one after the other:
#: if several are at once, what they refer to cannot be changed in the same transaction.
DATABASE_SETTINGS = {
    "citus.allow_nested_distributed_execution": "on",
    "citus.enable_unsafe_triggers": "on",
    "citus.multi_shard_modify_mode": "sequential",
}
# A local table that refers to a reference table is in Citus's catalogue as long as it does, and
# cannot leave it if it has an identity column. It stays once it was added in so many words.
_KEEP = """
SELECT citus_add_local_table_to_metadata(logicalrelid) FROM pg_dist_partition WHERE autoconverted
"""
# What statements on the workers call. Citus finds the function of a trigger by itself.
_FUNCTIONS = """
SELECT create_distributed_function(p.oid::regprocedure) FROM pg_proc p
WHERE p.pronamespace = current_schema()::regnamespace AND NOT EXISTS (
    SELECT FROM pg_depend d
    WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
) AND NOT EXISTS (
    SELECT FROM pg_catalog.pg_dist_object o
    WHERE o.classid = 'pg_proc'::regclass AND o.objid = p.oid
)
"""
_WORKERS = "SELECT count(*) FROM pg_dist_node WHERE isactive AND shouldhaveshards"
_COORDINATOR = "SELECT EXISTS (SELECT FROM pg_dist_node WHERE groupid = 0)"


def shortcomings() -> Iterator[str]:
    """Yield what has to be done before the tables can be divided."""
    if not catalogue.has_citus():
        yield "Install Citus, and run CREATE EXTENSION citus in this database of each server."
        return
    with connection.cursor() as cursor:
        cursor.execute(_COORDINATOR)
        if not cursor.fetchone()[0]:
            yield "Tell Citus its own address: SELECT citus_set_coordinator_host('…', 5432)."
        cursor.execute(_WORKERS)
        if not cursor.fetchone()[0]:
            yield "Tell Citus of the workers: SELECT citus_add_node('…', 5432) for each."
    if conversion.present_form().partitions:
        yield "Take the partitions back first: manage.py partition --undo"


def plan() -> list[Change]:
    """Return what `distribute` would do to each table. Raises `CannotConvert`."""
    changes = {change.table.name: change for change in conversion.plan(KEYED)}
    for name, change in list(changes.items()):
        changes[name] = _to(change, "distributed")
    others = {table.name: table for table in catalogue.other_tables()}
    shared = _shared(changes.values(), others)
    for name, table in others.items():
        change = Change(table, False, table.constraints, table.indexes)
        changes[name] = _to(change, "reference") if name in shared else change
    return list(changes.values())


def plan_of_return() -> list[Change]:
    """Return what `undo` would do to each table."""
    tables = (*catalogue.content_tables(details=True), *catalogue.other_tables())
    return [Change(table, bool(table.place), table.constraints, table.indexes) for table in tables]


def distribute(
    shards: int = SHARDS, report: Callable[[str], None] = lambda line: None
) -> list[Change]:
    """Divide the tables; return the changes. Nothing else can read or write them meanwhile. If it
    fails at any point, everything is as before. Raises `CannotConvert`.
    """
    with transaction.atomic():
        _prepare()
        _execute("SELECT set_config('citus.shard_count', %s, true)", [str(shards)])
        changes = plan()
        if any(change.is_needed for change in changes):

            def take(change: Change) -> None:
                report(f"{change.table.name}: {change.destination}")
                _take(change)

            conversion.carry_out(_in_order(changes), KEYED, report, take)
            _continue_numbers()
            _execute(_FUNCTIONS)
            _set_database()
    return changes


def undo(report: Callable[[str], None] = lambda line: None) -> list[Change]:
    """Take all tables back to the coordinator; return the changes. The instance stays in their
    keys. Raises `CannotConvert`.
    """
    with transaction.atomic():
        _prepare()
        changes = plan_of_return()
        if any(change.is_needed for change in changes):
            conversion.carry_out(changes, KEYED, report)
    return changes


def take_in_new_tables() -> None:
    """Give tables that a migration has made the form of the others, and their place."""
    if not is_divided():
        conversion.take_in_new_tables()
    elif any(change.is_needed for change in plan()):
        distribute()


def _to(change: Change, place: Place) -> Change:
    if change.table.place == place:
        return change
    # One with an identity column can no longer leave Citus's catalogue, so it is made anew.
    return replace(change, destination=place, is_rebuilt=bool(change.table.place))


def _shared(content: Iterable[Change], others: dict[str, Table]) -> set[str]:
    """The names of those of *others* which functions read, or to which content refers, and to which
    these refer.

    For a table that is on the coordinator alone, the trigger of a worker would ask the coordinator
    by a connection of its own. That sees nothing of the transaction, and the worker breaks down as
    it commits (Citus 14.0.1): what it keeps of the connection is gone after PREPARE TRANSACTION.
    """
    found = catalogue.read_by_functions(others)
    ahead = [*(change.table for change in content), *(others[name] for name in found)]
    while ahead:
        for key in ahead.pop().constraints:
            if key.referenced in others and key.referenced not in found:
                found.add(key.referenced)
                ahead.append(others[key.referenced])
    return found


def _in_order(changes: Sequence[Change]) -> list[Change]:
    """The changes with the table first that the others lie with."""
    return sorted(changes, key=lambda change: change.table.name != FIRST)


def _prepare() -> None:
    if not catalogue.has_citus():
        raise CannotConvert("This database does not have the extension citus.")
    for name, value in {
        **DATABASE_SETTINGS,
        "client_min_messages": "warning",
        "lock_timeout": f"{conversion.LOCK_TIMEOUT_SECONDS}s",
    }.items():
        _execute("SELECT set_config(%s, %s, true)", [name, value])
    _execute(_KEEP)


def _take(change: Change) -> None:
    if change.destination == "reference":
        _execute("SELECT create_reference_table(%s)", [change.table.name])
    elif change.table.name == FIRST:
        # Otherwise it would lie with whatever else is in the database.
        _execute(
            "SELECT create_distributed_table(%s, %s, colocate_with => 'none')", [FIRST, COLUMN]
        )
    else:
        _execute(
            "SELECT create_distributed_table(%s, %s, colocate_with => %s)",
            [change.table.name, COLUMN, FIRST],
        )


def _continue_numbers() -> None:
    """Number new rows of tables outside the content from the last ones on: where Citus takes a
    table into its catalogue, numbers begin anew.
    """
    for table in catalogue.other_tables():
        for column in table.columns:
            if column.sequence:
                _execute(
                    sql.SQL("SELECT setval(%s, max({})) FROM {} HAVING count(*) > 0").format(
                        sql.Identifier(column.name), sql.Identifier(table.name)
                    ),
                    [column.sequence],
                )


def _set_database() -> None:
    database = sql.Identifier(connection.settings_dict["NAME"])
    for name, value in DATABASE_SETTINGS.items():
        _execute(
            sql.SQL("ALTER DATABASE {} SET {} TO {}").format(
                database, sql.SQL(name), sql.Literal(value)
            )
        )


def _execute(statement: str | sql.Composable, params: Sequence[str] | None = None) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, params)
