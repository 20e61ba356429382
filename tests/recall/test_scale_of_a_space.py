"""The scale of similarities is estimated for each embedding model."""

from collections.abc import Callable

from instances.models import Instance
from memoryapp.embeddings.background import MIN_SAMPLE_SIZE
from memoryapp.models import Memory
from memoryapp.providers.configured import space_of
from memoryapp.recall import RecallOptions, recall
from memoryapp.recall.scoring import SPREAD
from memoryapp.recall.vector_search import scale_of
from tests.provider_fixtures import embed_with
from tests.scripted_provider import ScriptedProvider

THINGS = "kayak piano beehive orchard telescope loom kiln anvil sundial aquarium".split()
PLACES = "Oslo Lisbon Kyoto Quito".split()


def test_scale_of_an_unknown_model_is_estimated_from_its_vectors(
    instance: Instance, provider: ScriptedProvider, store_memory: Callable[..., Memory]
) -> None:
    embed_with(provider, instance)
    facts = [f"The user keeps a {thing} in {place}." for thing in THINGS for place in PLACES]
    for fact in facts[:5]:
        store_memory(fact)
    instance.refresh_from_db()
    space = space_of(instance.embeddings)
    assert scale_of(instance, space).spread == SPREAD, (
        "The scale was estimated from too few vectors."
    )
    for fact in facts[5:]:
        store_memory(fact)
    assert instance.memories.count() >= MIN_SAMPLE_SIZE
    (hit, *_) = recall(instance, "who has a telescope in Quito?", RecallOptions(limit=5)).hits
    assert hit.content == "The user keeps a telescope in Quito."
    spread = scale_of(instance, space).spread
    assert spread != SPREAD
    assert 0.02 <= spread < 0.5
