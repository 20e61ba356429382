"""Texts to unit vectors, by an OpenAI-compatible server; and the interface of embedders."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from instances.presets import PRESETS
from instances.translatable import translatable
from memoryapp.providers.client import MAX_STRUCTURED_BYTES, RawAnswer, send_request
from memoryapp.providers.endpoints import Endpoint
from memoryapp.providers.errors import unusable
from memoryapp.providers.field_values import token_count, utf8
from memoryapp.telemetry import traces

if TYPE_CHECKING:
    from openai import OpenAI, Timeout

#: The most dimensions that a vector may have and still be stored and compared.
MAX_DIMENSIONS = 4000
#: A text is cut here. 8,191 tokens is the window of the usual models, and a token is seldom
#: shorter than a character.
MAX_CHARACTERS = 8_000
MAX_BATCH_TEXTS = 256
MAX_BATCH_CHARACTERS = 100_000
#: Bytes of one number of a vector in JSON, indented and with all digits.
NUMBER_BYTES = 40

# Dimensions of the models that take a ``dimensions`` parameter, when they are not asked for fewer.
_SHORTENABLE = {"text-embedding-3-small": 1536, "text-embedding-3-large": 3072}


@dataclass(frozen=True, eq=False)
class Embedded:
    """Vectors of shape (n, d), float32, each of length 1; and the tokens that they cost."""

    vectors: NDArray[np.float32]
    tokens: int
    #: What made them: only vectors of one space can be compared.
    space: str


class Embedder(Protocol):
    """Turns texts into unit vectors."""

    @property
    def space(self) -> str:
        """Provider, model and dimensions, such as ``openai/text-embedding-3-small/1536``. It ends
        in ``/?``, and so equals no stored one, until the dimensions are known.
        """

    @property
    def dimensions(self) -> int | None:
        """The length of the vectors; None until the first answer shows it."""

    def embed(self, texts: Sequence[str], *, as_questions: bool = False) -> Embedded:
        """Embed texts, in their order: shape (len(texts), dimensions). Some models read questions
        otherwise than the texts among which an answer is searched. Raises `ProviderError`; then no
        text is embedded.
        """


class OpenAIEmbedder:
    """Embeds through ``/embeddings`` of an OpenAI-compatible server.

    ``dimensions`` is the length of the stored vectors: an answer of another length is an error.
    With None, the first answer decides. ``timeout`` is in seconds, for each silence of the server
    in each batch; give a shorter one where a person waits.
    """

    def __init__(
        self, endpoint: Endpoint, dimensions: int | None = None, *, timeout: float = 30.0
    ) -> None:
        self.endpoint = endpoint
        self.timeout = timeout
        self._dimensions = dimensions

    @property
    def dimensions(self) -> int | None:
        return self._dimensions

    @property
    def space(self) -> str:
        return f"{_server(self.endpoint)}/{self.endpoint.model}/{self._dimensions or '?'}"

    def embed(self, texts: Sequence[str], *, as_questions: bool = False) -> Embedded:
        """Embed texts, questions like others, each cut at `MAX_CHARACTERS`. Raises `ProviderError`:
        ``unusable_answer`` for vectors that are missing, of a wrong length, not finite or zero.
        """
        tokens = 0
        parts = [np.empty((0, self._dimensions or 0), dtype=np.float32)]
        with traces.model_span("embeddings", self.endpoint) as span:
            for batch in _batches(texts):
                payload = self._ask(batch)
                vectors = read_vectors(payload, len(batch), self._dimensions, self.endpoint)
                self._dimensions = vectors.shape[1]
                tokens += token_count(payload.get("usage"), "prompt_tokens")
                parts.append(vectors)
            traces.note_tokens(span, tokens)
        answers = parts[1:] or parts
        return Embedded(np.concatenate(answers), tokens=tokens, space=self.space)

    def _ask(self, batch: list[str]) -> dict[str, Any]:
        from openai import omit

        model, wanted = self.endpoint.model, self._dimensions
        native = _SHORTENABLE.get(model.rpartition("/")[2], wanted)

        def send(client: "OpenAI", limits: "Timeout") -> RawAnswer:
            return client.embeddings.with_raw_response.create(
                model=model,
                input=batch,
                encoding_format="float",  # many servers know no base64
                dimensions=wanted if wanted and wanted != native else omit,
                timeout=limits,
            )

        numbers = len(batch) * (wanted or MAX_DIMENSIONS)
        return send_request(
            self.endpoint,
            self.timeout,
            send,
            max_bytes=MAX_STRUCTURED_BYTES + numbers * NUMBER_BYTES,
        )


def check_embeddings(endpoint: Endpoint, timeout: float = 30.0) -> str:
    """Embed one sentence; return the result, or raise `ProviderError`, as a line to show."""
    started = time.monotonic()
    embedded = OpenAIEmbedder(endpoint, timeout=timeout).embed(["A sentence to try it with."])
    seconds = time.monotonic() - started
    return translatable(
        "%(dimensions)s dimensions in %(seconds)s s",
        dimensions=embedded.vectors.shape[1],
        seconds=f"{seconds:.1f}",
    )


def read_vectors(
    payload: Mapping[str, Any], count: int, dimensions: int | None, endpoint: Endpoint
) -> NDArray[np.float32]:
    """Take *count* unit vectors out of an answer, which may have any shape: as an array of shape
    (count, d), float32, in the order of the items' ``index``.

    Raises `ProviderError`, ``unusable_answer``; not retryable if only the length is unexpected,
    since the same model will give the same length again.
    """
    server, data = endpoint.base_url, payload.get("data")
    if not isinstance(data, list) or not all(isinstance(item, dict) for item in data):
        raise unusable(
            translatable(
                "%(server)s answered with JSON of the wrong shape. Does the model make embeddings?",
                server=server,
            )
        )
    if len(data) != count:
        raise unusable(
            translatable(
                "%(server)s answered with %(number)s vectors for %(expected)s texts.",
                server=server,
                number=len(data),
                expected=count,
            )
        )
    positions = [item.get("index", at) for at, item in enumerate(data)]
    if not all(type(at) is int for at in positions) or sorted(positions) != list(range(count)):
        raise unusable(
            translatable(
                "%(server)s answered with vectors that cannot be told apart.", server=server
            )
        )
    rows: list[Any] = [None] * count
    for at, item in zip(positions, data, strict=True):
        rows[at] = item.get("embedding")
    matrix = _matrix(rows)
    if matrix is None:
        raise unusable(
            translatable(
                "%(server)s answered with something other than vectors of one length.",
                server=server,
            )
        )
    length = matrix.shape[1]
    if length > MAX_DIMENSIONS:
        raise unusable(
            translatable(
                "%(server)s answered with %(number)s dimensions, and %(most)s is the most that "
                "can be stored. Choose another model.",
                server=server,
                number=length,
                most=MAX_DIMENSIONS,
            ),
            retryable=False,
        )
    if dimensions is not None and length != dimensions:
        raise unusable(
            translatable(
                "%(server)s answered with %(number)s dimensions where %(expected)s were expected. "
                "Did the model change? Choose it again in Settings to embed everything anew.",
                server=server,
                number=length,
                expected=dimensions,
            ),
            retryable=False,
        )
    largest = np.abs(matrix).max(axis=1, keepdims=True)
    if not np.isfinite(largest).all() or not (largest > 0).all():
        raise unusable(
            translatable(
                "%(server)s answered with vectors that contain NaN or are zero.", server=server
            )
        )
    # First by the largest component, so that squaring neither overflows nor vanishes.
    matrix = matrix / largest
    unit: NDArray[np.float32] = (matrix / np.linalg.norm(matrix, axis=1, keepdims=True)).astype(
        np.float32
    )
    return unit


def _matrix(rows: list[Any]) -> NDArray[np.float64] | None:
    if not all(isinstance(row, list) and row for row in rows):
        return None
    try:
        matrix = np.array(rows, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        return None
    return matrix if matrix.ndim == 2 else None


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    characters = 0
    for text in texts:
        # An empty input is refused by some servers, and would take its whole batch down.
        cut = utf8(text[:MAX_CHARACTERS]) or " "
        if batch and (
            len(batch) == MAX_BATCH_TEXTS or characters + len(cut) > MAX_BATCH_CHARACTERS
        ):
            yield batch
            batch, characters = [], 0
        batch.append(cut)
        characters += len(cut)
    if batch:
        yield batch


def _server(endpoint: Endpoint) -> str:
    """Name the server: by its provider alone only where that is always the same one."""
    preset = PRESETS.get(endpoint.provider)
    if preset and preset.base_url and endpoint.base_url.rstrip("/") == preset.base_url:
        return endpoint.provider
    url = urlsplit(endpoint.base_url)
    return f"{endpoint.provider}@{endpoint.host}{url.path.rstrip('/').removesuffix('/v1')}"
