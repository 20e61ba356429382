"""Deduplication with an embedding model whose cosines are all high."""

from collections.abc import Iterator

import pytest

from instances.actor import Actor
from instances.models import Instance
from memoryapp.models import Contradiction, Memory, Origin
from memoryapp.pipeline import Candidate, Outcome, Writer, remember
from memoryapp.policy.dedup import Action
from memoryapp.providers.builtin_embedder import BuiltinEmbedder
from tests.policy.test_similarity_scale import FACTS, REWORDINGS
from tests.provider_fixtures import embed_with
from tests.scripted_provider import ScriptedProvider

WRITER = Writer(Origin.MANUAL, Actor(via="test"))


class SqueezedModel(ScriptedProvider):
    """Serves the built-in vectors with a direction that all texts share: unrelated texts have a
    cosine of 0.8.
    """

    def vector_of(self, text: str, dimensions: int) -> list[float]:
        (vector,) = BuiltinEmbedder().embed([text]).vectors
        return [*(float(x) * 0.2**0.5 for x in vector), 0.8**0.5]


@pytest.fixture
def squeezed(instance: Instance) -> Iterator[Instance]:
    with SqueezedModel() as provider:
        embed_with(provider, instance, "squeezed")
        yield instance


def save(instance: Instance, *texts: str) -> list[Outcome]:
    return remember(instance, [Candidate(text) for text in texts], WRITER)


def test_different_facts_stay_and_rewordings_merge(squeezed: Instance) -> None:
    for fact in FACTS:
        (outcome,) = save(squeezed, fact)
        assert outcome.action is Action.STORED, fact
    for rewording in REWORDINGS.values():
        (outcome,) = save(squeezed, rewording)
        assert outcome.action in (Action.UPDATED, Action.DUPLICATE), rewording
    assert Memory.objects.count() == len(FACTS)


def test_facts_of_one_call_are_compared_on_the_same_scale(squeezed: Instance) -> None:
    outcomes = save(squeezed, *FACTS)
    assert {outcome.action for outcome in outcomes} == {Action.STORED}
    assert not Contradiction.objects.exists()
    (outcome,) = save(squeezed, "The user keeps bees on the tower.")
    assert outcome.action in (Action.UPDATED, Action.STORED)


def test_later_state_is_recognised(squeezed: Instance) -> None:
    save(squeezed, *FACTS, "The user has three cats.")
    (outcome,) = save(squeezed, "The user has four cats.")
    assert outcome.action is Action.UPDATED
