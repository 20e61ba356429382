"""``manage.py migrate``: Django's, of a database that is fit for it, by one process at a time."""

from typing import Any

from django.core.management import CommandError
from django.core.management.commands import migrate
from django.db import connections
from django.db.migrations.executor import MigrationExecutor

from memoryapp.schema.comparison import not_upgradable
from memoryapp.schema.fitness import shortcomings
from memoryapp.schema.migration_lock import alone


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        if options["plan"] or options["check_unapplied"]:
            super().handle(*args, **options)
            return
        connection = connections[options["database"]]
        with alone(connection.alias, self._say_that_it_waits):
            if problems := list(shortcomings(connection)):
                raise CommandError("\n".join(problems))
            if problem := not_upgradable(MigrationExecutor(connection)):
                raise CommandError(f"{problem} Nothing was changed.")
            super().handle(*args, **options)

    def _say_that_it_waits(self) -> None:
        self.stdout.write("Another process migrates this database; waiting until it is done.")
