"""What rules fill in where the source of a fact gives no category, importance or end."""

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.test import Client

from instances.actor import Actor
from instances.models import Instance, User
from instances.tiers import Tier
from memoryapp.models import Memory, Origin
from memoryapp.pipeline import Candidate, Changes, Writer, remember, revise, undo
from memoryapp.pipeline.bulk_edit import BulkChange, change_all
from memoryapp.pipeline.packed_candidates import packed, unpacked

FLIGHT = "Flight to Oslo on 3 May"
SAID = datetime(2026, 11, 28, 12, tzinfo=UTC)
WRITER = Writer(Origin.API, Actor(via="test"), tier=Tier.USER)


def stored(instance: Instance, text: str, **fields: Any) -> Memory:
    (outcome,) = remember(instance, [Candidate(text, said_at=SAID, **fields)], WRITER)
    outcome.memory.refresh_from_db()
    return outcome.memory


def test_missing_fields_follow_from_the_text(instance: Instance) -> None:
    memory = stored(instance, "Sono allergica alle noci")
    assert (memory.category, memory.importance, memory.assessed) == ("fact", 9, False)
    memory = stored(instance, FLIGHT)
    assert (memory.category, memory.valid_until) == ("event", date(2027, 5, 3))


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ({"category": "general"}, {"category": "general", "importance": 5, "assessed": False}),
        ({"importance": 2}, {"category": "event", "importance": 2, "assessed": True}),
        ({"valid_until": date(2031, 1, 1)}, {"valid_until": date(2031, 1, 1)}),
        ({"has_no_end": True}, {"valid_until": None}),
        # It holds until the key gets another value.
        ({"key": "next_flight", "value": "Oslo"}, {"valid_until": None}),
    ],
)
def test_what_was_given_is_kept(
    instance: Instance, given: dict[str, Any], kept: dict[str, Any]
) -> None:
    memory = stored(instance, FLIGHT, **given)
    assert {name: getattr(memory, name) for name in kept} == kept


def test_new_wording_loses_nothing_that_was_given(instance: Instance) -> None:
    first = stored(instance, "The user likes tea.", category="decision", importance=3)
    again = stored(instance, "The user likes the tea!")
    assert again.pk == first.pk
    assert (again.category, again.importance, again.assessed) == ("decision", 3, True)


def test_what_waits_for_a_person_is_not_assessed_by_waiting() -> None:
    candidate = Candidate("Nut allergy", "fact", 9, by_rules=frozenset(["category", "importance"]))
    waiting = unpacked(packed(candidate), "Nut allergy", "", conversation_id=None, message_id=None)
    assert waiting.importance is None


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("I am allergic to walnuts", ("fact", 9, None)),
        ("Flug nach Oslo am 3. Mai 2031", ("event", 5, date(2031, 5, 3))),
    ],
)
def test_screen_leaves_it_to_the_rules(
    as_alice: Client, instance: Instance, text: str, fields: tuple[str, int, date | None]
) -> None:
    page = as_alice.get(f"/memory/new?instance={instance.slug}").content.decode()
    assert "Automatic" in page
    sent = {"content": text, "category": "", "importance": "", "tags": ""}
    response = as_alice.post(f"/memory/new?instance={instance.slug}", sent, follow=True)
    memory = Memory.objects.get()
    assert (memory.category, memory.importance, memory.valid_until) == fields
    # What became of it is to be seen at once.
    shown = response.content.decode()
    assert f"Importance {fields[1]} of 10" in shown
    assert ("May 3, 2031" in shown or "3 May 2031" in shown) == (fields[2] is not None)


def test_screen_keeps_what_a_person_chose(as_alice: Client, instance: Instance) -> None:
    sent = {"content": "Nut allergy", "category": "preference", "importance": 2, "tags": ""}
    as_alice.post(f"/memory/new?instance={instance.slug}", sent)
    memory = Memory.objects.get()
    assert (memory.category, memory.importance, memory.assessed) == ("preference", 2, True)


@pytest.mark.parametrize(
    ("origin", "importance", "by"),
    [
        (Origin.API, None, "rules"),
        (Origin.MANUAL, None, "rules"),
        (Origin.API, 9, "source"),
        (Origin.IMPORT, 9, "source"),
        (Origin.TOOL_CALL, 9, "source"),
        (Origin.MANUAL, 9, "person"),
        (Origin.CONVERSATION, 9, "model"),
    ],
)
def test_who_gave_the_importance_is_known(
    instance: Instance, origin: Origin, importance: int | None, by: str
) -> None:
    assert stored(instance, "Nut allergy", importance=importance, origin=origin).importance_by == by


def test_importance_that_a_person_changes_is_theirs(instance: Instance, alice: User) -> None:
    memory = stored(instance, "Nut allergy", importance=9)
    revise(memory, replace(Changes.of(memory), tags=["food"]), by=Actor(alice))
    memory.refresh_from_db()
    # What they leave is not theirs.
    assert memory.importance_by == "source"
    revise(memory, replace(Changes.of(memory), importance=10), by=Actor(alice))
    memory.refresh_from_db()
    assert memory.importance_by == "person"
    undo(memory.revisions.versions()[0], by=Actor(alice))
    memory.refresh_from_db()
    assert (memory.importance, memory.importance_by) == (9, "source")


@pytest.mark.parametrize(("via", "by"), [("screen", "person"), ("api ks_1", "source")])
def test_bulk_change_tells_who_gave_the_importance(
    instance: Instance, alice: User, via: str, by: str
) -> None:
    stored(instance, "Nut allergy", importance=9)
    stored(instance, "The user likes tea.")
    change = BulkChange(importance=9, add_tags=["food"])
    change_all(instance, instance.memories.all(), change, by=Actor(alice, via))
    found = instance.memories.values_list("content", "importance_by")
    assert dict(found) == {"Nut allergy": "source", "The user likes tea.": by}
