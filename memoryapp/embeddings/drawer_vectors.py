"""Makes vectors of drawers in batches, outside of transactions."""

from collections.abc import Sequence

from django.db import transaction

from instances.models import Instance
from memoryapp.embeddings.drawer_text import text_to_embed
from memoryapp.embeddings.embedder import Vectors, embed
from memoryapp.embeddings.missing_vectors import DRAWERS
from memoryapp.models import Drawer, EmbeddingSpace, may_spend

#: Texts per call.
BATCH_SIZE = 64


def embed_drawers(instance: Instance, drawer_ids: Sequence[int]) -> int:
    """Make the vectors of these drawers until a call fails; return how many were made."""
    made = 0
    for start in range(0, len(drawer_ids), BATCH_SIZE):
        if not (instance.embeddings.is_builtin or may_spend(instance)):
            break
        ids = drawer_ids[start : start + BATCH_SIZE]
        drawers = Drawer.objects.filter(instance=instance, pk__in=ids).select_related("message")
        texts = {drawer.pk: text_to_embed(instance, drawer) for drawer in drawers}
        answer = embed(instance, list(texts.values()), about=DRAWERS.people(instance, texts))
        if answer.vectors is None:
            break
        made += _stored(instance, list(texts), answer)
    return made


def _stored(instance: Instance, ids: list[int], answer: Vectors) -> int:
    if answer.vectors is None:
        return 0
    space, _ = EmbeddingSpace.objects.get_or_create(instance=instance, name=answer.space)
    vectors = dict(zip(ids, answer.vectors, strict=True))
    with transaction.atomic():
        # A transaction that deletes one of them waits for this one, and deletes its vector too.
        rows = Drawer.objects.filter(instance=instance, pk__in=ids).order_by("pk")
        locked = rows.select_for_update(of=("self",), no_key=True)
        still_there = list(locked.values_list("pk", flat=True))
        DRAWERS.store(space, vectors, still_there)
    return len(still_there)
