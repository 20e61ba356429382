"""Arguments as models write them: null, words for it, and lists as texts."""

import dataclasses
import json
from typing import Any

import pytest
from pydantic import BaseModel

from instances.actor import Actor
from instances.models import Instance
from memoryapp import tools
from memoryapp.models import Memory, Origin
from memoryapp.pipeline import Writer
from memoryapp.tools.catalogue import DOCUMENT_TOOLS, TOOLS
from tests.api.conftest import Program, program

__all__ = ["program"]

OPTIONAL = "category importance valid_until expires_days key value tags source_context confidence"
FACT = "The user plays the cello."


def run(instance: Instance, name: str, **arguments: Any) -> tools.ToolResult:
    context = tools.ToolContext(instance, Writer(Origin.API, Actor(via="api")), end_user="ana")
    return tools.run(name, json.dumps(arguments), context, allowed=tools.TOOLS)


NOTHING: list[Any] = [
    None,
    "",
    "null",
    " NULL ",
    "None",
    "undefined",
    "nil",
    "N/A",
    [],
    {},
    float("nan"),
]


@pytest.mark.parametrize("nothing", NOTHING)
def test_nothing_for_an_optional_argument_means_not_given(nothing: Any, instance: Instance) -> None:
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
        (["music", None, ""], ["music"]),
        (["music", 1900], ["1900", "music"]),
        (1900, ["1900"]),
        ("['music', 'strings']", ["music", "strings"]),
        ("[music, strings]", ["music", "strings"]),
        ('["music",]', ["music"]),
        ('"music"', ["music"]),
        ("[null]", []),
        (['["music", "strings"]'], ["music", "strings"]),
        ([["music"]], ["music"]),
        ("音楽、弦", ["弦", "音楽"]),
    ],
)
def test_a_list_in_a_text_is_a_list(tags: Any, stored: list[str], instance: Instance) -> None:
    assert run(instance, tools.SAVE, content=FACT, tags=tags).ok
    assert sorted(Memory.objects.get().tags) == stored


@pytest.mark.parametrize("tags", ['["music"', {"a": 1}, '[1, {"a": 2}]'])
def test_what_is_no_list_is_explained(tags: Any, instance: Instance) -> None:
    result = run(instance, tools.SAVE, content=FACT, tags=tags)
    assert not result.ok and "tags" in result.text


@pytest.mark.parametrize(
    ("name", "arguments", "meant"),
    [
        (tools.SAVE, {"content": FACT, "category": " Preference "}, {"category": "preference"}),
        (tools.SAVE, {"content": FACT, "category": ["fact"]}, {"category": "fact"}),
        (tools.SAVE, {"content": [FACT]}, {"content": FACT}),
        (tools.SAVE, {"content": FACT, "key": "children", "value": 2}, {"value": "2"}),
        (
            tools.SAVE,
            {"content": FACT, "valid_until": " 2031-05-31 "},
            {"valid_until": "2031-05-31"},
        ),
        (tools.SAVE, {"content": "Half \ud83d"}, {"content": "Half \ufffd"}),
        (tools.SAVE, {"arguments": {"content": FACT}}, {"content": FACT}),
        (tools.SAVE, {"input": json.dumps({"content": FACT})}, {"content": FACT}),
        (tools.SAVE, [{"content": FACT}], {"content": FACT}),
        (tools.SAVE, json.dumps({"content": FACT}), {"content": FACT}),
        (tools.SEARCH, {"query": 1900, "category": "all"}, {"query": "1900", "category": None}),
        (tools.SEARCH, {"query": "x", "limit": "10"}, {"limit": 10}),
        (tools.LIST, {"tag": ["music"]}, {"tag": "music"}),
        (tools.FORGET, {"id": 12}, {"id": "12"}),
        (tools.FORGET, {"id": [" m12"], "key": "undefined"}, {"id": "m12", "key": ""}),
        ("fetch", {"id": 12.0}, {"id": "12"}),
    ],
)
def test_arguments_are_read_as_they_are_meant(
    name: str,
    arguments: Any,
    meant: dict[str, Any],
    program: Program,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    taken: list[Any] = []

    def note(checked: BaseModel, context: tools.ToolContext) -> tools.ToolResult:
        taken.append(checked.model_dump(mode="json"))
        return tools.ToolResult("", "")

    tool = dataclasses.replace((TOOLS | DOCUMENT_TOOLS)[name], run=note)
    monkeypatch.setitem(TOOLS if name in TOOLS else DOCUMENT_TOOLS, name, tool)
    tools.run(name, json.dumps(arguments), None, allowed=[name])  # type: ignore[arg-type]
    assert taken.pop().items() >= meant.items()
    if name in TOOLS:
        program.send("POST", f"tools/{name}", arguments)
        assert taken.pop().items() >= meant.items()


@pytest.mark.parametrize("no_person", [None, {}, [], ["ana"], True])
def test_whom_a_call_is_about_is_taken_as_sent(no_person: Any, program: Program) -> None:
    called = {"content": FACT, "user_id": no_person}
    assert "user_id" in program.send("POST", "tools/save_memory", called, 422)["detail"]
    assert not Memory.objects.exists()


@pytest.mark.parametrize("tool", tools.TOOLS.values(), ids=lambda tool: tool.name)
def test_programs_are_told_what_is_optional(tool: tools.Tool) -> None:
    schema = tool.client_schema
    for name, part in schema["properties"].items():
        assert isinstance(part["type"], str), name
        is_optional = name not in schema.get("required", ())
        assert part.get("nullable", False) is is_optional, name
        assert ("default" in part) is is_optional, name
