"""``manage.py partition``: move the content tables into partitions by instance, and back."""

import shutil
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError, connection

from memoryapp.management.arguments import database_that_answers
from memoryapp.partitions import conversion
from memoryapp.partitions.catalogue import Table, content_tables
from memoryapp.partitions.conversion import Change, Form
from memoryapp.schema.fitness import MIN_POSTGRESQL


def number_of_partitions(value: str) -> int:
    """Read a number of partitions."""
    if not value.isdecimal() or not 2 <= int(value) <= conversion.MAX_PARTITIONS:
        raise ArgumentTypeError(f"give a whole number from 2 to {conversion.MAX_PARTITIONS}")
    return int(value)


class Command(BaseCommand):
    help = (
        "Move the tables of conversations and memories into partitions by instance, or back, in "
        "one transaction. Stop the web servers, workers and the scheduler first."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        form = parser.add_mutually_exclusive_group(required=True)
        form.add_argument("--partitions", type=number_of_partitions, metavar="N", help="how many")
        form.add_argument(
            "--keys-only",
            action="store_true",
            help="only put the instance into every key, as Citus and its like ask for",
        )
        form.add_argument("--undo", action="store_true", help="go back to plain tables")
        parser.add_argument(
            "--dry-run", action="store_true", help="only say what would be done, and whether it can"
        )

    def handle(
        self,
        *,
        partitions: int | None,
        keys_only: bool,
        undo: bool,
        dry_run: bool,
        **options: Any,
    ) -> None:
        if undo:
            form = conversion.PLAIN
        else:
            form = conversion.KEYED if keys_only else conversion.partitioned(partitions or 0)
        with database_that_answers():
            present = conversion.present_form()
            try:
                changes = [change for change in conversion.plan(form) if change.is_needed]
            except conversion.CannotConvert as error:
                raise CommandError(str(error)) from error
            self.stdout.write(f"Now: {present}. Wanted: {form}.")
            if not changes:
                self.stdout.write("Nothing to do.")
                return
            self._describe(changes)
            obstacles = list(self._obstacles(changes, present, form))
            if dry_run:
                for obstacle in obstacles:
                    self.stdout.write(f"Before that: {obstacle}")
                self.stdout.write("Nothing was changed.")
                return
            if obstacles:
                raise CommandError("\n".join(obstacles))
            self._convert(form)

    def _describe(self, changes: list[Change]) -> None:
        for change in changes:
            table = change.table
            moves = "moves" if change.is_rebuilt else "stays"
            self.stdout.write(
                f"{table.name:38} {moves}, {table.rows:>10,} rows, {_megabytes(table):>8,} MB,"
                f" {change.changed_keys} keys change"
            )
        rebuilt = [change.table for change in changes if change.is_rebuilt]
        self.stdout.write(
            f"{len(changes)} tables; about {sum(table.rows for table in rebuilt):,} rows move, "
            f"which takes {sum(map(_megabytes, rebuilt)):,} MB of disk until it is done."
        )

    def _obstacles(self, changes: list[Change], present: Form, form: Form) -> Iterator[str]:
        """Yield what has to be done first."""
        version = connection.cursor().connection.info.server_version // 10_000
        if version < MIN_POSTGRESQL:
            yield f"PostgreSQL {MIN_POSTGRESQL} or newer is needed; this is {version}."
        others = conversion.other_connections()
        if others:
            yield (
                f"Stop Keepsake: {others} other connection{'s' if others > 1 else ''} to the "
                "database. All tables stay locked until the move is done."
            )
        needed, available = conversion.locks_needed(present, form)
        if needed > available:
            yield (
                f"Set max_locks_per_transaction of PostgreSQL to {_setting(needed, available)} and "
                f"restart it: the way there or back takes about {needed:,} locks, and there is "
                f"room for {available:,}."
            )
        size = sum(change.table.bytes for change in changes if change.is_rebuilt)
        # The disk of another machine cannot be seen from here.
        if connection.settings_dict["HOST"].startswith(str(settings.HOME)):
            free = shutil.disk_usage(settings.HOME).free
            if free < size:
                yield f"Free {(size - free) // 1_000_000 + 1:,} MB of disk."

    def _convert(self, form: Form) -> None:
        try:
            conversion.convert(form, self.stdout.write)
        except conversion.CannotConvert as error:
            raise CommandError(f"{error} Everything is as before.") from error
        except OperationalError as error:
            raise CommandError(f"{str(error).strip()}\nEverything is as before.") from error
        self.stdout.write(f"Done: {form}. {len(content_tables())} tables.")
        self.stdout.write("Approximate vector indexes are built anew by the worker.")


def _megabytes(table: Table) -> int:
    return table.bytes // 1_000_000


def _setting(needed: int, available: int) -> int:
    """A value of ``max_locks_per_transaction`` that gives enough room, a power of two."""
    present = int(_show("max_locks_per_transaction"))
    value = present
    while available * value < needed * present:
        value *= 2
    return value


def _show(name: str) -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting(%s)", [name])
        return str(cursor.fetchone()[0])
