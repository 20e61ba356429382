"""Servers that are offered with one click, and the models of a server that is named."""

import re
from collections.abc import Callable, Iterator
from typing import Any
from unittest.mock import patch

import pytest
from django.test import Client

from instances.embedding_choice import EmbeddingChoice
from instances.models import AllowedAddress, EmbeddingProvider, Instance, Provider, User
from memoryapp.embeddings import reembedding
from memoryapp.models import EmbeddingJob, Memory
from memoryapp.providers import server_info
from tests.embeddings.models import work
from tests.embeddings.texts import ENGLISH, GERMAN
from tests.instances.cards import HTMX, save, settings_page
from tests.scripted_provider import ScriptedProvider

pytestmark = pytest.mark.django_db

TAGS = {"models": [{"name": "gemma3:4b"}, {"name": "qwen2.5:1.5b"}]}


@pytest.fixture
def ollama() -> Iterator[ScriptedProvider]:
    """A server with Ollama's list of models, at Ollama's port as far as the search knows."""
    with ScriptedProvider() as server:
        server.answer_with("/api/tags", TAGS)
        with patch.object(server_info, "OLLAMA_PORT", server.port):
            yield server


@pytest.fixture
def superadmin(alice: User, as_alice: Client) -> Client:
    User.objects.filter(pk=alice.pk).update(is_superuser=True)
    return as_alice


@pytest.mark.parametrize("address", ["/instances/desk/settings/models", "/welcome/desk"])
def test_ollama_on_this_machine_is_offered(
    address: str, superadmin: Client, instance: Instance, ollama: ScriptedProvider
) -> None:
    page = superadmin.get(address).content.decode()
    assert "Ollama is running on this machine" in page
    assert '<button class="btn" name="language-model-fast_model" value="gemma3:4b">' in page


def test_one_click_connects_it(
    superadmin: Client, instance: Instance, ollama: ScriptedProvider
) -> None:
    save(superadmin, "language-model", None, provider="ollama", base_url="", fast_model="gemma3:4b")
    instance.refresh_from_db()
    assert (instance.provider, instance.fast_model) == ("ollama", "gemma3:4b")
    assert "Ollama is running" not in settings_page(superadmin, "embeddings")


def test_machine_is_not_searched_for_who_may_not_allow_it(
    as_alice: Client, instance: Instance, ollama: ScriptedProvider, settings: Any
) -> None:
    settings.OUTGOING_ALLOW = []
    assert "Ollama is running" not in settings_page(as_alice, "embeddings")
    assert not ollama.requests


def test_listed_ollama_is_offered_to_every_manager(
    as_alice: Client, alice: User, instance: Instance, ollama: ScriptedProvider, settings: Any
) -> None:
    settings.OUTGOING_ALLOW = []
    AllowedAddress.objects.allow(f"localhost:{ollama.port}", by=alice, note="")
    page = settings_page(as_alice, "embeddings")
    assert f"Ollama is running at http://localhost:{ollama.port}/v1" in page


def test_models_of_the_server_in_the_form_are_offered(
    as_alice: Client, instance: Instance, ollama: ScriptedProvider
) -> None:
    ollama.answer_with("/v1/models", {"data": [{"id": "tiny"}, {"id": "large"}]})
    form = {"language-model-provider": "custom", "language-model-base_url": ollama.base_url}
    assert offered(as_alice, "chat", form) == ["large", "tiny"]
    for address in ("http://169.254.169.254/v1", "no address", ""):
        form["language-model-base_url"] = address
        assert offered(as_alice, "chat", form) == []
    assert offered(as_alice, "chat", {"language-model-provider": "openai"}) == [], "without a key"
    assert as_alice.post("/instances/desk/models/telepathy").status_code == 404


def offered(client: Client, what: str, form: dict[str, str]) -> list[str]:
    """Return the models that are offered for *form*."""
    answer = client.post(f"/instances/desk/models/{what}", form, headers=HTMX)
    assert answer.status_code == 200
    page = answer.content.decode()
    names = re.findall(r'<option value="(.*?)">', page)
    assert re.findall(r'data-fill="(.*?)"', page) == (names if len(names) <= 8 else [])
    return names


