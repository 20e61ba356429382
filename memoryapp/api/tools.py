"""The tools of a model over REST, for agents that run a loop of their own: what to tell the model,
and carrying out what it calls.
"""

from typing import Any, Literal

from django.http import HttpRequest
from ninja import Router, Schema
from pydantic import BaseModel, Field

from conversations.sanitizer import sanitize
from memoryapp import tools
from memoryapp.api.auth import (
    DELETE,
    READ,
    WRITE,
    caller_of,
    instance_named,
    needs,
)
from memoryapp.api.errors import problems
from memoryapp.api.fields import In, InstanceId, UserId
from memoryapp.models import Origin
from memoryapp.pipeline import Writer
from memoryapp.tools import forget, save, search
from memoryapp.tools import list as listing

router = Router(tags=["Tools"])


class FunctionOut(Schema):
    """A tool as a model is told of it."""

    name: str
    description: str
    parameters: dict[str, Any] = Field(description="JSON schema of the arguments.")


class ToolOut(Schema):
    """A tool in the form of the OpenAI API."""

    type: Literal["function"]
    function: FunctionOut


class ToolsOut(Schema):
    """What may be given to a model."""

    tools: list[ToolOut]


class CalledOut(Schema):
    """What came of a call."""

    ok: bool
    text: str = Field(description="What to tell the model.")


class SearchedOut(CalledOut):
    """What a search found."""

    data: search.SearchResult | None = Field(
        description="The same for programs; null when it failed."
    )


class ListedOut(CalledOut):
    """What there is."""

    data: listing.ListResult | None


class SavedOut(CalledOut):
    """What is remembered now."""

    data: save.SaveResult | None


class ForgottenOut(CalledOut):
    """What was deleted, or may be meant."""

    data: forget.ForgetResult | None


class CallIn(In):
    """For whom a tool is called. The arguments of the tool stand beside it."""

    instanceId: InstanceId = None
    user_id: UserId = ""


class SearchCallIn(CallIn, search.Arguments):
    """A question."""


class ListCallIn(CallIn, listing.Arguments):
    """Which page of which memories."""


class SaveCallIn(CallIn, save.Arguments):
    """A fact to keep."""


class ForgetCallIn(CallIn, forget.Arguments):
    """What to delete."""


@router.get(
    "/tools", auth=needs(None), response={200: ToolsOut, **problems()}, summary="List the tools"
)
def describe_tools(request: HttpRequest) -> dict[str, Any]:
    """The tools that the caller may call, as models are told of them."""
    scopes = caller_of(request).scopes
    names = [name for name, tool in tools.TOOLS.items() if tool.needs in scopes]
    return {"tools": tools.schemas(names, elsewhere=True)}


@router.post(
    "/tools/search_memory",
    auth=READ,
    response={200: SearchedOut, **problems(413)},
    summary="Call search_memory",
)
def call_search_memory(request: HttpRequest, body: SearchCallIn) -> dict[str, Any]:
    """Search memories and messages, as a model does."""
    return _called(request, tools.SEARCH, body)


@router.post(
    "/tools/list_memories",
    auth=READ,
    response={200: ListedOut, **problems(413)},
    summary="Call list_memories",
)
def call_list_memories(request: HttpRequest, body: ListCallIn) -> dict[str, Any]:
    """Look through the memories, as a model does."""
    return _called(request, tools.LIST, body)


@router.post(
    "/tools/save_memory",
    auth=WRITE,
    response={200: SavedOut, **problems(413)},
    summary="Call save_memory",
)
def call_save_memory(request: HttpRequest, body: SaveCallIn) -> dict[str, Any]:
    """Keep a fact, as a model does."""
    return _called(request, tools.SAVE, body)


@router.post(
    "/tools/forget_memory",
    auth=DELETE,
    response={200: ForgottenOut, **problems(413)},
    summary="Call forget_memory",
)
def call_forget_memory(request: HttpRequest, body: ForgetCallIn) -> dict[str, Any]:
    """Delete a memory, as a model does: only the one that is meant."""
    return _called(request, tools.FORGET, body)


def _called(request: HttpRequest, name: str, body: CallIn) -> dict[str, Any]:
    caller = caller_of(request)
    scope = tools.ToolContext(
        instance_named(request, body.instanceId),
        Writer(Origin.API, caller.actor),
        end_user=sanitize(body.user_id).strip() or None,
    )
    arguments = body.model_dump_json(exclude=set(CallIn.model_fields))
    result = tools.run(name, arguments, scope, allowed=tools.TOOLS)
    data: BaseModel | None = result.data
    return {"ok": result.ok, "text": result.text, "data": data}
