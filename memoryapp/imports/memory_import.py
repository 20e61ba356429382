"""Imports memories from a file: checks what would become of each, then stores them."""

import contextlib
import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from zoneinfo import ZoneInfo

from conversations.importers.import_run import record_failures
from conversations.importers.progress import ImportProgress
from conversations.importers.reader import BrokenFile, Stream
from conversations.importers.report import Report
from conversations.models import Import
from instances.actor import Actor
from instances.tiers import Tier
from memoryapp.imports import file_format
from memoryapp.imports.file_format import ImportedMemory
from memoryapp.models import Origin
from memoryapp.pipeline import Outcome, Rejected, Writer, admitted, remember, suppression
from memoryapp.policy.dedup import Action

#: Memories that are embedded and stored at a time.
CHUNK_SIZE = 250

#: The columns of `Import` that count what became of them.
COLUMNS = {
    Action.STORED: "memories_new",
    Action.UPDATED: "memories_changed",
    Action.DUPLICATE: "memories_known",
    Action.HELD: "memories_held",
}


class _Rollback(Exception):
    """Rolls back what was stored only to see the outcome."""


def holds_memories(import_: Import) -> bool:
    """Whether the file of *import_* holds memories and no conversations."""
    try:
        with import_.file.open() as file:
            return bool(_format_of(import_, file))
    except (OSError, ValueError):
        return False  # The check reports the error.


def _format_of(import_: Import, file: Stream) -> str:
    return file_format.recognise(file, wanted=import_.kind == Import.Kind.MEMORIES)


def check(import_: Import) -> None:
    """Check the file of *import_*, which the caller has claimed, and count new memories, new
    versions and known ones; nothing is stored.

    Lines are compared with stored memories, and literally with each other. Two that say nearly the
    same in other words may both count as new, and become one when they are stored.
    """
    row, report = ImportProgress(import_, Import.State.CHECKING), Report()
    counts: Counter[Action] = Counter()
    seen: set[bytes] = set()
    with record_failures(row):
        row.begin()
        problem = ""
        try:
            for chunk in _chunks(_read(import_, row, report)):
                wanted = _wanted(import_, chunk, report)
                fresh = [imported for imported in wanted if _is_first(imported, seen)]
                counts[Action.DUPLICATE] += len(wanted) - len(fresh)
                counts.update(_would_become(import_, fresh))
                row.show(report)
        except BrokenFile as error:
            if not counts:
                raise
            problem = f"{error} What comes before it can be imported."
        row.ready(report, {COLUMNS[action]: counts[action] for action in COLUMNS}, problem=problem)


def store(import_: Import) -> None:
    """Store the memories of *import_*, which the caller has claimed, through the write path.

    Each chunk is stored in one transaction with the progress, so that nothing is stored twice after
    a worker dies: the next one continues behind it.
    """
    row, report = ImportProgress(import_, Import.State.RUNNING), Report()
    counts = Counter({action: getattr(import_, column) for action, column in COLUMNS.items()})
    done = import_.lines_done
    with record_failures(row):
        row.begin()
        try:
            for chunk in _chunks(_read(import_, row, report)):
                wanted = _wanted(import_, chunk, report, done=done)
                _store(import_, wanted, row, counts, lines_done=max(done, chunk[-1].number))
                row.show(report)
        except BrokenFile as error:
            row.fail(
                f"{error} What came before it is in. Import the file again once it is whole: "
                "nothing is added twice."
            )
        else:
            row.succeed(report)


def _wanted(
    import_: Import, chunk: list[ImportedMemory], report: Report, *, done: int | None = None
) -> list[ImportedMemory]:
    """Return those of *chunk* that are not suppressed; the others are skipped and reported. With
    ``done``, only those behind that line, and suppressed ones are counted.
    """
    suppressed = suppression.kept_out(import_.instance, [item.candidate for item in chunk])
    for index, reason in suppressed.items():
        report.skip(chunk[index].place, str(reason))
    if done is not None:
        suppression.note(r for index, r in suppressed.items() if chunk[index].number > done)
    return [
        item
        for index, item in enumerate(chunk)
        if index not in suppressed and item.number > (done or 0)
    ]


def _store(
    import_: Import,
    chunk: list[ImportedMemory],
    row: ImportProgress,
    counts: Counter[Action],
    *,
    lines_done: int,
) -> None:
    def write_progress(outcomes: list[Outcome]) -> None:
        counts.update(outcome.action for outcome in outcomes)
        row.update(
            lines_done=lines_done, **{column: counts[action] for action, column in COLUMNS.items()}
        )

    _remember(import_, chunk, write_progress)


def _remember(
    import_: Import, chunk: list[ImportedMemory], then: Callable[[list[Outcome]], None]
) -> None:
    """Store *chunk*, and run *then* in the same transaction."""
    candidates = [item.candidate for item in chunk]
    # A manager has confirmed that the tiers in the file are those of a Keepsake.
    tier = Tier.PERSON if import_.restores_tiers else Tier.DOCUMENT
    writer = Writer(Origin.IMPORT, Actor(import_.by, "import"), batch=import_.batch, tier=tier)
    remember(import_.instance, candidates, writer, ask_model=False, in_same_transaction=then)


def _read(import_: Import, row: ImportProgress, report: Report) -> Iterator[ImportedMemory]:
    with row.open() as file:
        report.format = _format_of(import_, file)
        zone = ZoneInfo(import_.instance.time_zone)
        for imported in file_format.read(report.format, file, report, zone):
            try:
                candidate = admitted(import_.instance, imported.candidate)
            except Rejected as problem:
                report.skip(imported.place, str(problem))
                continue
            report.note([candidate.created_at])
            yield replace(imported, candidate=candidate)


def _chunks(memories: Iterable[ImportedMemory]) -> Iterator[list[ImportedMemory]]:
    chunk: list[ImportedMemory] = []
    try:
        for imported in memories:
            chunk.append(imported)
            if len(chunk) == CHUNK_SIZE:
                yield chunk
                chunk = []
    except BrokenFile:
        # Memories before the break are imported as well.
        if chunk:
            yield chunk
        raise
    if chunk:
        yield chunk


def _is_first(imported: ImportedMemory, seen: set[bytes]) -> bool:
    """Whether no earlier line has the same text for the same person: the later one would be known.
    Lines with different ids in another system stay different.
    """
    candidate = imported.candidate
    text = f"{candidate.end_user}\n{candidate.external_id}\n{candidate.content}".encode()
    digest = hashlib.blake2b(text, digest_size=16).digest()
    if digest in seen:
        return False
    seen.add(digest)
    return True


def _would_become(import_: Import, chunk: list[ImportedMemory]) -> list[Action]:
    """Store them as `store` does, and roll back: so the decisions are the same."""
    actions: list[Action] = []

    def roll_back(outcomes: list[Outcome]) -> None:
        actions.extend(outcome.action for outcome in outcomes)
        raise _Rollback

    with contextlib.suppress(_Rollback):
        _remember(import_, chunk, roll_back)
    return actions
