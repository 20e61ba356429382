"""Runs an import of conversations: first checks the file, later imports it."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from zoneinfo import ZoneInfo

from django.db import InterfaceError, OperationalError

from conversations import messages
from conversations.importers import formats
from conversations.importers.progress import ImportProgress, TakenOver
from conversations.importers.reader import BrokenFile, ParseContext, Stream, UnknownFormat
from conversations.importers.report import Report
from conversations.importers.seen_counter import SeenCounter
from conversations.importers.writer import MessageChunks, MessageComparison, MessageWriter
from conversations.messages import BY_PEOPLE, MessageDoor, NewMessage
from conversations.models import Conversation, Import
from instances.models import Instance
from instances.translatable import sentences, translatable

logger = logging.getLogger(__name__)

Progress = Callable[[Report], None]


def import_stream(
    instance: Instance,
    stream: Stream,
    on_progress: Progress = lambda report: None,
    *,
    name: str = "",
    on_complete: Callable[[Conversation], None] | None = None,
    door: MessageDoor = BY_PEOPLE,
) -> Report:
    """Import the conversations of *stream* into *instance*, and report what was done.

    ``on_progress`` is called with the report so far, after each 64 KB read and each chunk stored.
    ``name`` is the file's name: it identifies a conversation that has no id in the file.
    ``on_complete`` is called with each complete conversation, new or known, which may then be read
    for facts; by default it is `messages.finish`. Messages come through *door*. Runs in many short
    transactions; must not be called inside one. Raises `UnknownFormat` if nothing was imported;
    `BrokenFile` if only what comes before the damage was.
    """
    writer = partial(MessageWriter, on_complete=on_complete or messages.finish, door=door)
    return _process(instance, stream, on_progress, name, writer)


def check_stream(
    instance: Instance,
    stream: Stream,
    on_progress: Progress = lambda report: None,
    *,
    name: str = "",
    on_unread: Callable[[str, NewMessage], None] = lambda conversation, message: None,
) -> Report:
    """Report what `import_stream` would do with *stream*, and change nothing.

    ``on_unread`` is called with each message that reading for facts would have to read, in the
    order of its conversation. Raises `UnknownFormat` if nothing can be imported; `BrokenFile` if
    only what comes before the damage can: its ``report`` counts that.
    """
    comparison = partial(MessageComparison, on_unread=on_unread)
    return _process(instance, stream, on_progress, name, comparison)


def _process(
    instance: Instance,
    stream: Stream,
    on_progress: Progress,
    name: str,
    make_chunks: Callable[..., MessageChunks],
) -> Report:
    report = Report()

    def on_read(bytes_read: int) -> None:
        report.bytes_read = bytes_read
        on_progress(report)

    with SeenCounter() as seen:
        chunks = make_chunks(instance, report, on_progress, seen)
        context = ParseContext(name, ZoneInfo(instance.time_zone), report, seen)
        try:
            for parsed in formats.read(stream, context, on_read):
                chunks.add(parsed)
        except BrokenFile as error:
            chunks.end()
            error.report = report
            raise
        chunks.end()
    return report


def check_file(
    import_: Import,
    on_unread: Callable[[str, NewMessage], None] = lambda conversation, message: None,
    estimate: Callable[[], dict[str, int]] = dict,
) -> None:
    """Check the file of *import_*, which the caller has claimed. Then the import is ready to be
    confirmed, or has failed with an error that says what to do.

    ``on_unread`` is as in `check_stream`; the columns that ``estimate`` returns at the end are
    written to the row.
    """
    row = ImportProgress(import_, Import.State.CHECKING)
    with record_failures(row):
        row.begin()
        with row.open() as file:
            try:
                report = check_stream(
                    import_.instance, file, row.show, name=import_.filename, on_unread=on_unread
                )
            except BrokenFile as error:
                if not error.report.messages_added:
                    raise
                row.ready(
                    error.report,
                    estimate(),
                    problem=sentences(
                        str(error),
                        translatable(
                            "What comes before it can be imported. If you can, get the file again "
                            "and import that instead."
                        ),
                    ),
                )
            else:
                row.ready(report, estimate())


def import_file(
    import_: Import, on_complete: Callable[[Conversation], None] = messages.finish
) -> None:
    """Import the file of *import_*, which the caller has set to running.

    ``on_complete`` is as in `import_stream`.

    The import ends as succeeded, and its file is deleted; or as failed, with an error that says
    what to do. If the worker dies or the database fails, it stays running without a heartbeat, and
    may be queued and run again: nothing is added twice.
    """
    row = ImportProgress(import_, Import.State.RUNNING)

    def complete(conversation: Conversation) -> None:
        import_.add_conversation(conversation)
        on_complete(conversation)

    with record_failures(row):
        row.begin()
        with row.open() as file:
            try:
                report = import_stream(
                    import_.instance,
                    file,
                    row.show,
                    name=import_.filename,
                    on_complete=complete,
                    door=MessageDoor(batch=import_.batch),
                )
            except BrokenFile as error:
                row.fail(
                    sentences(
                        str(error),
                        translatable(
                            "What came before it was imported. Import the file again once it is "
                            "whole: nothing is added twice."
                        ),
                    )
                )
            else:
                row.succeed(report)


@contextmanager
def record_failures(row: ImportProgress) -> Iterator[None]:
    """Write to the row why the work has ended early, except for database errors: after those,
    another attempt may succeed.
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
        row.fail(
            translatable(
                "The uploaded file cannot be read (%(kind)s). Upload it again.",
                kind=type(error).__name__,
            )
        )
    except Exception as error:
        logger.exception("import %s failed", row.pk)
        row.fail(
            translatable(
                "Internal error: %(kind)s; the worker’s log has the details. What came before it "
                "was imported. Import the file again: nothing is added twice.",
                kind=type(error).__name__,
            )
        )
