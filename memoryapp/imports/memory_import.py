"""Memories from a file: what would become of each, and then their way into the store."""

import contextlib
import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from zoneinfo import ZoneInfo

from conversations.importers.import_run import record_failures
from conversations.importers.progress import ImportProgress
from conversations.importers.reader import BrokenFile
from conversations.importers.report import Report
from conversations.models import Import
from instances.actor import Actor
from memoryapp.imports import file_format
from memoryapp.imports.file_format import ImportedMemory
from memoryapp.models import Memory, Origin
from memoryapp.pipeline import (
    Outcome,
    Rejected,
    Writer,
    admitted,
    remember,
    suppression,
)
from memoryapp.policy.dedup import Action

#: Memories that are embedded and stored at a time.
CHUNK_SIZE = 50

#: The columns of `Import` that count what became of them.
COLUMNS = {
    Action.STORED: "memories_new",
    Action.UPDATED: "memories_changed",
    Action.DUPLICATE: "memories_known",
}


class _OnlyAsked(Exception):
    """Undoes what was stored to see what would become of it."""


def holds_memories(import_: Import) -> bool:
    """Whether the file of *import_* holds memories and no conversations."""
    try:
        with import_.file.open() as file:
            wanted = import_.kind == Import.Kind.MEMORIES
            return bool(file_format.recognise(file, wanted=wanted))
    except (OSError, ValueError):
        return False  # Whoever looks through it next says so.


def check(import_: Import) -> None:
    """Look through the file of *import_*, which the caller has claimed, and count what would be
    new, what a new version, and what is known; nothing of it stays.

    Lines are compared with what is remembered, and to the letter with each other. Two that say
    nearly the same in other words may both be counted as new, and become one as they come in.
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
                fresh = [found for found in wanted if _is_first(found, seen)]
                counts[Action.DUPLICATE] += len(wanted) - len(fresh)
                counts.update(_would_become(import_, fresh))
                row.tell(report)
        except BrokenFile as error:
            if not counts:
                raise
            problem = f"{error} What comes before it can be imported."
        row.ready(report, {COLUMNS[action]: counts[action] for action in COLUMNS}, problem=problem)


def store(import_: Import) -> None:
    """Store the memories of *import_*, which the caller has claimed, through the write path.

    Each chunk is stored in one transaction with how far it has come, so that a worker that dies
    leaves nothing to be stored twice: the next one goes on behind it.
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
                row.tell(report)
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
    """Those of *chunk* that nobody has said not to learn again; the others are left out, with
    the place and the reason. With ``done``, only what stands behind that line, for good.
    """
    out = suppression.kept_out(import_.instance, [one.candidate for one in chunk])
    for place, reason in out.items():
        report.skip(chunk[place].place, str(reason))
    if done is not None:
        suppression.note(reason for place, reason in out.items() if chunk[place].number > done)
    return [one for place, one in enumerate(chunk) if place not in out and one.number > (done or 0)]


def _store(
    import_: Import,
    chunk: list[ImportedMemory],
    row: ImportProgress,
    counts: Counter[Action],
    *,
    lines_done: int,
) -> None:
    def account(outcomes: list[Outcome]) -> None:
        counts.update(outcome.action for outcome in outcomes)
        _date(chunk, outcomes)
        row.update(
            lines_done=lines_done,
            **{column: counts[action] for action, column in COLUMNS.items()},
        )

    remember(
        import_.instance,
        [one.candidate for one in chunk],
        Writer(Origin.IMPORT, Actor(import_.by, "import")),
        ask_model=False,
        in_same_transaction=account,
    )


def _read(import_: Import, row: ImportProgress, report: Report) -> Iterator[ImportedMemory]:
    with row.open() as file:
        wanted = import_.kind == Import.Kind.MEMORIES
        report.format = file_format.recognise(file, wanted=wanted)

        zone = ZoneInfo(import_.instance.time_zone)
        for found in file_format.read(report.format, file, report, zone):
            try:
                fit = admitted(import_.instance, found.candidate)
            except Rejected as problem:
                report.skip(found.place, str(problem))
                continue
            report.note([found.created_at])
            yield replace(found, candidate=fit)


def _chunks(found: Iterable[ImportedMemory]) -> Iterator[list[ImportedMemory]]:
    chunk: list[ImportedMemory] = []
    try:
        for one in found:
            chunk.append(one)
            if len(chunk) == CHUNK_SIZE:
                yield chunk
                chunk = []
    except BrokenFile:
        # What stands before the break counts as well.
        if chunk:
            yield chunk
        raise
    if chunk:
        yield chunk


def _is_first(found: ImportedMemory, seen: set[bytes]) -> bool:
    """Whether no line before says the same of the same person: the second one would be known. Two
    that another system tells apart by their ids stay two.
    """
    candidate = found.candidate
    said = f"{candidate.end_user}\n{candidate.external_id}\n{candidate.content}".encode()
    digest = hashlib.blake2b(said, digest_size=16).digest()
    if digest in seen:
        return False
    seen.add(digest)
    return True


def _would_become(import_: Import, found: list[ImportedMemory]) -> list[Action]:
    """Store them as `store` does, and take that back: the decision is the very same."""
    actions: list[Action] = []

    def only_ask(outcomes: list[Outcome]) -> None:
        actions.extend(outcome.action for outcome in outcomes)
        raise _OnlyAsked

    with contextlib.suppress(_OnlyAsked):
        remember(
            import_.instance,
            [one.candidate for one in found],
            Writer(Origin.IMPORT, Actor(import_.by, "import")),
            ask_model=False,
            in_same_transaction=only_ask,
        )
    return actions


def _date(chunk: list[ImportedMemory], outcomes: list[Outcome]) -> None:
    """Give what is new the dates that the file tells."""
    for one, outcome in zip(chunk, outcomes, strict=True):
        if outcome.action is Action.STORED and one.created_at:
            Memory.objects.filter(pk=outcome.memory.pk).update(
                created_at=one.created_at,
                updated_at=max(one.created_at, one.updated_at or one.created_at),
            )
