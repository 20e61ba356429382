import math
import time
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from instances.presets import PRESETS
from memoryapp.providers import embeddings
from memoryapp.providers.embeddings import Embedder, OpenAIEmbedder, read_vectors
from memoryapp.providers.endpoints import Endpoint
from memoryapp.providers.errors import ErrorKind, ProviderError
from tests.providers.conftest import KEY
from tests.scripted_provider import HANG_SECONDS, ScriptedProvider

ENDPOINT = Endpoint("custom", "http://localhost:9/v1", KEY, "m")


def test_vectors_are_normalized_in_order_with_their_cost(
    server: ScriptedProvider, embedding_endpoint: Endpoint
) -> None:
    embedder: Embedder = OpenAIEmbedder(embedding_endpoint, 1536)
    embedded = embedder.embed(
        ["The user likes tea.", "Interest rates rose again.", "The user likes tea!"]
    )
    assert embedded.vectors.shape == (3, 1536)
    assert embedded.vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(embedded.vectors, axis=1), 1.0, atol=1e-6)
    cosines = embedded.vectors @ embedded.vectors[0]
    assert cosines[2] == pytest.approx(1.0)
    assert cosines[1] < 0.2
    assert embedded.tokens == 12
    assert embedded.space == embedder.space
    (request,) = server.requests
    assert request.body["encoding_format"] == "float"
    assert "dimensions" not in request.body


def test_order_is_by_index(server: ScriptedProvider, embedding_endpoint: Endpoint) -> None:
    embedder = OpenAIEmbedder(embedding_endpoint)
    texts = ["apple", "banana", "cherry"]
    straight = embedder.embed(texts).vectors
    server.fail_next("shuffled")
    assert np.array_equal(embedder.embed(texts).vectors, straight)


@pytest.mark.parametrize("fault", ["wrong_dimension", "nan", "zero", "too_few"])
def test_invalid_vectors_are_rejected(
    server: ScriptedProvider, embedding_endpoint: Endpoint, fault: str
) -> None:
    server.fail_next(fault)
    with pytest.raises(ProviderError) as caught:
        OpenAIEmbedder(embedding_endpoint, 1536).embed(["one", "two"])
    assert caught.value.kind == ErrorKind.UNUSABLE_ANSWER
    assert caught.value.retryable == (fault != "wrong_dimension")


def test_wrong_dimension_is_explained(
    server: ScriptedProvider, embedding_endpoint: Endpoint
) -> None:
    server.fail_next("wrong_dimension")
    with pytest.raises(ProviderError, match=r"1,535 dimensions where 1,536 .* Settings"):
        OpenAIEmbedder(embedding_endpoint, 1536).embed(["one"])


def test_first_answer_determines_the_dimension(
    server: ScriptedProvider, embedding_endpoint: Endpoint
) -> None:
    embedder = OpenAIEmbedder(embedding_endpoint)
    assert embedder.dimensions is None
    assert embedder.space.endswith("/?")
    assert embedder.embed(["one"]).space.endswith("/1536")
    assert embedder.dimensions == 1536
    server.fail_next("wrong_dimension")
    with pytest.raises(ProviderError):
        embedder.embed(["two"])


@pytest.mark.parametrize(
    ("model", "dimensions", "asked"),
    [
        ("text-embedding-3-small", 1536, None),
        ("text-embedding-3-small", 768, 768),
        ("openai/text-embedding-3-large", 384, 384),
        ("nomic-embed-text", 1536, None),
    ],
)
def test_dimensions_parameter_is_sent_only_to_supporting_models(
    server: ScriptedProvider,
    embedding_endpoint: Endpoint,
    model: str,
    dimensions: int,
    asked: int | None,
) -> None:
    endpoint = replace(embedding_endpoint, model=model)
    assert OpenAIEmbedder(endpoint, dimensions).embed(["x"]).vectors.shape == (1, dimensions)
    assert server.requests[0].body.get("dimensions") == asked


def test_batches_are_limited_in_texts_and_characters(
    server: ScriptedProvider, embedding_endpoint: Endpoint
) -> None:
    embedder = OpenAIEmbedder(embedding_endpoint, 384)
    texts = [f"text {i}" for i in range(300)] + ["x" * 20_000] * 14
    embedded = embedder.embed(texts)
    assert embedded.vectors.shape == (314, 384)
    sent = [request.body["input"] for request in server.requests]
    assert [len(batch) for batch in sent] == [256, 44 + 12, 2]
    assert max(len(text) for batch in sent for text in batch) == 8_000
    assert max(sum(map(len, batch)) for batch in sent) <= 100_000
    assert embedded.tokens == 614
    assert embedded.vectors[299] @ embedder.embed(["text 299"]).vectors[0] == pytest.approx(1.0)


def test_no_texts_make_no_request(server: ScriptedProvider, embedding_endpoint: Endpoint) -> None:
    assert OpenAIEmbedder(embedding_endpoint, 768).embed([]).vectors.shape == (0, 768)
    assert not server.requests


