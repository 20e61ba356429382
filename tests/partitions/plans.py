"""Reads the plans of the statements that the product sends."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from django.db import connection
from psycopg.errors import Diagnostic

from instances.partitions import is_divided

#: The number of a partition, at the end of its name.
_NUMBER = re.compile(r"_(\d+)_of_\d+$")
_PLANNED = re.compile(r"\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b", re.IGNORECASE)
#: The name of a table of content.
_CONTENT = re.compile(r"\b(?:memoryapp|conversations)_[a-z]+\b")
#: Where one of several statements that are sent at once ends.
_NEXT = re.compile(r";(?=\s*SELECT)")


@dataclass
class Plans:
    """The statements that were sent, and those of them that scan more than one partition."""

    sent: list[str] = field(default_factory=list)
    wide: list[str] = field(default_factory=list)
    #: The tables of which partitions were scanned.
    tables: set[str] = field(default_factory=set)

    def explain(
        self,
        execute: Callable[..., Any],
        sql: Any,
        params: Sequence[Any] | None,
        many: bool,
        context: dict[str, Any],
    ) -> Any:
        """Read the plan of a statement before it is executed."""
        text = _text(sql)
        if _PLANNED.match(text) and not many:
            with connection.connection.cursor() as cursor:
                for statement in _NEXT.split(cursor.mogrify(text, params)):
                    self._read(cursor, statement)
        return execute(sql, params, many, context)

    def listen(
        self,
        execute: Callable[..., Any],
        sql: Any,
        params: Sequence[Any] | None,
        many: bool,
        context: dict[str, Any],
    ) -> Any:
        """Execute a statement, of which Citus may say that it goes to several shards."""
        text = _text(sql)
        self.sent.append(text)
        self.tables |= set(_CONTENT.findall(text))
        return execute(sql, params, many, context)

    def notice(self, said: Diagnostic) -> None:
        """Read what the server says during a statement."""
        if "multi-task query" in (said.message_primary or ""):
            self.wide.append(self.sent[-1])

    def _read(self, cursor: Any, statement: str) -> None:
        scans = set(_scans(_plan(cursor, statement)))
        tables = {table for table, _ in scans}
        self.sent.append(statement)
        self.tables |= tables
        if len({number for _, number in scans}) > 1:
            self.wide.append(f"{', '.join(sorted(tables))}: {statement[:1000]}")


def table_of(name: str) -> str:
    """The table that *name* is, or is a partition of."""
    return _NUMBER.sub("", name)


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """All steps of a plan."""
    yield plan
    for below in plan.get("Plans", ()):
        yield from nodes(below)


@contextmanager
def plans() -> Iterator[Plans]:
    """Read the plan of each statement that is sent within the block. Citus says itself which
    statements it sends to several shards.
    """
    read = Plans()
    if not is_divided():
        with connection.execute_wrapper(read.explain):
            yield read
        return
    with connection.cursor() as cursor:
        cursor.execute("SET citus.multi_task_query_log_level TO notice")
    connection.connection.add_notice_handler(read.notice)
    try:
        with connection.execute_wrapper(read.listen):
            yield read
    finally:
        connection.connection.remove_notice_handler(read.notice)
        with connection.cursor() as cursor:
            cursor.execute("RESET citus.multi_task_query_log_level")


def _plan(cursor: Any, statement: str) -> dict[str, Any]:
    """The plan of *statement* with what was executed of it. Its changes are taken back."""
    cursor.execute("SAVEPOINT plan")
    cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {statement}".replace("%", "%%"), ())
    (((plan,),),) = cursor.fetchall()
    cursor.execute("ROLLBACK TO SAVEPOINT plan")
    cursor.execute("RELEASE SAVEPOINT plan")
    return dict(plan["Plan"])


def _scans(node: dict[str, Any]) -> Iterator[tuple[str, int]]:
    """The tables that a plan scans in partitions, and the numbers of those. A partition may also be
    left out while the plan is executed, if its instance comes from another row: it has no loops.
    """
    if not node["Actual Loops"]:
        return
    name = node.get("Relation Name", "")
    if (number := _NUMBER.search(name)) is not None:
        yield table_of(name), int(number[1])
    for child in node.get("Plans", []):
        yield from _scans(child)


def scanned() -> dict[str, int]:
    """How often each partition was scanned in this transaction, also by triggers and by the checks
    of foreign keys.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, coalesce(seq_scan, 0) + coalesce(idx_scan, 0)"
            " FROM pg_stat_xact_user_tables WHERE relname ~ '_[0-9]+_of_[0-9]+$'"
        )
        return dict(cursor.fetchall())


def _text(statement: Any) -> str:
    return statement if isinstance(statement, str) else str(statement.as_string(None))
