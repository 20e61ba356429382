"""Embeddings, with the official client."""

import pytest
from openai import BadRequestError, OpenAI

from instances.models import Instance
from memoryapp.embeddings.embedder import embed

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def built_in(assisted: Instance) -> Instance:
    """The instance with the embedder that needs no provider."""
    assisted.embedding_provider = "builtin"
    assisted.save()
    return assisted


@pytest.mark.parametrize("encoding", ["float", "base64"])
def test_vectors_are_those_of_the_instance(
    client: OpenAI, built_in: Instance, encoding: str
) -> None:
    texts = ["The user keeps bees.", "It rains in Cork."]
    result = client.embeddings.create(model="any", input=texts, encoding_format=encoding)  # type: ignore[arg-type]  # One of the two.
    vectors = embed(built_in, texts, about=()).vectors
    assert vectors is not None
    assert [each.index for each in result.data] == [0, 1]
    if encoding == "float":
        assert result.data[1].embedding == pytest.approx(vectors[1].tolist(), abs=1e-6)
    assert result.usage.prompt_tokens > 0


def test_default_encoding_is_read_by_the_client(client: OpenAI, built_in: Instance) -> None:
    result = client.embeddings.create(model="any", input="The user keeps bees.")
    vectors = embed(built_in, ["The user keeps bees."], about=()).vectors
    assert vectors is not None
    assert result.data[0].embedding == pytest.approx(vectors[0].tolist(), abs=1e-6)


@pytest.mark.parametrize(
    "options", [{"input": []}, {"input": ""}, {"input": [1, 2]}, {"input": "Bees", "dimensions": 7}]
)
def test_bad_requests_are_refused(
    client: OpenAI, built_in: Instance, options: dict[str, object]
) -> None:
    with pytest.raises(BadRequestError):
        client.embeddings.create(model="any", **options)  # type: ignore[arg-type]  # On purpose.
