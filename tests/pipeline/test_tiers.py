"""A lower tier adds to what a higher one has said, and changes nothing of it."""

from datetime import date
from typing import Any

import pytest

from instances.actor import Actor
from instances.models import ApiKey, Instance
from instances.tiers import Tier
from memoryapp.models import Memory, Origin
from memoryapp.pipeline import Candidate, Outcome, Writer, remember
from memoryapp.policy.dedup import Action
from tests.api.conftest import key_of

ALLERGY = "The user is allergic to penicillin."


def say(instance: Instance, content: str, door: Tier, **more: Any) -> Outcome:
    writer = Writer(Origin.API, Actor(via="test"), tier=door)
    return remember(instance, [Candidate(content, **more)], writer)[0]


@pytest.fixture
def allergy(instance: Instance) -> Memory:
    more = {"valid_until": date(2031, 2, 3), "metadata": {"room": "a"}, "external_id": "a-1"}
    return say(instance, ALLERGY, Tier.USER, **more).memory


def columns(memory: Memory) -> Any:
    names = ("content", "key", "value", "valid_until", "tier", "said_at", "metadata", "verified_at")
    return Memory.objects.values(*names).get(pk=memory.pk)


@pytest.mark.parametrize(
    ("content", "more"),
    [
        # The same words with another end, another key, other metadata.
        (ALLERGY, {"valid_until": date(2026, 1, 1), "metadata": {"room": "b"}}),
        (ALLERGY, {"key": "home_city", "value": "Minsk"}),
        # Another text under the same id.
        ("The user is fond of penicillin.", {"external_id": "a-1"}),
        # Another wording, and the opposite.
        ("The user is allergic to penicillin!", {}),
        ("The user is somebody who is allergic to penicillin.", {}),
        ("The user is not allergic to penicillin.", {"confidence": 100, "importance": 10}),
    ],
)
@pytest.mark.parametrize("tier", [Tier.DOCUMENT, Tier.TOOL, Tier.ASSISTANT])
def test_lower_tier_changes_nothing(
    content: str, more: dict[str, Any], tier: Tier, instance: Instance, allergy: Memory
) -> None:
    before = columns(allergy)
    say(instance, content, tier, **more)
    assert columns(allergy) == before
    assert not allergy.revisions.versions().exists()


def test_repetition_has_the_higher_tier(instance: Instance, allergy: Memory) -> None:
    say(instance, ALLERGY, Tier.PERSON)
    say(instance, ALLERGY, Tier.TOOL)
    assert columns(allergy)["tier"] == Tier.PERSON


def test_higher_tier_replaces(instance: Instance, allergy: Memory) -> None:
    outcome = say(instance, "The user is not allergic to penicillin.", Tier.PERSON)
    assert (outcome.action, outcome.memory) == (Action.UPDATED, allergy)
    assert columns(allergy)["tier"] == Tier.PERSON
    assert allergy.revisions.get().tier == Tier.USER


def test_door_limits_what_a_candidate_claims(instance: Instance) -> None:
    assert say(instance, ALLERGY, Tier.TOOL, tier=Tier.PERSON).memory.tier == Tier.TOOL
    assert say(instance, "The user sails.", Tier.USER, tier=Tier.TOOL).memory.tier == Tier.TOOL


def test_writer_that_says_nothing_is_believed_least(instance: Instance) -> None:
    writer = Writer(Origin.MANUAL, Actor(via="test"))
    (outcome,) = remember(instance, [Candidate(ALLERGY)], writer)
    assert outcome.memory.tier == Tier.DOCUMENT


def test_key_cannot_edit_or_restore_above_its_trust(instance: Instance, allergy: Memory) -> None:
    key, program = key_of(instance)
    ApiKey.objects.filter(pk=key.pk).update(trust=Tier.TOOL)
    path = f"memories/{allergy.pk}"
    for body in ({"content": "The user is fond of it."}, {"valid_until": None}):
        refused = program.send("PATCH", path, body, status=403)
        assert refused["code"] == "outranked"
    program.send("PUT", "/v1/memories/a-1/", {"text": "x"}, status=403)
    ApiKey.objects.filter(pk=key.pk).update(trust=Tier.USER)
    assert (
        program.send("PATCH", path, {"content": "The user may have penicillin."})["tier"] == "user"
    )
