"""``manage.py apply_erasures``: erase again whom a restored backup has brought back."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from memoryapp.management.arguments import database_that_answers
from memoryapp.people import erasure_list, restored_backup


class Command(BaseCommand):
    help = "Erase again the people whose erasure is newer than this database, a restored backup."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "list", nargs="?", type=Path, help="the list of erasures; default: in ERASURES_DIR"
        )

    def handle(self, *args: Any, list: Path | None, **options: Any) -> None:
        try:
            file = list or self._own_list()
            with database_that_answers():
                applied = restored_backup.apply(file)
        except (OSError, erasure_list.BadList) as error:
            raise CommandError(f"The list of erasures cannot be read: {error}") from error
        for erasure in applied:
            erasure.refresh_from_db()
            state = f"{erasure.rows:,} rows" if erasure.is_done else f"waits: {erasure.error}"
            self.stdout.write(f"{erasure.instance.slug}: erasure {erasure.uid}, {state}")
        self.stdout.write(f"{len(applied)} applied." if applied else "Nothing to apply.")
        if any(not erasure.is_done for erasure in applied):
            raise CommandError("Not everything could be erased. Run the command again.")

    def _own_list(self) -> Path | None:
        if (file := erasure_list.path()).exists():
            return file
        try:
            return erasure_list.make()
        except OSError as error:
            self.stderr.write(f"Erasures cannot be listed, and will have to wait: {error}")
            return None
