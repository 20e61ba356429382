"""A key is sent only to the server for which it was entered."""

import pytest
from django.test import Client

from instances.models import Instance, Secret, SecretName
from instances.provider_urls import name_of, server_of
from memoryapp.providers.configured import chat_endpoint, embedding_endpoint
from tests.provider_fixtures import provider
from tests.scripted_provider import ScriptedProvider

__all__ = ["provider"]

KEY = "sk-test-Heliotrope0123456789abcd"
OPENAI = "https://api.openai.com/v1"


@pytest.mark.parametrize(
    ("address", "server"),
    [
        ("https://api.openai.com/v1", "https://api.openai.com"),
        ("HTTPS://API.OpenAI.com:443/v1/", "https://api.openai.com"),
        ("http://localhost:11434/v1", "http://localhost:11434"),
        ("http://localhost:80", "http://localhost"),
        ("https://localhost:80", "https://localhost:80"),
        ("http://bücher.example/v1", "http://xn--bcher-kva.example"),
        ("http://xn--bcher-kva.example/v1", "http://xn--bcher-kva.example"),
        ("http://[::1]:8080/v1", "http://[::1]:8080"),
        ("ftp://api.openai.com", ""),
        ("api.openai.com", ""),
        ("http://[::1/v1", ""),
        ("", ""),
    ],
)
def test_server_of_a_url(address: str, server: str) -> None:
    assert server_of(address) == server


def test_scheme_is_named_if_it_is_the_difference() -> None:
    assert name_of("https://a.example", next_to="http://b.example:81") == "a.example"
    assert name_of("https://a.example", next_to="http://a.example") == "https://a.example"


def stored(instance: Instance, address: str, name: str = SecretName.CHAT_API_KEY) -> Secret:
    secret = Secret(instance=instance, name=name)
    secret.seal(KEY, address)
    secret.save()
    return secret


def choose(client: Client, address: str, model: str = "any", key: str = "") -> str:
    """Save another language model on the settings screen; return the following page."""
    data = {
        "language-model-provider": "custom",
        "language-model-base_url": address,
        "language-model-fast_model": model,
        "language-model-key": key,
    }
    response = client.post("/instances/desk/settings/language-model", data, follow=True)
    return response.content.decode()


def test_key_is_dropped_when_the_server_changes(
    as_alice: Client, instance: Instance, provider: ScriptedProvider
) -> None:
    choose(as_alice, OPENAI, key=KEY)
    page = choose(as_alice, provider.base_url)
    assert (
        f"The stored key belongs to api.openai.com and is not sent to 127.0.0.1:{provider.port}. "
        "If that server needs a key, enter it."
    ) in page
    assert not Secret.objects.exists()
    as_alice.post("/instances/desk/test/chat")
    assert provider.requests[-1].headers["authorization"] == "Bearer none"


@pytest.mark.parametrize(
    "address",
    ["https://api.openai.com/v2", "HTTPS://API.OPENAI.COM:443/v1", "https://api.openai.com/v1/"],
)
def test_key_is_kept_for_another_path_or_model_of_its_server(
    address: str, as_alice: Client, instance: Instance
) -> None:
    choose(as_alice, OPENAI, key=KEY)
    choose(as_alice, address, model="another")
    endpoint = chat_endpoint(Instance.objects.get())
    assert endpoint and (endpoint.api_key, endpoint.model) == (KEY, "another")


@pytest.mark.parametrize(
    "address",
    ["http://api.openai.com/v1", "https://api.openai.com:8443/v1", "https://api.openai.com.de/v1"],
)
def test_different_scheme_port_or_host_is_another_server(
    address: str, as_alice: Client, instance: Instance
) -> None:
    choose(as_alice, OPENAI, key=KEY)
    choose(as_alice, address)
    endpoint = chat_endpoint(Instance.objects.get())
    assert endpoint and endpoint.api_key == ""


def test_directly_changed_column_sends_no_key_elsewhere(
    as_alice: Client, instance: Instance, provider: ScriptedProvider
) -> None:
    """An import, another process or a race may do this, so the server is checked at each call."""
    stored(instance, OPENAI)
    stored(instance, OPENAI, SecretName.EMBEDDING_API_KEY)
    Instance.objects.update(
        provider="custom",
        base_url=provider.base_url,
        fast_model="any",
        embedding_provider="custom",
        embedding_base_url=provider.base_url,
        embedding_model="any",
    )
    for purpose in ("chat", "embeddings"):
        as_alice.post(f"/instances/desk/test/{purpose}")
    assert {request.headers["authorization"] for request in provider.requests} == {"Bearer none"}
    page = as_alice.get("/instances/desk/settings/models").content.decode()
    assert page.count("The stored key belongs to api.openai.com and is not sent to 127.0.0.1") == 2
    assert "set · ends in" not in page


def test_provider_does_not_use_the_key_of_another_server(
    instance: Instance,
) -> None:
    stored(instance, "https://openrouter.ai/api/v1")
    instance.provider = instance.embedding_provider = "openai"
    assert not instance.has_language_model and not instance.has_embeddings
    assert chat_endpoint(instance) is None
    assert embedding_endpoint(instance, instance.embeddings) is None
    instance.provider = ""
    assert not instance.has_language_model


@pytest.mark.parametrize(
    ("embedding_address", "key"),
    [("http://two.example:8001/v1", ""), ("http://one.example:8000/embeddings-v2", KEY)],
)
def test_two_servers_of_one_provider_do_not_share_a_key(
    embedding_address: str, key: str, instance: Instance
) -> None:
    stored(instance, "http://one.example:8000/v1")
    instance.provider = instance.embedding_provider = "custom"
    instance.base_url = "http://one.example:8000/v1"
    instance.embedding_base_url = embedding_address
    endpoint = embedding_endpoint(instance, instance.embeddings)
    assert endpoint and endpoint.api_key == key


def test_two_providers_on_one_server_share_a_key(instance: Instance) -> None:
    """A key belongs to its server, not to the name of the provider."""
    stored(instance, OPENAI)
    instance.provider, instance.base_url = "custom", OPENAI
    instance.embedding_provider = "openai"
    endpoint = embedding_endpoint(instance, instance.embeddings)
    assert endpoint and endpoint.api_key == KEY


def test_built_in_embedder_and_no_provider_neither_drop_nor_use_a_key(
    as_alice: Client, instance: Instance
) -> None:
    choose(as_alice, OPENAI, key=KEY)
    none = {"language-model-provider": "", "language-model-key": ""}
    as_alice.post("/instances/desk/settings/language-model", none)
    assert Secret.objects.get().opens(OPENAI)
    answer = as_alice.post(
        "/instances/desk/settings/language-model", none | {"language-model-key": "sk-other"}
    )
    assert answer.status_code == 422
    assert "Choose a provider first" in answer.content.decode()
    answer = as_alice.post(
        "/instances/desk/settings/embeddings",
        {"embeddings-embedding_provider": "builtin", "embeddings-key": "sk-other"},
    )
    assert answer.status_code == 422


def test_embeddings_card_drops_a_key_too(as_alice: Client, instance: Instance) -> None:
    stored(instance, OPENAI, SecretName.EMBEDDING_API_KEY)
    Instance.objects.update(embedding_provider="openai")
    data = {
        "embeddings-embedding_provider": "custom",
        "embeddings-embedding_base_url": "http://127.0.0.1:9/v1",
        "embeddings-embedding_model": "any",
    }
    page = as_alice.post("/instances/desk/settings/embeddings", data, follow=True)
    assert "belongs to api.openai.com and is not sent to 127.0.0.1:9." in page.content.decode()
    assert not Secret.objects.exists()
