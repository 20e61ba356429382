"""``manage.py distribute``: divide the tables among the workers of Citus, and take them back."""

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError

from memoryapp.citus import distribution
from memoryapp.management.arguments import database_that_answers
from memoryapp.partitions import conversion
from memoryapp.partitions.conversion import CannotConvert, Change


def number_of_shards(value: str) -> int:
    """Read a number of shards."""
    if not value.isdecimal() or not 1 <= int(value) <= distribution.MAX_SHARDS:
        raise ArgumentTypeError(f"give a whole number from 1 to {distribution.MAX_SHARDS}")
    return int(value)


class Command(BaseCommand):
    help = (
        "Divide the tables of conversations and memories among the workers of Citus by instance, "
        "or take them back, in one transaction. Stop the web servers, workers and the scheduler "
        "first."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--shards",
            type=number_of_shards,
            default=distribution.SHARDS,
            metavar="N",
            help=f"into how many parts each table is divided at first ({distribution.SHARDS})",
        )
        parser.add_argument(
            "--undo", action="store_true", help="take all tables back to the coordinator"
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="only say what would be done, and whether it can"
        )

    def handle(self, *, shards: int, undo: bool, dry_run: bool, **options: Any) -> None:
        with database_that_answers():
            try:
                plan = distribution.plan_of_return() if undo else distribution.plan()
            except CannotConvert as error:
                raise CommandError(str(error)) from error
            changes = [change for change in plan if change.is_needed]
            if not changes:
                self.stdout.write("Nothing to do.")
                return
            for change in changes:
                self.stdout.write(_described(change))
            obstacles = list(self._obstacles(undo=undo))
            if dry_run:
                for obstacle in obstacles:
                    self.stdout.write(f"Before that: {obstacle}")
                self.stdout.write(f"{len(changes)} tables. Nothing was changed.")
                return
            if obstacles:
                raise CommandError("\n".join(obstacles))
            self._move(shards, undo=undo)

    def _obstacles(self, *, undo: bool) -> Iterator[str]:
        """Yield what has to be done first."""
        if not undo:
            yield from distribution.shortcomings()
        others = conversion.other_connections()
        if others:
            yield (
                f"Stop Keepsake: {others} other connection{'s' if others > 1 else ''} to the "
                "database. All tables stay locked until the move is done."
            )

    def _move(self, shards: int, *, undo: bool) -> None:
        try:
            if undo:
                changes = distribution.undo(self.stdout.write)
            else:
                changes = distribution.distribute(shards, self.stdout.write)
        except CannotConvert as error:
            raise CommandError(f"{error} Everything is as before.") from error
        except OperationalError as error:
            raise CommandError(f"{str(error).strip()}\nEverything is as before.") from error
        number = len([change for change in changes if change.is_needed])
        self.stdout.write(f"Done: {number} tables {'are back' if undo else 'are divided'}.")


def _described(change: Change) -> str:
    table = change.table
    where = change.destination or "coordinator"
    return f"{table.name:38} {where:11} {table.rows:>10,} rows, {change.changed_keys} keys change"
