"""The whole of an import: which format it is, and what becomes of its row."""

import contextlib
import logging
import time
from collections.abc import Callable
from typing import Any
from zoneinfo import ZoneInfo

from django.db import InterfaceError, OperationalError
from django.db.models import F
from django.utils import timezone

from conversations.importers import jsonl, locomo
from conversations.importers.filing import Filing
from conversations.importers.reading import ACCEPTED, BrokenFile, Reader, Stream, UnknownFormat
from conversations.importers.report import Report
from conversations.importers.tally import Tally
from conversations.models import Import
from conversations.turns import clean
from instances.models import Instance

logger = logging.getLogger(__name__)

#: Seconds between two updates of an import's row.
UPDATE_EVERY = 0.5


class TakenOver(Exception):
    """Another worker has this import by now, or it was deleted."""


def import_stream(
    instance: Instance,
    stream: Stream,
    on_progress: Callable[[Report], None] = lambda report: None,
    *,
    name: str = "",
) -> Report:
    """Bring the conversations of *stream* into *instance*, and return what was done.

    ``on_progress`` is called with the report so far, often: after each 64 KB that were read and
    each chunk that was stored. ``name`` is the file's name: it identifies a conversation for which
    the file has no id. Runs in many short transactions; must not be called inside one.

    Raises:
        UnknownFormat: nothing was imported.
        BrokenFile: what stands before the break was imported.

    """
    report = Report()

    def on_read(bytes_read: int) -> None:
        report.bytes_read = bytes_read
        on_progress(report)

    zone = ZoneInfo(instance.time_zone)
    with Tally() as tally:
        if not Reader(stream).read(1):
            raise UnknownFormat(f"The file is empty. {ACCEPTED}")
        if locomo.recognise(Reader(stream)):
            found = locomo.read(Reader(stream, on_read), name=name, zone=zone, report=report)
        elif jsonl.recognise(Reader(stream)):
            found = jsonl.read(
                Reader(stream, on_read), name=name, zone=zone, report=report, tally=tally
            )
        else:
            raise UnknownFormat(f"The format of this file is not known. {ACCEPTED}")
        filing = Filing(instance, report, on_progress, tally)
        try:
            for said in found:
                filing.add(said)
        except BrokenFile:
            filing.end()
            raise
        filing.end()
    return report


def import_file(import_: Import) -> None:
    """Carry out *import_*, which the caller has set to running, and see it to its end.

    It ends succeeded, and its file is deleted; or failed, with an error that says what to do. When
    the worker dies or the database goes away, it stays running and falls silent, and may be set to
    queued and carried out again: what is in already is not added twice.
    """
    row = _Row(import_)
    try:
        row.begin()
        with import_.file.storage.open(str(import_.file.name)) as file:
            report = import_stream(import_.instance, file, row.tell, name=import_.filename)
        row.succeed(report)
    except TakenOver:
        logger.info("import %s was taken over by another worker", import_.pk)
    except (UnknownFormat, BrokenFile) as error:
        row.fail(str(error))
    except (OperationalError, InterfaceError):
        raise
    except OSError as error:
        logger.exception("import %s: its file cannot be read", import_.pk)
        row.fail(f"The uploaded file cannot be read ({type(error).__name__}). Upload it again.")
    except Exception as error:
        logger.exception("import %s failed", import_.pk)
        row.fail(
            f"Internal error: {type(error).__name__}; the worker’s log has the details. What came "
            "before it is in. Import the file again: nothing is added twice."
        )


class _Row:
    """The row of an import while this worker carries it out."""

    def __init__(self, import_: Import) -> None:
        self._import = import_
        self._heartbeat = import_.heartbeat_at
        self._updated = time.monotonic()
        self._report = Report()
        # What an earlier attempt added before its worker died comes by as known.
        self._added_before = import_.messages_added

    def begin(self) -> None:
        """Show the first sign of life, and the size; raises `TakenOver`."""
        self._update(bytes_total=self._import.file.size)

    def tell(self, report: Report) -> None:
        """Show how far it has come; raises `TakenOver`."""
        self._report = report
        if time.monotonic() - self._updated >= UPDATE_EVERY:
            self._update(**self._counts())

    def succeed(self, report: Report) -> None:
        """End well."""
        self._report = report
        self._end(state=Import.State.SUCCEEDED, error="", bytes_read=F("bytes_total"))

    def fail(self, error: str) -> None:
        """End with an error for people, who have the file and can upload it again."""
        with contextlib.suppress(TakenOver):
            self._end(state=Import.State.FAILED, error=clean(error))

    def _end(self, **values: Any) -> None:
        stored = self._import.file
        self._update(
            **(self._counts() | values),
            skipped=self._report.skipped,
            file="",
            finished_at=timezone.now(),
        )
        # Only now: a worker that dies before this must find the file again.
        try:
            stored.storage.delete(str(stored.name))
        except OSError:
            logger.warning("import %s: %s could not be deleted", self._import.pk, stored.name)

    def _counts(self) -> dict[str, Any]:
        report = self._report
        return {
            "bytes_read": report.bytes_read,
            "conversations": report.conversations,
            "messages_added": self._added_before + report.messages_added,
            "messages_known": max(0, report.messages_known - self._added_before),
            "skipped_count": report.skipped_count,
        }

    def _update(self, **values: Any) -> None:
        now = timezone.now()
        # The heartbeat is the claim: whoever takes the import over writes another, and this
        # worker, if it was only slow, finds out here and stops.
        mine = Import.objects.filter(
            pk=self._import.pk, state=Import.State.RUNNING, heartbeat_at=self._heartbeat
        )
        if not mine.update(heartbeat_at=now, **values):
            raise TakenOver
        self._heartbeat = now
        self._updated = time.monotonic()
