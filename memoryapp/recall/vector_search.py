"""The lists by meaning: memories and drawers whose vectors lie nearest to the question's; and the
scale of similarities, which differs from model to model.
"""

from typing import Any

import numpy as np
from django.db.models import QuerySet
from numpy.typing import NDArray

from conversations.search import Sql
from instances.models import Instance
from memoryapp.embeddings.index_recall_check import CHECKED_RESULTS, check_sample
from memoryapp.models import DrawerEmbedding, MemoryEmbedding
from memoryapp.models.vectors import MIN_SIMILARITY, EmbeddingManager, QueryVector, known_sql
from memoryapp.providers.builtin_embedder import SPACE
from memoryapp.recall.scoring import SPREAD, Scale

#: Vectors that tell how far apart texts are in a space, and how many it takes at least.
SAMPLE_SIZE, MIN_SAMPLE_SIZE = 64, 24
#: Spaces whose spread a process keeps in mind.
MAX_CACHED_SPACES = 1_000
_spreads: dict[tuple[int, str], float] = {}


def nearest(
    table: EmbeddingManager[Any], query: QueryVector, *, limit: int, among: QuerySet[Any] | None
) -> Sql:
    """Return the part of a statement that lists (id, negative cosine similarity), nearest first.
    What an approximate index knows is looked up here and now, and some of it is checked.
    """
    least = MIN_SIMILARITY
    found = table.nearest_by_index(query, limit=limit, least=least, among=among)
    if found is None:
        return table.nearest_sql(query, limit=limit, least=least, among=among)
    if limit >= CHECKED_RESULTS:
        check_sample(table, query, found, least=least, among=among)
    return known_sql(found)


def scale_of(instance: Instance, space: str) -> Scale:
    """The scale of cosine similarities in *space*: known of the built-in model, and told from the
    vectors of *instance* for any other.
    """
    return Scale(SPREAD if space in ("", SPACE) else _spread(instance.pk, space), MIN_SIMILARITY)


def _spread(instance_id: int, space: str) -> float:
    """How far the cosines between the texts of an instance lie apart, as a standard deviation; it
    is that of the built-in model while there is little to tell from. Looked up once a process: it
    is a property of the model, and hardly one of the texts.
    """
    spread = _spreads.get((instance_id, space))
    if spread is not None:
        return spread
    samples = (
        table.objects.filter(instance=instance_id, space__name=space)
        .order_by("pk")
        .values_list("embedding", flat=True)[:SAMPLE_SIZE]
        for table in (DrawerEmbedding, MemoryEmbedding)
    )
    vectors = next((found for rows in samples if len(found := list(rows)) >= MIN_SAMPLE_SIZE), [])
    if not vectors:
        return SPREAD
    matrix: NDArray[np.float32] = np.array(vectors, np.float32)
    # Of texts that are all the same, nothing can be told.
    spread = max(0.02, float((matrix @ matrix.T)[np.triu_indices(len(matrix), k=1)].std()))
    if len(_spreads) >= MAX_CACHED_SPACES:
        _spreads.clear()
    _spreads[instance_id, space] = spread
    return spread
