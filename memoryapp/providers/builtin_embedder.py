"""Texts to unit vectors by the built-in model, all-MiniLM-L6-v2, with no key and no server.

The model runs in a process of its own: see `memoryapp.builtin_model`.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from django.conf import settings

from instances.translatable import TranslatableText, translatable
from memoryapp.builtin_model import frames
from memoryapp.builtin_model.client import CannotStart, Client, EmbeddingError, NoAnswer, Refused
from memoryapp.policy.relevance import Background
from memoryapp.policy.similarity_scale import SimilarityScale
from memoryapp.providers.embeddings import Embedded
from memoryapp.providers.errors import ErrorKind, ProviderError

DIMENSIONS = frames.DIMENSIONS
SPACE = f"builtin/all-MiniLM-L6-v2/{DIMENSIONS}"
#: Seconds that an answer may take at least: a busy machine is no failure.
MIN_TIMEOUT_SECONDS = 10.0

#: The cosines between unrelated texts: the spread is that of turns of LoCoMo, the mean that between
#: its questions and turns.
BACKGROUND = Background(mean=0.12, spread=0.125)
#: The same in other languages than English, for which the model was not trained: it takes the
#: language for the subject. Measured on unrelated German sentences.
FOREIGN_BACKGROUND = Background(mean=0.33, spread=0.125)

#: How similar facts are. Measured: its rounding takes 0.008 from the cosine of rewordings.
SCALE = SimilarityScale(rounding=0.008)


class BuiltinEmbedder:
    """Embeds with the built-in model. ``timeout`` is in seconds, for each answer of its process."""

    dimensions = DIMENSIONS
    space = SPACE

    def __init__(self, *, timeout: float = 30.0) -> None:
        self.timeout = max(timeout, MIN_TIMEOUT_SECONDS)

    def embed(self, texts: Sequence[str]) -> Embedded:
        """Embed texts, in their order: shape (len(texts), 384); each is cut at 256 word pieces.

        Raises `ProviderError`: ``unreachable`` when the process cannot be started, or, not
        retryable, when the model's files are missing or changed; ``timeout`` when it does not
        answer.
        """
        try:
            pieces, floats = client(settings.HOME).embed(texts, timeout=self.timeout)
        except EmbeddingError as error:
            failure = _provider_error(error)
        else:
            vectors = np.frombuffer(floats, np.float32).reshape(-1, DIMENSIONS).copy()
            return Embedded(vectors, tokens=pieces, space=SPACE)
        raise failure


@cache
def client(home: Path) -> Client:
    """Return this process's connections to the embedding process of *home*."""
    return Client(home)


def _provider_error(error: EmbeddingError) -> ProviderError:
    match error:
        case CannotStart():
            message = translatable(
                "The built-in embedder could not be started: %(reason)s", reason=str(error)
            )
            return ProviderError(ErrorKind.UNREACHABLE, message)
        case NoAnswer():
            message = translatable(
                "The built-in embedder did not answer. It is started again by itself; "
                "its log is embedder.log."
            )
            return ProviderError(ErrorKind.TIMEOUT, message)
        case Refused(reason={"file": file, "problem": problem}):
            return ProviderError(ErrorKind.UNREACHABLE, _unusable(file, problem), retryable=False)
    message = translatable(
        "The built-in embedder failed with a text. Its log, embedder.log, says more."
    )
    return ProviderError(ErrorKind.BAD_REQUEST, message)


def _unusable(file: str, problem: str) -> TranslatableText:
    if problem == "missing":
        return translatable(
            "The built-in embedder cannot be used: its file %(file)s is missing. "
            "Install Keepsake again.",
            file=file,
        )
    return translatable(
        "The built-in embedder cannot be used: its file %(file)s is not the one "
        "that it should be. Install Keepsake again.",
        file=file,
    )
