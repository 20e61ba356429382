"""Vectors of stored documents: made at once or in the background, and never of a former text."""

from django.db import transaction

from instances.actor import Actor
from instances.models import Instance
from memoryapp.documents.search import DocumentHits, find
from memoryapp.documents.writing import NewDocument, put
from memoryapp.embeddings.backfill import open_fill_in_job, run_job
from memoryapp.embeddings.missing_vectors import DOCUMENTS
from memoryapp.models import DocumentEmbedding, EmbeddingSpace, StoredDocument
from tests.provider_fixtures import embed_with, end_pause, fill_in
from tests.scripted_provider import ScriptedProvider

PETS, HARBOUR = "The dog is called Rex.", "Ships leave the harbour at dawn."


def store(instance: Instance, key: str, text: str) -> StoredDocument:
    new = NewDocument(("notes",), key, {"text": text})
    return put(instance, new, by=Actor(None, "test")).document


def asked(instance: Instance, question: str) -> DocumentHits:
    rows = StoredDocument.objects.filter(instance=instance)
    return find(instance, rows, question, limit=10)


def keys(found: DocumentHits) -> list[str]:
    return [hit.document.key for hit in found.hits]


def test_the_builtin_embedder_makes_them_at_once(instance: Instance) -> None:
    store(instance, "a", PETS)
    store(instance, "b", HARBOUR)
    found = asked(instance, "which animal lives with them?")
    assert keys(found)[0] == "a"
    assert found.hits[0].ranks == {"meaning": 0}
    assert not found.problem


def test_a_change_replaces_the_vector(instance: Instance) -> None:
    document = store(instance, "a", PETS)
    before = list(document.embeddings.get().embedding)
    store(instance, "a", HARBOUR)
    assert list(document.embeddings.get().embedding) != before
    assert "a" not in keys(asked(instance, "which animal lives with them?"))
    # Nor does a vector of the former text arrive late.
    DocumentEmbedding.objects.all().delete()
    space = EmbeddingSpace.objects.get(instance=instance)
    former = {document.pk: f"a\n{PETS}"}
    with transaction.atomic():
        assert DOCUMENTS.unchanged(instance, former) == []
        assert DOCUMENTS.unchanged(instance, {document.pk: f"a\n{HARBOUR}"}) == [document.pk]
    assert space.documentembedding_set.count() == 0


def test_other_models_make_them_in_the_background(
    instance: Instance, provider: ScriptedProvider
) -> None:
    embed_with(provider, instance)
    document = store(instance, "a", PETS)
    assert provider.count("embeddings") == 0, "a request waited for the provider"
    assert keys(asked(instance, "dog")) == ["a"], "it is found by words meanwhile"
    assert fill_in(instance) == 1
    assert document.embeddings.count() == 1
    assert asked(instance, "dog").hits[0].ranks.keys() == {"words", "meaning"}
    assert fill_in(instance) == 0


def test_a_search_without_provider_is_by_words_and_says_so(
    instance: Instance, provider: ScriptedProvider
) -> None:
    embed_with(provider, instance)
    store(instance, "a", PETS)
    provider.fail_next("500", 1, "embeddings")
    found = asked(instance, "dog")
    assert keys(found) == ["a"]
    assert found.problem


def test_a_text_that_the_model_refuses_is_not_sent_again_until_it_changes(
    instance: Instance, provider: ScriptedProvider
) -> None:
    embed_with(provider, instance)
    store(instance, "a", PETS)
    fill_in(instance)
    instance.refresh_from_db()  # The length of the vectors is known now.
    refused = store(instance, "b", HARBOUR)
    job = open_fill_in_job(instance)
    assert job is not None
    job.refused_documents = [refused.pk]
    job.save()
    assert job.claim()
    run_job(job, seconds=10)
    end_pause()
    assert open_fill_in_job(instance) is None
    store(instance, "b", "Ships come back at dusk.")
    assert fill_in(instance) == 1
