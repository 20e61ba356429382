import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memoryapp.providers.builtin_embedder import BuiltinEmbedder
from memoryapp.providers.builtin_model.catalogue import BuiltinModel
from memoryapp.providers.builtin_model.client import (
    CannotStart,
    EmbedderClient,
    EmbeddingError,
    NoAnswer,
    Refused,
)
from memoryapp.providers.builtin_model.loading import load
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


def test_process_that_embeds_loads_no_model() -> None:
    script = """
import sys
import django
django.setup()
from memoryapp.providers.builtin_embedder import BuiltinEmbedder
assert BuiltinEmbedder().embed(["x"]).vectors.shape == (1, 384)
packages = {name.partition(".")[0] for name in sys.modules}
assert not {"onnx", "onnxruntime", "tokenizers", "openai"} & packages
"""
    subprocess.run([sys.executable, "-c", script], timeout=300, check=True)


def test_memory_of_long_texts_is_given_back() -> None:
    script = """
import psutil
from pathlib import Path
from memoryapp.providers.builtin_model.catalogue import BuiltinModel
from memoryapp.providers.builtin_model.process import _load
embed, give_back_memory = _load(BuiltinModel.SMALL, Path("/nowhere"))
give_back_memory()
megabytes = lambda: psutil.Process().memory_info().rss >> 20
before = megabytes()
texts = [f"{number} " + "tea " * 300 for number in range(12)]
vectors = embed(texts)
busy = megabytes()
give_back_memory()
after = megabytes()
assert before + 10 < busy < before + 120, (before, busy)
assert after < before + 10, (before, busy, after)
assert embed(texts[:1])[1] == vectors[1][: 384 * 4]
"""
    subprocess.run([sys.executable, "-c", script], timeout=300, check=True)


def test_embedder_makes_no_network_calls(tmp_path: Path) -> None:
    """The library writes telemetry to the home folder before sending it."""
    script = """
import sys
from pathlib import Path
from memoryapp.providers.builtin_model.client import EmbedderClient
EmbedderClient(Path(sys.argv[1])).embed(["x"], timeout=60)
"""
    env = {name: os.environ[name] for name in os.environ if name != "ORT_DISABLE_TELEMETRY"}
    home = tmp_path / "home"
    home.mkdir()
    homes = {"HOME": str(home), "XDG_CACHE_HOME": str(home / ".cache")}
    command = [sys.executable, "-c", script, str(tmp_path / "keepsake")]
    subprocess.run(command, env=env | homes, timeout=300, check=True)
    assert list(home.iterdir()) == []


@pytest.mark.parametrize(
    ("error", "kind", "retryable", "text"),
    [
        (
            Refused({"file": "model.onnx", "problem": "missing"}),
            ErrorKind.UNREACHABLE,
            False,
            "its file model.onnx is missing. Install Keepsake again.",
        ),
        (
            Refused({"file": "model.onnx", "problem": "changed"}),
            ErrorKind.UNREACHABLE,
            False,
            "is not the one that it should be. Install Keepsake again.",
        ),
        (Refused({"failed": "MemoryError"}), ErrorKind.BAD_REQUEST, False, "failed with a text"),
        (CannotStart("There is no room."), ErrorKind.UNREACHABLE, True, "There is no room."),
        (NoAnswer("no answer within 30 s"), ErrorKind.TIMEOUT, True, "did not answer"),
    ],
)
def test_failures_are_told_in_plain_words(
    monkeypatch: pytest.MonkeyPatch,
    error: EmbeddingError,
    kind: ErrorKind,
    retryable: bool,
    text: str,
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(EmbedderClient, "embed", fail)
    with pytest.raises(ProviderError) as caught:
        EMBEDDER.embed(["x"])
    assert (caught.value.kind, caught.value.retryable) == (kind, retryable)
    assert text in caught.value.message


def test_vectors_are_those_of_the_model() -> None:
    texts = [f"Sentence {i} has {'many ' * (3 * i)}words." for i in range(100)]
    model = load(BuiltinModel.SMALL, Path("/nowhere"))
    expected = np.array([model.vector(model.pieces(text)) for text in texts])
    assert np.array_equal(EMBEDDER.embed(texts).vectors, expected)
