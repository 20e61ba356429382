"""``manage.py export_instance``: write everything of an instance to a file."""

import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from memoryapp.bundle.sealing import MIN_PASSPHRASE
from memoryapp.bundle.writing import bundle_of
from memoryapp.management.arguments import file_that_opens, instance_named

#: The environment variable with the passphrase: arguments are seen by everybody on the machine.
VARIABLE = "BUNDLE_PASSPHRASE"


class Command(BaseCommand):
    help = (
        "Write everything of an instance to a file (zip), from which import_instance makes it "
        f"again. Secrets are included, encrypted, if {VARIABLE} is set in the environment."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("instance", help="slug of the instance")
        parser.add_argument("file", type=Path, help="the file to write; it must not exist")

    def handle(self, *args: Any, instance: str, file: Path, **options: Any) -> None:
        passphrase = os.environ.get(VARIABLE, "")
        if passphrase and len(passphrase) < MIN_PASSPHRASE:
            raise CommandError(f"{VARIABLE} needs at least {MIN_PASSPHRASE} characters.")
        with file_that_opens(file):
            found = instance_named(instance)
            with open(file, "xb", opener=_private) as out:
                try:
                    for part in bundle_of(found, passphrase=passphrase):
                        out.write(part)
                except BaseException:
                    file.unlink(missing_ok=True)
                    raise
        self.stdout.write(f"{file}: {file.stat().st_size:,} bytes.")
        if not passphrase:
            self.stdout.write(f"Without secrets and never-again rules: {VARIABLE} is not set.")


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
