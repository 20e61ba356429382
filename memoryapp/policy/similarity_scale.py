"""One scale for the similarities of facts, whatever the embedding model. Pure.

The cosine between two different facts about one person is 0.3 with one model and 0.8 with
another, while equal texts have 1 with every model. So a cosine is told as the distance to 1, in
units of the distance between different facts:

    similarity = 1 - (1 - cosine) · (1 - 0.32) / (1 - mean)

where ``mean`` is the mean cosine of the model, and 0.32 that of the built-in one, with which all
thresholds were measured. A model that computes with integers rounds, so that texts that are nearly
the same come out somewhat further apart; what the rounding takes from their cosine is given back.
"""

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

#: The mean cosine between facts about the user, with the built-in model: 0.29 to 0.38 for the facts
#: of ten people of LoCoMo, with "the user" for the name. With the names it is 0.45; such a memory
#: is taken for one with a model whose similarities are higher, and less is merged.
BUILTIN_MEAN = 0.32
#: Taken for that of a model of which too little is known. High, so that too little is merged, and
#: not too much.
UNKNOWN_MEAN = 0.75
#: Facts from which a mean is estimated at least. With four, it is off by 0.07, which moves the
#: threshold of 0.9 by 0.01.
MIN_FACTS = 4
#: Facts that are all but equal say nothing about a model.
MAX_MEAN = 0.97

Cosine = TypeVar("Cosine", float, NDArray[np.float32])


@dataclass(frozen=True)
class SimilarityScale:
    """The scale of a model with this mean cosine between different facts about one person."""

    mean: float = BUILTIN_MEAN
    #: What the model's rounding takes from the cosine of texts that are nearly the same.
    rounding: float = 0.0

    def similarity(self, cosine: Cosine) -> Cosine:
        """The similarity, on the common scale, of texts with this *cosine*."""
        unrounded: Cosine = np.minimum(1.0, cosine + self.rounding)
        return 1 - (1 - unrounded) * self._unit

    def cosine(self, similarity: float) -> float:
        """The cosine of texts with this *similarity* on the common scale; at least -1."""
        return max(-1.0, 1 - (1 - similarity) / self._unit - self.rounding)

    @property
    def _unit(self) -> float:
        return (1 - BUILTIN_MEAN) / (1 - self.mean)


def estimated_scale(vectors: NDArray[np.float32]) -> SimilarityScale:
    """The scale of a model by the *vectors* of facts, of shape (n, d) and length 1."""
    if len(vectors) < MIN_FACTS:
        return SimilarityScale(UNKNOWN_MEAN)
    cosines = (vectors @ vectors.T)[np.triu_indices(len(vectors), k=1)]
    return SimilarityScale(min(MAX_MEAN, float(cosines.mean())))