def test_embedding_models_are_offered_before_others(
    as_alice: Client, instance: Instance, ollama: ScriptedProvider
) -> None:
    names = ["bge-m3", "gemma3", "nomic-embed-text"]
    ollama.answer_with("/v1/models", {"data": [{"id": name} for name in names]})
    for provider in ("custom", "ollama"):
        form = {
            "embeddings-embedding_provider": provider,
            "embeddings-embedding_base_url": ollama.base_url,
        }
        assert offered(as_alice, "embeddings", form) == ["nomic-embed-text", "bge-m3", "gemma3"]
    assert offered(as_alice, "embeddings", {"embeddings-embedding_provider": "builtin"}) == []


def test_models_of_the_saved_server_are_offered_to_other_cards(
    as_alice: Client, instance: Instance, ollama: ScriptedProvider
) -> None:
    ollama.answer_with("/v1/models", {"data": [{"id": f"m{n}"} for n in range(9)]})
    assert offered(as_alice, "chat", {}) == []
    Instance.objects.update(provider="custom", base_url=ollama.base_url, fast_model="m1")
    assert offered(as_alice, "chat", {"assistant-chat_model": ""}) == [f"m{n}" for n in range(9)]
    instance.refresh_from_db()
    assert instance.fast_model == "m1"


def test_entered_key_is_sent_only_to_the_entered_address(
    as_alice: Client, instance: Instance, ollama: ScriptedProvider
) -> None:
    ollama.answer_with("/v1/models", {"data": [{"id": "tiny"}]})
    form = {
        "language-model-provider": "custom",
        "language-model-base_url": ollama.base_url,
        "language-model-fast_model": "tiny",
        "language-model-key": "sk-entered",
    }
    save(
        as_alice,
        "language-model",
        None,
        provider="custom",
        base_url="http://127.0.0.1:9/v1",
        fast_model="any",
        key="sk-stored",
    )
    assert offered(as_alice, "chat", form) == ["tiny"]
    assert ollama.requests[-1].headers["authorization"] == "Bearer sk-entered"
    assert offered(as_alice, "chat", form | {"language-model-key": ""}) == ["tiny"]
    assert "sk-stored" not in ollama.requests[-1].headers["authorization"]


def test_embeddings_come_from_the_same_ollama(as_alice: Client, instance: Instance) -> None:
    address = "http://ollama.test:11434/v1"
    Instance.objects.update(provider=Provider.OLLAMA, base_url=address)
    save(as_alice, "embeddings", None, embedding_provider="ollama", embedding_base_url="")
    instance.refresh_from_db()
    assert instance.embedding_provider == EmbeddingProvider.OLLAMA
    assert instance.embedding_base_url == address


@pytest.fixture
def german(instance: Instance, store_memory: Callable[..., Memory]) -> Instance:
    """The instance with memories in German, which have vectors of the built-in model."""
    for text in GERMAN:
        store_memory(text)
    return instance


OFFER = "/instances/desk/embedding-offer"
#: A language model, so that no other card looks for one.
CONNECTED = {"provider": "custom", "base_url": "http://127.0.0.1:9/v1", "fast_model": "any"}


def embedding_card(page: str) -> str:
    return page.partition('id="embeddings"')[2].partition("</section>")[0]


def test_card_says_which_languages_the_embedder_does_not_read(
    superadmin: Client, german: Instance, ollama: ScriptedProvider
) -> None:
    Instance.objects.update(**CONNECTED)
    card = embedding_card(settings_page(superadmin, "embeddings"))
    assert "are in German." in card
    assert f'hx-get="{OFFER}" hx-trigger="load"' in card
    # The page itself does not wait for a server.
    assert not ollama.requests


