"""Is what an approximate index finds what there is? Some live questions are asked twice.

A share of the questions that an index has answered is asked again of all vectors, in the
background: nobody waits for it, and the vector, out of which a text could be read, stays in the
memory of this process. What is kept is one number (`VectorIndex.note_check`).
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

#: How many of the questions are asked twice.
SAMPLE_RATE = 0.02
#: Results that are compared.
CHECKED_RESULTS = 10
#: What may separate two similarities that are the same: rounding.
ROUNDING = 1e-4

_checker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="self-check")
# Where questions come faster than they can be checked, some are left out.
_waiting = BoundedSemaphore(4)


def check_sample(
    rows: EmbeddingManager[Any],
    query: QueryVector,
    found: Sequence[tuple[int, float]],
    *,
    least: float,
    among: QuerySet[Any] | None,
) -> "Future[None] | None":
    """Let chance decide whether what was *found* for *vector* is checked, if an index found it.

    ``least`` and ``among`` are those of the search. Returns at once, with what can be waited for.
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
            # Nothing depends on it. Not the error's own words: the vector may stand in them.
            logger.warning("self-check left out: %s", type(error).__name__)
        finally:
            connection.close()
            _waiting.release()

    return _checker.submit(check)


def overlap_percent(truth: Sequence[tuple[int, float]], found: Sequence[tuple[int, float]]) -> int:
    """How much of the *truth* was *found*, in per cent: of things that are equally near, any."""
    last = truth[-1][1] - ROUNDING
    good = sum(similarity >= last for _, similarity in found[: len(truth)])
    return round(100 * good / len(truth))
