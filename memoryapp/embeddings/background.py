"""The background of an embedding space: how similar texts are that have nothing to do with each
other, or facts that are not the same. It differs much between models, and so do all thresholds of
similarity.
"""

import numpy as np
from numpy.typing import NDArray

from instances.models import Instance
from memoryapp.models import DrawerEmbedding, MemoryEmbedding
from memoryapp.policy.relevance import MIN_SIMILARITY, Background
from memoryapp.policy.similarity_scale import SimilarityScale, estimated_scale
from memoryapp.providers.builtin_embedder import SPACE, TRAITS, traits_of
from memoryapp.providers.builtin_model.catalogue import BuiltinModel

#: Vectors from which a background is estimated, and their minimum number.
SAMPLE_SIZE, MIN_SAMPLE_SIZE = 64, 24
#: Equal texts have no spread.
MIN_SPREAD = 0.02
#: Spaces whose background a process caches.
MAX_CACHED_SPACES = 1_000
_backgrounds: dict[tuple[int, str], Background] = {}
_scales: dict[tuple[int, str], SimilarityScale] = {}


def background_of(instance: Instance, space: str, *, foreign: bool = False) -> Background:
    """The cosine similarities between texts of *instance* in *space*: measured for the built-in
    models, where *foreign* texts are those that are not in English; estimated for others; that of
    the small one while there are few vectors. Cached, since they depend on the model and
    hardly on the texts.
    """
    traits = traits_of(space or SPACE)
    if traits is not None:
        return traits.foreign_background if foreign else traits.background
    background = _backgrounds.get((instance.pk, space))
    if background is not None:
        return background
    samples = (
        table.objects.filter(instance=instance, space__name=space)
        .order_by("pk")
        .values_list("embedding", flat=True)[:SAMPLE_SIZE]
        for table in (DrawerEmbedding, MemoryEmbedding)
    )
    large = (rows for rows in map(list, samples) if len(rows) >= MIN_SAMPLE_SIZE)
    vectors = next(large, [])
    if not vectors:
        return TRAITS[BuiltinModel.SMALL].background
    matrix: NDArray[np.float32] = np.array(vectors, np.float32)
    similarities = (matrix @ matrix.T)[np.triu_indices(len(matrix), k=1)]
    background = Background(float(similarities.mean()), max(MIN_SPREAD, float(similarities.std())))
    if len(_backgrounds) >= MAX_CACHED_SPACES:
        _backgrounds.clear()
    _backgrounds[instance.pk, space] = background
    return background


def least_similarity(space: str) -> float:
    """The cosine to a question below which a text in *space* is not a result."""
    traits = traits_of(space)
    return MIN_SIMILARITY if traits is None else traits.least_similarity


def scale_of_facts(instance: Instance, space: str) -> SimilarityScale:
    """The scale of the similarities between facts of *instance* in *space*: measured for the
    built-in models; for others estimated from its memories, and cached once there are enough.
    """
    traits = traits_of(space or SPACE)
    if traits is not None:
        return traits.scale
    scale = _scales.get((instance.pk, space))
    if scale is not None:
        return scale
    rows = MemoryEmbedding.objects.filter(instance=instance, space__name=space).order_by("pk")
    vectors = list(rows.values_list("embedding", flat=True)[:SAMPLE_SIZE])
    scale = estimated_scale(np.array(vectors, np.float32))
    if len(vectors) >= MIN_SAMPLE_SIZE:
        if len(_scales) >= MAX_CACHED_SPACES:
            _scales.clear()
        _scales[instance.pk, space] = scale
    return scale
