"""Asking two models the same questions, through the same search as people do."""

from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Subquery
from django.db.models.functions import Left

from memoryapp.health.verdict import TOP, Verdict, half_of, judge
from memoryapp.models import EmbeddingJob, MemoryEmbedding, MemorySource
from memoryapp.pipeline.embedding import Vectors, embed
from memoryapp.providers.configured import space_of
from memoryapp.recall.semantic import nearest_memories

#: Questions that are asked, and the characters of a message that serves as one.
QUESTIONS, LONGEST = 100, 500
#: Questions after which a sign of life is shown.
BREATH = 10


@dataclass(frozen=True)
class Silent:
    """A model did not answer, so nothing could be compared."""

    answer: Vectors
    #: Whether it was the one that the instance searches with.
    present: bool


def compare(job: EmbeddingJob) -> Verdict | Silent:
    """Ask both models for memories that each must know, and count how many each finds.

    The question is the message that the memory was learned from: what somebody said, in words of
    their own. A memory that nobody said is asked for with every second word of it.
    """
    questions = _questions(job)
    ids, texts = list(questions), list(questions.values())
    lists = []
    for choice in (job.instance.embeddings, job.choice):
        answer = embed(job.instance, texts, choice=choice)
        if texts and answer.vectors is None:
            return Silent(answer, present=choice == job.instance.embeddings)
        lists.append(_found(job, answer))
    return judge(ids, *lists)


def _questions(job: EmbeddingJob) -> dict[int, str]:
    """Memories by chance that have a vector of both models, with a question for each."""
    present = MemoryEmbedding.objects.filter(
        memory=OuterRef("pk"), space__name=space_of(job.instance.embeddings)
    )
    said = MemorySource.objects.filter(memory=OuterRef("pk"), message__isnull=False).order_by("pk")
    rows = (
        job.instance.memories.filter(Exists(present), embeddings__space=job.space)
        .annotate(
            said=Subquery(said.annotate(text=Left("message__content", LONGEST)).values("text")[:1])
        )
        .order_by("?")
        .values_list("pk", "said", "content")[:QUESTIONS]
    )
    return {pk: text if text and text.strip() else half_of(content) for pk, text, content in rows}


def _found(job: EmbeddingJob, answer: Vectors) -> list[list[int]]:
    found = []
    for number in range(0 if answer.vectors is None else len(answer.vectors)):
        if number % BREATH == 0:
            job.hold()
        assert answer.vectors is not None  # noqa: S101  # else there is no number
        one = Vectors(answer.space, answer.vectors[number : number + 1])
        nearest = nearest_memories(job.instance, one, limit=TOP, among=None)
        found.append([pk for pk, _ in nearest])
    return found
