"""The preview of a file of memories: what will become of each row, and the vectors of the texts.

Two files beside the uploaded one, which are deleted with it. The import takes the vectors from
there, and tells when a row came out otherwise.
"""

import hashlib
import json
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import islice
from typing import IO

import numpy as np

from conversations.models import Import
from memoryapp.embeddings.embedder import Vectors
from memoryapp.imports.file_format import ImportedMemory
from memoryapp.pipeline import Outcome
from memoryapp.pipeline.effects import Effect
from memoryapp.policy.dedup import Action

#: Bytes of the file of vectors before the first one.
HEADER_BYTES = 1_024
DIGEST_BYTES = 16


class RowOutcome(StrEnum):
    """Outcome of importing a row."""

    NEW = "new"
    #: It is stored beside memories that it may contradict.
    BESIDE = "beside"
    REPLACES = "replaces"
    KNOWN = "known"
    #: It says otherwise than a memory of a higher tier: only the history of that takes it.
    HEARD = "heard"
    #: It waits until a person has approved it, or is ignored, as the settings say of its tier.
    HELD = "held"
    IGNORED = "ignored"
    REFUSED = "refused"

    @classmethod
    def of(cls, outcome: Outcome | Effect) -> "RowOutcome":
        if outcome.action in (Action.HELD, Action.IGNORED):
            return cls(outcome.action.value)
        if outcome.not_taken:
            return cls.HEARD
        if outcome.action is Action.UPDATED:
            return cls.REPLACES
        if outcome.action is Action.DUPLICATE:
            return cls.KNOWN
        return cls.BESIDE if outcome.contradicts else cls.NEW


@dataclass(frozen=True)
class PreviewRow:
    """Expected outcome of one row. Other rows of the file are named by their places."""

    fate: RowOutcome
    place: str
    content: str = ""
    number: int = 0
    #: The stored memory, or the row, that it repeats or changes.
    memory: int | None = None
    row: str = ""
    #: The stored memories, and the rows, that it may contradict.
    beside: Sequence[int] = field(default_factory=list)
    beside_rows: Sequence[str] = field(default_factory=list)
    #: Why it waits for review; see `memoryapp.models.held_statements`.
    reason: str = ""

    @property
    def line(self) -> str:
        # Outcome and reason stand first, so that rows are counted without being parsed.
        return f"{self.fate} {self.reason} {json.dumps(vars(self), ensure_ascii=False)}\n"


def fates_of(import_: Import) -> Mapping[str, int]:
    """Return the number of rows with each fate."""
    counts = dict.fromkeys((fate.value for fate in RowOutcome), 0)
    for line in _lines(import_):
        counts[line.partition(b" ")[0].decode()] += 1
    return counts


def reasons_of(import_: Import) -> Mapping[str, int]:
    """Return for how many rows each is the reason why they wait for review."""
    begin = f"{RowOutcome.HELD} ".encode()
    held = (line for line in _lines(import_) if line.startswith(begin))
    return Counter(line.split(b" ", 2)[1].decode() for line in held)


def rows_of(import_: Import, fate: str = "", *, begin: int = 0, count: int) -> list[PreviewRow]:
    """Return *count* rows of the preview from the one numbered *begin*, or of those with *fate*."""
    chosen = (line for line in _lines(import_) if not fate or line.startswith(f"{fate} ".encode()))
    return [_parsed(line) for line in islice(chosen, begin, begin + count)]


def _lines(import_: Import) -> Iterator[bytes]:
    try:
        with import_.file.storage.open(import_.preview_name) as file:
            yield from file
    except (OSError, ValueError):
        return  # It is over, or has not begun.


def _parsed(line: bytes) -> PreviewRow:
    fields = json.loads(line.split(b" ", 2)[2])
    return PreviewRow(**fields | {"fate": RowOutcome(fields["fate"])})


