"""Loads the model with as little memory as possible.

It is rewritten by another process (`rewriting`) before the libraries that run it are imported, and
loaded from a file, of which they need not hold a copy.
"""

import subprocess
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING

from memoryapp.builtin_model import files, interpreter, rewriting

if TYPE_CHECKING:
    from memoryapp.builtin_model.model import Model


def load() -> "Model":
    """Load the model. Raises `files.UnusableFile` and the errors of `subprocess`."""
    tokenizer = files.read_checked(*files.TOKENIZER, files.TOKENIZER_SHA256)
    with TemporaryFile() as rewritten:
        _rewrite(rewritten)
        # Only now: see above.
        from memoryapp.builtin_model.model import Model

        return Model(Path(f"/dev/fd/{rewritten.fileno()}"), tokenizer)


def _rewrite(to: IO[bytes]) -> None:
    done = subprocess.run(  # noqa: S603 - Our own command.
        interpreter.command("rewriting", *files.MODEL, files.MODEL_SHA256),
        env=interpreter.environment(),
        cwd="/",
        stdout=to,
    )
    if done.returncode in (rewriting.MISSING, rewriting.CHANGED):
        is_missing = done.returncode == rewriting.MISSING
        raise files.UnusableFile(*files.MODEL, is_missing=is_missing)
    done.check_returncode()
    to.seek(0)
