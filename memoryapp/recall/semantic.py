"""The list by meaning: memories whose vectors lie nearest to the question's."""

from django.db.models import QuerySet

from instances.models import Instance
from memoryapp.models import Memory, MemoryEmbedding
from memoryapp.pipeline.embedding import Vectors
from memoryapp.recall.self_check import FIRST, check_some

#: A memory below this cosine has nothing to do with the question. Measured with the built-in
#: embedder on 24 questions and 32 facts: 88% of the facts that answer are kept, and 8% of those
#: that do not. At 0.20 it is 88% and 3%, but "what should I not cook?" and "the user is allergic to
#: peanuts" have 0.17: to miss such a fact costs more than a weak result at the end of the list.
LEAST_SIMILARITY = 0.15


def nearest_memories(
    instance: Instance, question: Vectors, *, limit: int, among: QuerySet[Memory] | None
) -> list[tuple[int, float]]:
    """Return (memory id, cosine similarity), nearest first; empty without a question vector."""
    if question.vectors is None:
        return []
    rows, vector = MemoryEmbedding.objects.all(), question.vectors[0]
    found = rows.nearest(
        instance, question.space, vector, limit=limit, least=LEAST_SIMILARITY, among=among
    )
    if limit >= FIRST:
        check_some(
            rows, instance, question.space, vector, found, least=LEAST_SIMILARITY, among=among
        )
    return found
