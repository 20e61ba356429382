"""Arguments as models write them: null, words for it, and lists as texts."""

import json
from typing import Any

import pytest

from instances.actor import Actor
from instances.models import Instance
from memoryapp import tools
from memoryapp.models import Memory, Origin
from memoryapp.pipeline import Writer

OPTIONAL = "category importance valid_until expires_days key value tags source_context confidence"
FACT = "The user plays the cello."


def run(instance: Instance, name: str, **arguments: Any) -> tools.ToolResult:
    context = tools.ToolContext(instance, Writer(Origin.API, Actor(via="api")), end_user="ana")
    return tools.run(name, json.dumps(arguments), context, allowed=tools.TOOLS)


@pytest.mark.parametrize("nothing", [None, "", "null", " NULL ", "None"])
def test_nothing_for_an_optional_argument_means_not_given(
    nothing: str | None, instance: Instance
) -> None:
    result = run(instance, tools.SAVE, content=FACT, **dict.fromkeys(OPTIONAL.split(), nothing))
    assert result.ok, result.text
    memory = Memory.objects.get()
    assert (memory.category, memory.tags, memory.key, memory.valid_until) == (
        "general",
        [],
        "",
        None,
    )
    for name, given in (
        (tools.SEARCH, {"query": "cello", "category": nothing, "limit": nothing}),
        (tools.LIST, {"category": nothing, "tag": nothing, "limit": nothing, "cursor": nothing}),
    ):
        assert "cello" in run(instance, name, **given).text
    forgotten = {"id": nothing, "key": nothing, "content": FACT, "category": nothing}
    assert run(instance, tools.FORGET, **forgotten).ok


def test_a_required_argument_must_be_given(instance: Instance) -> None:
    for nothing in (None, ""):
        assert not run(instance, tools.SAVE, content=nothing).ok
    # A word is a text.
    assert run(instance, tools.SEARCH, query="null").ok


@pytest.mark.parametrize(
    ("tags", "stored"),
    [
        ('["music"]', ["music"]),
        ('["music", "strings"]', ["music", "strings"]),
        ("music", ["music"]),
        ("music, strings", ["music", "strings"]),
        ("[]", []),
        (["music"], ["music"]),
    ],
)
def test_a_list_in_a_text_is_a_list(tags: Any, stored: list[str], instance: Instance) -> None:
    assert run(instance, tools.SAVE, content=FACT, tags=tags).ok
    assert sorted(Memory.objects.get().tags) == stored


@pytest.mark.parametrize("tags", ['["music"', {"a": 1}, 5, '[1, {"a": 2}]'])
def test_what_is_no_list_is_explained(tags: Any, instance: Instance) -> None:
    result = run(instance, tools.SAVE, content=FACT, tags=tags)
    assert not result.ok and "tags" in result.text


@pytest.mark.parametrize("tool", tools.TOOLS.values(), ids=lambda tool: tool.name)
def test_programs_are_told_what_is_optional(tool: tools.Tool) -> None:
    schema = tool.client_schema
    for name, part in schema["properties"].items():
        assert isinstance(part["type"], str), name
        is_optional = name not in schema.get("required", ())
        assert part.get("nullable", False) is is_optional, name
        assert ("default" in part) is is_optional, name
