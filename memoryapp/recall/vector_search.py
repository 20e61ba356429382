"""Search by meaning: the nearest vectors, and the scale of similarities, which differs by model."""

from typing import Any

from django.db.models import QuerySet

from conversations.search import Sql
from instances.models import Instance
from memoryapp.embeddings.background import background_of, least_similarity
from memoryapp.embeddings.index_recall_check import CHECKED_RESULTS, check_sample
from memoryapp.models.vectors import EmbeddingManager, QueryVector, known_sql
from memoryapp.recall.scoring import Scale


def nearest(
    table: EmbeddingManager[Any],
    query: QueryVector,
    *,
    limit: int,
    among: QuerySet[Any] | None,
    at_once: bool = False,
) -> Sql:
    """Return the SQL that lists (id, negative cosine similarity), nearest first. An approximate
    index is queried at once, and some of its results are checked. With ``at_once``, vectors that
    are compared one by one are as well, for SQL that is part of several statements.
    """
    least = least_similarity(query.space)
    found = table.nearest_by_index(query, limit=limit, least=least, among=among)
    if found is None and at_once:
        found = table.exactly_nearest(query, limit=limit, least=least, among=among)
    elif found is None:
        return table.nearest_sql(query, limit=limit, least=least, among=among)
    elif limit >= CHECKED_RESULTS:
        check_sample(table, query, found, least=least, among=among)
    return known_sql(found)


def scale_of(instance: Instance, space: str) -> Scale:
    """The scale of cosine similarities in *space*."""
    return Scale(background_of(instance, space).spread, least_similarity(space))
