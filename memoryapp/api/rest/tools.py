"""Endpoints of the tools of a model, for agents with their own loop: descriptions and calls."""

from typing import Any, ClassVar, Literal

from django.http import HttpRequest
from ninja import Router, Schema
from pydantic import Field

from conversations.sanitizer import sanitize
from instances.tiers import Tier
from memoryapp import tools
from memoryapp.api.auth import caller_of, instance_named
from memoryapp.api.fields import In, InstanceId, UserId
from memoryapp.api.key_requests import require_person
from memoryapp.api.operations import anyone, deletes_own, reads_own, writes_own
from memoryapp.api.rest.memory_create import note_stored
from memoryapp.models import Origin
from memoryapp.pipeline import Writer
from memoryapp.tools import forget, save, search
from memoryapp.tools import list as listing

router = Router(tags=["Tools"])


class FunctionOut(Schema):
    """Description of a tool for a model."""

    name: str
    description: str
    parameters: dict[str, Any] = Field(description="JSON Schema of the arguments.")


class ToolOut(Schema):
    """A tool in the format of the OpenAI API."""

    type: Literal["function"]
    function: FunctionOut


class ToolsOut(Schema):
    """Tools to offer to a model."""

    tools: list[ToolOut]


class CalledOut(Schema):
    """Result of a tool call."""

    ok: bool
    text: str = Field(description="Result as text for the model.")


class SearchedOut(CalledOut):
    """Result of `search_memory`."""

    data: search.SearchResult | None = Field(
        description="Result as structured data, or null if the call failed."
    )


class ListedOut(CalledOut):
    """Result of `list_memories`."""

    data: listing.ListResult | None


class SavedOut(CalledOut):
    """Result of `save_memory`."""

    data: save.SaveResult | None


class ForgottenOut(CalledOut):
    """Result of `forget_memory`: the archived memory, or the candidates if it is ambiguous."""

    data: forget.ForgetResult | None


class CallIn(In):
    """The instance and the end user of a tool call, in addition to the arguments of the tool."""

    # A value that is no id is refused: the fact would be stored for no person.
    taken_as_sent: ClassVar[frozenset[str]] = frozenset({"instance_id", "user_id"})

    instance_id: InstanceId = None
    user_id: UserId = ""


class SearchCallIn(CallIn, search.SearchArguments):
    """Arguments of `search_memory`."""


class ListCallIn(CallIn, listing.ListArguments):
    """Arguments of `list_memories`."""


class SaveCallIn(CallIn, save.SaveArguments):
    """Arguments of `save_memory`."""


class ForgetCallIn(CallIn, forget.ForgetArguments):
    """Arguments of `forget_memory`."""


@router.get("/tools", **anyone(ToolsOut, "List tools"))
def describe_tools(request: HttpRequest) -> dict[str, Any]:
    """List the tools that the caller has permission to call, with descriptions for models."""
    scopes = caller_of(request).scopes
    names = [name for name, tool in tools.TOOLS.items() if tool.needs in scopes]
    return {"tools": tools.schemas(names, external=True)}


@router.post("/tools/search_memory", **reads_own(SearchedOut, "Call search_memory", 413))
def call_search_memory(request: HttpRequest, body: SearchCallIn) -> dict[str, Any]:
    """Call the `search_memory` tool: search memories and messages."""
    return _called(request, tools.SEARCH, body)


@router.post("/tools/list_memories", **reads_own(ListedOut, "Call list_memories", 413))
def call_list_memories(request: HttpRequest, body: ListCallIn) -> dict[str, Any]:
    """Call the `list_memories` tool: list memories."""
    return _called(request, tools.LIST, body)


@router.post("/tools/save_memory", **writes_own(SavedOut, "Call save_memory", 413))
def call_save_memory(request: HttpRequest, body: SaveCallIn) -> dict[str, Any]:
    """Call the `save_memory` tool: store a fact."""
    return _called(request, tools.SAVE, body)


@router.post("/tools/forget_memory", **deletes_own(ForgottenOut, "Call forget_memory", 413))
def call_forget_memory(request: HttpRequest, body: ForgetCallIn) -> dict[str, Any]:
    """Call the `forget_memory` tool: put a memory in the bin, from which people can restore it."""
    return _called(request, tools.FORGET, body)


def _called(request: HttpRequest, name: str, body: CallIn) -> dict[str, Any]:
    caller = caller_of(request)
    require_person(request, body.user_id)
    # A model makes the call, in words of its own.
    context = tools.ToolContext(
        instance_named(request, body.instance_id, body),
        Writer(Origin.API, caller.actor, tier=min(caller.tier, Tier.ASSISTANT)),
        end_user=sanitize(body.user_id).strip() or None,
        reach=caller.reach,
    )
    arguments = body.model_dump_json(exclude=set(CallIn.model_fields))
    result = tools.run(name, arguments, context, allowed=tools.TOOLS)
    if name == tools.SAVE:
        note_stored(request, body.user_id, [{"action": getattr(result.data, "action", None)}])
    return {"ok": result.ok, "text": result.text, "data": result.data}
