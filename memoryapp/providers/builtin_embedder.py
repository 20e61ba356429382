"""Texts to unit vectors by the built-in models, with no key and no server.

A model runs in a process of its own: see `memoryapp.providers.builtin_model`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from django.conf import settings
from numpy.typing import NDArray

from instances.translatable import TranslatableText, translatable
from memoryapp.policy.relevance import MIN_SIMILARITY, Background
from memoryapp.policy.similarity_scale import SimilarityScale
from memoryapp.providers.builtin_model import frames
from memoryapp.providers.builtin_model.catalogue import BuiltinModel
from memoryapp.providers.builtin_model.client import (
    CannotStart,
    EmbedderClient,
    EmbeddingError,
    NoAnswer,
    Refused,
)
from memoryapp.providers.builtin_model.files import CENTRES, QUESTION_ADAPTER
from memoryapp.providers.embeddings import Embedded
from memoryapp.providers.errors import ErrorKind, ProviderError

DIMENSIONS = frames.DIMENSIONS
#: Seconds that an answer may take at least: a busy machine is no failure.
MIN_TIMEOUT_SECONDS = 10.0


@dataclass(frozen=True)
class ModelTraits:
    """How a model is asked, and what its similarities mean."""

    #: The space of its vectors.
    space: str
    #: The cosines between unrelated texts.
    background: Background
    #: The same in other languages than English.
    foreign_background: Background
    #: How similar facts are.
    scale: SimilarityScale
    #: Below this cosine, a text is not a result.
    least_similarity: float = MIN_SIMILARITY
    #: With what a question begins, and any other text: as the model was trained.
    question_prefix: str = ""
    text_prefix: str = ""
    #: True if vectors are told from the mean of all texts, or of all questions, instead of from
    #: zero. With the one model, any two texts have a cosine of 0.8: nearly all of each vector is
    #: what all texts have in common. Without that, cosines are spread as those of the other model,
    #: so that a threshold means about the same for both; and more is found.
    is_centred: bool = False
    #: True if the vectors of questions are then moved towards those of what answers them: see
    #: `benchmarks.question_adapter`.
    adapts_questions: bool = False


TRAITS = {
    BuiltinModel.SMALL: ModelTraits(
        space=f"builtin/all-MiniLM-L6-v2/{DIMENSIONS}",
        # The spread is that of turns of LoCoMo, the mean that between its questions and turns.
        background=Background(mean=0.12, spread=0.125),
        # It was not trained for other languages, and takes the language for the subject. Measured
        # on unrelated German sentences.
        foreign_background=Background(mean=0.33, spread=0.125),
        # Measured: its rounding takes 0.008 from the cosine of rewordings.
        scale=SimilarityScale(rounding=0.008),
    ),
    BuiltinModel.MULTILINGUAL: ModelTraits(
        space=f"builtin/multilingual-e5-small/{DIMENSIONS}",
        # The mean is that between questions and turns of LoCoMo; in chats in other languages, it
        # is 0.08 to 0.11.
        background=Background(mean=0.1, spread=0.1),
        foreign_background=Background(mean=0.1, spread=0.1),
        # The mean of 8 people's facts of LoCoMo, with "the user" for the name: 0.39 to 0.45.
        scale=SimilarityScale(mean=0.42, rounding=0.008),
        # Of the answers in chats in French, Italian and Spanish, a tenth is below.
        least_similarity=0.1,
        question_prefix="query: ",
        text_prefix="passage: ",
        is_centred=True,
        adapts_questions=True,
    ),
}
#: The space of the small model.
SPACE = TRAITS[BuiltinModel.SMALL].space
_OF_SPACE = {traits.space: traits for traits in TRAITS.values()}


def traits_of(space: str) -> ModelTraits | None:
    """The traits of the built-in model whose vectors are in *space*; None if it is none."""
    return _OF_SPACE.get(space)


class BuiltinEmbedder:
    """Embeds with a built-in model. ``timeout`` is in seconds, for each answer of its process.
    Without ``adapts_questions``, vectors of questions are not moved towards their answers.
    """

    dimensions = DIMENSIONS

    def __init__(
        self,
        model: BuiltinModel = BuiltinModel.SMALL,
        *,
        timeout: float = 30.0,
        adapts_questions: bool = True,
    ) -> None:
        self.model, self.traits = model, TRAITS[model]
        self._adapts_questions = adapts_questions and self.traits.adapts_questions
        self.space = self.traits.space
        self.timeout = max(timeout, MIN_TIMEOUT_SECONDS)

    def embed(self, texts: Sequence[str], *, as_questions: bool = False) -> Embedded:
        """Embed texts, in their order: shape (len(texts), 384); each is cut at 256 word pieces.

        Raises `ProviderError`: ``unreachable`` when the process cannot be started, or, not
        retryable, when the model's files are missing or changed; ``timeout`` when it does not
        answer.
        """
        traits = self.traits
        prefix = traits.question_prefix if as_questions else traits.text_prefix
        asked = [prefix + text for text in texts] if prefix else texts
        try:
            pieces, floats = client(settings.HOME, self.model).embed(asked, timeout=self.timeout)
        except EmbeddingError as error:
            failure = _provider_error(error)
        else:
            vectors = np.frombuffer(floats, np.float32).reshape(-1, DIMENSIONS).copy()
            if traits.is_centred:
                vectors = centred(vectors, as_questions=as_questions)
            if as_questions and self._adapts_questions:
                vectors = unit(vectors + vectors @ question_adapter())
            return Embedded(vectors, tokens=pieces, space=self.space)
        raise failure


@cache
def client(home: Path, model: BuiltinModel) -> EmbedderClient:
    """Return this process's connections to the embedding process of *home* and *model*."""
    return EmbedderClient(home, model)


def centred(vectors: NDArray[np.float32], *, as_questions: bool) -> NDArray[np.float32]:
    """Return *vectors* from the centre of all questions or texts, and of length 1 again."""
    return unit(vectors - _centres()[int(as_questions)])


def unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return *vectors* with length 1: shape (n, 384)."""
    of_length_1: NDArray[np.float32] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return of_length_1


@cache
def _centres() -> NDArray[np.float32]:
    centres: NDArray[np.float32] = np.load(CENTRES)
    return centres


@cache
def question_adapter() -> NDArray[np.float32]:
    """The matrix by which vectors of questions are moved: shape (384, 384)."""
    adapter: NDArray[np.float32] = np.load(QUESTION_ADAPTER).astype(np.float32)
    return adapter


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
