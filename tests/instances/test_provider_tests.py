"""Connection tests of providers on the settings screen."""

from typing import Any

import pytest
from django.test import Client

from instances.models import Instance, User
from memoryapp.models import Usage
from tests.instances.cards import HTMX, save, settings_page
from tests.scripted_provider import ScriptedProvider


@pytest.fixture
def provider() -> Any:
    with ScriptedProvider(api_key="right-key-0123456789") as server:
        yield server


def point_to(client: Client, base_url: str, key: str) -> None:
    """Save the URL and key of one server for chat and embeddings."""
    chat = {"provider": "custom", "base_url": base_url, "fast_model": "any"}
    save(client, "language-model", None, **chat, key=key)
    vectors = {"embedding_provider": "custom", "embedding_base_url": base_url}
    save(client, "embeddings", None, **vectors, embedding_model="any", key=key)


@pytest.mark.parametrize("purpose", ["chat", "embeddings"])
@pytest.mark.parametrize("headers", [{}, HTMX], ids=["page", "htmx"])
def test_connection_is_tested_with_saved_settings(
    purpose: str,
    headers: dict[str, str],
    as_alice: Client,
    instance: Instance,
    provider: ScriptedProvider,
) -> None:
    def tested() -> str:
        settings_page(as_alice, "cost")  # Consume the message "Saved."
        url = f"/instances/desk/test/{purpose}"
        response = as_alice.post(url, headers=headers, follow=True)
        assert response.status_code == 200
        page = response.content.decode()
        assert ("<html" in page) is not bool(headers)
        return page.split("notice ")[1].split("</p>")[0]

    point_to(as_alice, provider.base_url, "right-key-0123456789")
    assert provider.requests == []
    answer = tested()
    assert answer.startswith("ok")
    assert provider.count("chat/completions" if purpose == "chat" else "embeddings") >= 1
    if purpose == "embeddings":
        assert "1,536 dimensions in" in answer
    point_to(as_alice, provider.base_url, "wrong-key-0123456789")
    answer = tested()
    assert answer.startswith("bad")
    assert "key" in answer
    assert "wrong-key" not in answer
    point_to(as_alice, "http://127.0.0.1:9/v1", "right-key-0123456789")
    answer = tested()
    assert answer.startswith("bad")
    assert "http://127.0.0.1:9/v1 did not answer" in answer


def test_connection_test_without_a_provider_reports_what_is_missing(
    as_alice: Client, instance: Instance
) -> None:
    page = as_alice.post("/instances/desk/test/chat", headers=HTMX).content.decode()
    assert "Choose a provider first" in page
    page = as_alice.post("/instances/desk/test/embeddings", headers=HTMX).content.decode()
    assert "built-in embedders need no connection" in page
    Instance.objects.update(embedding_provider="openai")
    page = as_alice.post("/instances/desk/test/embeddings", headers=HTMX).content.decode()
    assert "Enter the provider’s key or address first." in page


def test_successful_test_restores_semantic_search_at_once(
    as_alice: Client, instance: Instance, provider: ScriptedProvider
) -> None:
    point_to(as_alice, provider.base_url, "right-key-0123456789")
    search = "/api/memories?instance_id=desk&q=bees"
    provider.fail_next("500", times=None)
    assert as_alice.get(search).json()["degraded"] == "embedding_unavailable"
    provider.reset()
    # After a failure, the provider is not called for a while …
    assert as_alice.get(search).json()["degraded"] == "embedding_unavailable"
    # … unless a successful test shows that it works again.
    as_alice.post("/instances/desk/test/embeddings")
    assert as_alice.get(search).json()["degraded"] is None
    assert Usage.objects.filter(error="").exists()


def test_members_cannot_test_the_connection(
    client: Client, bob: User, provider: ScriptedProvider
) -> None:
    Instance.objects.update(provider="custom", base_url=provider.base_url, fast_model="any")
    client.force_login(bob)
    for purpose in ("chat", "embeddings"):
        assert client.post(f"/instances/desk/test/{purpose}").status_code == 403
    assert provider.requests == []
    assert not Instance.objects.get().secrets.exists()
