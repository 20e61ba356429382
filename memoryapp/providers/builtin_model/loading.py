"""Loads a model with as little memory as possible: from its file, of which no copy is held."""

from pathlib import Path
from typing import IO, TYPE_CHECKING

from memoryapp.providers.builtin_model import conversion, converted_files, files
from memoryapp.providers.builtin_model.catalogue import BuiltinModel

if TYPE_CHECKING:
    from memoryapp.providers.builtin_model.model import Model


def load(model: BuiltinModel, home: Path) -> "Model":
    """Load a model. The files of the multilingual one are made first, in *home*, if they are
    missing or damaged. Raises `files.UnusableFile`, `paths.ServerError` or OSError.
    """
    if model is BuiltinModel.SMALL:
        return _small()
    try:
        return _multilingual(home)
    except files.UnusableFile:
        conversion.convert(home)
    return _multilingual(home)


def _small() -> "Model":
    with (
        files.opened(files.TOKENIZER, files.TOKENIZER_SHA256) as tokenizer,
        files.opened(files.MODEL, files.MODEL_SHA256) as model,
    ):
        # Only now: nothing is imported for files that cannot be used.
        from memoryapp.providers.builtin_model.model import MAX_PIECES, Model
        from memoryapp.providers.builtin_model.word_pieces import WordPieces

        return Model(_path(model), WordPieces(tokenizer.read(), most=MAX_PIECES))


def _multilingual(home: Path) -> "Model":
    with converted_files.opened_files(home) as (model, tokenizer):
        from memoryapp.providers.builtin_model.model import MAX_PIECES, Model
        from memoryapp.providers.builtin_model.sentence_pieces import SentencePieces

        return Model(_path(model), SentencePieces(tokenizer.read(), most=MAX_PIECES))


def _path(file: IO[bytes]) -> Path:
    """A path that leads to the open *file*, whatever has taken its place meanwhile."""
    return Path(f"/dev/fd/{file.fileno()}")
