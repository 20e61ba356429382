"""Filling in the vectors that are missing: after a provider's failure, or a change of model."""

from django.db import transaction
from pgvector import HalfVector

from instances.models import EmbeddingProvider, Instance
from instances.secrets import UnreadableSecret
from memoryapp.models import (
    EmbeddingSpace,
    Memory,
    MemoryEmbedding,
    RevisionEmbedding,
    Usage,
    may_spend,
)
from memoryapp.pipeline.embedding import embed
from memoryapp.providers.configured import embedder_for

BATCH = 64
#: Seconds for which a provider that has failed is left alone.
REST_AFTER_FAILURE = 60


def fill_in(instance: Instance, *, most: int = 1_000) -> int:
    """Embed up to *most* memories of *instance* that have no vector in its present space; return
    how many got one. Once none is missing, vectors of former spaces are deleted.
    """
    try:
        embedder = embedder_for(instance)
    except UnreadableSecret:
        return 0  # Said on the settings screen. The other instances must not wait for it.
    resting = Usage.objects.embedding_error(instance, within=REST_AFTER_FAILURE)
    if embedder is None or resting:
        return 0
    if instance.embedding_provider != EmbeddingProvider.BUILTIN and not may_spend(instance):
        return 0
    if embedder.dimensions is None:
        # The space has no name before the model has answered once.
        embed(instance, ["How long are your vectors?"])
        embedder = embedder_for(instance)
        if embedder is None or embedder.dimensions is None:
            return 0
    filled = 0
    size = BATCH
    missing = Memory.objects.in_instance(instance).without_vector(embedder.space)
    while filled < most:
        batch = dict(missing.order_by("?").values_list("pk", "content")[:size])
        if not batch:
            former = EmbeddingSpace.objects.filter(instance=instance).exclude(name=embedder.space)
            MemoryEmbedding.objects.filter(instance=instance, space__in=former).delete()
            RevisionEmbedding.objects.filter(instance=instance, space__in=former).delete()
            break
        result = embed(instance, list(batch.values()))
        if result.vectors is None:
            if size == 1:
                break
            # It may be one text that the provider will not take. The others must not wait for it.
            size = 1
            continue
        size = min(2 * size, BATCH)
        vectors = dict(zip(batch, result.vectors, strict=True))
        space = EmbeddingSpace.objects.get_or_create(instance=instance, name=result.space)[0]
        with transaction.atomic():
            # A text that was changed meanwhile must not get the old text's vector.
            unchanged = [
                pk
                for pk, content in Memory.objects.select_for_update(of=("self",))
                .filter(pk__in=batch)
                .values_list("pk", "content")
                if content == batch[pk]
            ]
            MemoryEmbedding.objects.bulk_create(
                [
                    MemoryEmbedding(
                        memory_id=pk,
                        instance=instance,
                        space=space,
                        embedding=HalfVector(vectors[pk]),
                    )
                    for pk in unchanged
                ],
                ignore_conflicts=True,
            )
        filled += len(unchanged)
    return filled
