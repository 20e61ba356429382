"""The embedding stage: texts to vectors, with each call on the books and no failure let through."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

import numpy as np
from numpy.typing import NDArray

from instances.embedding_choice import EmbeddingChoice
from instances.models import Instance
from instances.secrets import UnreadableSecret
from memoryapp.models import Usage
from memoryapp.models.vectors import QueryVector
from memoryapp.providers.configured import embedder_for, space_of
from memoryapp.providers.errors import ProviderError

#: Said when an instance has chosen a provider and not given its key.
NOT_SET_UP = "No embedding provider is set up."


@dataclass(frozen=True)
class Vectors:
    """Vectors of shape (n, d) and their space; or None, and the reason in words."""

    space: str
    vectors: NDArray[np.float32] | None
    problem: str = ""
    #: The reason as it came, when it was the provider's.
    error: ProviderError | None = None

    def query(self, instance: Instance, number: int = 0) -> QueryVector | None:
        """The vector with this *number*, for a search in *instance*; None without vectors."""
        if self.vectors is None:
            return None
        return QueryVector(instance, self.space, self.vectors[number])

    @property
    def retry_after(self) -> float | None:
        """The provider's own wish in seconds, if it has one."""
        return self.error.retry_after if self.error else None


def embed(
    instance: Instance,
    texts: Sequence[str],
    *,
    choice: EmbeddingChoice | None = None,
    timeout: float = 30.0,
) -> Vectors:
    """Embed *texts* in the instance's space, or in that of another *choice*. Never raises for a
    provider's failure: the memory is kept without a vector, which is filled in later.
    """
    if not texts:
        return Vectors("", None)
    choice = choice or instance.embeddings
    try:
        embedder = embedder_for(instance, choice, timeout=timeout)
        if embedder is None:
            return Vectors("", None, NOT_SET_UP)
        embedded = embedder.embed(texts)
    except UnreadableSecret as error:
        return Vectors("", None, str(error))
    except ProviderError as error:
        space = embedder.space if embedder else ""
        Usage.objects.record(instance, Usage.Source.EMBED, space, error=error)
        return Vectors("", None, str(error), error)
    if not choice.is_builtin:
        Usage.objects.record(
            instance, Usage.Source.EMBED, embedded.space, prompt_tokens=embedded.tokens
        )
        if choice.dimensions is None and choice == instance.embeddings:
            _note_dimensions(instance, embedded.vectors.shape[1])
    return Vectors(embedded.space, embedded.vectors)


def _note_dimensions(instance: Instance, dimensions: int) -> None:
    """From now on an answer of another length is an error, not a second space."""
    instance.embedding_dimensions = dimensions
    # Only of the model that has answered: meanwhile somebody may have chosen another one.
    Instance.objects.filter(
        pk=instance.pk,
        embedding_provider=instance.embedding_provider,
        embedding_base_url=instance.embedding_base_url,
        embedding_model=instance.embedding_model,
        embedding_dimensions=None,
    ).update(embedding_dimensions=dimensions)


def embedding_problem(instance: Instance, *, within: float | None = None) -> str:
    """Why search by meaning does not work at present, in words: empty when it does, and when the
    last failure is longer ago than *within* seconds.
    """
    if instance.embeddings.is_builtin:
        return ""
    if not instance.has_embeddings:
        return NOT_SET_UP
    # Of this space alone: trouble with a model to come is none of search's.
    return Usage.objects.latest_error(
        instance,
        Usage.Source.EMBED,
        space_of(instance.embeddings),
        within=None if within is None else timedelta(seconds=within),
    )
