"""The latest requests with a key: which are noted, which are refused, and the endpoint for them."""

from datetime import datetime
from typing import Any, Literal

from django.http import HttpRequest
from ninja import Router, Schema
from pydantic import Field

from conversations.sanitizer import sanitize
from memoryapp.api.auth import caller_of
from memoryapp.api.errors import ApiError
from memoryapp.api.operations import anyone
from memoryapp.models import KeyRequest, RequestDoor, RequestRemark
from memoryapp.models.key_requests import PERSON_REQUIRED

router = Router(tags=["Instances"])

#: How many of the requests are listed.
LISTED = 50


class KeyRequestOut(Schema):
    """Outcome of a request."""

    at: datetime
    door: Literal["v1", "rest", "mcp", "mem0"] = Field(
        description="Interface that it came through."
    )
    client: str = Field(description="Name of the client, from its `User-Agent`.")
    user_id: str = Field(alias="end_user")
    kept: int = Field(description="Number of messages or memories that were stored.")
    remark: Literal[
        "", "client_task", "store_false", "no_person", "memory_off", "nothing_new", "held"
    ] = Field(description="Why nothing was stored, or learned; empty if it was.")


class KeyRequestsOut(Schema):
    """The latest requests with a key."""

    name: str = Field(description="Name of the key.")
    items: list[KeyRequestOut]


@router.get("/key/requests", **anyone(KeyRequestsOut, "List the latest requests with this key"))
def list_requests(request: HttpRequest) -> dict[str, Any]:
    """List what became of the latest 50 requests with the key of this request, of the last 30 days:
    calls of `/v1`, and of the other interfaces those that store something. No texts.
    """
    key = caller_of(request).key
    if key is None:
        raise ApiError(400, "key_required", "Send the API key whose requests you want to see.")
    return {"name": key.name, "items": list(key.requests.all()[:LISTED])}


def require_person(
    request: HttpRequest, end_user: str, door: RequestDoor = RequestDoor.REST
) -> None:
    """Raise `ApiError` if the key of *request* requires a person, and *end_user* names none."""
    key = caller_of(request).key
    if key is None or not key.requires_person or sanitize(end_user).strip():
        return
    note_request(request, "", door, remark=RequestRemark.NO_PERSON)
    raise ApiError(400, PERSON_REQUIRED, "This key requires a person: send their ID as user_id.")


def note_request(
    request: HttpRequest,
    end_user: str,
    door: RequestDoor = RequestDoor.REST,
    *,
    kept: int = 0,
    remark: str = "",
) -> None:
    """List *request* for its key, if it has one."""
    KeyRequest.objects.note(
        caller_of(request).key,
        door,
        client=request.headers.get("User-Agent", ""),
        end_user=end_user,
        kept=kept,
        remark=remark,
    )
