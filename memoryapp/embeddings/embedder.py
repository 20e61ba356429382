"""Texts to vectors. Records each call in the usage log, and returns failures instead of raising."""

from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from datetime import timedelta
from functools import partial

import numpy as np
from numpy.typing import NDArray

from instances.embedding_choice import EmbeddingChoice
from instances.models import Instance
from instances.secrets import UnreadableSecret
from instances.translatable import translatable
from memoryapp.models import Usage
from memoryapp.models.vectors import QueryVector
from memoryapp.providers.configured import embedder_for, space_of
from memoryapp.providers.embeddings import Embedded
from memoryapp.providers.endpoints import host_of
from memoryapp.providers.errors import ProviderError
from memoryapp.telemetry import traces


def what_is_missing(choice: EmbeddingChoice) -> str:
    """Return what *choice* lacks, an instance's model or its next one, which cannot be called."""
    if not choice.address:
        return translatable("The address of the embedding provider is missing.")
    return translatable("The embedding model %(model)s needs an API key.", model=str(choice))


@dataclass(frozen=True)
class Vectors:
    """Vectors of shape (n, d) and their space; or None, and the problem as a sentence."""

    space: str
    vectors: NDArray[np.float32] | None
    problem: str = ""
    #: The provider's error, if that was the reason.
    error: ProviderError | None = None

    def query(self, instance: Instance, number: int = 0) -> QueryVector | None:
        """The vector with this *number*, for a search in *instance*; None without vectors."""
        if self.vectors is None:
            return None
        return QueryVector(instance, self.space, self.vectors[number])

    @property
    def retry_after(self) -> float | None:
        """Seconds after which the provider wants to be called again, if it says so."""
        return self.error.retry_after if self.error else None


@traces.traced("embed")
def embed(
    instance: Instance,
    texts: Sequence[str],
    *,
    about: Collection[str] | None,
    choice: EmbeddingChoice | None = None,
    as_questions: bool = False,
    timeout: float = 30.0,
) -> Vectors:
    """Embed *texts* in the instance's space, or in that of another *choice*: ``as_questions``, or
    as what is searched. They are *about* these end users; None: not known. Does
    not raise if the provider fails: the memory is stored without a vector, which the back-fill
    makes later.
    """
    return EmbeddingCall(
        instance, texts, about=about, choice=choice, as_questions=as_questions, timeout=timeout
    ).result()


class EmbeddingCall:
    """A call of `embed`, which can run in another thread until its result is needed. That thread
    uses the database only for the provider's circuit breaker, with a brief connection.
    """

    def __init__(
        self,
        instance: Instance,
        texts: Sequence[str],
        *,
        about: Collection[str] | None,
        choice: EmbeddingChoice | None = None,
        as_questions: bool = False,
        timeout: float = 30.0,
        executor: Executor | None = None,
    ) -> None:
        """Start the call in *executor*; without one, `result` makes it."""
        self._instance, self._choice = instance, choice or instance.embeddings
        self._about = about
        self._problem, self._embedder = "", None
        if not texts:
            return
        try:
            self._embedder = embedder_for(instance, self._choice, timeout=timeout)
        except UnreadableSecret as error:
            self._problem = str(error)
            return
        if self._embedder is None:
            self._problem = what_is_missing(self._choice)
            return
        self._call: Callable[[], Embedded] = partial(
            self._embedder.embed, texts, as_questions=as_questions
        )
        if executor is not None:
            self._call = executor.submit(traces.carried(self._call)).result

    def result(self) -> Vectors:
        """Wait for the vectors, and record the call."""
        instance, choice, embedder = self._instance, self._choice, self._embedder
        if embedder is None:
            return Vectors("", None, self._problem)
        record = partial(
            Usage.objects.record,
            instance,
            Usage.Source.EMBED,
            host=host_of(choice.address),
            about=self._about,
        )
        try:
            embedded = self._call()
        except ProviderError as error:
            record(embedder.space, error=error)
            return Vectors(embedder.space, None, str(error), error)
        if not choice.is_builtin:
            record(embedded.space, prompt_tokens=embedded.tokens)
            if choice.dimensions is None and choice == instance.embeddings:
                _note_dimensions(instance, embedded.vectors.shape[1])
        return Vectors(embedded.space, embedded.vectors)


def _note_dimensions(instance: Instance, dimensions: int) -> None:
    """Store the length of the vectors: another length is an error from now on, not a new space."""
    instance.embedding_dimensions = dimensions
    # Only for the model that has answered: another one may have been chosen meanwhile.
    Instance.objects.filter(
        pk=instance.pk,
        embedding_provider=instance.embedding_provider,
        embedding_base_url=instance.embedding_base_url,
        embedding_model=instance.embedding_model,
        embedding_dimensions=None,
    ).update(embedding_dimensions=dimensions)


def embedding_problem(instance: Instance, *, within: float | None = None) -> str:
    """Why vector search does not work, or did not *within* these seconds; empty if it works."""
    if instance.embeddings.is_builtin:
        return ""
    if not instance.has_embeddings:
        return what_is_missing(instance.embeddings)
    # Only of this space: failures of a future model do not affect search.
    return Usage.objects.latest_error(
        instance,
        Usage.Source.EMBED,
        space_of(instance.embeddings),
        within=None if within is None else timedelta(seconds=within),
    )
