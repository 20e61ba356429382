"""A built-in model: texts to unit vectors.

Pooling and normalisation are those with which both models were trained: the mean over the pieces,
then to length 1 (Reimers and Gurevych, Sentence-BERT, 2019).
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from memoryapp.providers.builtin_model.frames import MAX_CHARACTERS

#: The pieces of a text that are read, with the two that mark begin and end. all-MiniLM-L6-v2 was
#: trained for so many; the other one could read twice as many, in more than twice the time.
MAX_PIECES = 256


class Tokenizer(Protocol):
    """Cuts texts into pieces."""

    def ids(self, text: str) -> list[int]:
        """Return the ids of a text's pieces: between 2 and `MAX_PIECES` of them."""


class Model:
    """A loaded model and its tokenizer. Safe to use from several threads."""

    def __init__(self, model: Path, tokenizer: Tokenizer) -> None:
        """Load the model."""
        options = onnxruntime.SessionOptions()
        # One text is too small to be shared out; callers do so with many.
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        # A plan of memory for each length of text takes more than it saves.
        options.enable_mem_pattern = False
        options.log_severity_level = 3
        # The memory of one text is kept for the next. By default, its pools double as they grow.
        pools = {"arena_extend_strategy": "kSameAsRequested"}
        self._session = onnxruntime.InferenceSession(
            model, options, providers=[("CPUExecutionProvider", pools)]
        )
        self._inputs = {each.name for each in self._session.get_inputs()}
        self._tokenizer = tokenizer

    def pieces(self, text: str) -> list[int]:
        """Return the ids of a text's pieces: between 2 and 256 of them."""
        clean = text[:MAX_CHARACTERS].encode("utf-8", "replace").decode("utf-8")
        return self._tokenizer.ids(clean)

    def vector(self, pieces: Sequence[int]) -> NDArray[np.float32]:
        """Return the unit vector of a text, given its pieces: shape (384,)."""
        hidden = self._run(pieces)
        # The divisor of the mean is left out: normalising removes it anyway.
        summed: NDArray[np.float32] = hidden[0].sum(axis=0)
        return summed / np.linalg.norm(summed)

    def give_back_memory(self) -> None:
        """Free the memory that is kept for the next text."""
        options = onnxruntime.RunOptions()
        options.add_run_config_entry("memory.enable_memory_arena_shrinkage", "cpu:0")
        # It is freed at the end of a run.
        self._run(self.pieces(""), options)

    def _run(
        self, pieces: Sequence[int], options: onnxruntime.RunOptions | None = None
    ) -> NDArray[np.float32]:
        """Return the last hidden state of a text: shape (1, pieces, 384)."""
        ids = np.array([pieces], dtype=np.int64)
        given = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids),
        }
        given = {name: values for name, values in given.items() if name in self._inputs}
        hidden: NDArray[np.float32]
        (hidden,) = self._session.run(["last_hidden_state"], given, options)
        return hidden
