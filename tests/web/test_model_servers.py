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


@pytest.mark.parametrize("address", ["/instances/desk/settings", "/welcome/desk"])
def test_ollama_on_this_machine_is_offered(
    address: str, superadmin: Client, instance: Instance, ollama: ScriptedProvider
) -> None:
    page = superadmin.get(address).content.decode()
    assert "Ollama runs on this machine" in page
    assert '<button class="btn" name="language-model-fast_model" value="gemma3:4b">' in page


def test_one_click_connects_it(
    superadmin: Client, instance: Instance, ollama: ScriptedProvider
) -> None:
    save(superadmin, "language-model", None, provider="ollama", base_url="", fast_model="gemma3:4b")
    instance.refresh_from_db()
    assert (instance.provider, instance.fast_model) == ("ollama", "gemma3:4b")
    assert "Ollama runs" not in settings_page(superadmin)


def test_machine_is_not_searched_for_who_may_not_allow_it(
    as_alice: Client, instance: Instance, ollama: ScriptedProvider, settings: Any
) -> None:
    settings.OUTGOING_ALLOW = []
    assert "Ollama runs" not in settings_page(as_alice)
    assert not ollama.requests


def test_listed_ollama_is_offered_to_every_manager(
    as_alice: Client, alice: User, instance: Instance, ollama: ScriptedProvider, settings: Any
) -> None:
    settings.OUTGOING_ALLOW = []
    AllowedAddress.objects.allow(f"localhost:{ollama.port}", by=alice, note="")
    page = settings_page(as_alice)
    assert f"Ollama runs at http://localhost:{ollama.port}/v1" in page


def test_models_of_the_server_in_the_form_are_offered(
    as_alice: Client, instance: Instance, ollama: ScriptedProvider
) -> None:
    ollama.answer_with("/v1/models", {"data": [{"id": "tiny"}, {"id": "large"}]})
    form = {"language-model-provider": "custom", "language-model-base_url": ollama.base_url}
    answer = as_alice.post("/instances/desk/models", form, headers=HTMX).content.decode()
    assert re.findall(r'<option value="(.*?)">', answer) == ["large", "tiny"]
    form["language-model-base_url"] = "http://169.254.169.254/v1"
    assert not as_alice.post("/instances/desk/models", form, headers=HTMX).content.strip()


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
    card = embedding_card(settings_page(superadmin))
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
    card = embedding_card(settings_page(superadmin))
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
    assert "Use bge-m3 and embed again" in offer
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
    assert "Going over to bge-m3" in card
    assert "made for English" not in card
    assert work(EmbeddingJob.objects.get()).done == len(GERMAN)
    german.refresh_from_db()
    assert (german.embedding_provider, german.embedding_model) == ("ollama", "bge-m3")
    assert "made for English" not in settings_page(as_alice)


def test_command_is_named_if_there_is_no_such_model(
    superadmin: Client, german: Instance, ollama: ScriptedProvider
) -> None:
    page = superadmin.get(OFFER, headers=HTMX).content.decode()
    assert "Ollama on this machine has no embedding model" in page
    assert "ollama pull bge-m3" in page
    assert "Look again" in page
    assert "<form" not in page


def test_without_ollama_it_says_what_to_install(
    as_alice: Client, german: Instance, ollama: ScriptedProvider, settings: Any
) -> None:
    settings.OUTGOING_ALLOW = []
    page = as_alice.get(OFFER, headers=HTMX).content.decode()
    assert "No Ollama answers at an allowed address" in page
    assert "ollama pull bge-m3" in page
    assert not ollama.requests


def test_notice_gives_way_to_a_change_of_model(superadmin: Client, german: Instance) -> None:
    other = EmbeddingChoice("custom", "http://127.0.0.1:9/v1", "other")
    reembedding.start(german, other, by=None)
    assert "made for English" not in settings_page(superadmin)


def test_health_names_the_languages_and_leads_managers_to_the_card(
    as_alice: Client, german: Instance, vera: User
) -> None:
    page = as_alice.get("/memory/health?instance=desk").content.decode()
    assert "are in German" in page
    link = f'href="{german.get_absolute_url()}#embeddings"'
    assert link in page
    as_alice.force_login(vera)
    page = as_alice.get("/memory/health?instance=desk").content.decode()
    assert "are in German" in page
    assert link not in page
    assert as_alice.get(OFFER).status_code == 404