def test_card_of_an_english_instance_offers_nothing(
    superadmin: Client,
    instance: Instance,
    store_memory: Callable[..., Memory],
    ollama: ScriptedProvider,
) -> None:
    Instance.objects.update(**CONNECTED)
    for text in ENGLISH:
        store_memory(text)
    card = embedding_card(settings_page(superadmin, "embeddings"))
    assert "made for English" not in card
    assert OFFER not in card
    assert not ollama.requests


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["page", "htmx"])
@pytest.mark.parametrize("present", ["", "http://gpu.test:11434/v1"], ids=["none", "elsewhere"])
def test_multilingual_model_is_offered_with_its_address(
    present: str,
    headers: dict[str, str],
    superadmin: Client,
    german: Instance,
    ollama: ScriptedProvider,
) -> None:
    if present:
        Instance.objects.update(provider=Provider.OLLAMA, base_url=present)
    ollama.answer_with("/api/tags", {"models": [*TAGS["models"], {"name": "bge-m3:latest"}]})
    page = superadmin.get(OFFER, headers=headers).content.decode()
    offer = page.partition('id="embedding-offer"')[2].partition("</form>")[0]
    fields = dict(re.findall(r'name="embeddings-(\w+)" value="(.*?)"', offer))
    assert fields == {
        "embedding_provider": "ollama",
        # This machine's, and not that of the language model.
        "embedding_base_url": "http://localhost:11434/v1",
        "embedding_model": "bge-m3",
        "reembed": "on",
    }
    assert "Use bge-m3" in offer
    assert ("<html" in page) == (not headers)


def test_one_click_embeds_again(
    as_alice: Client, alice: User, german: Instance, ollama: ScriptedProvider, settings: Any
) -> None:
    settings.OUTGOING_ALLOW = []
    AllowedAddress.objects.allow(f"localhost:{ollama.port}", by=alice, note="")
    ollama.answer_with("/api/tags", {"models": [{"name": "bge-m3:latest"}]})
    offer = as_alice.get(OFFER, headers=HTMX).content.decode()
    fields = dict(re.findall(r'name="(embeddings-\w+)" value="(.*?)"', offer))
    (address,) = re.findall(r'hx-post="(.*?)"', offer)
    card = as_alice.post(address, fields, headers=HTMX).content.decode()
    assert "Switching to bge-m3" in card
    assert "made for English" not in card
    assert work(EmbeddingJob.objects.get()).done == len(GERMAN)
    german.refresh_from_db()
    assert (german.embedding_provider, german.embedding_model) == ("ollama", "bge-m3")
    assert "made for English" not in settings_page(as_alice, "embeddings")


def test_nothing_is_offered_of_an_ollama_without_such_a_model(
    superadmin: Client, german: Instance, ollama: ScriptedProvider
) -> None:
    page = superadmin.get(OFFER, headers=HTMX).content.decode()
    assert "<form" not in page and "<a " not in page


def test_without_an_allowed_ollama_none_is_asked(
    as_alice: Client, german: Instance, ollama: ScriptedProvider, settings: Any
) -> None:
    settings.OUTGOING_ALLOW = []
    page = as_alice.get(OFFER, headers=HTMX).content.decode()
    assert "<form" not in page
    assert not ollama.requests


def test_notice_gives_way_to_a_change_of_model(superadmin: Client, german: Instance) -> None:
    other = EmbeddingChoice("custom", "http://127.0.0.1:9/v1", "other")
    reembedding.start(german, other, by=None)
    assert "made for English" not in settings_page(superadmin, "embeddings")


def test_health_names_the_languages_and_leads_managers_to_the_card(
    as_alice: Client, german: Instance, vera: User
) -> None:
    page = as_alice.get("/status/health?instance=desk").content.decode()
    assert "are in German" in page
    link = 'href="/instances/desk/settings/models#embeddings"'
    assert link in page
    as_alice.force_login(vera)
    page = as_alice.get("/status/health?instance=desk").content.decode()
    assert "are in German" in page
    assert link not in page
    assert as_alice.get(OFFER).status_code == 403
