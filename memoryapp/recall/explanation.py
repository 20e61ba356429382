"""Explains why a memory is among the first hits of a question, or is not."""

from dataclasses import dataclass, replace

from conversations.search import best_by_words
from memoryapp.embeddings.background import least_similarity
from memoryapp.models import Memory, MemoryEmbedding
from memoryapp.recall.options import RecallOptions
from memoryapp.recall.query import RecallQuery
from memoryapp.recall.results import Hit
from memoryapp.recall.retrieval import FIRST_FORM
from memoryapp.recall.search import search
from memoryapp.recall.search_scope import SearchScope

#: Hits among which the memory is searched. Those further down answer nothing.
MAX_RANKS = 200


@dataclass(frozen=True)
class Explained:
    """The rank of a memory for a question, and the reasons."""

    memory: Memory
    #: None if it is not among the first `MAX_RANKS`.
    hit: Hit | None
    #: Its rank among the hits, from 1.
    place: int | None
    #: The number of hits, `MAX_RANKS` at most.
    found: int
    #: Cosine similarity to the question; None if either has no vector.
    similarity: float | None
    has_vector: bool
    #: True if it contains a word of the question.
    has_words: bool
    #: True if it is about the person whom the search is limited to.
    about_them: bool
    #: The similarity below which it is not found by meaning.
    least_similarity: float


def explain(query: RecallQuery, memory: Memory, options: RecallOptions) -> Explained:
    """Find the rank of *memory* among the hits of *query*. Nothing is counted or logged."""
    hits = search(query, replace(options, limit=MAX_RANKS, only_relevant=False)).hits
    ranks = (rank for rank, hit in enumerate(hits, start=1) if hit.memory == memory)
    place = next(ranks, None)
    people = SearchScope(query.instance, options).people
    alone = Memory.objects.in_instance(query.instance).filter(pk=memory.pk)
    vector = query.vectors.query(query.instance, FIRST_FORM)
    near = MemoryEmbedding.objects.nearest(vector, limit=1, among=alone) if vector else []
    return Explained(
        memory,
        hits[place - 1] if place else None,
        place,
        len(hits),
        near[0][1] if near else None,
        has_vector=memory.embeddings.exists(),
        has_words=bool(best_by_words(alone, query.words, limit=1)),
        about_them=people is None or memory.end_user in people,
        least_similarity=least_similarity(query.vectors.space),
    )
