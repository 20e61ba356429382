import re
import subprocess
from pathlib import Path

import numpy as np
import onnx
import pytest
from django.conf import settings

from memoryapp.providers.builtin_model import converted_files, files, location, process
from memoryapp.providers.builtin_model.catalogue import BuiltinModel
from memoryapp.providers.builtin_model.client import EmbedderClient, Refused
from memoryapp.providers.builtin_model.files import DATA, MODEL, MODEL_SHA256, UnusableFile, opened
from memoryapp.providers.builtin_model.loading import load
from tests.providers.builtin_model.listening import Listening

#: Texts, and their vectors by the export that the model was made from, rewritten as it was loaded.
TEXTS = (
    "",
    "The user likes tea.",
    "Wo wohnt Ana? Sie ist nach Lyon umgezogen.",
    "漢字かな and an emoji 🦊",
    "tea " * 300,
    "Box 8 with old photographs is on shelf 4.",
    "def f(x): return x + 1",
)
VECTORS = Path(__file__).with_name("reference_vectors.npy")


def test_file_with_the_expected_hash_is_read(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(b"abc")
    sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    with opened(tmp_path / "model.onnx", sha256) as file:
        assert file.read() == b"abc"


def test_file_that_takes_its_place_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(b"abc")
    sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    with opened(tmp_path / "model.onnx", sha256) as file:
        (tmp_path / "other").write_bytes(b"xyz")
        (tmp_path / "other").replace(tmp_path / "model.onnx")
        assert file.read() == b"abc"


def test_changed_file_is_rejected(tmp_path: Path) -> None:
    model = bytearray(MODEL.read_bytes())
    model[len(model) // 2] ^= 1
    (tmp_path / "model.onnx").write_bytes(model)
    with (
        pytest.raises(UnusableFile) as caught,
        opened(tmp_path / "model.onnx", MODEL_SHA256),
    ):
        pass
    assert caught.value.reason() == {"file": "model.onnx", "problem": "changed"}


def test_missing_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(UnusableFile) as caught, opened(tmp_path / "model.onnx", MODEL_SHA256):
        pass
    assert caught.value.reason() == {"file": "model.onnx", "problem": "missing"}


def test_process_without_a_model_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MODEL_SHA256", "0" * 64)
    embed, _ = process._load(BuiltinModel.SMALL, tmp_path)
    with Listening(tmp_path, embed):
        client = EmbedderClient(tmp_path)
        for _ in range(2):
            with pytest.raises(Refused) as caught:
                client.embed(["tea"], timeout=60)
            assert caught.value.reason["problem"] == "changed"
        client.close()
    assert location.find(tmp_path).lock.exists() is False


def test_vectors_are_those_of_the_export() -> None:
    model = load(BuiltinModel.SMALL, Path("/nowhere"))
    vectors = np.stack([model.vector(model.pieces(text)) for text in TEXTS])
    cosines = (vectors * np.load(VECTORS)).sum(axis=1)
    # Sums of floats differ between processors in their last digits, so that a value now and then is
    # rounded to the integer beside it; where all pieces are alike, all of them are.
    assert cosines.min() > 0.999
    assert np.median(cosines) > 0.9999


def test_all_its_layers_multiply_integers() -> None:
    # Of six layers: queries, keys, values, their result, and the two of the feed-forward part.
    graph = onnx.load(MODEL).graph
    kinds = [node.op_type for node in graph.node]
    assert kinds.count("MatMulInteger") == 6 * 6


def test_files_come_with_their_licence_and_checksums() -> None:
    about = (DATA / "README.md").read_text()
    assert {
        files.MODEL_SHA256,
        files.TOKENIZER_SHA256,
        files.SOURCE_SHA256,
        converted_files.SOURCE_SHA256,
    } == set(re.findall(r"[0-9a-f]{64}", about))
    licence = (DATA / "LICENSE").read_text()
    assert "Apache License" in licence and "END OF TERMS AND CONDITIONS" in licence


def test_files_are_tracked_as_they_are() -> None:
    """Without a change of their line ends, wherever the project is cloned."""
    asked = subprocess.run(
        ["git", "check-attr", "text", "--", str(MODEL), str(files.TOKENIZER), str(VECTORS)],
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        check=True,
    )
    assert [line.rpartition(": ")[2] for line in asked.stdout.splitlines()] == ["unset"] * 3