def test_unencodable_texts(server: ScriptedProvider, embedding_endpoint: Endpoint) -> None:
    assert OpenAIEmbedder(embedding_endpoint).embed(["", "a\ud800b"]).vectors.shape[0] == 2
    assert server.requests[0].body["input"] == [" ", "a?b"]


def test_hanging_server_times_out(server: ScriptedProvider, embedding_endpoint: Endpoint) -> None:
    server.fail_next("hang")
    started = time.monotonic()
    with pytest.raises(ProviderError) as caught:
        OpenAIEmbedder(embedding_endpoint, timeout=0.3).embed(["x"])
    assert caught.value.kind == ErrorKind.TIMEOUT
    assert 0.25 < time.monotonic() - started < HANG_SECONDS / 2


@pytest.mark.parametrize(
    ("provider", "base_url", "space"),
    [
        ("openai", PRESETS["openai"].base_url, "openai/m/768"),
        ("openai", PRESETS["openai"].base_url + "/", "openai/m/768"),
        ("openai", "https://eu.api.openai.com/v1", "openai@eu.api.openai.com/m/768"),
        ("ollama", "http://localhost:11434/v1", "ollama/m/768"),
        ("ollama", "http://GPU:11434/v1", "ollama@gpu:11434/m/768"),
        ("custom", "http://localhost:8080/v1/", "custom@localhost:8080/m/768"),
        ("custom", "http://localhost:8080/a/v1", "custom@localhost:8080/a/m/768"),
    ],
)
def test_same_model_on_two_servers_is_two_spaces(provider: str, base_url: str, space: str) -> None:
    assert OpenAIEmbedder(Endpoint(provider, base_url, KEY, "m"), 768).space == space


def test_connection_check(embedding_endpoint: Endpoint) -> None:
    assert embeddings.check_embeddings(embedding_endpoint).startswith("1,536 dimensions in 0.")


def item(index: object, embedding: object) -> dict[str, object]:
    return {"object": "embedding", "index": index, "embedding": embedding}


@pytest.mark.parametrize(
    "data",
    [
        None,
        "vectors",
        [],
        [1, 2],
        [item(0, [1.0])],
        [item(0, [1.0]), item(0, [1.0])],
        [item(0, [1.0]), item(2, [1.0])],
        [item(0, [1.0]), item("1", [1.0])],
        [item(0, [1.0]), item(True, [1.0])],
        [item(0, [1.0]), item(1, [1.0, 2.0])],
        [item(0, [1.0]), item(1, None)],
        [item(0, []), item(1, [])],
        [item(0, [1.0]), item(1, ["one"])],
        [item(0, [1.0]), item(1, [None])],
        [item(0, [[1.0]]), item(1, [[1.0]])],
        [item(0, [1.0]), item(1, [10**400])],
        [item(0, [1.0]), item(1, [math.inf])],
        [item(0, [1.0]), item(1, [math.nan])],
        [item(0, [1.0, 0.0]), item(1, [0.0, 0.0])],
        [item(0, [1.0] * 4001), item(1, [1.0] * 4001)],
        [item(0, "AACAPw=="), item(1, "AACAPw==")],
    ],
)
def test_malformed_answers_are_rejected(data: object) -> None:
    with pytest.raises(ProviderError) as caught:
        read_vectors({"data": data}, 2, None, ENDPOINT)
    assert caught.value.kind == ErrorKind.UNUSABLE_ANSWER


def test_answer_without_indexes_keeps_the_order() -> None:
    payload = {"data": [{"embedding": [0.0, 2.0]}, {"embedding": [3.0, 0.0]}]}
    assert read_vectors(payload, 2, 2, ENDPOINT).tolist() == [[0.0, 1.0], [1.0, 0.0]]


finite = st.floats(allow_nan=False, allow_infinity=False)


@given(
    rows=st.integers(1, 5).flatmap(
        lambda d: st.lists(st.lists(finite, min_size=d, max_size=d).filter(any), min_size=1)
    ),
    data=st.data(),
)
def test_any_finite_vector_is_normalized_in_order(rows: list[list[float]], data: Any) -> None:
    items = data.draw(st.permutations([item(i, row) for i, row in enumerate(rows)]))
    vectors = read_vectors({"data": items}, len(rows), len(rows[0]), ENDPOINT)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)
    for vector, row in zip(vectors, rows, strict=True):
        largest = int(np.argmax(np.abs(row)))
        assert math.copysign(1, vector[largest]) == math.copysign(1, row[largest])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text("ab 1é", max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["index", "embedding", "x"]), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(data=JSON)
def test_any_answer_is_parsed_or_unusable(data: object) -> None:
    try:
        vectors = read_vectors({"data": data}, 1, None, ENDPOINT)
    except ProviderError as error:
        assert error.kind == ErrorKind.UNUSABLE_ANSWER
    else:
        assert np.isfinite(vectors).all()
