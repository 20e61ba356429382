"""A tool with its description for models and programs."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pydantic import BaseModel

from instances.models import Permission
from memoryapp.tools.tool_context import ToolContext, ToolResult


@dataclass(frozen=True)
class Tool:
    """A verb that a model can call."""

    name: str
    title: str
    #: The permission that an API key needs for it.
    needs: Permission
    run: Callable[[Any, ToolContext], ToolResult]
    arguments: type[BaseModel]
    returns: type[BaseModel]
    #: For a model that answers in a conversation stored here, where recall and extraction happen
    #: without tools.
    description: str
    #: For any other model, if it differs.
    external_description: str = ""

    @cached_property
    def input_schema(self) -> dict[str, Any]:
        """The JSON schema of its arguments."""
        return _plain(self.arguments.model_json_schema())

    @cached_property
    def client_schema(self) -> dict[str, Any]:
        """The same for programs that connect over MCP: each optional argument has one type, says
        that it may be null, and has a default. Not all of them go by what is required.
        """
        schema = self.input_schema
        properties = {
            name: part if name in schema.get("required", ()) else _optional(part)
            for name, part in schema["properties"].items()
        }
        return {**schema, "properties": properties}

    @cached_property
    def output_schema(self) -> dict[str, Any]:
        """The JSON schema of the data that it returns."""
        return _plain(self.returns.model_json_schema(mode="serialization"))


def _optional(part: dict[str, Any]) -> dict[str, Any]:
    """Write the schema of an optional argument: of one type, and ``nullable``."""
    kinds = [each for each in part.get("anyOf", ()) if each.get("type") != "null"]
    if kinds and len({each.get("type") for each in kinds}) == 1:
        # Of several forms of a text, as of a day or a moment, only that it is one.
        only = kinds[0] if len(kinds) == 1 else {"type": kinds[0]["type"]}
        part = {**only, **{key: value for key, value in part.items() if key != "anyOf"}}
    default: list[str] | None = [] if part.get("type") == "array" else None
    return {"default": default, **part, "nullable": True}


def _plain(schema: dict[str, Any]) -> dict[str, Any]:
    """Write *schema* without references and titles, which some models and clients do not follow."""
    definitions = schema.get("$defs", {})

    def written_out(part: Any) -> Any:
        if isinstance(part, list):
            return [written_out(each) for each in part]
        if not isinstance(part, dict):
            return part
        if "$ref" in part:
            definition = definitions[part["$ref"].removeprefix("#/$defs/")]
            # A description at the place of use replaces the general one.
            part = {**definition, **{key: value for key, value in part.items() if key != "$ref"}}
        return {
            key: {name: written_out(each) for name, each in value.items()}
            if key == "properties"
            else written_out(value)
            for key, value in part.items()
            # A property may be called title, but then its value is not a text.
            if key != "$defs" and not (key == "title" and isinstance(value, str))
        }

    plain: dict[str, Any] = written_out(schema)
    return plain
