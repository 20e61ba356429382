"""Provider keys: stored encrypted, used for calls, and never shown."""

import logging

import pytest
from cryptography.fernet import Fernet
from django.apps import apps
from django.core import serializers
from django.db import connection
from django.test import Client
from pytest_django import Settings

from instances import secrets
from instances.models import Instance, Secret, SecretName
from memoryapp.providers.configured import chat_endpoint, embedding_endpoint
from memoryapp.web.settings.pages import PAGES
from tests.scripted_provider import ScriptedProvider

KEY = "sk-test-Heliotrope0123456789abcd"
OTHER = "sk-test-Zanzibar9876543210wxyz"
ADDRESS = "http://127.0.0.1:9/v1"


def save_key(client: Client, key: str, *, card: str = "language-model", **fields: str) -> str:
    """Save a key on the settings screen; return the following page."""
    data = {
        "language-model-provider": "custom",
        "language-model-base_url": ADDRESS,
        "language-model-fast_model": "any",
        "embeddings-embedding_provider": "openai",
        f"{card}-key": key,
        **fields,
    }
    response = client.post(f"/instances/desk/settings/{card}", data, follow=True)
    assert response.status_code == 200
    return response.content.decode()


def test_key_is_stored_encrypted(as_alice: Client, instance: Instance) -> None:
    save_key(as_alice, KEY)
    assert instance.key_for(ADDRESS, SecretName.CHAT_API_KEY) == KEY
    for model in apps.get_models():
        table = connection.ops.quote_name(model._meta.db_table)
        with connection.cursor() as cursor:
            cursor.execute(
                f"SELECT count(*) FROM {table} AS t WHERE t::text LIKE %s",  # noqa: S608 - Own names.
                ["%Heliotrope%"],
            )
            assert cursor.fetchone() == (0,), table


@pytest.mark.parametrize("card", ["language-model", "embeddings"])
def test_saved_key_appears_in_no_page_or_api_response(
    card: str, as_alice: Client, instance: Instance
) -> None:
    content = save_key(as_alice, KEY, card=card)
    pages = [content]
    for url in (
        *(f"/instances/desk/settings/{page.name}" for page in PAGES[1:]),
        "/memory?instance=desk",
        "/memory?instance=desk&q=sk-test",
        "/instances",
        "/api/memories?instance_id=desk",
        "/api/openapi.json",
    ):
        pages.append(as_alice.get(url).content.decode())
    for saved in (card, "memory", "general", "agents"):
        url = f"/instances/desk/settings/{saved}"
        pages.append(as_alice.post(url, {}, headers={"HX-Request": "true"}).content.decode())
    for page in pages:
        assert "Heliotrope" not in page
        assert KEY[:12] not in page
    assert "set · ends in …abcd" in content


def test_key_in_an_invalid_form_is_not_echoed(as_alice: Client, instance: Instance) -> None:
    data = {"language-model-provider": "custom", "language-model-key": KEY}
    response = as_alice.post("/instances/desk/settings/language-model", data)
    assert response.status_code == 422
    assert "Heliotrope" not in response.content.decode()
    assert not Secret.objects.exists()


@pytest.mark.parametrize(
    ("key", "help_text"),
    [(KEY, "set · ends in …abcd."), ("short-key1", "set."), ("x" * 12, "set · ends in …xxxx.")],
)
def test_short_key_shows_no_ending(
    key: str, help_text: str, as_alice: Client, instance: Instance
) -> None:
    assert f"{help_text} Enter another one to replace it." in save_key(as_alice, key)


