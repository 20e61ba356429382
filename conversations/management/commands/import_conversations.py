"""``manage.py import_conversations``: a file of conversations into an instance."""

import sys
import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError

from conversations.importers import BrokenFile, Report, UnknownFormat, import_stream
from instances.models import Instance

#: Seconds between two looks at the progress.
SHOW_EVERY = 0.5


class Command(BaseCommand):
    """Brings a file in; importing it again adds nothing twice."""

    help = (
        "Import conversations from LoCoMo-format JSON or from JSONL, one message a line. "
        "Importing a file again adds nothing twice."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the file and the instance."""
        parser.add_argument("file", type=Path, help="the file to import")
        parser.add_argument("--instance", required=True, help="slug of the instance it goes to")

    def handle(self, *args: Any, file: Path, instance: str, **options: Any) -> None:
        """Import the file and say what was done.

        Raises:
            CommandError: the instance or the file is not there, or the file cannot be read.

        """
        try:
            self._import(file, self._instance(instance))
        except (UnknownFormat, BrokenFile) as error:
            raise CommandError(f"{file}: {error}") from error
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror or error}") from error
        except OperationalError as error:
            raise CommandError(
                f"The database does not answer ({str(error).strip()}). "
                "If it is the embedded one, start Keepsake first."
            ) from error

    def _instance(self, slug: str) -> Instance:
        try:
            return Instance.objects.get(slug=slug)
        except Instance.DoesNotExist:
            slugs = ", ".join(Instance.objects.order_by("slug").values_list("slug", flat=True)[:20])
            raise CommandError(
                f"There is no instance “{slug}”. There are: {slugs or 'none yet'}."
            ) from None

    def _import(self, file: Path, instance: Instance) -> None:
        size = max(1, file.stat().st_size)
        shown = time.monotonic()

        def show(report: Report) -> None:
            nonlocal shown
            if time.monotonic() - shown >= SHOW_EVERY:
                shown = time.monotonic()
                percent = min(100, 100 * report.bytes_read // size)
                self._say(f"{percent:3} %  {report.messages_added:,} messages added")

        with file.open("rb") as stream:
            report = import_stream(instance, stream, show, name=file.name)
        for reason in report.skipped:
            self._say(f"Left out: {reason}")
        if report.skipped_count > len(report.skipped):
            self._say(f"Left out: {report.skipped_count - len(report.skipped):,} more.")
        self.stdout.write(
            f"{report.conversations:,} conversations: {report.messages_added:,} messages added, "
            f"{report.messages_known:,} known already, {report.skipped_count:,} left out."
        )

    def _say(self, text: str) -> None:
        self.stderr.write(text, style_func=str)
        if self.stderr is sys.stderr:
            sys.stderr.flush()
