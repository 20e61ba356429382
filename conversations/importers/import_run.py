"""The whole of an import: looking through the file first, then bringing it in."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from zoneinfo import ZoneInfo

from django.db import InterfaceError, OperationalError

from conversations import messages
from conversations.importers import formats
from conversations.importers.progress import ImportProgress, TakenOver
from conversations.importers.reader import (
    BrokenFile,
    ParseContext,
    Stream,
    UnknownFormat,
)
from conversations.importers.report import Report
from conversations.importers.seen_counter import SeenCounter
from conversations.importers.writer import MessageChunks, MessageComparison, MessageWriter
from conversations.messages import NewMessage
from conversations.models import Conversation, Import
from instances.models import Instance

logger = logging.getLogger(__name__)

Progress = Callable[[Report], None]


def import_stream(
    instance: Instance,
    stream: Stream,
    on_progress: Progress = lambda report: None,
    *,
    name: str = "",
    on_complete: Callable[[Conversation], None] | None = None,
) -> Report:
    """Bring the conversations of *stream* into *instance*, and return what was done.

    ``on_progress`` is called with the report so far, often: after each 64 KB that were read and
    each chunk that was stored. ``name`` is the file's name: it identifies a conversation for which
    the file has no id. ``on_complete`` is told of each conversation that has come in as a whole,
    new or known, which is when it may be read for facts; by default `turns.finish` says so. Runs in
    many short transactions; must not be called inside one.

    Raises:
        UnknownFormat: nothing was imported.
        BrokenFile: what stands before the break was imported.

    """
    report = Report()
    with SeenCounter() as tally:
        filing = MessageWriter(
            instance, report, on_progress, tally, on_complete=on_complete or messages.finish
        )
        _read(
            stream,
            ParseContext(name, ZoneInfo(instance.time_zone), report, tally),
            filing,
            on_progress,
        )
    return report


def check_stream(
    instance: Instance,
    stream: Stream,
    on_progress: Progress = lambda report: None,
    *,
    name: str = "",
    on_unread: Callable[[str, NewMessage], None] = lambda conversation, turn: None,
) -> Report:
    """Say what `import_stream` would do with *stream*, and change nothing.

    ``on_unread`` is told of each message that reading for facts would have to read, in the order
    of its conversation.

    Raises:
        UnknownFormat: nothing of it can be imported.
        BrokenFile: what stands before the break can be; its ``report`` says what.

    """
    report = Report()
    with SeenCounter() as tally:
        comparing = MessageComparison(instance, report, on_progress, tally, on_unread=on_unread)
        context = ParseContext(name, ZoneInfo(instance.time_zone), report, tally)
        _read(stream, context, comparing, on_progress)
    return report


def _read(
    stream: Stream, context: ParseContext, chunks: MessageChunks, on_progress: Progress
) -> None:
    report = context.report

    def on_read(bytes_read: int) -> None:
        report.bytes_read = bytes_read
        on_progress(report)

    try:
        for said in formats.read(stream, context, on_read):
            chunks.add(said)
    except BrokenFile as error:
        chunks.end()
        error.report = report
        raise
    chunks.end()


def check_file(
    import_: Import,
    on_unread: Callable[[str, NewMessage], None] = lambda conversation, turn: None,
    found: Callable[[], dict[str, int]] = dict,
) -> None:
    """Look through the file of *import_*, which the caller has claimed, until it is ready for
    somebody to decide; or failed, with an error that says what to do.

    ``on_unread`` is as in `check_stream`; what ``found`` returns in the end goes to the row.
    """
    row = ImportProgress(import_, Import.State.CHECKING)
    with record_failures(row):
        row.begin()
        with row.open() as file:
            try:
                report = check_stream(
                    import_.instance, file, row.tell, name=import_.filename, on_unread=on_unread
                )
            except BrokenFile as error:
                if not error.report.messages_added:
                    raise
                row.ready(
                    error.report,
                    found(),
                    problem=f"{error} What comes before it can be imported. If you can, get the "
                    "file again and import that instead.",
                )
            else:
                row.ready(report, found())


def import_file(
    import_: Import, on_complete: Callable[[Conversation], None] = messages.finish
) -> None:
    """Carry out *import_*, which the caller has set to running, and see it to its end.

    ``on_complete`` is as in `import_stream`, but that by default nobody is told.

    It ends succeeded, and its file is deleted; or failed, with an error that says what to do. When
    the worker dies or the database goes away, it stays running and falls silent, and may be set to
    queued and carried out again: what is in already is not added twice.
    """
    row = ImportProgress(import_, Import.State.RUNNING)
    brought = Import.brought.through.objects

    def complete(conversation: Conversation) -> None:
        brought.bulk_create(
            [Import.brought.through(import_id=import_.pk, conversation_id=conversation.pk)],
            ignore_conflicts=True,
        )
        on_complete(conversation)

    with record_failures(row):
        row.begin()
        with row.open() as file:
            try:
                report = import_stream(
                    import_.instance, file, row.tell, name=import_.filename, on_complete=complete
                )
            except BrokenFile as error:
                row.fail(
                    f"{error} What came before it is in. Import the file again once it is whole: "
                    "nothing is added twice."
                )
            else:
                row.succeed(report)


@contextmanager
def record_failures(row: ImportProgress) -> Iterator[None]:
    """Turn whatever ends the work early into words on the row, but for what another attempt may
    get over.
    """
    try:
        yield
    except TakenOver:
        row.give_up()
    except (UnknownFormat, BrokenFile) as error:
        row.fail(str(error))
    except (OperationalError, InterfaceError):
        raise
    except OSError as error:
        logger.exception("import %s: its file cannot be read", row.pk)
        row.fail(f"The uploaded file cannot be read ({type(error).__name__}). Upload it again.")
    except Exception as error:
        logger.exception("import %s failed", row.pk)
        row.fail(
            f"Internal error: {type(error).__name__}; the worker’s log has the details. What came "
            "before it is in. Import the file again: nothing is added twice."
        )
