"""Memories, drawers and documents without a vector, and the texts to embed for them."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from pgvector import HalfVector

from instances.models import Instance
from memoryapp.embeddings.drawer_text import text_to_embed, truncated
from memoryapp.language.json_texts import texts_in
from memoryapp.models import (
    DocumentEmbedding,
    Drawer,
    DrawerEmbedding,
    EmbeddingJob,
    EmbeddingSpace,
    Memory,
    MemoryEmbedding,
    StoredDocument,
)


@dataclass(frozen=True)
class VectorKind:
    """Memories, drawers or documents: their tables, and how to get their texts."""

    name: str
    table: type[MemoryEmbedding] | type[DrawerEmbedding] | type[DocumentEmbedding]
    #: All rows of an instance, with what their texts need.
    of_instance: Callable[[Instance], QuerySet[Any]]
    #: The text of a row: without secrets, and never empty.
    text: Callable[[Instance, Any], str]
    #: The column of the job that lists rows whose text the model refuses.
    refused_in: str

    def without_vector(self, instance: Instance, space: str) -> QuerySet[Any]:
        """Rows without a vector in *space*."""
        spaces = EmbeddingSpace.objects.filter(instance=instance, name=space)
        own = self.table.objects.filter(
            **{self.table.OWNER: OuterRef("pk")}, space__in=spaces.values("pk")
        )
        return self.of_instance(instance).filter(~Exists(own))

    def missing(self, job: EmbeddingJob) -> QuerySet[Any]:
        """Rows for which *job* has still to make a vector; not those that the model refuses."""
        rows = self.of_instance(job.instance)
        if job.space is not None:
            rows = self.without_vector(job.instance, job.space.name)
        return rows.exclude(pk__in=self.refused(job))

    def refused(self, job: EmbeddingJob) -> list[int]:
        """The list of rows whose text the model of *job* refuses; callers add to it."""
        refused: list[int] = getattr(job, self.refused_in)
        return refused

    def texts(self, job: EmbeddingJob, *, after: int, most: int) -> dict[int, str]:
        """The texts of the next *most* missing rows, by id."""
        rows = self.missing(job).filter(pk__gt=after).order_by("pk")[:most]
        return {row.pk: self.text(job.instance, row) for row in rows}

    def people(self, instance: Instance, ids: Iterable[int]) -> set[str]:
        """The end users whom the rows with these *ids* are about."""
        rows = self.of_instance(instance).filter(pk__in=ids).order_by()
        return set(rows.values_list("end_user", flat=True).distinct())

    def unchanged(self, instance: Instance, texts: dict[int, str]) -> list[int]:
        """Lock the rows that still have these texts, and return their ids. A transaction that
        changes or deletes one of them waits for this one, and deletes its vector too.
        """
        rows = self.of_instance(instance).filter(pk__in=texts).order_by("pk")
        held = rows.select_for_update(of=("self",), no_key=True)
        return [row.pk for row in held if self.text(instance, row) == texts[row.pk]]

    def store(self, space: EmbeddingSpace, vectors: Mapping[int, Any], ids: Iterable[int]) -> None:
        """Store those of *vectors* that belong to these *ids*."""
        rows: list[Any] = [
            self.table(
                **{f"{self.name}_id": pk},
                instance_id=space.instance_id,
                space=space,
                embedding=HalfVector(vectors[pk]),
            )
            for pk in ids
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
DOCUMENTS = VectorKind(
    name=DocumentEmbedding.OWNER,
    table=DocumentEmbedding,
    of_instance=lambda instance: StoredDocument.objects.filter(instance=instance).only(
        "key", "body"
    ),
    text=lambda _instance, document: truncated(
        "\n".join([document.key, *texts_in(document.value)])
    ),
    refused_in="refused_documents",
)
#: In the order in which their vectors are made: memories are worth more than messages.
KINDS = (MEMORIES, DRAWERS, DOCUMENTS)


def count_missing(job: EmbeddingJob) -> int:
    """The number of vectors that *job* has still to make."""
    return sum(kind.missing(job).count() for kind in KINDS)


def is_complete(job: EmbeddingJob) -> bool:
    """True if *job* has made all vectors."""
    return not any(kind.missing(job).exists() for kind in KINDS)


def count_without_vector(instance: Instance, space: str) -> int:
    """The number of memories, drawers and documents without a vector in *space*."""
    return sum(kind.without_vector(instance, space).count() for kind in KINDS)
