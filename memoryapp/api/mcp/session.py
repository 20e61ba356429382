"""One request of an agent: for whom it comes, what it may do, and having it done."""

import json
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from pydantic import BaseModel, Field, ValidationError

from conversations.sanitizer import sanitize
from instances.actor import Actor
from instances.models import ApiKey, Instance
from memoryapp import tools
from memoryapp.models import Origin
from memoryapp.pipeline import Writer

#: Characters of an end user's id, as the models have it.
MAX_USER_CHARACTERS = 200


class Identity(BaseModel):
    """What every tool takes beside its own arguments, where the header says nothing."""

    user_id: str = Field(
        "",
        max_length=MAX_USER_CHARACTERS,
        description="Whom it is about: your id of the person. Only where you serve several.",
    )


class Session:
    """What the holder of *key* may do. *user* is what the header says: then all of it is about this
    person, whatever a model says.
    """

    def __init__(self, key: ApiKey, instance: Instance, user: str) -> None:
        self._key = key
        self._instance = instance
        self._user = sanitize(_decoded(user)).strip()[:MAX_USER_CHARACTERS]

    @cached_property
    def opened(self) -> dict[str, tools.Tool]:
        """The tools that the key opens."""
        return {name: tool for name, tool in tools.TOOLS.items() if tool.needs in self._key.scopes}

    def input_schema(self, tool: tools.Tool) -> dict[str, Any]:
        """What *tool* takes from this visitor."""
        if self._user:
            return tool.input_schema
        schema = Identity.model_json_schema()["properties"]["user_id"]
        schema.pop("title", None)
        return {
            **tool.input_schema,
            "properties": {**tool.input_schema["properties"], "user_id": schema},
        }

    def call(self, name: str, arguments: Mapping[str, Any]) -> tools.ToolResult:
        """Carry out a call; whatever is wrong with it, the result says in words."""
        tool = tools.TOOLS.get(name)
        if tool is not None and name not in self.opened:
            return _refused(
                f"This API key may not {tool.needs.label.lower()}. Whoever manages the instance "
                "can make one that may, in its settings."
            )
        left = dict(arguments)
        try:
            whom = Identity.model_validate({"user_id": left.pop("user_id", None) or ""})
        except ValidationError:
            return _refused(f"user_id: must be a text of at most {MAX_USER_CHARACTERS} characters.")
        asked = sanitize(whom.user_id).strip()
        if self._user and asked not in ("", self._user):
            return _refused("All of this connection is about one person: leave user_id out.")
        scope = tools.ToolContext(
            self._instance,
            Writer(Origin.API, Actor(via=f"mcp {self._key.prefix}")),
            end_user=self._user or asked or None,
        )
        return tools.run(name, json.dumps(left), scope, allowed=self.opened)


def _decoded(header: str) -> str:
    """Headers arrive as Latin-1, whatever they were sent as."""
    try:
        return header.encode("latin-1").decode()
    except UnicodeError:
        return header


def _refused(text: str) -> tools.ToolResult:
    return tools.ToolResult(text, "Refused", ok=False)
