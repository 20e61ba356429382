"""The files of the model and of its tokenizer, in the folder ``data``, which says what they are."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

DATA = Path(__file__).with_name("data")
MODEL = DATA / "model.onnx"
MODEL_SHA256 = "f6bc2597fcbac009d970a7e7ce4c703cb048187eab3b04d359d6f4880ce718aa"
TOKENIZER = DATA / "tokenizer.json"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
#: The export that `rewriting` makes the model from.
SOURCE_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
#: The means of the multilingual model's vectors, of texts and of questions, shape (2, 384): see
#: `benchmarks.embedder_centres`.
CENTRES = DATA / "multilingual-centres.npy"
#: The matrix by which its vectors of questions are moved, shape (384, 384): see
#: `benchmarks.question_adapter`.
QUESTION_ADAPTER = DATA / "multilingual-question-adapter.npy"


class UnusableFile(Exception):
    """A file of the model is missing or changed."""

    def __init__(self, name: str, *, is_missing: bool) -> None:
        super().__init__(f"{name} is {'missing' if is_missing else 'changed'}")
        self.name, self.is_missing = name, is_missing

    def reason(self) -> dict[str, str]:
        """Return it as the reason of a failure: see `frames.failure`."""
        return {"file": self.name, "problem": "missing" if self.is_missing else "changed"}


@contextmanager
def opened(path: Path, sha256: str) -> Iterator[IO[bytes]]:
    """Open the file at *path* if it is the expected one. Raises `UnusableFile`.

    What was checked is what is read: another file that takes its place meanwhile is not.
    """
    try:
        file = path.open("rb")
    except OSError as error:
        raise UnusableFile(path.name, is_missing=True) from error
    with file:
        if hashlib.file_digest(file, "sha256").hexdigest() != sha256:
            raise UnusableFile(path.name, is_missing=False)
        file.seek(0)
        yield file
