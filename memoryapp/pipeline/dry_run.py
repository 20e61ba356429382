"""Says what storing the facts of a file will do, without storing anything.

The same decisions as in `storage`, on memories that are changed in this process only. A file runs
in the same portions in which it is stored; what later ones must know of earlier ones is kept in a
temporary database, which moves to the disk as it grows.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

from django.db import transaction

from conversations.importers.seen_counter import digest
from instances.models import Instance
from memoryapp.embeddings.embedder import Vectors
from memoryapp.models import Memory
from memoryapp.models.stored_rows import as_json, from_json
from memoryapp.pipeline.candidates import Candidate, Outcome, Writer
from memoryapp.pipeline.holding import held_back
from memoryapp.pipeline.plan import Plan
from memoryapp.pipeline.storage import Effect, apply
from memoryapp.pipeline.working_set import WorkingSet
from memoryapp.pipeline.write import planned
from memoryapp.policy.dedup import Action


@dataclass(frozen=True)
class ExpectedOutcome:
    """Outcome that a fact is expected to have. An id below zero is that of another fact of the
    file: -1 for the first, -2 for the second.
    """

    action: Action
    #: The memory that it becomes, repeats or changes; 0: it is not stored.
    memory: int = 0
    #: True if that will stay as it is, since it has a higher tier or was stated later.
    not_taken: bool = False
    #: The memories that it will stand beside, although they may contradict it.
    contradicts: tuple[int, ...] = ()
    #: Why it waits for review; see `memoryapp.models.held_statements`.
    reason: str = ""


class DryRun(AbstractContextManager["DryRun"]):
    """Says what storing a file would do, one portion after another."""

    def __init__(self, instance: Instance, writer: Writer) -> None:
        self._instance, self._writer = instance, writer
        self._earlier = _EarlierFacts(instance)

    def __exit__(self, *error: object) -> None:
        self._earlier.close()

    def outcomes(self, candidates: Sequence[Candidate], vectors: Vectors) -> list[ExpectedOutcome]:
        """Return what will become of the next admitted *candidates*, with their *vectors*."""
        plans, _ = planned(self._instance, candidates, self._writer, vectors)
        with transaction.atomic():
            held = held_back(self._instance, plans, self._writer)
            transaction.set_rollback(True)
        passing = [number for number, outcome in enumerate(held) if outcome is None]
        working = _DryWorkingSet(self._instance, plans, passing, self._writer, self._earlier)
        effects = iter(apply(working, self._writer))
        self._earlier.note(working, len(plans))
        return [
            _expected(next(effects)) if outcome is None else _expected_to_wait(outcome)
            for outcome in held
        ]


def _expected(effect: Effect) -> ExpectedOutcome:
    contradicts = tuple(dict.fromkeys(effect.contradicts))
    return ExpectedOutcome(effect.action, effect.memory, effect.not_taken, contradicts)


def _expected_to_wait(outcome: Outcome) -> ExpectedOutcome:
    reason = outcome.held.reason if outcome.held and outcome.action is Action.HELD else ""
    return ExpectedOutcome(outcome.action, reason=reason)


_NAMED = "SELECT memory.pk, data FROM name JOIN memory USING (pk) WHERE name = ?"


class _EarlierFacts:
    """The memories that earlier portions of a file would have stored or changed."""

    def __init__(self, instance: Instance) -> None:
        self.count = 0
        self._instance = instance
        self._db = sqlite3.connect("", isolation_level=None)
        self._db.execute("PRAGMA journal_mode = OFF")
        self._db.execute("CREATE TABLE memory (pk INTEGER PRIMARY KEY, data TEXT)")
        self._db.execute("CREATE TABLE name (name TEXT PRIMARY KEY, pk INTEGER) WITHOUT ROWID")

    def close(self) -> None:
        self._db.close()

    def note(self, working: "_DryWorkingSet", count: int) -> None:
        """Note what *working*, of *count* facts, would have stored."""
        self.count += count
        for pk, memory in working.written():
            self._db.execute("REPLACE INTO memory VALUES (?, ?)", [pk, json.dumps(as_json(memory))])
            self._db.executemany(
                "INSERT OR IGNORE INTO name VALUES (?, ?)",
                [(name, pk) for name in _names(memory)],
            )

    def named(self, candidate: Candidate) -> dict[int, Memory]:
        """The memories with the text, the id or the key of *candidate*."""
        found = {}
        for name in _names(candidate):
            for pk, data in self._db.execute(_NAMED, [name]):
                found[pk] = self._memory(data)
        return found

    def changed(self, ids: Iterable[int]) -> dict[int, Memory]:
        """Stored memories with these *ids* that would have been changed."""
        found = {}
        for pk in ids:
            for (data,) in self._db.execute("SELECT data FROM memory WHERE pk = ?", [pk]):
                found[pk] = self._memory(data)
        return found

    def _memory(self, data: str) -> Memory:
        memory = from_json(Memory, json.loads(data))
        memory.instance = self._instance
        return memory


def _names(fact: Memory | Candidate) -> Iterator[str]:
    """Properties that a later fact may have in common with *fact*."""
    yield digest("text", fact.end_user, fact.content.lower())
    if fact.external_id:
        yield digest("id", fact.external_id)
    if fact.key:
        yield digest("key", fact.end_user, fact.key)


class _DryWorkingSet(WorkingSet):
    """The memories that a portion of a file may be about, after the earlier portions."""

    def __init__(
        self,
        instance: Instance,
        plans: Sequence[Plan],
        passing: Sequence[int],
        writer: Writer,
        earlier: _EarlierFacts,
    ) -> None:
        """Take those of *plans* that are *passing*, by their numbers: others are not stored."""
        self._places = [earlier.count + number for number in passing]
        plans = [plans[number] for number in passing]
        super().__init__(instance, plans, writer)
        noted = earlier.changed(self._memories)
        self._memories |= noted
        changed = {pk for pk, memory in noted.items() if memory.batch == writer.batch}
        for plan, match in zip(plans, self._matches, strict=True):
            # Memories of the same file are only compared by their words; see `find_matches`.
            match.near = {pk: near for pk, near in match.near.items() if pk not in changed}
            for pk, memory in earlier.named(plan.candidate).items():
                self._memories[pk] = memory
                self._note_names(pk, memory)
                same_text = memory.content.lower() == plan.candidate.content.lower()
                if same_text and self._is_comparable(pk, plan.candidate):
                    match.near[pk] = 1.0

    def _loaded(self, ids: Iterable[int]) -> dict[int, Memory]:
        # Without locks: a dry run makes no writer wait.
        memories = Memory.objects.defer("search").in_bulk(ids) if ids else {}
        for memory in memories.values():
            memory.instance = self.instance
        return memories

    def provisional_id(self, number: int) -> int:
        return -1 - self._places[number]

    def written(self) -> Iterator[tuple[int, Memory]]:
        """The memories that would be stored or changed, by their ids."""
        yield from self._new.items()
        for pk in self._changed:
            yield pk, self._memories[pk]
