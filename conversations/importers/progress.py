"""The row of an import while a worker has it: its progress and its end."""

import contextlib
import logging
import time
from functools import partial
from typing import IO, Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from conversations.importers.report import Report
from conversations.models import Import, ImportState
from conversations.sanitizer import sanitize
from conversations.signals import import_waiting
from instances.translatable import cleaned

logger = logging.getLogger(__name__)

#: Seconds between two updates.
UPDATE_INTERVAL_SECONDS = 0.5


class TakenOver(Exception):
    """Another worker has this import by now, or a person has cancelled or deleted it."""


class ImportProgress:
    """The progress of an import that a worker has claimed, in one state."""

    def __init__(self, import_: Import, state: ImportState) -> None:
        """Update *import_* as long as it is in *state* and this worker holds it."""
        self._import = import_
        self._state = state
        self._updated = time.monotonic()
        self._report = Report()
        # Messages that an earlier attempt has added count as known in this one.
        self._added_before = import_.messages_added if state == Import.State.RUNNING else 0

    @property
    def pk(self) -> int:
        """The primary key of the import."""
        return self._import.pk

    def open(self) -> IO[bytes]:
        """Open the uploaded file."""
        stored = self._import.file
        return stored.storage.open(str(stored.name))

    def begin(self) -> None:
        """Write the size with the first heartbeat; raises `TakenOver`."""
        self.update(bytes_total=self._import.file.size)

    def show(self, report: Report) -> None:
        """Write the progress, if the last update is some time ago; raises `TakenOver`."""
        self._report = report
        if time.monotonic() - self._updated >= UPDATE_INTERVAL_SECONDS:
            self.update(**self._counts())

    def ready(self, report: Report, columns: dict[str, int], *, problem: str = "") -> None:
        """End the check: the import waits to be confirmed, or is queued if it is unattended."""
        self._report = report
        counted = {"items_total": report.messages_added + report.messages_known}
        with transaction.atomic():
            self.update(
                **(self._counts() | counted | columns),
                **self._details(),
                titles=report.titles,
                state=Import.State.READY,
                lease_until=None,
                error=cleaned(problem, sanitize),
            )
            if self._import.unattended:
                self._import.confirm(read=self._import.read and self._import.instance.can_read)
                send = partial(import_waiting.send, sender=Import, import_=self._import)
                transaction.on_commit(send)

    def succeed(self, report: Report) -> None:
        """End as succeeded."""
        self._report = report
        self._end(
            state=Import.State.SUCCEEDED,
            error="",
            bytes_read=report.bytes_total or F("bytes_total"),
        )

    def fail(self, error: str) -> None:
        """End with an error message for the person, who can upload the file again."""
        with contextlib.suppress(TakenOver):
            self._end(state=Import.State.FAILED, error=cleaned(error, sanitize))

    def give_up(self) -> None:
        """Stop because it was taken over; if it was cancelled, write this worker's progress."""
        cancelled = self._import.row().filter(
            state=Import.State.CANCELLED, claims=self._import.claims
        )
        if self._state != Import.State.RUNNING or not cancelled.update(
            **self._counts(), **self._details()
        ):
            logger.info("import %s was taken over by another worker", self.pk)

    def update(self, **values: Any) -> None:
        """Write *values* with a heartbeat; raises `TakenOver`."""
        # A worker that was only slow finds out here that another one has taken over, and stops.
        if not self._import.still_mine().update(heartbeat_at=timezone.now(), **values):
            raise TakenOver
        self._updated = time.monotonic()

    def _end(self, **values: Any) -> None:
        with transaction.atomic():
            self.update(
                **(self._counts() | values),
                **self._details(),
                # The content of the file is in the conversations now, and may be deleted there.
                titles=[],
                columns={},
                file="",
                finished_at=timezone.now(),
                lease_until=None,
            )
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

    def _details(self) -> dict[str, Any]:
        names = ("format", "first_at", "last_at", "skipped", "reasons")
        return {name: getattr(self._report, name) for name in names}
