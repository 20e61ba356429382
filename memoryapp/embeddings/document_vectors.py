"""Makes vectors of stored documents at once, where that costs nothing; the back-fill makes those of
other models.
"""

from collections.abc import Sequence

from django.db import transaction

from instances.models import Instance
from memoryapp.embeddings.embedder import embed
from memoryapp.embeddings.missing_vectors import DOCUMENTS
from memoryapp.models import EmbeddingSpace


def embed_documents(instance: Instance, ids: Sequence[int]) -> None:
    """Make the vectors of these documents with one call. Do not call it inside a transaction."""
    rows = {row.pk: row for row in DOCUMENTS.of_instance(instance).filter(pk__in=ids)}
    texts = {pk: DOCUMENTS.text(instance, row) for pk, row in rows.items()}
    answer = embed(instance, list(texts.values()), about=DOCUMENTS.people(instance, texts))
    if answer.vectors is None:
        return
    space, _ = EmbeddingSpace.objects.get_or_create(instance=instance, name=answer.space)
    vectors = dict(zip(texts, answer.vectors, strict=True))
    with transaction.atomic():
        DOCUMENTS.store(space, vectors, DOCUMENTS.unchanged(instance, texts))
