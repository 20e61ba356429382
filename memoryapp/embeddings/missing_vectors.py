"""What vectors are made of: memories, and the turns in the drawers of the palace."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from pgvector import HalfVector

from instances.models import Instance
from memoryapp.embeddings.drawer_text import text_to_embed
from memoryapp.models import (
    Drawer,
    DrawerEmbedding,
    EmbeddingJob,
    EmbeddingSpace,
    Memory,
    MemoryEmbedding,
)


@dataclass(frozen=True)
class VectorKind:
    """One of the two, and how its texts become vectors."""

    name: str
    table: type[MemoryEmbedding] | type[DrawerEmbedding]
    #: All of an instance, with what their texts take.
    of_instance: Callable[[Instance], QuerySet[Any]]
    #: The text of one of them: without secrets, and never empty.
    text: Callable[[Instance, Any], str]
    #: The job's column of those whose text the model refuses.
    refused_in: str

    def without_vector(self, instance: Instance, space: str) -> QuerySet[Any]:
        """Those that search by meaning in *space* cannot find yet."""
        spaces = EmbeddingSpace.objects.filter(instance=instance, name=space)
        own = self.table.objects.filter(
            **{self.table.OWNER: OuterRef("pk")}, space__in=spaces.values("pk")
        )
        return self.of_instance(instance).filter(~Exists(own))

    def missing(self, job: EmbeddingJob) -> QuerySet[Any]:
        """Those that *job* has no vector of yet, but for those that the model refuses."""
        rows = self.of_instance(job.instance)
        if job.space is not None:
            rows = self.without_vector(job.instance, job.space.name)
        return rows.exclude(pk__in=self.refused(job))

    def refused(self, job: EmbeddingJob) -> list[int]:
        """The ids of those whose text the model of *job* refuses; to be added to."""
        refused: list[int] = getattr(job, self.refused_in)
        return refused

    def texts(self, job: EmbeddingJob, *, after: int, most: int) -> dict[int, str]:
        """The texts of the next *most* that are missing, by id."""
        rows = self.missing(job).filter(pk__gt=after).order_by("pk")[:most]
        return {row.pk: self.text(job.instance, row) for row in rows}

    def unchanged(self, job: EmbeddingJob, texts: dict[int, str]) -> list[int]:
        """Those that still have these texts, held until the transaction ends: whoever deletes or
        changes one of them waits, and takes its vector along.
        """
        rows = self.of_instance(job.instance).filter(pk__in=texts).order_by("pk")
        held = rows.select_for_update(of=("self",), no_key=True)
        return [row.pk for row in held if self.text(job.instance, row) == texts[row.pk]]

    def store(self, job: EmbeddingJob, vectors: Iterable[tuple[int, Any]]) -> None:
        """Give each id its vector, in the space of *job*."""
        rows: list[Any] = [
            self.table(
                **{f"{self.name}_id": pk},
                instance_id=job.instance_id,
                space=job.space,
                embedding=HalfVector(vector),
            )
            for pk, vector in vectors
        ]
        self.table.objects.bulk_create(rows, ignore_conflicts=True)


MEMORIES = VectorKind(
    name=MemoryEmbedding.OWNER,
    table=MemoryEmbedding,
    of_instance=lambda instance: Memory.objects.in_instance(instance).only("content"),
    text=lambda instance, memory: str(memory.content),
    refused_in="refused",
)
DRAWERS = VectorKind(
    name=DrawerEmbedding.OWNER,
    table=DrawerEmbedding,
    of_instance=lambda instance: (
        Drawer.objects.filter(instance=instance)
        .select_related("message")
        .only("note", "message__content", "message__caption")
    ),
    text=text_to_embed,
    refused_in="refused_drawers",
)
#: In the order in which their vectors are made: a fact is worth more than how it was said.
KINDS = (MEMORIES, DRAWERS)


def count_missing(job: EmbeddingJob) -> int:
    """How many vectors *job* has still to make."""
    return sum(kind.missing(job).count() for kind in KINDS)


def is_complete(job: EmbeddingJob) -> bool:
    """Whether *job* has made all there are to make."""
    return not any(kind.missing(job).exists() for kind in KINDS)


def count_without_vector(instance: Instance, space: str) -> int:
    """How many memories and turns search by meaning in *space* cannot find yet."""
    return sum(kind.without_vector(instance, space).count() for kind in KINDS)
