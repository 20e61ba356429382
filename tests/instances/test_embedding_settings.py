"""The embeddings card of the settings: changes of the model, one at a time."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from instances.models import Instance, Secret, User
from memoryapp.embeddings import reembedding
from memoryapp.models import Activity, EmbeddingJob, Memory
from memoryapp.web.settings.changes import carry_out
from memoryapp.web.settings.forms.settings import MemorySettingsForm
from tests.embeddings.models import work
from tests.instances.cards import HTMX, save, settings_page
from tests.scripted_provider import ScriptedProvider

Store = Callable[..., Memory]

OTHER_MODEL: dict[str, Any] = {
    "embedding_provider": "custom",
    "embedding_base_url": "http://127.0.0.1:9/v1",
    "embedding_model": "other",
}


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["page", "htmx"])
def test_change_of_model_needs_confirmation_if_there_are_memories(
    headers: dict[str, str], as_alice: Client, instance: Instance, store_memory: Store
) -> None:
    memory = store_memory("The user keeps bees on the roof.")
    before = Instance.objects.filter(pk=instance.pk).values().get()
    fields = {**OTHER_MODEL, "key": "sk-0123456789abcdef"}
    response = save(as_alice, "embeddings", headers, **fields)
    assert response.status_code == 422
    page = response.content.decode()
    assert "Your memories are indexed with the current model." in page
    assert "1 memory is read again, so that search can use other." in page
    assert "About 1 call, 8 tokens." in page
    assert Instance.objects.filter(pk=instance.pk).values().get() == before
    assert not Secret.objects.exists()
    assert memory.embeddings.count() == 1


def test_confirmed_change_creates_new_vectors_beside_the_current_ones(
    as_alice: Client, instance: Instance, store_memory: Store
) -> None:
    store_memory("The user keeps bees on the roof.")
    before = Instance.objects.filter(pk=instance.pk).values().get()
    with ScriptedProvider(dimensions=768) as provider:
        fields = {**OTHER_MODEL, "embedding_base_url": provider.base_url, "reembed": "on"}
        page = save(as_alice, "embeddings", HTMX, **fields).content.decode()
        assert "Until that is done, search uses the current model." in page
        assert "Switching to other" in page
        assert Instance.objects.filter(pk=instance.pk).values().get() == before
        work(EmbeddingJob.objects.get())
    instance.refresh_from_db()
    assert (instance.embedding_model, instance.embedding_dimensions) == ("other", 768)


def test_third_model_is_rejected_during_a_change(
    as_alice: Client, instance: Instance, store_memory: Store
) -> None:
    store_memory("The user keeps bees on the roof.")
    save(as_alice, "embeddings", reembed="on", **OTHER_MODEL)
    third = {**OTHER_MODEL, "embedding_model": "third", "reembed": "on"}
    response = save(as_alice, "embeddings", **third)
    assert response.status_code == 422
    assert EmbeddingJob.objects.get().choice.model == "other"


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["page", "htmx"])
def test_second_of_two_concurrent_changes_is_rejected(
    headers: dict[str, str],
    as_alice: Client,
    instance: Instance,
    store_memory: Store,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store_memory("The user keeps bees on the roof.")
    save(as_alice, "embeddings", reembed="on", **OTHER_MODEL)
    actions = Activity.objects.count()
    # The second form was validated before the first one was saved.
    monkeypatch.setattr(reembedding, "is_under_way", lambda instance: False)
    third = {**OTHER_MODEL, "embedding_model": "third", "reembed": "on"}
    response = save(as_alice, "embeddings", headers, **third)
    assert response.status_code == 422
    assert "Another change of the embedding model is already running" in response.content.decode()
    assert EmbeddingJob.objects.get().choice.model == "other"
    assert Activity.objects.count() == actions


def test_model_changes_at_once_without_vectors(as_alice: Client, instance: Instance) -> None:
    Memory.objects.create(instance=instance, content="The user keeps bees on the roof.")
    assert save(as_alice, "embeddings", **OTHER_MODEL).status_code == 302
    instance.refresh_from_db()
    assert (instance.embedding_model, instance.embedding_dimensions) == ("other", None)


def test_explicit_default_url_is_the_same_model(
    as_alice: Client, instance: Instance, store_memory: Store
) -> None:
    store_memory("The user keeps bees on the roof.")
    Instance.objects.update(embedding_provider="openai", embedding_dimensions=1536)
    written_out: dict[str, Any] = {
        "embedding_provider": "openai",
        "embedding_base_url": "https://api.openai.com/v1/",
        "embedding_model": "text-embedding-3-small",
    }
    assert save(as_alice, "embeddings", **written_out).status_code == 302
    instance.refresh_from_db()
    assert (instance.embedding_model, instance.embedding_dimensions) == (
        "text-embedding-3-small",
        1536,
    )


def test_saving_a_card_keeps_changes_of_a_worker(instance: Instance, alice: User) -> None:
    """Otherwise, saving another card during a change would undo it."""
    data = {"memory_enabled": "on", "extract_when": "by_hand", "decay_days": "30"}
    form = MemorySettingsForm(data, instance=Instance.objects.get(pk=instance.pk))
    assert form.is_valid()
    Instance.objects.update(embedding_provider="custom", embedding_model="new")
    carry_out(form, form.instance, by=alice)
    instance.refresh_from_db()
    assert (instance.memory_enabled, instance.extract_when) == (True, "by_hand")
    assert (instance.embedding_provider, instance.embedding_model) == ("custom", "new")


def test_no_confirmation_is_needed_without_memories(as_alice: Client, instance: Instance) -> None:
    assert save(as_alice, "embeddings", **OTHER_MODEL).status_code == 302
    instance.refresh_from_db()
    assert instance.embedding_model == "other"


def test_saving_the_same_model_needs_no_confirmation(
    as_alice: Client, instance: Instance, store_memory: Store
) -> None:
    store_memory("The user keeps bees on the roof.")
    assert save(as_alice, "embeddings", embedding_provider="builtin").status_code == 302


def test_openai_key_enables_its_embeddings_without_memories(
    as_alice: Client, instance: Instance
) -> None:
    save(as_alice, "language-model", provider="openai", key="sk-0123456789abcdef")
    assert "Embeddings now come from OpenAI as well" in settings_page(as_alice, "embeddings")
    instance.refresh_from_db()
    assert instance.embedding_provider == "openai"


def test_openai_key_keeps_the_embeddings_if_there_are_memories(
    as_alice: Client, instance: Instance, store_memory: Store
) -> None:
    store_memory("The user keeps bees on the roof.")
    save(as_alice, "language-model", provider="openai", key="sk-0123456789abcdef")
    instance.refresh_from_db()
    assert instance.embedding_provider == "builtin"
