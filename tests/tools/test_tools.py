"""The tools: effects, results for the model, and errors that do not fail the answer."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest
from django.db import OperationalError
from django.utils import timezone

from conversations.models import Conversation
from instances.models import Instance
from instances.tiers import Tier
from memoryapp import tools
from memoryapp.models import Memory, MemorySource
from memoryapp.tools import ToolContext, ToolResult, search
from tests.palace_factories import file_turn

pytestmark = pytest.mark.django_db
Store = Callable[..., Memory]
Call = Callable[..., ToolResult]


def test_schemas_describe_the_parameters() -> None:
    described = {each["function"]["name"]: each["function"] for each in tools.schemas(tools.TOOLS)}
    assert described.keys() == {"search_memory", "list_memories", "save_memory", "forget_memory"}
    for function in described.values():
        assert re.search("Use it (only )?when", function["description"])
        assert "Do not use it" in function["description"]
        assert all("description" in p for p in function["parameters"]["properties"].values())
    assert described["search_memory"]["parameters"]["required"] == ["query"]
    assert described["save_memory"]["parameters"]["required"] == ["content"]
    # Some models do not follow references.
    assert "$" not in json.dumps(described)
    category = described["save_memory"]["parameters"]["properties"]["category"]
    assert "preference" in category["anyOf"][0]["enum"]


def test_search_finds_memories_and_messages_of_other_conversations(
    call: Call, store_memory: Store, instance: Instance, store_message: Callable[..., Any]
) -> None:
    memory = store_memory("The user is allergic to peanuts.", category="fact")
    elsewhere = Conversation.objects.create(instance=instance)
    said = store_message(elsewhere, "Peanuts are cheap at the corner shop.")
    result = call("search_memory", query="peanuts")
    assert result.ok
    assert f"[m{memory.pk}]" in result.text
    assert f"[s{said.pk}]" in result.text
    # The conversation itself is known already.
    assert "hospital" not in result.text
    assert result.memory_ids == (memory.pk,)
    assert result.outcome == "Found 1 memory and 1 earlier message"
    memory.refresh_from_db()
    assert memory.recall_count == 1


def test_pointer_finds_its_message(
    call: Call, instance: Instance, store_message: Callable[..., Any]
) -> None:
    elsewhere = Conversation.objects.create(instance=instance)
    drawer = file_turn(store_message(elsewhere, "Peanuts are cheap at the corner shop."), "Shops")
    result = call("search_memory", query=str(drawer))
    assert f"[{drawer}]" in result.text and "corner shop" in result.text
    assert result.outcome == "Found 1 earlier message"


def test_search_for_something_unrelated_finds_nothing(call: Call, store_memory: Store) -> None:
    memory = store_memory("The user is allergic to peanuts.")
    for query in ("capital of Mongolia", "thanks!", "write a haiku about the sea"):
        result = call("search_memory", query=query)
        assert (result.text, result.outcome) == (
            "Nothing is remembered about this.",
            "Found nothing",
        )
    memory.refresh_from_db()
    assert memory.recall_count == 0


def test_search_is_limited_to_instance_and_end_user(
    call: Call, scope: ToolContext, store_memory: Store, private: Instance
) -> None:
    store_memory("Peanuts are the diary’s secret.", into=private)
    store_memory("Imre eats peanuts daily.", end_user="imre")
    assert call("search_memory", query="peanuts").outcome == "Found nothing"
    of_imre = replace(scope, end_user="imre")
    assert "Imre" in call("search_memory", within=of_imre, query="peanuts").text


def test_search_can_be_filtered(call: Call, store_memory: Store) -> None:
    for number in range(3):
        store_memory(f"The user bought {number} boats.", category="event")
    store_memory("The user likes boats.", category="preference")
    assert call("search_memory", query="boats", limit=2).outcome == "Found 2 memories"
    narrowed = call("search_memory", query="boats", category="preference")
    assert narrowed.outcome == "Found 1 memory"


def test_saving_takes_the_write_path_and_links_the_message(call: Call, scope: ToolContext) -> None:
    result = call(
        "save_memory",
        content="The user is called Ines.",
        category="fact",
        importance=8,
        valid_until="2031-01-31",
        tags=["Person"],
    )
    memory = Memory.objects.get()
    assert (result.text, result.outcome) == (f"[m{memory.pk}] stored.", "Remembered")
    assert result.memory_ids == (memory.pk,)
    assert (memory.content, memory.category, memory.importance) == (
        "The user is called Ines.",
        "fact",
        8,
    )
    assert (memory.valid_until, memory.tags, memory.assessed) == (
        date(2031, 1, 31),
        ["person"],
        True,
    )
    assert MemorySource.objects.get().message == scope.message
    assert call("save_memory", content="The user is called Ines.").outcome == "Known already"
    assert Memory.objects.count() == 1


def test_keyed_fact_is_saved_once_with_the_value_of_the_highest_tier(
    call: Call, store_memory: Store
) -> None:
    home = {"category": "fact", "key": "Home City"}
    first = call("save_memory", content="Ines lives in Lyon.", value="Lyon", **home)
    memory = Memory.objects.get()
    assert (memory.key, memory.value) == ("home_city", "Lyon")
    moved = call("save_memory", content="Ines lives in Gent.", value="Gent", **home)
    assert moved.memory_ids == first.memory_ids
    Memory.objects.update(tier=Tier.PERSON)
    otherwise = call("save_memory", content="Ines lives in Rome.", value="Rome", **home)
    assert otherwise.outcome == "Held for review"
    assert "waits until a person has reviewed it" in otherwise.text
    assert Memory.objects.get().value == "Gent"
    half = call("save_memory", content="Ines lives in Rome.", key="home_city")
    assert (half.ok, "belong together" in half.text) == (False, True)


def test_saved_memory_may_end_after_some_days_and_say_where_it_comes_from(
    call: Call, scope: ToolContext
) -> None:
    result = call(
        "save_memory",
        content="The user is in Porto.",
        expires_days=10,
        source_context="while planning the trip",
        confidence=30,
    )
    assert result.ok
    memory = Memory.objects.get()
    assert memory.valid_until == scope.instance.date_of(timezone.now()) + timedelta(days=10)
    assert memory.metadata == {"source_context": "while planning the trip"}
    assert memory.confidence == 30
    both = call("save_memory", content="It rains.", expires_days=1, valid_until="2031-01-31")
    assert (both.ok, "either valid_until or expires_days" in both.text) == (False, True)


def test_confidence_does_not_lift_the_tier(call: Call) -> None:
    home = {"category": "fact", "key": "home_city"}
    call("save_memory", content="Ines lives in Lyon.", value="Lyon", confidence=80, **home)
    guess = call("save_memory", content="Ines lives in Gent.", value="Gent", confidence=30, **home)
    assert guess.outcome in ("Known otherwise", "Held for review")
    Memory.objects.update(tier=Tier.PERSON)
    sure = call("save_memory", content="Ines lives in Rome.", value="Rome", confidence=100, **home)
    assert sure.outcome == "Held for review"
    assert Memory.objects.get().value == "Lyon"


def test_saved_memory_belongs_to_the_end_user_of_the_conversation(
    call: Call, scope: ToolContext
) -> None:
    call("save_memory", within=replace(scope, end_user="imre"), content="The user is called Imre.")
    assert Memory.objects.get().end_user == "imre"


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("search_memory", "{}", "query: Field required"),
        ("search_memory", "", "query: Field required"),
        ("search_memory", '{"query": ""}', "query: String should have at least 1 character"),
        ("search_memory", '{"query": "x", "limit": 99}', "limit"),
        ("search_memory", '{"query": "x", "category": "rumour"}', "category"),
        ("search_memory", "[1]", "arguments"),
        ("search_memory", '{"query": "x"', "Invalid JSON"),
        ("save_memory", '{"content": "Secret words.", "importance": 11}', "importance"),
        ("save_memory", '{"content": "Secret words.", "valid_until": "soon"}', "valid_until"),
        ("save_memory", '{"content": "Secret words.", "valid_until": 0}', "write it as 2031-05-31"),
        ("save_memory", '{"content": "  \\n "}', "Enter a text"),
        ("drop_memory", "{}", "There are: search_memory, list_memories, save_memory, forget"),
        ("list_memories", '{"limit": 51}', "limit"),
        ("list_memories", '{"cursor": "Secret"}', "This cursor is not one that list_memories gave"),
        ("forget_memory", "{}", "arguments: give either id, key or content"),
        ("forget_memory", '{"id": "", "content": " "}', "give either id, key or content"),
        ("forget_memory", '{"id": "m1", "content": "Secret"}', "give either id, key or content"),
        ("forget_memory", '{"id": "s1"}', "id: must be the id of a memory, such as m12"),
        ("forget_memory", '{"id": "m1 or m2"}', "id: must be the id of a memory"),
    ],
)
def test_errors_are_returned_to_the_model(
    name: str, arguments: str, told: str, scope: ToolContext
) -> None:
    result = tools.run(name, arguments, scope, allowed=tools.TOOLS)
    assert not result.ok
    assert told in result.text
    # Nothing of the model's text is stored.
    assert "Secret" not in result.outcome + result.text
    assert not Memory.objects.exists()


def test_unavailable_tool_does_not_run(scope: ToolContext) -> None:
    arguments = '{"content": "The user is called Ines."}'
    result = tools.run("save_memory", arguments, scope, allowed=[tools.SEARCH])
    assert result.outcome == "No such tool"
    assert not Memory.objects.exists()


@pytest.mark.parametrize("error", [OperationalError("row (Peanuts)"), ZeroDivisionError()])
def test_failing_tool_returns_a_generic_error(
    error: Exception,
    call: Call,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def fail(*args: Any, **kwargs: Any) -> None:
        raise error

    monkeypatch.setattr(search, "recall", fail)
    result = call("search_memory", query="x")
    assert (result.ok, result.outcome) == (False, "It failed")
    assert "search_memory failed" in caplog.text
    assert "Peanuts" not in caplog.text


def test_saved_fact_without_category_and_importance_is_rated(call: Call) -> None:
    assert call("save_memory", content="The user's son is allergic to walnuts.").ok
    memory = Memory.objects.get()
    assert (memory.category, memory.importance) == ("fact", 9)
