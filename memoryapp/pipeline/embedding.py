"""The embedding stage: texts to vectors, with each call on the books and no failure let through."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from instances.models import EmbeddingProvider, Instance
from instances.secrets import UnreadableSecret
from memoryapp.models import Usage
from memoryapp.providers.configured import embedder_for
from memoryapp.providers.errors import ProviderError

#: Said when an instance has chosen a provider and not given its key.
NOT_SET_UP = "No embedding provider is set up."


@dataclass(frozen=True)
class Vectors:
    """Vectors of shape (n, d) and their space; or None, and the reason in words."""

    space: str
    vectors: NDArray[np.float32] | None
    problem: str = ""


def embed(instance: Instance, texts: Sequence[str], *, timeout: float = 30.0) -> Vectors:
    """Embed *texts* in the instance's space. Never raises for a provider's failure: the memory is
    kept without a vector, which is filled in later.
    """
    if not texts:
        return Vectors("", None)
    try:
        embedder = embedder_for(instance, timeout=timeout)
        if embedder is None:
            return Vectors("", None, NOT_SET_UP)
        embedded = embedder.embed(texts)
    except UnreadableSecret as error:
        return Vectors("", None, str(error))
    except ProviderError as error:
        space = embedder.space if embedder else ""
        Usage.objects.book(instance, Usage.Source.EMBED, space, error=error)
        return Vectors("", None, str(error))
    if instance.embedding_provider != EmbeddingProvider.BUILTIN:
        Usage.objects.book(
            instance, Usage.Source.EMBED, embedded.space, prompt_tokens=embedded.tokens
        )
        if instance.embedding_dimensions is None:
            # From now on an answer of another length is an error, not a second space.
            instance.embedding_dimensions = embedded.vectors.shape[1]
            instance.save(update_fields=["embedding_dimensions"])
    return Vectors(embedded.space, embedded.vectors)
