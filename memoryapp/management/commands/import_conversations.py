"""``manage.py import_conversations``: import a file of conversations into an instance."""

import time
from argparse import ArgumentParser, BooleanOptionalAction
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from conversations.importers import BrokenFile, Report, UnknownFormat, check_stream, import_stream
from instances.models import Instance
from memoryapp.imports.dispatch import ExtractionEstimate, leave_unread, read_for_facts
from memoryapp.language.plurals import counted
from memoryapp.llm.structured import NO_MODEL
from memoryapp.management.arguments import add_import_arguments, file_that_opens, instance_named
from memoryapp.management.output import show_progress

#: Seconds between two lines of progress.
PROGRESS_INTERVAL_SECONDS = 0.5
#: Skipped places that are shown.
MAX_PLACES = 20


class Command(BaseCommand):
    help = (
        "Import conversations: an export of ChatGPT, Claude, Gemini, Grok, Open WebUI or "
        "LibreChat, a conversation of LM Studio, a session of Claude Code or Codex, LoCoMo-format "
        "JSON, or messages as JSON or JSONL. Importing a file again adds nothing twice."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
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
        try:
            with file_that_opens(file):
                into = instance_named(instance)
                if read and not into.can_read:
                    raise CommandError(NO_MODEL)
                if dry_run:
                    self._check(file, into)
                else:
                    self._import(file, into, read=read)
        except (UnknownFormat, BrokenFile) as error:
            raise CommandError(f"{file}: {error}") from error

    def _check(self, file: Path, instance: Instance) -> None:
        estimate = ExtractionEstimate(instance)
        with file.open("rb") as stream:
            report = check_stream(
                instance,
                stream,
                self._progress(file, "would be added"),
                name=file.name,
                on_unread=estimate.note,
            )
        self._summarise(report, "to add")
        if instance.reads_by_itself:
            self.stdout.write(
                "Reading what is new for facts (--read) takes no calls: the built-in reader does "
                "it."
            )
            return
        needed = estimate.result()
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
        self._summarise(report, "added")
        if read:
            self.stdout.write("The workers will read it for facts.")

    def _progress(self, file: Path, what: str) -> Callable[[Report], None]:
        size = max(1, file.stat().st_size)
        shown = time.monotonic()

        def show(report: Report) -> None:
            nonlocal shown
            if time.monotonic() - shown >= PROGRESS_INTERVAL_SECONDS:
                shown = time.monotonic()
                percent = min(100, 100 * report.bytes_read // (report.bytes_total or size))
                show_progress(
                    self, f"{percent:3} %  {counted(report.messages_added, 'message')} {what}"
                )

        return show

    def _summarise(self, report: Report, what: str) -> None:
        for reason, number in report.reasons.items():
            show_progress(self, f"Left out, {counted(number, 'time')}: {reason}")
        for place in report.skipped[:MAX_PLACES]:
            show_progress(self, f"Left out: {place}")
        if len(report.skipped) > MAX_PLACES:
            show_progress(self, "Left out: … and more.")
        self.stdout.write(
            f"{report.format}. {counted(report.conversations, 'conversation')}: "
            f"{counted(report.messages_added, 'message')} {what}, "
            f"{report.messages_known:,} known already, {report.skipped_count:,} left out."
        )
