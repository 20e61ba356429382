"""The row of an import while a worker has it: how far it is, and how it ends."""

import contextlib
import logging
import time
from typing import IO, Any

from django.db.models import F
from django.utils import timezone

from conversations.importers.report import Report
from conversations.models import Import, ImportState
from conversations.sanitizer import sanitize

logger = logging.getLogger(__name__)

#: Seconds between two updates.
UPDATE_INTERVAL_SECONDS = 0.5


class TakenOver(Exception):
    """Another worker has this import by now, or somebody has cancelled or deleted it."""


class ImportProgress:
    """What a worker says of an import that it has claimed, while it is in one state."""

    def __init__(self, import_: Import, state: ImportState) -> None:
        """Work on *import_* for as long as it is in *state* and nobody else has taken it."""
        self._import = import_
        self._state = state
        self._heartbeat = import_.heartbeat_at
        self._updated = time.monotonic()
        self._report = Report()
        # What an earlier attempt added before its worker died comes by as known.
        self._added_before = import_.messages_added if state == Import.State.RUNNING else 0

    @property
    def pk(self) -> int:
        """The number of the import."""
        return self._import.pk

    def open(self) -> IO[bytes]:
        """Open the uploaded file."""
        stored = self._import.file
        return stored.storage.open(str(stored.name))

    def begin(self) -> None:
        """Show the first sign of life, and the size; raises `TakenOver`."""
        self.update(bytes_total=self._import.file.size)

    def tell(self, report: Report) -> None:
        """Show how far it has come; raises `TakenOver`."""
        self._report = report
        if time.monotonic() - self._updated >= UPDATE_INTERVAL_SECONDS:
            self.update(**self._counts())

    def ready(self, report: Report, found: dict[str, int], *, problem: str = "") -> None:
        """End the look through the file: somebody may decide now."""
        self._report = report
        self.update(
            **(self._counts() | found),
            **self._account(),
            titles=report.titles,
            state=Import.State.READY,
            error=sanitize(problem),
        )

    def succeed(self, report: Report) -> None:
        """End well."""
        self._report = report
        self._end(
            state=Import.State.SUCCEEDED,
            error="",
            bytes_read=report.bytes_total or F("bytes_total"),
        )

    def fail(self, error: str) -> None:
        """End with an error for people, who have the file and can upload it again."""
        with contextlib.suppress(TakenOver):
            self._end(state=Import.State.FAILED, error=sanitize(error))

    def give_up(self) -> None:
        """Stop, since it was taken over; if it was cancelled, say how far this worker has come."""
        cancelled = Import.objects.filter(
            pk=self.pk, state=Import.State.CANCELLED, heartbeat_at=self._heartbeat
        )
        if self._state != Import.State.RUNNING or not cancelled.update(
            **self._counts(), **self._account()
        ):
            logger.info("import %s was taken over by another worker", self.pk)

    def update(self, **values: Any) -> None:
        """Write *values* with a sign of life; raises `TakenOver`."""
        now = timezone.now()
        # The heartbeat is the claim: whoever takes the import over writes another, and this
        # worker, if it was only slow, finds out here and stops.
        mine = Import.objects.filter(pk=self.pk, state=self._state, heartbeat_at=self._heartbeat)
        if not mine.update(heartbeat_at=now, **values):
            raise TakenOver
        self._heartbeat = now
        self._updated = time.monotonic()

    def _end(self, **values: Any) -> None:
        self.update(
            **(self._counts() | values),
            **self._account(),
            # What was in the file is in the conversations now, and may be deleted there.
            titles=[],
            file="",
            finished_at=timezone.now(),
        )
        # Only now: a worker that dies before this must find the file again.
        self._import.delete_file()

    def _counts(self) -> dict[str, Any]:
        report = self._report
        counts = {
            "bytes_read": report.bytes_read,
            "conversations": report.conversations,
            "messages_added": self._added_before + report.messages_added,
            "messages_known": max(0, report.messages_known - self._added_before),
            "skipped_count": report.skipped_count,
        }
        if report.bytes_total:
            counts["bytes_total"] = report.bytes_total
        return counts

    def _account(self) -> dict[str, Any]:
        report = self._report
        return {
            "format": report.format,
            "first_at": report.first_at,
            "last_at": report.last_at,
            "skipped": report.skipped,
            "reasons": report.reasons,
        }
