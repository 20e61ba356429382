"""Compares two embedding models: asks both the same questions through the normal search."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef
from django.db.models.functions import Left

from instances.models import Instance
from memoryapp.embeddings.background import least_similarity
from memoryapp.embeddings.comparison_verdict import (
    COMPARED_RESULTS,
    ComparisonVerdict,
    every_second_word,
    judge,
)
from memoryapp.embeddings.embedder import Vectors, embed
from memoryapp.embeddings.missing_vectors import DRAWERS, MEMORIES, VectorKind
from memoryapp.models import EmbeddingJob, Memory, MemorySource
from memoryapp.privacy.verbatim import MARGIN, masked_beginning
from memoryapp.providers.configured import space_of

#: The number of questions, and the length of a message that is used as one.
MAX_QUESTIONS, MAX_QUESTION_CHARACTERS = 100, 500
#: Questions between two heartbeats of the job.
HEARTBEAT_QUESTIONS = 10


@dataclass(frozen=True)
class NoComparison:
    """A model did not answer, so there is no comparison."""

    answer: Vectors
    #: True if it was the model that the instance uses at present.
    present: bool


def compare(job: EmbeddingJob) -> ComparisonVerdict | NoComparison:
    """Ask both models for memories and drawers that they must find, and count how many each finds.

    The question for a memory is the message that it was learned from, in a person's own words. The
    question for a memory without a message, and for a drawer, is every second word of its text.
    Half of the questions search memories, the other half drawers.
    """
    kinds = {kind: _questions(job, kind, MAX_QUESTIONS // 2) for kind in (MEMORIES, DRAWERS)}
    if not kinds[DRAWERS]:
        kinds[MEMORIES] = _questions(job, MEMORIES, MAX_QUESTIONS)
    elif not kinds[MEMORIES]:
        kinds[DRAWERS] = _questions(job, DRAWERS, MAX_QUESTIONS)
    texts = [text for questions in kinds.values() for text in questions.values()]
    wanted = [(kind.name, pk) for kind, questions in kinds.items() for pk in questions]
    kind_of_each = [kind for kind, questions in kinds.items() for _ in questions]
    about = {
        person
        for kind, questions in kinds.items()
        for person in kind.people(job.instance, questions)
    }
    lists = []
    for choice in (job.instance.embeddings, job.choice):
        answer = embed(job.instance, texts, about=about, choice=choice, as_questions=True)
        if texts and answer.vectors is None:
            return NoComparison(answer, present=choice == job.instance.embeddings)
        lists.append(_found(job, kind_of_each, answer))
    return judge(wanted, *lists)


def _questions(job: EmbeddingJob, kind: VectorKind, most: int) -> dict[int, str]:
    """Random rows that have vectors of both models, with a question for each."""
    owner = {kind.name: OuterRef("pk")}
    present = kind.table.objects.filter(**owner, space__name=space_of(job.instance.embeddings))
    rows = kind.of_instance(job.instance).filter(Exists(present), embeddings__space=job.space)
    chosen = list(rows.order_by("?")[:most])
    sources = _source_messages(job.instance, chosen) if kind is MEMORIES else {}
    questions = {
        row.pk: sources.get(row.pk)
        or every_second_word(kind.text(job.instance, row))[:MAX_QUESTION_CHARACTERS]
        for row in chosen
    }
    return {pk: text for pk, text in questions.items() if text.strip()}


def _source_messages(instance: Instance, memories: Sequence[Memory]) -> dict[int, str]:
    """The message that each memory was first learned from, if there is one, without secrets."""
    sources = MemorySource.objects.filter(memory__in=memories, message__isnull=False)
    texts = (
        sources.order_by("-pk")
        .annotate(text=Left("message__content", MAX_QUESTION_CHARACTERS + MARGIN))
        .values_list("memory_id", "text")
    )
    return {
        pk: masked_beginning(text, MAX_QUESTION_CHARACTERS, instance.pii_policy)
        for pk, text in texts
        if text.strip()
    }


def _found(
    job: EmbeddingJob, asked: Sequence[VectorKind], answer: Vectors
) -> list[list[tuple[str, int]]]:
    """The lists that the model of *answer* gives for each question, by the kind *asked* for."""
    lists = []
    for number, kind in enumerate(asked):
        query = answer.query(job.instance, number)
        if query is None:
            break
        if number % HEARTBEAT_QUESTIONS == 0:
            job.heartbeat()
        nearest = kind.table.objects.exactly_nearest(
            query, limit=COMPARED_RESULTS, least=least_similarity(query.space)
        )
        lists.append([(kind.name, pk) for pk, _ in nearest])
    return lists
