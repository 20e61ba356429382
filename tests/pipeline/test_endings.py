"""A statement that something holds no longer takes the place of the one that it ends."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from instances.actor import Actor
from instances.models import Instance
from instances.tiers import Tier
from memoryapp.models import Contradiction, Memory, MemoryRevision, Origin
from memoryapp.pipeline import Candidate, Outcome, Writer, remember
from memoryapp.policy.dedup import Action

ACME = "The user works at Acme."
NO_LONGER = "The user no longer works at Acme."
EMPLOYER: dict[str, Any] = {"key": "employer", "value": "Acme"}


def say(instance: Instance, content: str, tier: Tier = Tier.USER, **more: Any) -> Outcome:
    writer = Writer(Origin.CONVERSATION, Actor(via="test"), tier=tier)
    return remember(instance, [Candidate(content, **more)], writer)[0]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (ACME, NO_LONGER),
        ("The user works at Acme as a nurse.", "The user doesn't work at Acme anymore."),
        ("The user smokes.", "The user has quit smoking."),
        ("Der Nutzer arbeitet bei Acme.", "Der Nutzer arbeitet nicht mehr bei Acme."),
        ("L'utente lavora per Acme.", "L'utente non lavora più per Acme."),
        ("El usuario trabaja en Acme.", "El usuario ya no trabaja en Acme."),
        ("L'utilisateur travaille chez Acme.", "L'utilisateur ne travaille plus chez Acme."),
    ],
)
def test_what_holds_no_longer_is_in_the_history(
    before: str, after: str, instance: Instance
) -> None:
    memory = say(instance, before).memory
    outcome = say(instance, after)
    assert (outcome.action, outcome.memory) == (Action.UPDATED, memory)
    assert Memory.objects.get().content == after
    was = MemoryRevision.objects.versions().get()
    assert was.content == before
    assert was.replaced_at >= was.valid_from


@pytest.mark.parametrize("given", [{}, EMPLOYER])
def test_key_has_no_value_any_more(given: dict[str, Any], instance: Instance) -> None:
    say(instance, ACME, **EMPLOYER)
    say(instance, NO_LONGER, **given)
    memory = Memory.objects.get()
    assert (memory.content, memory.key, memory.value) == (NO_LONGER, "", "")
    was = MemoryRevision.objects.versions().get()
    assert (was.content, was.key, was.value) == (ACME, "employer", "Acme")
    say(instance, "The user works at Globex.", key="employer", value="Globex")
    assert Memory.objects.get(key="employer").value == "Globex"


def test_value_that_was_never_known_is_not_current(instance: Instance) -> None:
    assert say(instance, NO_LONGER, **EMPLOYER).memory.key == ""


def test_denial_of_the_value_confirms_nothing(instance: Instance) -> None:
    say(instance, ACME, **EMPLOYER)
    say(instance, "The user does not work at Acme.")
    memory = Memory.objects.get()
    assert (memory.content, memory.key) == ("The user does not work at Acme.", "")


@pytest.mark.parametrize("keyed", [{}, EMPLOYER])
def test_what_a_person_typed_stays(keyed: dict[str, Any], instance: Instance) -> None:
    memory = say(instance, ACME, Tier.PERSON, **keyed).memory
    outcome = say(instance, NO_LONGER)
    memory.refresh_from_db()
    assert (memory.content, memory.key) == (ACME, keyed.get("key", ""))
    assert outcome.memory != memory
    assert Contradiction.objects.about(memory.pk).exists()


def test_what_was_said_later_stays(instance: Instance) -> None:
    memory = say(instance, ACME).memory
    say(instance, NO_LONGER, said_at=timezone.now() - timedelta(days=30))
    memory.refresh_from_db()
    assert memory.content == ACME


def test_other_people_and_things_go_on(instance: Instance) -> None:
    for content in (
        ACME,
        "Ana works at Acme.",
        "The user works at Globex.",
        "The user works at Acme Music and plays the cello.",
    ):
        say(instance, content, keep_apart=True)
    say(instance, "The user no longer works at Acme on weekends.")
    say(instance, "Ben no longer works at Acme.")
    assert Memory.objects.count() == 6
    assert not MemoryRevision.objects.exists()
