"""What is about an area that an instance does not keep becomes no memory, whatever the door."""

from collections.abc import Callable

import pytest

from instances.actor import Actor
from instances.models import Instance, User
from instances.tiers import Tier
from memoryapp.models import HeldStatement, Memory, Origin
from memoryapp.pipeline import Candidate, Changes, Rejected, Writer, admit, remember, revise
from memoryapp.policy.dedup import Action
from memoryapp.trust.review import approve_all

ASTHMA = "The user has asthma."
BY_API = Writer(Origin.API, Actor(via="api"), tier=Tier.USER)
BY_HAND = Writer(Origin.MANUAL, Actor(via="screen"), tier=Tier.PERSON)


@pytest.fixture
def handle(instance: Instance) -> Callable[[str], None]:
    def set_handling(handling: str) -> None:
        instance.health_handling = handling
        instance.save()

    return set_handling


@pytest.mark.parametrize("writer", [BY_API, BY_HAND])
@pytest.mark.parametrize(
    "candidate",
    [
        Candidate(ASTHMA),
        Candidate("One more thing.", key="illness", value="asthma"),
        Candidate("The user likes tea.", metadata={"source_context": "She has asthma."}),
    ],
)
def test_refused_area_is_not_kept(
    writer: Writer, candidate: Candidate, instance: Instance, handle: Callable[[str], None]
) -> None:
    handle("refuse")
    with pytest.raises(Rejected, match=r"^Health: not kept here\.$") as refused:
        remember(instance, [candidate], writer)
    assert refused.value.code == "not_kept"
    assert not Memory.objects.exists()
    assert not HeldStatement.objects.exists()


def test_reason_never_repeats_the_text(instance: Instance, handle: Callable[[str], None]) -> None:
    handle("refuse")
    fit, unfit = admit(instance, [Candidate(ASTHMA), Candidate("The user likes tea.")])
    assert [each.candidate.content for each in fit] == ["The user likes tea."]
    assert "asthma" not in unfit[0].problem.text


def test_other_areas_are_kept(instance: Instance, handle: Callable[[str], None]) -> None:
    handle("refuse")
    (outcome,) = remember(instance, [Candidate("The user is Catholic.")], BY_API)
    assert outcome.action is Action.STORED


def test_held_area_waits_until_a_person_approves_it(
    instance: Instance, alice: User, handle: Callable[[str], None]
) -> None:
    handle("hold")
    (outcome,) = remember(instance, [Candidate(ASTHMA)], BY_API)
    assert outcome.action is Action.HELD
    assert outcome.held is not None
    assert outcome.held.reason == HeldStatement.Reason.SENSITIVE
    assert not Memory.objects.exists()
    approve_all(instance, [outcome.held], by=alice)
    assert Memory.objects.get().content == ASTHMA


def test_approval_does_not_lift_a_refusal(
    instance: Instance, alice: User, handle: Callable[[str], None]
) -> None:
    handle("hold")
    (outcome,) = remember(instance, [Candidate(ASTHMA)], BY_API)
    handle("refuse")
    assert outcome.held is not None
    result = approve_all(instance, [outcome.held], by=alice)
    assert [problem.code for problem in result.problems] == ["not_kept"]
    assert not Memory.objects.exists()


def test_what_a_person_types_does_not_wait(
    instance: Instance, handle: Callable[[str], None]
) -> None:
    handle("hold")
    (outcome,) = remember(instance, [Candidate(ASTHMA)], BY_HAND)
    assert outcome.action is Action.STORED


def test_edit_brings_no_refused_area_in(instance: Instance, handle: Callable[[str], None]) -> None:
    tea, asthma = (
        remember(instance, [Candidate(text)], BY_API)[0].memory
        for text in ("The user likes tea.", ASTHMA)
    )
    handle("refuse")
    tea.instance = asthma.instance = instance
    with pytest.raises(Rejected):
        revise(tea, Changes(ASTHMA, "fact", 5), by=Actor(via="screen"))
    # One that is about it already can be corrected.
    revise(asthma, Changes("The user has mild asthma.", "fact", 5), by=Actor(via="screen"))
    assert set(Memory.objects.values_list("content", flat=True)) == {
        "The user likes tea.",
        "The user has mild asthma.",
    }
