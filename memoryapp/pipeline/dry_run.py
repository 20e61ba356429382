"""Says what storing the facts of a file will do, without storing anything.

The same decisions as in `storage`, on memories that are changed in this process only. A file runs
in the same portions in which it is stored; what later ones must know of earlier ones is kept in a
temporary database, which moves to the disk as it grows.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager

from django.db import transaction

from conversations.importers.seen_counter import digest
from instances.models import Instance
from memoryapp.embeddings.embedder import Vectors
from memoryapp.models import Memory
from memoryapp.models.stored_rows import as_json, from_json
from memoryapp.pipeline.candidates import Candidate, Outcome, Writer
from memoryapp.pipeline.effects import Effect, EffectKind
from memoryapp.pipeline.holding import held_back
from memoryapp.pipeline.neighbours import KnownMemories, is_comparable, known_memories
from memoryapp.pipeline.plan import Plan
from memoryapp.pipeline.storage import apply
from memoryapp.pipeline.working_set import WorkingSet
from memoryapp.pipeline.write import planned
from memoryapp.policy.dedup import Action


class DryRun(AbstractContextManager["DryRun"]):
    """Says what storing a file would do, one portion after another."""

    def __init__(self, instance: Instance, writer: Writer) -> None:
        self._instance, self._writer = instance, writer
        self._earlier = _EarlierFacts(instance)

    def __exit__(self, *error: object) -> None:
        self._earlier.close()

    def effects(self, candidates: Sequence[Candidate], vectors: Vectors) -> list[Effect]:
        """Return what will become of the next admitted *candidates*, with their *vectors*."""
        plans, _ = planned(self._instance, candidates, self._writer, vectors)
        with transaction.atomic():
            held = held_back(self._instance, plans, self._writer)
            transaction.set_rollback(True)
        passing = [number for number, outcome in enumerate(held) if outcome is None]
        passing_plans = [plans[number] for number in passing]
        working = WorkingSet(
            self._instance,
            passing_plans,
            self._writer,
            self._known(passing_plans),
            [self._earlier.count + number for number in passing],
        )
        effects = iter(apply(working, self._writer))
        self._earlier.note(working, len(plans))
        return [next(effects) if outcome is None else _of_held(outcome) for outcome in held]

    def _known(self, plans: Sequence[Plan]) -> KnownMemories:
        """The memories that the facts of *plans* may be about, after the earlier portions."""
        # Without locks: a dry run makes no writer wait.
        known = known_memories(self._instance, plans, lock=False)
        noted = self._earlier.changed(known.memories)
        memories = {**known.memories, **noted}
        changed = {pk for pk, memory in noted.items() if memory.batch == self._writer.batch}
        for plan, match in zip(plans, known.matches, strict=True):
            # Memories of the same file are only compared by their words; see `find_matches`.
            match.near = {pk: near for pk, near in match.near.items() if pk not in changed}
            for pk, memory in self._earlier.named(plan.candidate).items():
                memories[pk] = memory
                same_text = memory.content.lower() == plan.candidate.content.lower()
                if same_text and is_comparable(memory, plan.candidate):
                    match.near[pk] = 1.0
        return KnownMemories(known.matches, memories)


def _of_held(outcome: Outcome) -> Effect:
    if outcome.action is Action.HELD and outcome.held:
        return Effect(EffectKind.HELD, reason=outcome.held.reason)
    return Effect(EffectKind.IGNORED)


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

    def note(self, working: WorkingSet, count: int) -> None:
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
