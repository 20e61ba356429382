"""What is about an area that an instance does not keep becomes no memory, whatever the door."""

import json
from collections.abc import Callable

import pytest

from instances.actor import Actor
from instances.models import Instance, User
from instances.tiers import Tier
from memoryapp.models import HeldStatement, Memory, Origin
from memoryapp.pipeline import Candidate, Changes, Rejected, Writer, admit, remember, revise
from memoryapp.policy.dedup import Action
from memoryapp.summary.generation import write, write_again
from memoryapp.suppression import sending
from memoryapp.trust.review import approve_all
from tests.provider_fixtures import read_with
from tests.scripted_provider import ScriptedProvider

ASTHMA = "The user has asthma."
BY_API = Writer(Origin.API, Actor(via="api"), tier=Tier.USER)
BY_HAND = Writer(Origin.MANUAL, Actor(via="screen"), tier=Tier.PERSON)


@pytest.fixture(params=["Health", "Lungs"])
def area(request: pytest.FixtureRequest) -> str:
    """One of the six areas, and one of the managers' own."""
    return str(request.param)


@pytest.fixture
def handle(instance: Instance, area: str) -> Callable[[str], None]:
    def set_handling(handling: str) -> None:
        if area == "Health":
            instance.health_handling = handling
        else:
            own = {"name": area, "words": ["lung", "asthma"], "handling": handling}
            instance.own_areas = [own]
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
    writer: Writer,
    candidate: Candidate,
    instance: Instance,
    area: str,
    handle: Callable[[str], None],
) -> None:
    handle("refuse")
    with pytest.raises(
        Rejected, match=rf"^{area}: not kept here \(Settings → Never kept\)\.$"
    ) as refused:
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


@pytest.mark.parametrize("is_here", [True, False])
def test_model_elsewhere_neither_rates_nor_merges_nor_sums_it_up(
    is_here: bool,
    instance: Instance,
    provider: ScriptedProvider,
    handle: Callable[[str], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # The scripted server is always on this machine.
    monkeypatch.setattr(sending, "is_own_server", lambda provider, address: is_here)
    read_with(provider, instance)
    instance.merge_with_model = instance.summary_enabled = True
    provider.reply_with({"assessments": [], "decisions": [], "summary": "The user has asthma."})
    handle("local")
    for text in (ASTHMA, "The user has asthma attacks.", "The user has had asthma since 2004."):
        remember(instance, [Candidate(text)], BY_API)
    write(write_again(instance, ""))
    sent = json.dumps([request.body for request in provider.requests if "messages" in request.body])
    assert ("asthma" in sent) is is_here
    assert Memory.objects.filter(content__contains="asthma").exists()
