"""Finds the memories that may be the same fact as a new one."""

from uuid import UUID

import numpy as np
from django.utils import timezone
from numpy.typing import NDArray

from instances.models import Instance
from memoryapp.models import Memory, MemoryEmbedding
from memoryapp.models.vectors import QueryVector
from memoryapp.pipeline.candidates import Candidate
from memoryapp.policy.dedup import Neighbour, nearest_that_counts

#: Neighbours that a new fact is compared with. More than one, since the nearest may be about
#: another person while the next is the old version of this fact.
NEIGHBOURS = 5
#: Search effort of an approximate index: less than for a question, because equal facts are very
#: near. Measured on 60,000 vectors: of those at a cosine of 0.75 and more, 99.7% are found with 80
#: as with 200, and 99.3% with 40.
EFFORT = 80


def neighbours_of(
    instance: Instance,
    candidate: Candidate,
    batch: UUID,
    space: str,
    vector: NDArray[np.float32] | None,
    *,
    least: float = 1.0,
) -> list[Neighbour]:
    """Return memories of the same person that may be the same fact: by meaning, down to the
    similarity that counts for `decide` or to *least* if that is lower, and by equal text, which
    works without vectors.
    """
    persons = Memory.objects.in_instance(instance).filter(end_user=candidate.end_user)
    if candidate.external_id:
        # A program that gives two facts two ids means two facts, and looks up either by its id.
        persons = persons.filter(external_id="")
    persons = persons.comparable_with(candidate.key, candidate.value)
    similarities = dict.fromkeys(
        persons.same_text(candidate.content).values_list("pk", flat=True), 1.0
    )
    if vector is not None:
        nearest = MemoryEmbedding.objects.nearest(
            QueryVector(instance, space, vector),
            limit=NEIGHBOURS,
            least=min(least, nearest_that_counts(instance.dedup_exact, instance.dedup_update)),
            among=persons,
            effort=EFFORT,
        )
        similarities = dict(nearest) | similarities
    said_at = candidate.said_at or timezone.now()
    return [
        Neighbour(
            memory.pk,
            memory.content,
            similarities[memory.pk],
            earlier=memory.said_at < said_at,
            same_batch=memory.batch == batch,
            tiers_above=memory.tier - candidate.tier,
        )
        for memory in Memory.objects.filter(pk__in=similarities).only(
            "content", "said_at", "batch", "tier"
        )
    ]
