"""Search by meaning: the nearest vectors, and the scale of similarities, which differs by model."""

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

#: Vectors from which the spread of a space is estimated, and their minimum number.
SAMPLE_SIZE, MIN_SAMPLE_SIZE = 64, 24
#: Spaces whose spread a process caches.
MAX_CACHED_SPACES = 1_000
_spreads: dict[tuple[int, str], float] = {}


def nearest(
    table: EmbeddingManager[Any], query: QueryVector, *, limit: int, among: QuerySet[Any] | None
) -> Sql:
    """Return the SQL that lists (id, negative cosine similarity), nearest first. An approximate
    index is queried at once, and some of its results are checked.
    """
    least = MIN_SIMILARITY
    found = table.nearest_by_index(query, limit=limit, least=least, among=among)
    if found is None:
        return table.nearest_sql(query, limit=limit, least=least, among=among)
    if limit >= CHECKED_RESULTS:
        check_sample(table, query, found, least=least, among=among)
    return known_sql(found)


def scale_of(instance: Instance, space: str) -> Scale:
    """The scale of cosine similarities in *space*: known for the built-in model, estimated from the
    vectors of *instance* for others.
    """
    return Scale(SPREAD if space in ("", SPACE) else _spread(instance.pk, space), MIN_SIMILARITY)


def _spread(instance_id: int, space: str) -> float:
    """The standard deviation of the cosines between texts of an instance; that of the built-in
    model while there are few texts. Cached, since it depends on the model and hardly on the texts.
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
    large = (rows for rows in map(list, samples) if len(rows) >= MIN_SAMPLE_SIZE)
    vectors = next(large, [])
    if not vectors:
        return SPREAD
    matrix: NDArray[np.float32] = np.array(vectors, np.float32)
    # Equal texts have no spread.
    spread = max(0.02, float((matrix @ matrix.T)[np.triu_indices(len(matrix), k=1)].std()))
    if len(_spreads) >= MAX_CACHED_SPACES:
        _spreads.clear()
    _spreads[instance_id, space] = spread
    return spread
