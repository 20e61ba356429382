"""The tools that list and forget memories."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from pytest_django import DjangoAssertNumQueries

from instances.actor import Actor
from instances.models import Instance
from memoryapp.forgetting.archive import unarchive
from memoryapp.models import Activity, Memory, Origin
from memoryapp.pipeline import Candidate, Rejected, Writer, remember
from memoryapp.tools import Removal, ToolContext, ToolResult
from memoryapp.tools.forget import ForgetResult
from memoryapp.tools.list import ListResult

pytestmark = pytest.mark.django_db
Store = Callable[..., Memory]
Call = Callable[..., ToolResult]

#: Too different to become versions of each other.
FACTS = (
    "The user has a boat.",
    "Imre paints houses.",
    "Lunch is at noon on Fridays.",
    "Peanuts are dangerous for Ana.",
    "The office moved to Lyon.",
)


def listed(result: ToolResult) -> ListResult:
    assert isinstance(result.data, ListResult), result.text
    return result.data


def candidates(result: ToolResult) -> list[str]:
    """Return the ids of the possible matches."""
    assert isinstance(result.data, ForgetResult), result.text
    assert result.data.forgotten == []
    assert "Nothing was forgotten." in result.text
    assert all(f"[{item.id}]" in result.text for item in result.data.candidates)
    return [item.id for item in result.data.candidates]


def test_list_is_paginated_newest_first(call: Call, store_memory: Store) -> None:
    stored = [store_memory(fact) for fact in FACTS]
    seen: list[str] = []
    cursor: str | None = ""
    while cursor is not None:
        result = call("list_memories", limit=2, cursor=cursor)
        page = listed(result)
        assert page.total == 5
        assert "newest first" in result.text and "There are 5 in all." in result.text
        assert result.outcome == f"Looked through {counted(len(page.items))} of 5"
        seen += [item.id for item in page.items]
        cursor = page.next
        assert (cursor is None) or cursor in result.text
    assert seen == [f"m{memory.pk}" for memory in reversed(stored)]
    # Listing does not count as recall.
    assert not Memory.objects.exclude(recall_count=0).exists()


def counted(count: int) -> str:
    return "1 memory" if count == 1 else f"{count} memories"


def test_page_takes_three_queries(
    call: Call, instance: Instance, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    Memory.objects.bulk_create(
        Memory(instance=instance, content=f"Fact {n}.", tags=["sea"]) for n in range(40)
    )
    with django_assert_num_queries(3):
        assert len(listed(call("list_memories", limit=30, tag="sea")).items) == 30


def test_entries_that_do_not_fit_start_the_next_page(call: Call, store_memory: Store) -> None:
    for fact in FACTS:
        store_memory(fact + " It is so." * 350)
    first = listed(call("list_memories"))
    assert 0 < len(first.items) < 5
    rest: list[str] = []
    cursor = first.next
    while cursor:
        page = listed(call("list_memories", cursor=cursor))
        rest += [item.content for item in page.items]
        cursor = page.next
    shown = [item.content for item in first.items] + rest
    assert len(shown) == len(FACTS)
    assert all(text.startswith(fact) for text, fact in zip(shown, reversed(FACTS), strict=True))


def test_list_is_filtered_and_limited_to_instance_and_end_user(
    call: Call, scope: ToolContext, store_memory: Store, private: Instance
) -> None:
    store_memory("The diary’s secret.", into=private)
    store_memory("Imre likes boats.", end_user="imre", category="preference", tags=["boats"])
    store_memory("The user sails.", category="event", tags=["boats", "sport"])

    def contents(end_user: str | None = "", **narrowed: str) -> list[str]:
        within = replace(scope, end_user=end_user)
        page = listed(call("list_memories", within=within, **narrowed))
        return [item.content for item in page.items]

    assert contents() == ["The user sails."]
    assert contents("imre") == ["Imre likes boats."]
    assert contents(None) == ["The user sails.", "Imre likes boats."]
    assert contents(None, category="preference") == ["Imre likes boats."]
    assert contents(None, tag=" Sport ") == ["The user sails."]
    assert contents(None, tag="skiing") == []
    assert call("list_memories", tag="skiing").text == "Nothing is remembered."


@pytest.mark.parametrize("written", ["m{pk}", "{pk}", "[m{pk}]", " M{pk} "])
def test_memory_is_forgotten_by_id(
    written: str, call: Call, scope: ToolContext, store_memory: Store, instance: Instance
) -> None:
    remaining, gone = store_memory("The user sails."), store_memory("The user has a cat.")
    result = call("forget_memory", id=written.format(pk=gone.pk))
    assert (result.ok, result.outcome) == (True, "Archived 1 memory")
    assert result.data == ForgetResult(forgotten=[f"m{gone.pk}"], candidates=[])
    assert list(Memory.objects.all()) == [remaining]
    line = Activity.objects.filter(instance=instance, action="archived").get()
    assert (line.via, line.memory_id, line.by) == ("assistant", gone.pk, None)


def test_id_may_be_a_number(call: Call, store_memory: Store) -> None:
    assert call("forget_memory", id=store_memory("The user sails.").pk).ok
    assert not Memory.objects.exists()


def test_memory_is_forgotten_by_exact_text(call: Call, store_memory: Store) -> None:
    remaining, _ = store_memory("The user sails."), store_memory("The user has a cat.")
    assert call("forget_memory", content="the user  has a CAT.").outcome == "Archived 1 memory"
    assert list(Memory.objects.all()) == [remaining]


def test_fact_is_forgotten_by_key(call: Call, store_memory: Store) -> None:
    remaining = store_memory("The user sails.")
    city = store_memory("The user lives in Lyon.", category="fact", key="home_city", value="Lyon")
    listed_items = listed(call("list_memories")).items
    assert [item.key for item in listed_items] == ["home_city", None]
    assert "fact home_city" in call("list_memories").text
    # An invalid key is not treated as a missing one.
    assert call("forget_memory", key="!!").outcome == "Found nothing to forget"
    result = call("forget_memory", key="Home City")
    assert result.data == ForgetResult(forgotten=[f"m{city.pk}"], candidates=[])
    assert list(Memory.objects.all()) == [remaining]


def test_category_narrows_what_is_forgotten(call: Call, store_memory: Store) -> None:
    fact = store_memory("The user likes seven.", category="fact", key="number", value="7")
    other = store_memory("Seven is lucky.", category="preference", key="number", value="seven")
    assert call("forget_memory", key="number").memory_ids != (fact.pk,)
    assert call("forget_memory", key="number", category="fact").memory_ids == (fact.pk,)
    assert call("forget_memory", content=other.content, category="event").outcome != (
        "Archived 1 memory"
    )
    similar = call("forget_memory", content="lucky seven", category="event")
    assert (similar.ok, similar.outcome) == (False, "Found nothing to forget")
    wrong = call("forget_memory", id=other.pk, category="fact")
    assert (wrong.ok, "only with key or content" in wrong.text) == (False, True)
    assert Memory.objects.get() == other


def test_forgotten_memory_is_not_relearned_from_the_request(
    call: Call, scope: ToolContext, store_memory: Store
) -> None:
    goat = store_memory("The user has a goat called Ada.")
    call("forget_memory", id=f"m{goat.pk}")

    def learn(content: str) -> None:
        assert scope.conversation and scope.message
        said_there = Candidate(
            content, conversation_id=scope.conversation.pk, message_id=scope.message.pk
        )
        remember(scope.instance, [said_there], Writer(Origin.CONVERSATION, Actor(via="extraction")))

    with pytest.raises(Rejected) as caught:
        learn("The user has a goat called Ada.")
    assert caught.value.code == "never_again"
    learn("The user has moved to Lyon.")
    # A later message with the same fact is learned.
    store_memory("The user has a goat called Ada.")
    assert Memory.objects.count() == 2


def test_model_cannot_forbid_a_memory_for_good(
    call: Call, instance: Instance, store_memory: Store
) -> None:
    goat = store_memory("The user has a goat called Ada.")
    call("forget_memory", id=f"m{goat.pk}", never_again=True)
    assert not instance.suppression_rules.exists()


def test_forgotten_memory_can_be_restored(
    call: Call, instance: Instance, store_memory: Store
) -> None:
    goat = store_memory("The user has a goat called Ada.")
    result = call("forget_memory", id=f"m{goat.pk}")
    assert (
        "restore it for 30 days in Keepsake’s bin, /memory/removed/bin?instance=desk."
        in result.text
    )
    assert not Memory.objects.exists()
    assert unarchive(instance, instance.archived.all(), by=Actor()) == 1
    assert Memory.objects.get() == goat


def test_assistant_proposes_and_removes_nothing(
    call: Call, scope: ToolContext, store_memory: Store
) -> None:
    goat = store_memory("The user has a goat called Ada.")
    chatting = replace(scope, removal=Removal.PROPOSE)
    for which in ({"id": f"m{goat.pk}"}, {"content": goat.content}):
        result = call("forget_memory", within=chatting, never_again=True, **which)
        assert (result.ok, result.outcome) == (True, "Proposed to forget 1 memory")
        assert result.proposed == (goat,)
        assert result.data == ForgetResult(forgotten=[], candidates=[])
        assert "has not been forgotten yet" in result.text
    assert Memory.objects.get() == goat
    assert not Activity.objects.exclude(via="test").exists()


def test_agreement_holds_for_what_was_seen(
    call: Call, scope: ToolContext, store_memory: Store, instance: Instance
) -> None:
    goat, cat = store_memory("The user has a goat."), store_memory("Ana lives in Lyon.")
    agreed = {goat.pk: goat.updated_at}
    may_forget = replace(scope, removal=Removal.FORGET, agreed=agreed)
    assert not call("forget_memory", within=may_forget, id=f"m{cat.pk}").ok
    earlier = replace(may_forget, agreed={goat.pk: goat.updated_at - timedelta(seconds=1)})
    changed = call("forget_memory", within=earlier, id=f"m{goat.pk}")
    assert (changed.ok, changed.outcome) == (False, "It had changed")
    assert Memory.objects.count() == 2
    result = call("forget_memory", within=may_forget, id=f"m{goat.pk}")
    assert (result.ok, result.outcome) == (True, "Forgot 1 memory")
    assert Memory.objects.get() == cat
    assert not instance.archived.exists()


def test_several_matches_ask_for_a_choice(
    call: Call, scope: ToolContext, store_memory: Store
) -> None:
    ids = {f"m{store_memory('They sail.', end_user=who).pk}" for who in ("ana", "imre")}
    result = call("forget_memory", within=replace(scope, end_user=None), content="They sail.")
    assert set(candidates(result)) == ids
    assert "Several memories fit." in result.text
    assert result.outcome == "Asked which of 2 memories is meant"
    assert Memory.objects.count() == 2
    # Within one person's memories it is unambiguous.
    assert call("forget_memory", within=replace(scope, end_user="ana"), content="They sail.").ok
    assert Memory.objects.get().end_user == "imre"


def test_no_match_shows_similar_memories(call: Call, store_memory: Store) -> None:
    near = store_memory("The user is allergic to peanuts.")
    store_memory("The user lives in Lyon.")
    result = call("forget_memory", content="peanut allergy")
    assert f"m{near.pk}" in candidates(result)
    assert "No memory fits exactly." in result.text
    assert Memory.objects.count() == 2
    near.refresh_from_db()
    assert near.recall_count == 0


def test_unknown_memory_cannot_be_forgotten(
    call: Call, store_memory: Store, private: Instance
) -> None:
    secret = store_memory("The diary’s secret.", into=private)
    other = store_memory("Imre sails.", end_user="imre")
    for arguments in (
        {"id": f"m{secret.pk}"},
        {"id": f"m{other.pk}"},
        {"id": "m999999999999999999"},
        {"content": "The diary’s secret."},
    ):
        result = call("forget_memory", **arguments)
        assert (result.ok, result.outcome) == (False, "Found nothing to forget")
    assert Memory.objects.count() == 2


def test_activity_records_the_channel(
    call: Call, scope: ToolContext, store_memory: Store, instance: Instance
) -> None:
    program = replace(scope, writer=Writer(Origin.API, Actor(via="mcp ks_abcdef")))
    call("save_memory", within=program, content="The user sails.")
    call("forget_memory", within=program, content="The user sails.")
    assert list(instance.activity.order_by("pk").values_list("action", "via")) == [
        ("created", "mcp ks_abcdef"),
        ("archived", "mcp ks_abcdef"),
    ]
