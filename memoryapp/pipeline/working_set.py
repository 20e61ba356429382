"""The memories that the facts of one call may be about: loaded together, changed, stored together.

The facts of a call are decided one after another, each with what those before it did. So that this
takes a few statements and not a few for each fact, all that may matter is loaded first; a new
memory gets a provisional id below zero, and everything is stored at the end. The caller holds the
locks of the people.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from instances.models import Instance
from memoryapp.embeddings.background import scale_of_facts
from memoryapp.models import (
    Contradiction,
    Memory,
    MemoryEmbedding,
    MemoryRevision,
    RevisionEmbedding,
)
from memoryapp.models.fact_matches import NEAREST
from memoryapp.models.prepared_statements import insert
from memoryapp.models.vectors import add_vectors, delete_vectors
from memoryapp.pipeline.candidates import Candidate, Writer
from memoryapp.pipeline.keyed_rows import as_heard
from memoryapp.pipeline.neighbours import KnownMemories, as_neighbour, is_comparable
from memoryapp.pipeline.plan import Plan
from memoryapp.pipeline.source_links import SourceLinks
from memoryapp.pipeline.versions import UnsavedVersion, revised, store_versions
from memoryapp.policy.dedup import Neighbour, nearest_that_counts
from memoryapp.policy.fact_signature import folded_words


class WorkingSet:
    """The memories of *instance* that the facts of *plans*, all of one call, may be about."""

    def __init__(
        self,
        instance: Instance,
        plans: Sequence[Plan],
        writer: Writer,
        known: KnownMemories,
        places: Sequence[int] = (),
    ) -> None:
        """*places* are the numbers from which the facts get their provisional ids, if they are not
        0, 1 and so on.
        """
        self.instance = instance
        self.plans = plans
        self._writer = writer
        self._places = places or range(len(plans))
        self._matches, self._memories = known.matches, known.memories
        #: Who states these memories.
        self.sources = SourceLinks(instance, plans, writer, self._memories)
        self._ids: dict[str, int] = {}
        self._keys = {
            (self._memories[match.same_key].end_user, plan.candidate.key): match.same_key
            for plan, match in zip(plans, self._matches, strict=True)
            if match.same_key in self._memories
        }
        for pk, memory in self._memories.items():
            self._note_names(pk, memory)
        #: By person: the memories that this call has stored or reworded, each with the number of
        #: the fact that did it; and by person and words.
        self._said: dict[str, dict[int, int]] = {}
        self._same_words: dict[tuple[str, tuple[str, ...]], int] = {}
        #: What is to be stored. The vectors are those of new and reworded memories.
        self._new: dict[int, Memory] = {}
        self._changed: dict[int, set[str]] = {}
        self._vectors: dict[int, NDArray[np.float32] | None] = {}
        #: Former versions; with the vector of the text if that is of this call, too.
        self._versions: list[tuple[UnsavedVersion, NDArray[np.float32] | None]] = []
        self._heard: dict[tuple[int, str], MemoryRevision] = {}
        self._heard_columns: list[str] = []
        self._contradictions: list[tuple[int, int]] = []

    # What is known

    def get(self, pk: int | None) -> Memory | None:
        """The memory with this id, with the changes of this call; None if it has been deleted."""
        return None if pk is None else self._new.get(pk) or self._memories.get(pk)

    def require(self, pk: int) -> Memory:
        """The memory with this id, which exists."""
        return self._new[pk] if pk in self._new else self._memories[pk]

    def id_for_external_id(self, external_id: str) -> int | None:
        """The memory that has this external id, of whatever person."""
        return self._ids.get(external_id) if external_id else None

    def id_for_key(self, end_user: str, key: str) -> int | None:
        """The memory of this person that has *key*, if that has one value at a time."""
        return self._keys.get((end_user, key))

    def neighbours(self, number: int) -> list[Neighbour]:
        """The memories that may be the same fact as that with this *number*."""
        plan, near = self.plans[number], self._matches[number].near
        said = self._said.get(plan.candidate.end_user, {})
        similarities = {pk: near[pk] for pk in near if pk not in said and pk in self._memories}
        similarities |= self._near_in_call(number, said)
        return [
            as_neighbour(
                pk,
                self.require(pk),
                similarity,
                plan,
                same_list=self.is_in_list_with(pk, number),
                same_message=self.sources.is_stated_by(pk, plan.candidate.message_id),
            )
            for pk, similarity in similarities.items()
        ]

    def is_in_list_with(self, pk: int, number: int) -> bool:
        """True if a memory and the fact with this *number* are statements of one message; without
        one, of the same file or call. Messages have an order, and a list has none.
        """
        memory, plan = self.require(pk), self.plans[number]
        message = plan.candidate.message_id
        if message is None:
            return memory.batch == plan.batch
        last = self._said.get(memory.end_user, {}).get(pk)
        return last is not None and self.plans[last].candidate.message_id == message

    def _near_in_call(self, number: int, said: Mapping[int, int]) -> dict[int, float]:
        candidate = self.plans[number].candidate
        near = {}
        if said and self._similarities is not None:
            cosines = self._similarities[number, list(said.values())].tolist()
            pairs = sorted(zip(cosines, said, strict=True), key=lambda pair: -pair[0])
            comparable = (
                (pk, cosine)
                for cosine, pk in pairs
                if cosine >= self._least and is_comparable(self.require(pk), candidate)
            )
            near = {pk: cosine for (pk, cosine), _ in zip(comparable, range(NEAREST), strict=False)}
        same = self._same_words.get((candidate.end_user, folded_words(candidate.content)))
        if same is not None and is_comparable(self.require(same), candidate):
            near[same] = 1.0
        return near

    @cached_property
    def _least(self) -> float:
        return nearest_that_counts(self.instance.dedup_exact, self.instance.dedup_update)

    @cached_property
    def _similarities(self) -> NDArray[np.float32] | None:
        """The similarities of all facts of the call on the common scale, of shape (n, n)."""
        vectors = [plan.vector for plan in self.plans if plan.vector is not None]
        if len(vectors) < len(self.plans):
            return None
        rows = np.stack(vectors)
        scale = scale_of_facts(self.instance, self.plans[0].space)
        return scale.similarity(rows @ rows.T)

    @cached_property
    def _former_texts(self) -> set[tuple[int, str]]:
        """Earlier texts of the memories with the external ids of the facts."""
        pairs = zip(self.plans, self._matches, strict=True)
        texts = {match.same_id: plan.candidate.content for plan, match in pairs if match.same_id}
        mine = MemoryRevision.objects.filter(instance=self.instance)
        revisions = mine.filter(memory__in=texts, content__in=texts.values())
        return set(revisions.values_list("memory_id", "content")) if texts else set()

    @cached_property
    def _heard_before(self) -> dict[tuple[int, str], MemoryRevision]:
        """The values that these memories were not given, by memory and text."""
        texts = [plan.candidate.content for plan in self.plans]
        mine = MemoryRevision.objects.heard().filter(instance=self.instance)
        rows = mine.filter(memory__in=self._memories, content__in=texts)
        return {(row.memory_id, row.content): row for row in rows}

    def was_ever_text(self, pk: int, content: str) -> bool:
        """True if *content* is or was the text of this memory."""
        memory = self.require(pk)
        return (
            memory.content == content
            or (pk, content) in self._former_texts
            or any(
                version.revision.memory is memory and version.revision.content == content
                for version, _ in self._versions
            )
        )

    # What changes

    def add(self, memory: Memory, number: int, vector: NDArray[np.float32] | None) -> int:
        """Add a new memory with the text of the fact *number*; return its provisional id."""
        pk = -1 - self._places[number]
        self._new[pk] = memory
        self._note_text(pk, number, vector)
        self._note_names(pk, memory)
        return pk

    def change(self, pk: int, columns: Mapping[str, Any]) -> None:
        """Change columns of a memory other than its text."""
        memory = self.require(pk)
        before = self._names(memory)
        differing = {
            name: value for name, value in columns.items() if getattr(memory, name) != value
        }
        for name, value in differing.items():
            setattr(memory, name, value)
        self._note_changes(pk, differing, before)

    def revise(
        self,
        pk: int,
        columns: Mapping[str, Any],
        number: int,
        vector: NDArray[np.float32] | None,
        **version: Any,
    ) -> MemoryRevision:
        """Give a memory a new version because of the fact *number*, with its *vector*; *version*
        is as in `versions.revised`.
        """
        memory = self.require(pk)
        before = self._names(memory)
        made = revised(memory, columns, by=self._writer.by.user, **version)
        reworded = made.reworded
        if pk in self._vectors:
            # The former text has no vectors in the database yet.
            self._versions.append((replace(made, reworded=False), self._vectors[pk]))
        else:
            self._versions.append((made, None))
        self._note_changes(pk, made.fields, before)
        if reworded:
            self._contradictions = [pair for pair in self._contradictions if pk not in pair]
            self._note_text(pk, number, vector)
        return made.revision

    def add_rejected_value(self, pk: int, candidate: Candidate) -> MemoryRevision:
        """Add a value that does not replace that of a memory to its history; each text once."""
        memory = self.require(pk)
        place = pk, candidate.content
        revision = self._heard.get(place) or self._heard_before.get(place)
        if revision is None:
            revision = MemoryRevision(
                instance_id=memory.instance_id,
                memory=memory,
                reason=MemoryRevision.Reason.HEARD,
                content=candidate.content,
                batch=self.plans[0].batch,
            )
        columns = as_heard(memory, candidate, self._writer)
        for name, value in columns.items():
            setattr(revision, name, value)
        self._heard_columns = list(columns)
        self._heard[place] = revision
        return revision

    def contradict(self, pk: int, others: Iterable[int]) -> None:
        """Record that a memory may contradict *others*."""
        self._contradictions += [(pk, other) for other in others]

    def _note_text(self, pk: int, number: int, vector: NDArray[np.float32] | None) -> None:
        memory = self.require(pk)
        self._vectors[pk] = vector
        self._said.setdefault(memory.end_user, {})[pk] = number
        self._same_words[memory.end_user, folded_words(memory.content)] = pk

    def _note_changes(
        self, pk: int, names: Iterable[str], before: tuple[tuple[str, str], str]
    ) -> None:
        if pk in self._memories:
            self._changed.setdefault(pk, set()).update(names)
        memory = self.require(pk)
        if self._names(memory) != before:
            if self._keys.get(before[0]) == pk:
                del self._keys[before[0]]
            self._note_names(pk, memory)

    def _note_names(self, pk: int, memory: Memory) -> None:
        key, external_id = self._names(memory)
        self._keys.setdefault(key, pk)
        self._ids.setdefault(external_id, pk)

    @staticmethod
    def _names(memory: Memory) -> tuple[tuple[str, str], str]:
        return (memory.end_user, memory.key), memory.external_id

    # What is stored

    def written(self) -> Iterator[tuple[int, Memory]]:
        """The memories that are new or changed, with their ids, which may be provisional."""
        yield from self._new.items()
        for pk in self._changed:
            yield pk, self._memories[pk]

    def store(self) -> None:
        """Store what has changed: for many memories with as many statements as for one."""
        space = self.plans[0].space if self.plans else ""
        self.instance.note_languages(
            memory.language for memory in (*self._new.values(), *self._memories.values())
        )
        insert(self._new.values())
        for columns, memories in self._by_columns().items():
            Memory.objects.in_instance(self.instance).bulk_update(memories, columns)
        self.sources.store()
        store_versions([version for version, _ in self._versions])
        self._store_heard()
        self._store_vectors(space)
        pairs = (
            (self.require(pk).pk, self.require(other).pk) for pk, other in self._contradictions
        )
        Contradiction.objects.note_all(self.instance.pk, pairs)

    def _by_columns(self) -> dict[tuple[str, ...], list[Memory]]:
        """The changed memories by the columns that have changed."""
        groups: dict[tuple[str, ...], list[Memory]] = {}
        for pk, names in self._changed.items():
            if names:
                groups.setdefault(tuple(sorted(names)), []).append(self._memories[pk])
        return groups

    def _store_heard(self) -> None:
        again = [revision for revision in self._heard.values() if revision.pk is not None]
        MemoryRevision.objects.bulk_create(
            revision for revision in self._heard.values() if revision.pk is None
        )
        if again:
            mine = MemoryRevision.objects.filter(instance=self.instance)
            mine.bulk_update(again, [*self._heard_columns, "source"])

    def _store_vectors(self, space: str) -> None:
        reworded = [pk for pk in self._vectors if pk in self._memories]
        if reworded:
            delete_vectors(self.instance.pk, reworded)
        vectors = {
            self.require(pk).pk: vector
            for pk, vector in self._vectors.items()
            if vector is not None
        }
        add_vectors(MemoryEmbedding, self.instance.pk, space, vectors)
        former = {
            version.revision.pk: vector for version, vector in self._versions if vector is not None
        }
        add_vectors(RevisionEmbedding, self.instance.pk, space, former)
