"""The tools that there are, and how they are described to models and programs."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pydantic import BaseModel

from instances.models import Permission
from memoryapp.tools import forget, save, search
from memoryapp.tools import list as listing
from memoryapp.tools.tool_context import ToolContext, ToolResult


@dataclass(frozen=True)
class Tool:
    """A verb with what models are told of it."""

    name: str
    title: str
    #: What an API key must allow for it.
    needs: Permission
    run: Callable[[Any, ToolContext], ToolResult]
    arguments: type[BaseModel]
    returns: type[BaseModel]
    #: For a model that answers in a conversation kept here: what bears on it is recalled, and what
    #: is worth keeping learned, without its doing.
    description: str
    #: For any other one.
    elsewhere: str

    @cached_property
    def input_schema(self) -> dict[str, Any]:
        """What it takes, as JSON schema."""
        return _plain(self.arguments.model_json_schema())

    @cached_property
    def output_schema(self) -> dict[str, Any]:
        """What it returns as data, as JSON schema."""
        return _plain(self.returns.model_json_schema(mode="serialization"))


TOOLS = {
    tool.name: tool
    for tool in (
        Tool(
            search.NAME,
            "Search memory",
            Permission.READ,
            search.search,
            search.Arguments,
            search.SearchResult,
            search.DESCRIPTION,
            search.ELSEWHERE,
        ),
        Tool(
            listing.NAME,
            "List memories",
            Permission.READ,
            listing.list_memories,
            listing.Arguments,
            listing.ListResult,
            listing.DESCRIPTION,
            listing.DESCRIPTION,
        ),
        Tool(
            save.NAME,
            "Save a memory",
            Permission.WRITE,
            save.save,
            save.Arguments,
            save.SaveResult,
            save.DESCRIPTION,
            save.ELSEWHERE,
        ),
        Tool(
            forget.NAME,
            "Forget a memory",
            Permission.DELETE,
            forget.forget,
            forget.Arguments,
            forget.ForgetResult,
            forget.DESCRIPTION,
            forget.DESCRIPTION,
        ),
    )
}


def schemas(names: Iterable[str], *, elsewhere: bool = False) -> list[dict[str, Any]]:
    """Describe the tools called *names* in the form of the OpenAI API, for a model that answers in
    a conversation kept here, or *elsewhere*.
    """
    return [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.elsewhere if elsewhere else tool.description,
                "parameters": tool.input_schema,
            },
        }
        for tool in (TOOLS[name] for name in names)
    ]


def _plain(schema: dict[str, Any]) -> dict[str, Any]:
    """Write *schema* without references and titles, which some models and clients do not follow."""
    definitions = schema.get("$defs", {})

    def written_out(part: Any) -> Any:
        if isinstance(part, list):
            return [written_out(each) for each in part]
        if not isinstance(part, dict):
            return part
        if "$ref" in part:
            named = definitions[part["$ref"].removeprefix("#/$defs/")]
            # What is said where it is used goes before what is said of it in general.
            part = {**named, **{key: value for key, value in part.items() if key != "$ref"}}
        return {
            key: {name: written_out(each) for name, each in value.items()}
            if key == "properties"
            else written_out(value)
            for key, value in part.items()
            # A property may be called title, but then it is no text.
            if key != "$defs" and not (key == "title" and isinstance(value, str))
        }

    plain: dict[str, Any] = written_out(schema)
    return plain
