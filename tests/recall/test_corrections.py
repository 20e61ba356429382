"""A correction is no statement: neither the date nor the number of statements changes."""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from instances.actor import Actor
from instances.models import Instance, User
from instances.tiers import Tier
from memoryapp.models import Memory, MemoryRevision, MemorySource, Origin
from memoryapp.pipeline import Candidate, Changes, Writer, remember, restore, revise, undo
from memoryapp.pipeline.bulk_edit import BulkChange, change_all, undo_all
from memoryapp.pipeline.duplicate_merge import DuplicateGroup, join
from memoryapp.recall import RecallOptions, recall
from memoryapp.recall.hit_entries import entries_for
from memoryapp.suppression.sending import policy_for_model
from memoryapp.web.version_token import version_token

Store = Callable[..., Memory]
SAID = datetime(2026, 1, 24, 12, tzinfo=UTC)
TEA = "The user prefers tea."


@pytest.fixture
def tea(instance: Instance) -> Memory:
    """A preference that was stated once, some time ago."""
    remember(
        instance,
        [Candidate(TEA, category="preference", tags=["drinks"])],
        Writer(Origin.USER_EXPLICIT, Actor(via="api"), tier=Tier.USER),
    )
    Memory.objects.update(said_at=SAID, created_at=SAID, updated_at=SAID)
    MemorySource.objects.update(created_at=SAID)
    return Memory.objects.get()


def told(instance: Instance) -> tuple[date, bool]:
    """The date that a model is told, and whether the preference counts as said repeatedly."""
    (hit,) = recall(instance, "What does the user prefer?", RecallOptions()).hits
    ((_, entry),) = entries_for(instance, [hit], policy_for_model(instance))
    return entry.on, "preference" in hit.parts


def bulk(change: BulkChange) -> Callable[[Memory, User], object]:
    def correct(memory: Memory, user: User) -> object:
        return change_all(memory.instance, Memory.objects.all(), change, by=Actor(user))

    return correct


def by_hand(**changed: object) -> Callable[[Memory, User], object]:
    def correct(memory: Memory, user: User) -> object:
        columns = {
            "content": memory.content,
            "category": memory.category,
            "importance": memory.importance,
            "tags": memory.tags,
        }
        return revise(memory, Changes(**(columns | changed)), by=Actor(user))  # type: ignore[arg-type]

    return correct


CORRECTIONS = {
    "tags": by_hand(tags=["food"]),
    "importance": by_hand(importance=9),
    "end": by_hand(valid_until=date(2030, 1, 1)),
    "wording": by_hand(content="The user prefers green tea."),
    "tags of many": bulk(BulkChange(add_tags=["food"])),
    "renamed tag": bulk(BulkChange(rename_tags={"drinks": "food"})),
    "importance of many": bulk(BulkChange(importance=9)),
    "end of many": bulk(BulkChange(valid_until=date(2030, 1, 1))),
}


@pytest.mark.parametrize("correct", CORRECTIONS.values(), ids=CORRECTIONS)
def test_correction_is_no_statement(
    correct: Callable[[Memory, User], object], instance: Instance, tea: Memory, alice: User
) -> None:
    before = told(instance)
    assert before == (SAID.date(), False)
    correct(tea, alice)
    assert told(instance) == before
    correct(Memory.objects.get(), alice)
    assert told(instance) == before
    for revision in MemoryRevision.objects.all():
        undo(revision, by=Actor(alice))
        assert told(instance) == before


def test_category_is_no_statement(instance: Instance, tea: Memory, alice: User) -> None:
    for category in ("fact", "preference"):
        change_all(instance, Memory.objects.all(), BulkChange(category=category), by=Actor(alice))
        assert told(instance) == (SAID.date(), False)


def test_repetition_is_a_statement(instance: Instance, tea: Memory, alice: User) -> None:
    result = change_all(
        instance, Memory.objects.all(), BulkChange(add_tags=["food"]), by=Actor(alice)
    )
    remember(
        instance,
        [Candidate(TEA, category="preference")],
        Writer(Origin.USER_EXPLICIT, Actor(via="api"), tier=Tier.USER),
    )
    today = timezone.now().date()
    assert told(instance) == (today, True)
    # Undoing the correction does not take the repetition away.
    assert undo_all(instance, result.batch, by=Actor(alice)) == 1
    assert told(instance) == (today, True)


