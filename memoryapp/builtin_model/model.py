"""all-MiniLM-L6-v2: texts to unit vectors.

Pooling and normalisation are those of the original: the mean over the word pieces, then to length 1
(Reimers and Gurevych, Sentence-BERT, 2019).
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from tokenizers import Tokenizer

from memoryapp.builtin_model.frames import MAX_CHARACTERS

#: What the model was trained for, in word pieces with the two that mark begin and end.
MAX_PIECES = 256


class Model:
    """A loaded model and its tokenizer. Safe to use from several threads."""

    def __init__(self, model: Path, tokenizer: bytes) -> None:
        """Load both."""
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
        self._tokenizer = Tokenizer.from_buffer(tokenizer)
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(MAX_PIECES)

    def pieces(self, text: str) -> list[int]:
        """Return the ids of a text's word pieces: between 2 and 256 of them."""
        # One by one: encode_batch would start threads of its own, with the priority of a question.
        clean = text[:MAX_CHARACTERS].encode("utf-8", "replace").decode("utf-8")
        ids: list[int] = self._tokenizer.encode(clean).ids
        return ids

    def vector(self, pieces: Sequence[int]) -> NDArray[np.float32]:
        """Return the unit vector of a text, given its word pieces: shape (384,)."""
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
        hidden: NDArray[np.float32]
        (hidden,) = self._session.run(["last_hidden_state"], given, options)
        return hidden
