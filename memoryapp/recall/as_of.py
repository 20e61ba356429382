"""Search as of an earlier moment, in the wordings that memories had then."""

from datetime import datetime

from django.db.models import QuerySet
from pgvector import HalfVector
from pgvector.django import MaxInnerProduct

from conversations.sanitizer import sanitize
from conversations.search import TextQuery, best_by_words
from instances.models import Instance
from memoryapp.embeddings.background import least_similarity
from memoryapp.embeddings.embedder import Vectors
from memoryapp.language.shortening import one_line
from memoryapp.models import EmbeddingSpace, Memory, MemoryEmbedding, RevisionEmbedding, Version
from memoryapp.models.versions import as_memories
from memoryapp.recall.fusion import fuse
from memoryapp.recall.query import embedded_question
from memoryapp.recall.results import MEANING, WORDS, Hit, RecallResult


def recall_past(
    instance: Instance,
    question: str,
    moment: datetime,
    *,
    limit: int = 5,
    among: QuerySet[Version] | None = None,
) -> RecallResult:
    """Find the memories that answered *question* right before *moment*, best first.

    By meaning and by words, fused by rank, within ``among`` if given. A person looks something up
    here, and no model is shown it: so there is no floor of relevance. Memories deleted since are
    not found. The memory of a hit has its former content: do not save it.
    """
    question = one_line(sanitize(question))
    if not question:
        return RecallResult()
    words = TextQuery.parse(question, instance_id=instance.pk, languages=instance.search_languages)
    vector = embedded_question(instance, question)
    versions = Version.objects.in_instance(instance).as_of(moment)
    if words is not None:
        versions = words.of_required(versions)
    if among is not None:
        versions = versions.filter(pk__in=among.values("pk"))
    depth = max(2 * limit, 20)
    by_meaning = _nearest(instance, vector, versions, limit=depth)
    fused = fuse(
        {MEANING: [pk for pk, _ in by_meaning], WORDS: best_by_words(versions, words, limit=depth)}
    )
    rows = versions.defer("search").in_bulk([entry.item for entry in fused[:limit]])
    memories = {memory.pk: memory for memory in as_memories(rows.values())}
    similarities = dict(by_meaning)
    hits = [
        Hit(
            memory=memories[rows[entry.item].memory_id],
            message=None,
            score=entry.score,
            ranks={name: rank + 1 for name, rank in entry.ranks.items()},
            parts=entry.parts,
            similarity=similarities.get(entry.item),
        )
        for entry in fused[:limit]
        if entry.item in rows and rows[entry.item].memory_id in memories
    ]
    return RecallResult(hits, problem=vector.problem, complete=len(fused) <= limit)


def _nearest(
    instance: Instance, question: Vectors, versions: QuerySet[Version], *, limit: int
) -> list[tuple[int, float]]:
    """Return (version, cosine similarity), nearest first: of present versions by the vectors of
    memories, of earlier ones by those of revisions.
    """
    query = question.query(instance)
    if query is None:
        return []
    least = least_similarity(query.space)
    present = versions.filter(revision=None)
    nearest = MemoryEmbedding.objects.nearest(
        query,
        limit=limit,
        least=least,
        among=Memory.objects.in_instance(instance).filter(pk__in=present.values("memory")),
    )
    space = EmbeddingSpace.objects.filter(instance=instance, name=query.space)
    earlier = RevisionEmbedding.objects.filter(
        instance=instance,
        space__in=space,
        revision__in=versions.exclude(revision=None).values("revision"),
    ).annotate(distance=MaxInnerProduct("embedding", HalfVector(query.vector)))
    nearest += [
        (-pk, -distance)
        for pk, distance in earlier.filter(distance__lte=-least)
        .order_by("distance")
        .values_list("revision", "distance")[:limit]
    ]
    return sorted(nearest, key=lambda pair: -pair[1])[:limit]