class PreviewWriter(AbstractContextManager["PreviewWriter"]):
    """Writes the preview of an import."""

    def __init__(self, import_: Import) -> None:
        self._file = import_.file.storage.open(import_.preview_name, "wb")
        #: The places of the rows that can be stored: "line" or another word, and numbers.
        self._word, self._numbers = "", array("Q")
        #: The places of the rows that give stored memories their new texts.
        self._replaced: dict[int, str] = {}

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def add(self, memories: Sequence[ImportedMemory], effects: Sequence[Effect]) -> None:
        """Add the rows of the next *memories* with their expected *effects*."""
        for imported in memories:
            self._word, _, number = imported.place.rpartition(" ")
            self._numbers.append(int(number))
        for imported, effect in zip(memories, effects, strict=True):
            beside = [self._named(pk) for pk in dict.fromkeys(effect.contradicts)]
            memory, row = self._named(effect.memory)
            if effect.action is Action.UPDATED and memory is not None:
                self._replaced[memory] = imported.place
            line = PreviewRow(
                RowOutcome.of(effect),
                imported.place,
                imported.candidate.content,
                imported.number,
                memory=memory,
                row="" if effect.action is Action.STORED else row,
                beside=[pk for pk, _ in beside if pk is not None],
                beside_rows=[place for _, place in beside if place],
                reason=effect.reason,
            ).line
            self._file.write(line.encode())

    def add_refused(self, reasons: Sequence[str]) -> None:
        """Add rows that are left out, with the place and the reason of each as a sentence."""
        for reason in reasons:
            self._file.write(PreviewRow(RowOutcome.REFUSED, reason).line.encode())

    def _named(self, pk: int) -> tuple[int | None, str]:
        """The stored memory *pk*, or the row of the file that will have given it its text."""
        if pk > 0:
            place = self._replaced.get(pk, "")
            return (None, place) if place else (pk, "")
        return None, f"{self._word} {self._numbers[-1 - pk]}" if pk else ""


class PreviewReader:
    """Compares what becomes of rows with what the preview said, in the order of the file."""

    def __init__(self, import_: Import) -> None:
        rows = (_parsed(line) for line in _lines(import_))
        self._rows = (row for row in rows if row.fate is not RowOutcome.REFUSED)
        self._next = next(self._rows, None)

    def differs(self, imported: ImportedMemory, outcome: Outcome) -> bool:
        """True if *outcome* is not what the preview said about this row."""
        while self._next is not None and self._next.number < imported.number:
            self._next = next(self._rows, None)
        said = self._next
        if said is None or said.number != imported.number:
            return True
        other = said.memory is not None and said.memory != outcome.memory.pk
        return said.fate is not RowOutcome.of(outcome) or other


class PreviewVectors(AbstractContextManager["PreviewVectors"]):
    """The vectors of the texts of a file, in halves as they are stored, each with a hash of its
    text. Made once, they serve another preview and the import.
    """

    def __init__(self, import_: Import) -> None:
        storage, name = import_.file.storage, import_.vectors_name
        with ExitStack() as stack:
            self._file: IO[bytes] = stack.enter_context(
                storage.open(name, "r+b" if storage.exists(name) else "w+b")
            )
            self._stack = stack.pop_all()
        self._space, self._dimensions = "", 0
        if header := self._file.read(HEADER_BYTES).strip(b"\0"):
            self._space, self._dimensions = json.loads(header)

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def read(self, space: str, memories: Sequence[ImportedMemory]) -> Vectors | None:
        """Return the vectors of *memories* in *space*; None unless all are there."""
        if space != self._space:
            return None
        found = []
        for imported in memories:
            self._file.seek(self._place(imported.number))
            record = self._file.read(self._record_bytes)
            if record[:DIGEST_BYTES] != _digest(imported) or len(record) < self._record_bytes:
                return None
            found.append(np.frombuffer(record, dtype="<f2", offset=DIGEST_BYTES))
        return Vectors(space, np.array(found, dtype=np.float32)) if found else None

    def write(self, memories: Sequence[ImportedMemory], made: Vectors) -> None:
        """Keep the vectors of *memories*, if they were made."""
        if made.vectors is None:
            return
        if (made.space, made.vectors.shape[1]) != (self._space, self._dimensions):
            self._space, self._dimensions = made.space, made.vectors.shape[1]
            self._file.truncate(0)
            self._file.seek(0)
            header = json.dumps([self._space, self._dimensions]).encode()
            self._file.write(header.ljust(HEADER_BYTES, b"\0"))
        for imported, vector in zip(memories, made.vectors, strict=True):
            self._file.seek(self._place(imported.number))
            self._file.write(_digest(imported) + vector.astype("<f2").tobytes())

    @property
    def _record_bytes(self) -> int:
        return DIGEST_BYTES + 2 * self._dimensions

    def _place(self, number: int) -> int:
        return HEADER_BYTES + number * self._record_bytes


def _digest(imported: ImportedMemory) -> bytes:
    return hashlib.blake2b(imported.candidate.content.encode(), digest_size=DIGEST_BYTES).digest()
