"""Imports memories from a file: checks what would become of each, then stores them."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, replace
from zoneinfo import ZoneInfo

from conversations.importers import formats
from conversations.importers.import_run import record_failures
from conversations.importers.progress import ImportProgress
from conversations.importers.reader import BrokenFile, Stream
from conversations.importers.report import Report
from conversations.importers.zip_archives import opened
from conversations.models import Import
from instances.actor import Actor
from instances.tiers import Tier
from instances.translatable import sentences, translatable
from memoryapp.embeddings.embedder import EmbeddingCall, Vectors
from memoryapp.imports import assistants, file_format
from memoryapp.imports.file_format import ImportedMemory
from memoryapp.imports.graph_facts import add_to_graph
from memoryapp.imports.preview import PreviewReader, PreviewVectors, PreviewWriter
from memoryapp.models import Origin
from memoryapp.pipeline import (
    Outcome,
    Rejected,
    RememberOptions,
    Writer,
    admitted,
    remember,
    suppression,
)
from memoryapp.pipeline.dry_run import DryRun
from memoryapp.pipeline.validation import Admitted
from memoryapp.policy.dedup import Action
from memoryapp.providers.configured import space_of

#: Memories that are embedded and stored at a time.
CHUNK_SIZE = 250

#: The columns of `Import` that count what became of them.
COLUMNS = {
    Action.STORED: "memories_new",
    Action.UPDATED: "memories_changed",
    Action.DUPLICATE: "memories_known",
    Action.HELD: "memories_held",
}


def holds_memories(import_: Import) -> bool:
    """True if *import_* is one of memories: its file holds nothing else, or they are wanted."""
    try:
        with import_.file.open() as file:
            return bool(_format_of(import_, file))
    except (OSError, ValueError):
        return False  # The check reports the error.


def kind_of(import_: Import) -> str:
    """Return what *import_* imports: what its file holds, or if that is unknown, what the person
    expects.
    """
    if holds_memories(import_):
        return Import.Kind.MEMORIES
    try:
        with import_.file.open() as file:
            known = formats.holds_conversations(opened(file))
    except (OSError, ValueError):
        known = False
    expects_memories = _wants_memories(import_) and not known
    return Import.Kind.MEMORIES if expects_memories else Import.Kind.CONVERSATIONS


def holds_both(import_: Import) -> bool:
    """True if the file of *import_* holds conversations and memories, so that there is a choice."""
    try:
        with import_.file.open() as file:
            source = opened(file)
            return bool(assistants.form_of(source)) and formats.holds_conversations(source)
    except (OSError, ValueError):
        return False


def _wants_memories(import_: Import) -> bool:
    """True if what can be either counts as memories; `holds_both` has been looked up."""
    if import_.kind == Import.Kind.EITHER:
        return not import_.holds_both
    return import_.is_of_memories


def _format_of(import_: Import, file: Stream) -> str:
    return file_format.recognise(file, wanted=_wants_memories(import_))


def check(import_: Import) -> None:
    """Check the file of *import_*, which the caller has claimed: write what will become of each
    row, and count it; nothing is stored.
    """
    row, report = ImportProgress(import_, Import.State.CHECKING), Report()
    counts: Counter[Action] = Counter()
    instance, writer = import_.instance, _writer(import_)
    with (
        record_failures(row),
        PreviewWriter(import_) as preview,
        PreviewVectors(import_) as vectors,
        DryRun(instance, writer) as dry_run,
        ThreadPoolExecutor(1) as thread,
    ):
        row.begin()
        problem = ""
        refused = number = 0
        try:
            for portion in _one_ahead(_portions(import_, row, report, vectors, thread)):
                number = portion.last
                candidates = [item.candidate for item in portion.wanted]
                effects = dry_run.effects(candidates, portion.vectors())
                preview.add(portion.wanted, effects)
                preview.add_refused(report.skipped[refused : portion.refused])
                refused = portion.refused
                counts.update(effect.action for effect in effects)
                row.show(report)
        except BrokenFile as error:
            if not counts:
                raise
            problem = sentences(str(error), translatable("What comes before it can be imported."))
        preview.add_refused(report.skipped[refused:])
        found = {COLUMNS[action]: counts[action] for action in COLUMNS}
        row.ready(report, found | {"items_total": number}, problem=problem)


@dataclass(frozen=True)
class _Portion:
    """A part of a file that is checked at once."""

    wanted: list[ImportedMemory]
    #: The number of its last memory.
    last: int
    #: How many skipped items the report lists by then.
    refused: int
    #: Waits for the vectors of the wanted memories.
    vectors: Callable[[], Vectors]


def _portions(
    import_: Import, row: ImportProgress, report: Report, known: PreviewVectors, thread: Executor
) -> Iterator[_Portion]:
    for chunk in _chunks(_read(import_, row, report)):
        wanted = _wanted(import_, chunk, report)
        vectors = _vectors_of(import_, wanted, known, thread)
        yield _Portion(wanted, chunk[-1].number, len(report.skipped), vectors)


def _one_ahead(portions: Iterable[_Portion]) -> Iterator[_Portion]:
    """Yield each of *portions* once the embedding of the next has started: it runs while the
    caller compares this one with what is stored.
    """
    begun: list[_Portion] = []
    try:
        for portion in portions:
            yield from begun
            begun = [portion]
    except BrokenFile:
        yield from begun
        raise
    yield from begun


def _vectors_of(
    import_: Import,
    memories: Sequence[ImportedMemory],
    known: PreviewVectors,
    thread: Executor | None = None,
) -> Callable[[], Vectors]:
    """Take the vectors of *memories* from those that are *known*, or make them, in *thread* if it
    is given. Return a function that waits for them.
    """
    instance = import_.instance
    found = known.read(space_of(instance.embeddings), memories)
    if found is not None:
        return lambda: found
    texts = [item.candidate.content for item in memories]
    about = [item.candidate.end_user for item in memories]
    embedding = EmbeddingCall(instance, texts, about=about, executor=thread)

    def made() -> Vectors:
        vectors = embedding.result()
        known.write(memories, vectors)
        return vectors

    return made


def store(import_: Import) -> None:
    """Store the memories of *import_*, which the caller has claimed, through the write path.

    Each chunk is stored in one transaction with the progress, so that nothing is stored twice after
    a worker dies: the next one continues behind it.
    """
    row, report = ImportProgress(import_, Import.State.RUNNING), Report()
    counts = Counter({column: getattr(import_, column) for column in COLUMNS.values()})
    counts["memories_otherwise"] = import_.memories_otherwise
    preview, done = PreviewReader(import_), import_.lines_done
    with record_failures(row), PreviewVectors(import_) as vectors:
        row.begin()
        try:
            for chunk in _chunks(_read(import_, row, report)):
                wanted = _wanted(import_, chunk, report, done=done)

                def write_progress(
                    outcomes: list[Outcome],
                    wanted: Sequence[ImportedMemory] = wanted,
                    lines_done: int = max(done, chunk[-1].number),
                ) -> None:
                    counts.update(
                        COLUMNS[outcome.action] for outcome in outcomes if outcome.action in COLUMNS
                    )
                    counts["memories_otherwise"] += sum(map(preview.differs, wanted, outcomes))
                    add_to_graph(
                        import_.instance,
                        (
                            (item.graph, outcome.memory)
                            for item, outcome in zip(wanted, outcomes, strict=True)
                            # Those of a memory that was there before would outlive this import.
                            if item.graph and outcome.action is Action.STORED
                        ),
                    )
                    row.update(lines_done=lines_done, **counts)

                remember(
                    import_.instance,
                    [Admitted(item.candidate) for item in wanted],
                    _writer(import_),
                    RememberOptions(ask_model=False),
                    in_same_transaction=write_progress,
                    vectors=_vectors_of(import_, wanted, vectors)(),
                )
                row.show(report)
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


def _writer(import_: Import) -> Writer:
    # A manager has confirmed that the tiers in the file are those of a Keepsake.
    tier = Tier.PERSON if import_.restores_tiers else Tier.DOCUMENT
    # All chunks of a file are one batch, also after a restart.
    return Writer(Origin.IMPORT, Actor(import_.by, "import"), batch=import_.batch, tier=tier)


def _wanted(
    import_: Import, chunk: list[ImportedMemory], report: Report, *, done: int | None = None
) -> list[ImportedMemory]:
    """Return those of *chunk* that are not suppressed; the others are skipped and reported. With
    ``done``, only those behind that line, and suppressed ones are counted.
    """
    suppressed = suppression.kept_out(import_.instance, [item.candidate for item in chunk])
    for index, reason in suppressed.items():
        report.skip(chunk[index].place, reason.text)
    if done is not None:
        suppression.count_hits(r for index, r in suppressed.items() if chunk[index].number > done)
    return [
        item
        for index, item in enumerate(chunk)
        if index not in suppressed and item.number > (done or 0)
    ]


def _read(import_: Import, row: ImportProgress, report: Report) -> Iterator[ImportedMemory]:
    with row.open() as file:
        report.format = _format_of(import_, file)
        mapping = file_format.mapping_of(report.format, file, import_.columns)
        zone = ZoneInfo(import_.instance.time_zone)
        for imported in file_format.read(report.format, file, report, zone, mapping):
            try:
                candidate = admitted(import_.instance, imported.candidate)
            except Rejected as problem:
                report.skip(imported.place, problem.text)
                continue
            report.note([candidate.created_at])
            candidate = replace(candidate, keep_apart=import_.keep_apart)
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
