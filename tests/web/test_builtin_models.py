"""The settings change from one built-in embedding model to the other."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from django.test import Client

from instances.actor import Actor
from instances.models import EmbeddingProvider, Instance
from instances.tiers import Tier
from memoryapp.health.duplicate_scan import duplicate_groups, scan_for_duplicates
from memoryapp.models import EmbeddingJob, Memory, MemoryEmbedding, Origin
from memoryapp.pipeline import Candidate, RememberOptions, Writer, remember
from memoryapp.providers.builtin_embedder import BuiltinEmbedder
from memoryapp.providers.configured import space_of
from memoryapp.providers.embeddings import Embedded
from memoryapp.recall import RecallOptions, recall
from tests.embeddings.models import work
from tests.embeddings.texts import GERMAN
from tests.instances.cards import HTMX, save, settings_page

pytestmark = pytest.mark.django_db


@pytest.fixture
def german(instance: Instance, store_memory: Callable[..., Memory]) -> Instance:
    for text in GERMAN:
        store_memory(text)
    return instance


def test_one_click_changes_to_the_multilingual_built_in_model(
    as_alice: Client, german: Instance, multilingual_home: Path
) -> None:
    """As for any model: its vectors are made beside the present ones, then both are compared."""
    notice = settings_page(as_alice, "embeddings").partition('class="notice unread"')[2]
    form = notice.partition("<form")[2].partition("</form>")[0]
    fields = dict(re.findall(r'name="(embeddings-\w+)" value="(.*?)"', form))
    (address,) = re.findall(r'hx-post="(.*?)"', form)
    card = as_alice.post(address, fields, headers=HTMX).content.decode()
    assert "Switching to the multilingual built-in embedder" in card
    job = work(EmbeddingJob.objects.get())
    assert (job.state, job.done) == (EmbeddingJob.State.DONE, len(GERMAN))
    german.refresh_from_db()
    assert german.embedding_provider == EmbeddingProvider.MULTILINGUAL
    page = settings_page(as_alice, "embeddings")
    assert "made for English" not in page
    assert "Search switched to the multilingual built-in embedder" in page
    hits = recall(german, "Was trinkt der Nutzer zum Frühstück?", RecallOptions(limit=3)).hits
    assert hits[0].memory is not None and "Tee" in hits[0].memory.content


@pytest.mark.parametrize("provider", ["builtin", "multilingual"])
def test_reworded_fact_is_one_memory_and_others_stay_apart(
    provider: str, instance: Instance, store_memory: Callable[..., Memory], multilingual_home: Path
) -> None:
    """With each model alike, from the write path to the scan for duplicates."""
    Instance.objects.update(embedding_provider=provider)
    instance.refresh_from_db()
    for text in (*GERMAN, "Der Nutzer ist gegen Katzen allergisch."):
        store_memory(text)
    store_memory("Der Nutzer ist allergisch gegen Katzen.")
    assert instance.memories.count() == len(GERMAN) + 1
    scan_for_duplicates(instance, seconds=60)
    assert duplicate_groups(instance).groups == []
    spaces = set(MemoryEmbedding.objects.values_list("space__name", flat=True))
    assert spaces == {space_of(instance.embeddings)}


def test_only_what_is_asked_is_embedded_as_a_question(
    german: Instance, multilingual_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Instance.objects.update(embedding_provider="multilingual")
    german.refresh_from_db()
    asked: list[tuple[bool, str]] = []
    embed = BuiltinEmbedder.embed

    def noted(
        self: BuiltinEmbedder, texts: Sequence[str], *, as_questions: bool = False
    ) -> Embedded:
        asked.extend((as_questions, text) for text in texts)
        return embed(self, texts, as_questions=as_questions)

    monkeypatch.setattr(BuiltinEmbedder, "embed", noted)
    remembered = "Der Nutzer spielt Cello."
    remember(
        german,
        [Candidate(remembered)],
        Writer(Origin.MANUAL, Actor(via="test"), tier=Tier.USER),
        RememberOptions(ask_model=False),
    )
    recall(german, "Welches Instrument spielt der Nutzer?", RecallOptions(limit=3))
    assert asked == [(False, remembered), (True, "Welches Instrument spielt der Nutzer?")]


@pytest.mark.parametrize("present", ["builtin", "multilingual"])
def test_each_built_in_model_can_be_chosen(
    present: str, as_alice: Client, instance: Instance
) -> None:
    """Existing instances keep theirs; while there are no vectors, another is saved at once."""
    Instance.objects.update(embedding_provider=present)
    page = settings_page(as_alice, "embeddings")
    assert re.findall(r'<option value="(builtin|multilingual)"[^>]* selected', page) == [present]
    (other,) = {"builtin", "multilingual"} - {present}
    save(as_alice, "embeddings", HTMX, embedding_provider=other)
    instance.refresh_from_db()
    assert instance.embedding_provider == other
    assert instance.has_embeddings
