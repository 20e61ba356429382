"""Checks the recall of approximate indexes: repeats a sample of searches exactly.

It runs in a background thread, so no search waits for it. The vector, from which a text could be
reconstructed, stays in the memory of this process. Only one number is stored: see
`VectorIndex.note_check`.
"""

import logging
import random
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from threading import BoundedSemaphore
from typing import Any

from django.db import DatabaseError, connection
from django.db.models import QuerySet

from memoryapp.models import VectorIndex
from memoryapp.models.vectors import EmbeddingManager, QueryVector

logger = logging.getLogger(__name__)

#: The share of searches that are repeated.
SAMPLE_RATE = 0.02
#: Results that are compared.
CHECKED_RESULTS = 10
#: The rounding by which two equal similarities may differ.
ROUNDING = 1e-4

_checker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="self-check")
# If searches come faster than they can be checked, some are skipped.
_waiting = BoundedSemaphore(4)


def check_sample(
    rows: EmbeddingManager[Any],
    query: QueryVector,
    found: Sequence[tuple[int, float]],
    *,
    least: float,
    among: QuerySet[Any] | None,
) -> "Future[None] | None":
    """Check a random sample of searches: whether an index *found* what is nearest to *query*.

    ``least`` and ``among`` are those of the search. Returns at once, with a future if it checks.
    """
    index = VectorIndex.in_use(query.instance, query.space, rows.model.OWNER)
    if index is None or random.random() >= SAMPLE_RATE:  # noqa: S311 - A sample, not a secret.
        return None
    if not _waiting.acquire(blocking=False):
        return None

    def check() -> None:
        try:
            truth = rows.exactly_nearest(query, limit=CHECKED_RESULTS, least=least, among=among)
            if truth:
                index.note_check(overlap_percent(truth, found))
        except DatabaseError as error:
            # Nothing depends on it. The error's text is not logged: it may contain the vector.
            logger.warning("index check skipped: %s", type(error).__name__)
        finally:
            connection.close()
            _waiting.release()

    return _checker.submit(check)


def overlap_percent(truth: Sequence[tuple[int, float]], found: Sequence[tuple[int, float]]) -> int:
    """The share of *truth* that was *found*, in per cent; equally near items count as the same."""
    last = truth[-1][1] - ROUNDING
    good = sum(similarity >= last for _, similarity in found[: len(truth)])
    return round(100 * good / len(truth))
