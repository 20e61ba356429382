import os
import sys
from pathlib import Path

import pytest

from memoryapp.builtin_model import files, location, process
from memoryapp.builtin_model.client import Client, Refused
from memoryapp.builtin_model.files import MODEL, MODEL_SHA256, UnusableFile, read_checked
from tests.builtin_model.listening import Listening


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "a_package_with_a_model"
    folder.mkdir()
    (folder / "__init__.py").write_text("raise AssertionError('imported')")
    monkeypatch.syspath_prepend(str(tmp_path))
    return folder


def test_file_with_the_expected_hash_is_loaded(package: Path) -> None:
    (package / "model.onnx").write_bytes(b"abc")
    sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert read_checked(package.name, "model.onnx", sha256) == b"abc"


def test_changed_file_is_rejected(package: Path) -> None:
    (original,) = (p for p in sys.path if os.path.isfile(os.path.join(p, *MODEL)))
    model = bytearray(Path(original, *MODEL).read_bytes())
    model[len(model) // 2] ^= 1
    (package / "model.onnx").write_bytes(model)
    with pytest.raises(UnusableFile) as caught:
        read_checked(package.name, "model.onnx", MODEL_SHA256)
    assert caught.value.reason() == {
        "package": package.name,
        "file": "model.onnx",
        "problem": "changed",
    }


@pytest.mark.parametrize("name", ["a_package_with_a_model", "a_package_that_is_not_there"])
def test_missing_file_is_reported(package: Path, name: str) -> None:
    with pytest.raises(UnusableFile) as caught:
        read_checked(name, "model.onnx", MODEL_SHA256)
    assert caught.value.reason()["problem"] == "missing"


def test_process_without_a_model_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MODEL_SHA256", "0" * 64)
    embed, _ = process._load()
    with Listening(tmp_path, embed):
        client = Client(tmp_path)
        for _ in range(2):
            with pytest.raises(Refused) as caught:
                client.embed(["tea"], timeout=60)
            assert caught.value.reason["problem"] == "changed"
        client.close()
    assert location.find(tmp_path).lock.exists() is False