def test_undoing_an_edit_keeps_a_later_repetition(
    instance: Instance, tea: Memory, alice: User
) -> None:
    by_hand(importance=9)(tea, alice)
    remember(
        instance,
        [Candidate(TEA, category="preference")],
        Writer(Origin.USER_EXPLICIT, Actor(via="api"), tier=Tier.USER),
    )
    undo(MemoryRevision.objects.get(), by=Actor(alice))
    assert told(instance) == (timezone.now().date(), True)


def test_restored_text_has_the_date_on_which_it_was_stated(
    instance: Instance, tea: Memory, alice: User
) -> None:
    now = timezone.now()
    revise(tea, Changes("The user prefers mate.", "preference", 5), by=Actor(alice), said_at=now)
    assert told(instance) == (now.date(), True)
    restore(MemoryRevision.objects.get(), by=Actor(alice))
    assert told(instance)[0] == SAID.date()
    undo(MemoryRevision.objects.all()[0], by=Actor(alice))
    assert told(instance)[0] == now.date()


def test_another_value_is_stated_now(instance: Instance, tea: Memory, alice: User) -> None:
    by_hand(key="drink", value="tea")(tea, alice)
    assert told(instance) == (SAID.date(), False)
    by_hand(content="The user prefers mate.", key="drink", value="mate")(
        Memory.objects.get(), alice
    )
    assert told(instance) == (timezone.now().date(), True)
    undo(MemoryRevision.objects.all()[0], by=Actor(alice))
    assert told(instance) == (SAID.date(), False)


def test_merged_memory_was_stated_when_the_later_of_both_was(
    instance: Instance, tea: Memory, alice: User, store_memory: Store
) -> None:
    other = store_memory("Tea is what the user prefers to drink.", category="preference")
    later = SAID + timedelta(days=3)
    Memory.objects.filter(pk=other.pk).update(said_at=later)
    seen = dict(Memory.objects.values_list("pk", "updated_at"))
    (revision,) = join(instance, [DuplicateGroup(tea.pk, [other.pk])], seen, by=Actor(alice))
    assert told(instance) == (later.date(), True)
    undo(revision, by=Actor(alice))
    assert Memory.objects.get(pk=tea.pk).said_at == SAID


def test_merged_memory_that_said_something_else_counts_for_nothing(
    instance: Instance, tea: Memory, alice: User, store_memory: Store
) -> None:
    """However often memories are merged: what one said is not said by another."""
    others = [
        store_memory(text, category="preference")
        for text in ("The user paints in oil.", "The user paints in oil and chalk.")
    ]
    for kept, other in ((others[0], others[1]), (tea, others[0])):
        seen = dict(Memory.objects.values_list("pk", "updated_at"))
        join(instance, [DuplicateGroup(kept.pk, [other.pk])], seen, by=Actor(alice))
        kept.refresh_from_db()
    assert tea.sources.count() == 3
    _, repeated = told(instance)
    assert not repeated
    remember(
        instance,
        [Candidate(TEA, category="preference")],
        Writer(Origin.USER_EXPLICIT, Actor(via="api"), tier=Tier.USER),
    )
    _, repeated = told(instance)
    assert repeated


def test_memory_replaced_from_the_form_for_new_ones_is_stated_anew(
    as_alice: Client, instance: Instance, tea: Memory
) -> None:
    as_alice.post(
        "/memory/new?instance=desk",
        {
            "content": "The user prefers mate.",
            "category": "preference",
            "importance": 5,
            "replace": version_token(tea),
        },
    )
    assert told(instance) == (timezone.now().date(), True)


def test_screens_show_when_it_was_stated(
    as_alice: Client, instance: Instance, tea: Memory, alice: User
) -> None:
    by_hand(tags=["food"], key="drink", value="tea")(tea, alice)
    page = as_alice.get("/memory?instance=desk&list=ask&q=prefers+tea").content.decode()
    assert "24 Jan" in page
    assert not re.search(r'class="why">[^<]*said more than once', page)
    assert "24 Jan" in as_alice.get("/memory/profile?instance=desk", follow=True).content.decode()
