"""Provider keys: written once, used by providers, and shown to nobody."""

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
from tests.scripted_provider import ScriptedProvider

KEY = "sk-test-Heliotrope0123456789abcd"
OTHER = "sk-test-Zanzibar9876543210wxyz"
ADDRESS = "http://127.0.0.1:9/v1"


def save_key(client: Client, key: str, *, card: str = "language-model", **fields: str) -> str:
    """Enter a key on the settings screen; return the page that follows."""
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


def test_a_key_is_encrypted_where_it_is_stored(as_alice: Client, instance: Instance) -> None:
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
def test_a_key_stands_in_no_page_and_no_api_answer_after_saving(
    card: str, as_alice: Client, instance: Instance
) -> None:
    said = save_key(as_alice, KEY, card=card)
    pages = [said]
    for url in (
        "/instances/desk/settings",
        "/memory?instance=desk",
        "/memory?instance=desk&q=sk-test",
        "/instances",
        "/api/memories?instanceId=desk",
        "/api/openapi.json",
    ):
        pages.append(as_alice.get(url).content.decode())
    for saved in (card, "memory", "search", "agents"):
        url = f"/instances/desk/settings/{saved}"
        pages.append(as_alice.post(url, {}, headers={"HX-Request": "true"}).content.decode())
    for page in pages:
        assert "Heliotrope" not in page
        assert KEY[:12] not in page
    assert "set · ends in …abcd" in said


def test_a_key_that_was_typed_into_a_wrong_form_does_not_come_back(
    as_alice: Client, instance: Instance
) -> None:
    data = {"language-model-provider": "custom", "language-model-key": KEY}
    response = as_alice.post("/instances/desk/settings/language-model", data)
    assert response.status_code == 422
    assert "Heliotrope" not in response.content.decode()
    assert not Secret.objects.exists()


@pytest.mark.parametrize(
    ("key", "help_text"),
    [(KEY, "set · ends in …abcd."), ("short-key1", "set."), ("x" * 12, "set · ends in …xxxx.")],
)
def test_a_short_key_is_not_half_given_away(
    key: str, help_text: str, as_alice: Client, instance: Instance
) -> None:
    assert f"{help_text} Enter another one to replace it." in save_key(as_alice, key)


def test_neither_repr_nor_str_nor_a_dump_says_the_key(as_alice: Client, instance: Instance) -> None:
    save_key(as_alice, KEY)
    save_key(as_alice, OTHER, card="embeddings")
    instance.refresh_from_db()
    endpoint = chat_endpoint(instance)
    assert endpoint is not None and endpoint.api_key == KEY
    other = embedding_endpoint(instance, instance.embeddings)
    assert other is not None and other.api_key == OTHER
    said = [repr(endpoint), str(endpoint), repr(other), repr(instance), str(vars(instance))]
    for secret in Secret.objects.all():
        said += [
            repr(secret),
            str(secret),
            str(vars(secret)),
            serializers.serialize("json", [secret]),
        ]
    for text in said:
        assert "Heliotrope" not in text
        assert "Zanzibar" not in text


@pytest.mark.parametrize("fault", ["401", "429", "500", "drop", "html", "truncated_json"])
def test_no_log_and_no_answer_says_the_key_whatever_the_provider_does(
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


def test_entering_another_key_replaces_it_and_nothing_keeps_it(
    as_alice: Client, instance: Instance
) -> None:
    save_key(as_alice, KEY)
    assert "ends in …wxyz" in save_key(as_alice, OTHER)
    assert Secret.objects.get().reveal(ADDRESS) == OTHER
    save_key(as_alice, "   ")
    assert Secret.objects.get().reveal(ADDRESS) == OTHER
    save_key(as_alice, f"  {KEY}\t")
    assert Secret.objects.get().reveal(ADDRESS) == KEY


def test_a_key_can_be_removed(as_alice: Client, instance: Instance) -> None:
    assert "Remove the stored key" not in save_key(as_alice, "")
    assert "Remove the stored key" in save_key(as_alice, KEY)
    page = save_key(as_alice, "", **{"language-model-remove_key": "on"})
    assert "set · ends in" not in page
    assert not Secret.objects.exists()


def test_a_new_key_wins_over_the_wish_to_remove_the_old_one(
    as_alice: Client, instance: Instance
) -> None:
    save_key(as_alice, KEY)
    save_key(as_alice, OTHER, **{"language-model-remove_key": "on"})
    assert Secret.objects.get().reveal(ADDRESS) == OTHER


def test_each_instance_has_its_own_keys(
    as_alice: Client, instance: Instance, private: Instance
) -> None:
    save_key(as_alice, KEY)
    assert private.key_for(ADDRESS, SecretName.CHAT_API_KEY) == ""
    assert "set · ends in" not in as_alice.get("/instances/diary/settings").content.decode()


def test_one_text_encrypts_differently_each_time() -> None:
    assert secrets.encrypt(KEY) != secrets.encrypt(KEY)
    assert secrets.decrypt(secrets.encrypt(KEY)) == KEY
    assert secrets.decrypt(secrets.encrypt("ключ 鍵")) == "ключ 鍵"


def test_a_lost_encryption_key_is_told_and_breaks_no_screen(
    as_alice: Client, instance: Instance, settings: Settings
) -> None:
    save_key(as_alice, KEY)
    save_key(as_alice, OTHER, card="embeddings")
    settings.ENCRYPTION_KEY = Fernet.generate_key().decode()
    page = as_alice.post("/instances/desk/test/chat", follow=True).content.decode()
    assert "ENCRYPTION_KEY has changed. Enter the key again." in page
    assert as_alice.get("/instances/desk/settings").status_code == 200
    for url in ("/memory?instance=desk&q=any", "/api/memories?instanceId=desk&q=any"):
        assert as_alice.get(url).status_code == 200
    data = {"content": "The user keeps bees.", "category": "fact", "importance": 5}
    page = as_alice.post("/memory/new?instance=desk", data, follow=True).content.decode()
    assert "Stored without a vector: A stored key cannot be read" in page