def test_repr_str_and_dumpdata_hide_the_key(as_alice: Client, instance: Instance) -> None:
    save_key(as_alice, KEY)
    save_key(as_alice, OTHER, card="embeddings")
    instance.refresh_from_db()
    endpoint = chat_endpoint(instance)
    assert endpoint is not None and endpoint.api_key == KEY
    other = embedding_endpoint(instance, instance.embeddings)
    assert other is not None and other.api_key == OTHER
    texts = [repr(endpoint), str(endpoint), repr(other), repr(instance), str(vars(instance))]
    for secret in Secret.objects.all():
        texts += [
            repr(secret),
            str(secret),
            str(vars(secret)),
            serializers.serialize("json", [secret]),
        ]
    for text in texts:
        assert "Heliotrope" not in text
        assert "Zanzibar" not in text


@pytest.mark.parametrize("fault", ["401", "429", "500", "drop", "html", "truncated_json"])
def test_key_appears_in_no_log_or_response_on_any_failure(
    fault: str, as_alice: Client, instance: Instance, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with ScriptedProvider() as provider:
        provider.fail_next(fault, times=None)
        address = {"language-model-base_url": provider.base_url}
        page = save_key(as_alice, KEY, **address)
        response = as_alice.post("/instances/desk/test/chat", follow=True)
        page += response.content.decode()
        assert any(KEY in r.headers["authorization"] for r in provider.requests)
    for text in (page, caplog.text):
        assert "Heliotrope" not in text
        assert "abcd" not in text.replace("ends in …abcd", "")


def test_new_key_replaces_the_old_one_completely(as_alice: Client, instance: Instance) -> None:
    save_key(as_alice, KEY)
    assert "ends in …wxyz" in save_key(as_alice, OTHER)
    assert Secret.objects.get().reveal(ADDRESS) == OTHER
    save_key(as_alice, "   ")
    assert Secret.objects.get().reveal(ADDRESS) == OTHER
    save_key(as_alice, f"  {KEY}\t")
    assert Secret.objects.get().reveal(ADDRESS) == KEY


def test_key_can_be_removed(as_alice: Client, instance: Instance) -> None:
    assert "Remove the stored key" not in save_key(as_alice, "")
    assert "Remove the stored key" in save_key(as_alice, KEY)
    page = save_key(as_alice, "", **{"language-model-remove_key": "on"})
    assert "set · ends in" not in page
    assert not Secret.objects.exists()


def test_new_key_wins_over_removal(as_alice: Client, instance: Instance) -> None:
    save_key(as_alice, KEY)
    save_key(as_alice, OTHER, **{"language-model-remove_key": "on"})
    assert Secret.objects.get().reveal(ADDRESS) == OTHER


def test_each_instance_has_its_own_keys(
    as_alice: Client, instance: Instance, private: Instance
) -> None:
    save_key(as_alice, KEY)
    assert private.key_for(ADDRESS, SecretName.CHAT_API_KEY) == ""
    assert "set · ends in" not in as_alice.get("/instances/diary/settings/models").content.decode()


def test_encryption_is_randomized() -> None:
    assert secrets.encrypt(KEY) != secrets.encrypt(KEY)
    assert secrets.decrypt(secrets.encrypt(KEY)) == KEY
    assert secrets.decrypt(secrets.encrypt("ключ 鍵")) == "ключ 鍵"


def test_lost_encryption_key_is_reported_and_breaks_no_screen(
    as_alice: Client, instance: Instance, settings: Settings
) -> None:
    save_key(as_alice, KEY)
    save_key(as_alice, OTHER, card="embeddings")
    settings.ENCRYPTION_KEY = Fernet.generate_key().decode()
    page = as_alice.post("/instances/desk/test/chat", follow=True).content.decode()
    assert "ENCRYPTION_KEY has changed. Enter the key again." in page
    assert as_alice.get("/instances/desk/settings/models").status_code == 200
    for url in ("/memory?instance=desk&q=any", "/api/memories?instance_id=desk&q=any"):
        assert as_alice.get(url).status_code == 200
    data = {"content": "The user keeps bees.", "category": "fact", "importance": 5}
    page = as_alice.post("/memory/new?instance=desk", data, follow=True).content.decode()
    assert "Stored without a vector: A stored key cannot be read" in page
