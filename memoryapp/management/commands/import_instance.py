"""``manage.py import_instance``: make an instance of the file of export_instance."""

import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from instances.actor import Actor
from instances.models import User
from memoryapp.bundle.reading import BadBundle, import_bundle
from memoryapp.management.arguments import file_that_opens
from memoryapp.management.commands.export_instance import VARIABLE


class Command(BaseCommand):
    help = (
        "Make a new instance of a file that export_instance has written, here or on another "
        f"server. Its secrets come back if {VARIABLE} is set in the environment."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the file to read")
        parser.add_argument("--name", default="", help="the name of the new instance")
        parser.add_argument(
            "--private-to", metavar="USERNAME", help="the one person who sees it; else superadmins"
        )

    def handle(
        self, *args: Any, file: Path, name: str, private_to: str | None, **options: Any
    ) -> None:
        with file_that_opens(file), file.open("rb") as content:
            try:
                imported = import_bundle(
                    content,
                    by=Actor(via="command"),
                    name=name,
                    private_to=_person(private_to),
                    passphrase=os.environ.get(VARIABLE, ""),
                )
            except BadBundle as error:
                raise CommandError(str(error)) from error
        for table, rows in imported.left_out.items():
            self.stderr.write(f"Left out of {table}: {rows:,}")
        self.stdout.write(
            f"{imported.instance.slug}: {sum(imported.rows.values()):,} rows, "
            f"{imported.rows.get('memoryapp.Memory', 0):,} of them memories."
        )


def _person(username: str | None) -> User | None:
    if username is None:
        return None
    found = User.objects.filter(username=username).first()
    if found is None:
        raise CommandError(f"There is no account “{username}”.")
    return found
