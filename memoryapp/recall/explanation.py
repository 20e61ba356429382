"""Explains why a memory is among the first hits of a question, or is not."""

from dataclasses import dataclass, replace

from conversations.search import best_by_words
from memoryapp.models import Memory, MemoryEmbedding
from memoryapp.models.vectors import MIN_SIMILARITY
from memoryapp.recall.options import RecallOptions
from memoryapp.recall.query import RecallQuery
from memoryapp.recall.results import Hit
from memoryapp.recall.retrieval import FIRST_FORM
from memoryapp.recall.search import search

#: Hits among which the memory is looked for. What stands further back answers nothing.
MAX_RANKS = 200


@dataclass(frozen=True)
class Explained:
    """Where one memory stands for a question, and why."""

    memory: Memory
    #: None: it is in no list, or not among the first `MAX_RANKS`.
    hit: Hit | None
    #: Its place among the hits, from 1.
    place: int | None
    #: The number of hits, `MAX_RANKS` at most.
    found: int
    #: Cosine to the question; None where one of the two has no vector.
    similarity: float | None
    has_vector: bool
    #: Whether a word of the question stands in it.
    has_words: bool
    #: Whether it is about the person for whom the question was asked.
    about_them: bool
    least_similarity: float = MIN_SIMILARITY


def explain(query: RecallQuery, memory: Memory, options: RecallOptions) -> Explained:
    """Look for *memory* among the hits of *query*, far beyond those that are shown. Nothing is
    counted or written down.
    """
    found = search(query, replace(options, limit=MAX_RANKS))
    place = next(
        (
            number
            for number, hit in enumerate(found.hits, start=1)
            if hit.memory is not None and hit.memory.pk == memory.pk
        ),
        None,
    )
    alone = Memory.objects.in_instance(query.instance).filter(pk=memory.pk)
    vector = query.vectors.query(query.instance, FIRST_FORM)
    near = MemoryEmbedding.objects.nearest(vector, limit=1, among=alone) if vector else []
    return Explained(
        memory,
        found.hits[place - 1] if place else None,
        place,
        len(found.hits),
        near[0][1] if near else None,
        has_vector=memory.embeddings.exists(),
        has_words=bool(best_by_words(alone, query.words, limit=1)),
        about_them=options.end_user in (None, memory.end_user),
    )
