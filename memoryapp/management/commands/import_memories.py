"""``manage.py import_memories``: import a file of memories into an instance."""

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.core.files import File
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from conversations.importers.reader import ACCEPTED_FORMATS
from conversations.models import Import
from memoryapp.imports import memory_import
from memoryapp.imports.columns import FIELDS
from memoryapp.management.arguments import add_import_arguments, file_that_opens, instance_named
from memoryapp.tasks import IMPORT_SECONDS

#: Skipped places that are shown.
MAX_PLACES = 20


class Command(BaseCommand):
    help = (
        "Import memories: as JSONL, CSV or text, those in an export of ChatGPT or Claude, mem0’s "
        "export, OpenMemory’s backup, or the memory.jsonl of the MCP memory server. Importing a "
        "file again adds nothing twice."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_import_arguments(parser, dry_run="only report what would happen to each memory")
        parser.add_argument(
            "--column",
            action="append",
            type=_column,
            default=[],
            metavar="NAME=FIELD",
            help="the field that a column fills, once for each column; those that are not named "
            "are left out. Without it, names and values decide",
        )
        parser.add_argument(
            "--replace",
            action="store_true",
            help="let rows take the place of memories that they update; otherwise both are kept",
        )

    def handle(
        self,
        *args: Any,
        file: Path,
        instance: str,
        dry_run: bool,
        column: Sequence[tuple[str, str]] = (),
        replace: bool = False,
        **options: Any,
    ) -> None:
        with file_that_opens(file), file.open("rb") as content:
            # In one transaction, so that no worker claims it in between.
            with transaction.atomic():
                import_ = Import.objects.create(
                    instance=instance_named(instance),
                    filename=file.name[:300],
                    file=File(content, name=file.name),
                    bytes_total=file.stat().st_size,
                    kind=Import.Kind.MEMORIES,
                    keep_apart=not replace,
                    columns=dict(column),
                )
                import_.claim()
            try:
                self._import(import_, dry_run=dry_run)
            finally:
                # Completed imports stay in the list on the screen.
                if import_.state != Import.State.SUCCEEDED:
                    import_.delete()

    def _import(self, import_: Import, *, dry_run: bool) -> None:
        if not memory_import.holds_memories(import_):
            raise CommandError(f"No memories are in {import_.filename}. {ACCEPTED_FORMATS}")
        with import_.kept(seconds=IMPORT_SECONDS):
            memory_import.check(import_)
        import_.refresh_from_db()
        if import_.state == Import.State.READY and not dry_run:
            if import_.error:
                self.stderr.write(import_.error)
            with transaction.atomic():
                import_.confirm(read=False)
                import_.claim()
            with import_.kept(seconds=IMPORT_SECONDS):
                memory_import.store(import_)
            import_.refresh_from_db()
        for place in import_.skipped[:MAX_PLACES]:
            self.stderr.write(f"Left out: {place}")
        if import_.skipped_count > MAX_PLACES:
            self.stderr.write(f"Left out: … and {import_.skipped_count - MAX_PLACES:,} more.")
        self.stdout.write(
            f"{import_.format}. {import_.memories_new:,} new, {import_.memories_changed:,} new "
            f"versions, {import_.memories_known:,} known already, {import_.skipped_count:,} left "
            "out."
        )
        if import_.state == Import.State.FAILED or (dry_run and import_.error):
            raise CommandError(import_.error)


def _column(text: str) -> tuple[str, str]:
    """Read ``NAME=FIELD``; a name may have an equals sign, a field has none."""
    name, _, field = text.rpartition("=")
    if not name or field not in FIELDS:
        raise ArgumentTypeError(f"“{text}” is not NAME=FIELD. Fields are: {', '.join(FIELDS)}.")
    return name, field
