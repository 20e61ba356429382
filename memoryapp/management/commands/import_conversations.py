"""``manage.py import_conversations``: import a file of conversations into an instance."""

import sys
import time
from argparse import ArgumentParser, BooleanOptionalAction
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from conversations.importers import BrokenFile, Report, UnknownFormat, check_stream, import_stream
from instances.models import Instance
from memoryapp.imports.dispatch import ExtractionEstimate, leave_unread, read_for_facts
from memoryapp.llm.structured import NO_MODEL
from memoryapp.management.arguments import add_import_arguments, file_that_opens, instance_named
from memoryapp.text.plurals import counted

#: Seconds between two looks at the progress.
PROGRESS_INTERVAL_SECONDS = 0.5
#: Places of what was left out that are shown.
MAX_PLACES = 20


class Command(BaseCommand):
    """Imports a file; a second import of it adds nothing."""

    help = (
        "Import conversations: the export of ChatGPT or Claude, LoCoMo-format JSON, or JSONL with "
        "one message a line. Importing a file again adds nothing twice."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the file, the instance, and what to do with them."""
        add_import_arguments(
            parser, dry_run="only report what would be added, and what reading it for facts costs"
        )
        parser.add_argument(
            "--read",
            action=BooleanOptionalAction,
            default=False,
            help="have the workers read what came in for facts",
        )

    def handle(
        self, *args: Any, file: Path, instance: str, dry_run: bool, read: bool, **options: Any
    ) -> None:
        """Import the file and say what was done.

        Raises:
            CommandError: the instance or the file is not there, or the file cannot be read.

        """
        try:
            with file_that_opens(file):
                into = instance_named(instance)
                if read and not into.has_language_model:
                    raise CommandError(NO_MODEL)
                if dry_run:
                    self._look_through(file, into)
                else:
                    self._import(file, into, read=read)
        except (UnknownFormat, BrokenFile) as error:
            raise CommandError(f"{file}: {error}") from error

    def _look_through(self, file: Path, instance: Instance) -> None:
        survey = ExtractionEstimate(instance)
        with file.open("rb") as stream:
            report = check_stream(
                instance,
                stream,
                self._progress(file, "would be added"),
                name=file.name,
                on_unread=survey.note,
            )
        self._account(report, "to add")
        needed = survey.result()
        self.stdout.write(
            f"Reading what is new for facts (--read) would take about {needed['calls']:,} calls: "
            f"{needed['prompt_tokens']:,} tokens read, {needed['completion_tokens']:,} written."
        )

    def _import(self, file: Path, instance: Instance, *, read: bool) -> None:
        with file.open("rb") as stream:
            report = import_stream(
                instance,
                stream,
                self._progress(file, "added"),
                name=file.name,
                on_complete=read_for_facts if read else leave_unread,
            )
        self._account(report, "added")
        if read:
            self.stdout.write("The workers read it for facts as soon as they run.")

    def _progress(self, file: Path, what: str) -> Callable[[Report], None]:
        size = max(1, file.stat().st_size)
        shown = time.monotonic()

        def show(report: Report) -> None:
            nonlocal shown
            if time.monotonic() - shown >= PROGRESS_INTERVAL_SECONDS:
                shown = time.monotonic()
                percent = min(100, 100 * report.bytes_read // (report.bytes_total or size))
                self._say(f"{percent:3} %  {counted(report.messages_added, 'message')} {what}")

        return show

    def _account(self, report: Report, what: str) -> None:
        for reason, number in report.reasons.items():
            self._say(f"Left out, {counted(number, 'time')}: {reason}")
        for place in report.skipped[:MAX_PLACES]:
            self._say(f"Left out: {place}")
        if len(report.skipped) > MAX_PLACES:
            self._say("Left out: … and more.")
        self.stdout.write(
            f"{report.format}. {counted(report.conversations, 'conversation')}: "
            f"{counted(report.messages_added, 'message')} {what}, "
            f"{report.messages_known:,} known already, {report.skipped_count:,} left out."
        )

    def _say(self, text: str) -> None:
        self.stderr.write(text, style_func=str)
        if self.stderr is sys.stderr:
            sys.stderr.flush()
