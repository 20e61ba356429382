"""``manage.py audit``: check the audit log, and write the records of a period to a file."""

from argparse import ArgumentParser
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from memoryapp.audit.archive import BadArchive, verify_archive, write_archive
from memoryapp.audit.chaining import chain
from memoryapp.audit.verification import Verification, still_holds, verify_log
from memoryapp.management.arguments import database_that_answers


class Command(BaseCommand):
    help = "Check the audit log or an archive of it, or export the records of a period."

    def add_arguments(self, parser: ArgumentParser) -> None:
        commands = parser.add_subparsers(dest="command", required=True)
        verify = commands.add_parser("verify", help="check the log; ends with 1 if it is broken")
        verify.add_argument("file", nargs="?", type=Path, help="an archive to check instead")
        verify.add_argument(
            "--log",
            action="store_true",
            help="also check that the log still has the last record of the archive",
        )
        export = commands.add_parser("export", help="write the records of a period to a file")
        export.add_argument("file", type=Path)
        export.add_argument("--from", dest="since", type=date.fromisoformat, required=True)
        export.add_argument("--to", dest="until", type=date.fromisoformat, required=True)

    def handle(self, *, command: str, file: Path | None, **options: Any) -> None:
        if command == "export" and file is not None:
            self._export(file, options["since"], options["until"])
        elif file is None:
            with database_that_answers():
                chain()
                self._report("The audit log", verify_log())
        else:
            self._verify(file, and_log=options["log"])

    def _export(self, path: Path, since: date, until: date) -> None:
        if until < since:
            raise CommandError("The last day is before the first.")
        with database_that_answers(), _opened(path, "wb") as file:
            chain()
            manifest = write_archive(file, _midnight(since), _midnight(until + timedelta(days=1)))
        self.stdout.write(f"{manifest['records']} records. SHA-256: {manifest['sha256']}")
        if manifest["last"]:
            self.stdout.write(f"Last: record {manifest['last']}, digest {manifest['digest']}")

    def _verify(self, path: Path, *, and_log: bool) -> None:
        try:
            with _opened(path, "rb") as file:
                result = verify_archive(file)
        except BadArchive as error:
            raise CommandError(str(error)) from error
        self._report("The archive", result)
        if and_log:
            with database_that_answers():
                if not still_holds(result.last, result.digest):
                    raise CommandError(f"The log has lost record {result.last}, or has another.")
            self.stdout.write(f"The log still has record {result.last}.")

    def _report(self, what: str, result: Verification) -> None:
        for each in result.breaks:
            self.stdout.write(str(each))
        if not result.is_whole:
            raise CommandError(f"{what} is broken.")
        self.stdout.write(f"{what} is whole: {result.records} records.")
        if result.last:
            self.stdout.write(f"Last: record {result.last}, digest {result.digest}")


def _opened(path: Path, mode: str) -> Any:
    try:
        return path.open(mode)
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}.") from error


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time()))
