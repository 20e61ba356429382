"""Endpoints of the tools of a model, for agents with their own loop: descriptions and calls."""

from typing import Any, Literal

from django.http import HttpRequest
from ninja import Router, Schema
from pydantic import Field

from conversations.sanitizer import sanitize
from memoryapp import tools
from memoryapp.api.auth import caller_of, instance_named
from memoryapp.api.fields import In, InstanceId, UserId
from memoryapp.api.operations import anyone, deletes, reads, writes
from memoryapp.models import Origin
from memoryapp.pipeline import Writer
from memoryapp.tools import forget, save, search
from memoryapp.tools import list as listing

router = Router(tags=["Tools"])


class FunctionOut(Schema):
    """The description of a tool for a model."""

    name: str
    description: str
    parameters: dict[str, Any] = Field(description="JSON schema of the arguments.")


class ToolOut(Schema):
    """A tool in the form of the OpenAI API."""

    type: Literal["function"]
    function: FunctionOut


class ToolsOut(Schema):
    """The tools to offer a model."""

    tools: list[ToolOut]


class CalledOut(Schema):
    """The result of a call."""

    ok: bool
    text: str = Field(description="What to tell the model.")


class SearchedOut(CalledOut):
    """The results of a search."""

    data: search.SearchResult | None = Field(
        description="The same for programs; null when it failed."
    )


class ListedOut(CalledOut):
    """A page of memories."""

    data: listing.ListResult | None


class SavedOut(CalledOut):
    """The saved memory."""

    data: save.SaveResult | None


class ForgottenOut(CalledOut):
    """What was deleted, or which memories the call may mean."""

    data: forget.ForgetResult | None


class CallIn(In):
    """The person for whom a tool is called, in addition to the tool's arguments."""

    instanceId: InstanceId = None
    user_id: UserId = ""


class SearchCallIn(CallIn, search.Arguments):
    """A query."""


class ListCallIn(CallIn, listing.Arguments):
    """A page of memories."""


class SaveCallIn(CallIn, save.Arguments):
    """A fact to save."""


class ForgetCallIn(CallIn, forget.Arguments):
    """The memory to delete."""


@router.get("/tools", **anyone(ToolsOut, "List the tools"))
def describe_tools(request: HttpRequest) -> dict[str, Any]:
    """The tools that the caller may call, described for models."""
    scopes = caller_of(request).scopes
    names = [name for name, tool in tools.TOOLS.items() if tool.needs in scopes]
    return {"tools": tools.schemas(names, elsewhere=True)}


@router.post("/tools/search_memory", **reads(SearchedOut, "Call search_memory", 413))
def call_search_memory(request: HttpRequest, body: SearchCallIn) -> dict[str, Any]:
    """Search memories and messages, as a model does."""
    return _called(request, tools.SEARCH, body)


@router.post("/tools/list_memories", **reads(ListedOut, "Call list_memories", 413))
def call_list_memories(request: HttpRequest, body: ListCallIn) -> dict[str, Any]:
    """List memories, as a model does."""
    return _called(request, tools.LIST, body)


@router.post("/tools/save_memory", **writes(SavedOut, "Call save_memory", 413))
def call_save_memory(request: HttpRequest, body: SaveCallIn) -> dict[str, Any]:
    """Save a fact, as a model does."""
    return _called(request, tools.SAVE, body)


@router.post("/tools/forget_memory", **deletes(ForgottenOut, "Call forget_memory", 413))
def call_forget_memory(request: HttpRequest, body: ForgetCallIn) -> dict[str, Any]:
    """Delete a memory, as a model does."""
    return _called(request, tools.FORGET, body)


def _called(request: HttpRequest, name: str, body: CallIn) -> dict[str, Any]:
    context = tools.ToolContext(
        instance_named(request, body.instanceId),
        Writer(Origin.API, caller_of(request).actor),
        end_user=sanitize(body.user_id).strip() or None,
    )
    arguments = body.model_dump_json(exclude=set(CallIn.model_fields))
    result = tools.run(name, arguments, context, allowed=tools.TOOLS)
    return {"ok": result.ok, "text": result.text, "data": result.data}
