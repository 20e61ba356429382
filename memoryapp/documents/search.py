"""Search in the document store: by words and by meaning, fused by rank."""

from collections.abc import Sequence
from dataclasses import dataclass

from conversations.sanitizer import sanitize
from conversations.search import SearchTerms, TextQuery, best_by_words
from instances.models import Instance
from memoryapp.embeddings.background import least_similarity
from memoryapp.language.shortening import one_line
from memoryapp.language.words import function_words_of, languages_of_question
from memoryapp.models import DocumentEmbedding, StoredDocument
from memoryapp.models.stored_documents import StoredDocumentQuerySet
from memoryapp.recall.fusion import Fused, fuse
from memoryapp.recall.query import embedded_question
from memoryapp.recall.results import MEANING, WORDS

#: Minimum depth to which each of the two lists is read.
MIN_DEPTH = 40


@dataclass(frozen=True)
class DocumentHit:
    """A document that was found, with its place in the lists of words and of meaning."""

    document: StoredDocument
    score: float
    #: List name to rank, from 0.
    ranks: dict[str, int]


@dataclass(frozen=True)
class DocumentHits:
    """The hits, best first; and why there was no search by meaning, empty if there was."""

    hits: list[DocumentHit]
    problem: str = ""


def find(
    instance: Instance,
    rows: StoredDocumentQuerySet,
    question: str,
    *,
    limit: int,
    offset: int = 0,
) -> DocumentHits:
    """Find those of *rows*, documents of *instance*, that answer *question*: the *limit* best after
    the first *offset*. If the embedding provider fails, the search is by words alone.
    """
    question = one_line(sanitize(question))
    if not question:
        return DocumentHits([])
    words = _words(instance, question)
    depth = max(MIN_DEPTH, limit + offset)
    if words is not None:
        rows = words.of_required(rows)
        if not words.is_plain:
            question = SearchTerms.parse(question).wanted or question
    vectors = embedded_question(instance, question)
    lists: dict[str, Sequence[int]] = {WORDS: best_by_words(rows, words, limit=depth)}
    query = vectors.query(instance)
    if query is not None:
        near = DocumentEmbedding.objects.nearest(
            query, limit=depth, least=least_similarity(query.space), among=rows
        )
        lists[MEANING] = [pk for pk, _ in near]
    best = fuse(lists)[offset : offset + limit]
    return DocumentHits(_loaded(instance, best), vectors.problem)


def _words(instance: Instance, question: str) -> TextQuery | None:
    asked = languages_of_question(question, instance.language)
    return TextQuery.parse(
        question,
        instance_id=instance.pk,
        # That of the question first: its stop words count.
        languages=sorted(instance.search_languages, key=lambda language: language not in asked),
        ignored=function_words_of(question, instance.language),
    )


def _loaded(instance: Instance, best: Sequence[Fused[int]]) -> list[DocumentHit]:
    rows = instance.stored_documents.filter(pk__in=[entry.item for entry in best])
    documents = rows.defer("search").in_bulk()
    # One may have been deleted since.
    return [
        DocumentHit(documents[entry.item], entry.score, entry.ranks)
        for entry in best
        if entry.item in documents
    ]
