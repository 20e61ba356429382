"""The list by meaning: memories whose vectors lie nearest to the question's."""

from django.db.models import QuerySet

from instances.models import Instance
from memoryapp.models import Memory, MemoryEmbedding
from memoryapp.pipeline.embedding import Vectors

#: A memory below this cosine has nothing to do with the question. Measured with the built-in
#: embedder on 24 questions and 32 facts: 88% of the facts that answer are kept, 3% of those that
#: do not, and 6 of 25 nonsense questions find anything at all.
LEAST_SIMILARITY = 0.20


def nearest_memories(
    instance: Instance, question: Vectors, *, limit: int, among: QuerySet[Memory] | None
) -> list[tuple[int, float]]:
    """Return (memory id, cosine similarity), nearest first; empty without a question vector."""
    if question.vectors is None:
        return []
    return MemoryEmbedding.objects.nearest(
        instance,
        question.space,
        question.vectors[0],
        limit=limit,
        least=LEAST_SIMILARITY,
        among=among,
    )
