"""Loads the model with as little memory as possible: from its file, of which no copy is held."""

from pathlib import Path
from typing import TYPE_CHECKING

from memoryapp.builtin_model import files

if TYPE_CHECKING:
    from memoryapp.builtin_model.model import Model


def load() -> "Model":
    """Load the model. Raises `files.UnusableFile`."""
    with (
        files.opened(files.TOKENIZER, files.TOKENIZER_SHA256) as tokenizer,
        files.opened(files.MODEL, files.MODEL_SHA256) as model,
    ):
        # Only now: nothing is imported for files that cannot be used.
        from memoryapp.builtin_model.model import Model

        return Model(Path(f"/dev/fd/{model.fileno()}"), tokenizer.read())
