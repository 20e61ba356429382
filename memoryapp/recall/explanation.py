"""Why a memory is among the first that a question brings, or is not: for people who ask."""

from dataclasses import dataclass
from typing import Any

from conversations.search import TextQuery, best_by_words
from instances.models import Instance
from memoryapp.models import Memory, MemoryEmbedding
from memoryapp.models.vectors import MIN_SIMILARITY
from memoryapp.recall.search import Hit, embedded_question, recall

#: Results among which a memory is looked for. What stands further back answers nothing.
MAX_RANKS = 200


@dataclass(frozen=True)
class Explained:
    """Where one memory stands for a question, and why."""

    memory: Memory
    #: As it was found; None: no list brought it, or not among the first `MAX_RANKS`.
    hit: Hit | None
    #: Its place among the memories that were found, and among all results, from 1.
    place: int | None
    #: How many results there are, as far as they were looked at.
    found: int
    #: Cosine to the question; None where one of the two has no vector.
    similarity: float | None
    has_vector: bool
    #: Whether a word of the question stands in it.
    has_words: bool
    #: Whether it is about the person for whom the question was asked.
    about_them: bool
    least_similarity: float = MIN_SIMILARITY


def explain(
    instance: Instance, question: str, memory: Memory, *, end_user: str | None = None, **how: Any
) -> Explained:
    """Ask *question* as `recall` does, with the rest of its arguments, and look for *memory* far
    beyond what is shown to anybody. Nothing is counted or written down.
    """
    found = recall(instance, question, limit=MAX_RANKS, end_user=end_user, **how)
    place = next(
        (
            number
            for number, hit in enumerate(found.hits, start=1)
            if hit.memory is not None and hit.memory.pk == memory.pk
        ),
        None,
    )
    alone = Memory.objects.in_instance(instance).filter(pk=memory.pk)
    words = TextQuery.parse(question, instance_id=instance.pk, language=instance.language)
    vector = embedded_question(instance, question)
    query = vector.query(instance)
    near = MemoryEmbedding.objects.nearest(query, limit=1, among=alone) if query else []
    return Explained(
        memory,
        found.hits[place - 1] if place else None,
        place,
        len(found.hits),
        near[0][1] if near else None,
        has_vector=memory.embeddings.exists(),
        has_words=bool(best_by_words(alone, words, limit=1)),
        about_them=end_user is None or memory.end_user == end_user,
    )
