"""Endpoints of end users: their file, and its erasure."""

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from ninja import Query, Router, Schema, Status
from pydantic import Field

from conversations.downloads import download
from conversations.sanitizer import sanitize
from memoryapp.api.auth import caller_of, instance_named
from memoryapp.api.errors import ApiError
from memoryapp.api.fields import In, InstanceId
from memoryapp.api.operations import of_people
from memoryapp.api.paging import PageIn, PageOut, page_of
from memoryapp.models import Activity, Erasure
from memoryapp.people import export
from memoryapp.people.erasure import NothingKept, ask_for_erasure
from memoryapp.people.inventory import Person, counts_of
from memoryapp.tasks.dispatch import hand_over_erasure

router = Router(tags=["People"])


class PersonIn(Schema):
    """An end user of an instance."""

    instance_id: InstanceId = None
    user_id: str = Field(max_length=200, description="ID of the end user.")

    def person(self, request: HttpRequest) -> Person:
        instance = instance_named(request, self.instance_id)
        return Person.of(instance, sanitize(self.user_id))


class InventoryOut(Schema):
    """Inventory of what is kept about an end user."""

    user_ids: list[str] = Field(description="All IDs of the person; the first is the stored one.")
    tables: dict[str, int] = Field(description="Number of rows in each table that has any.")


@router.get("/people/inventory", **of_people(InventoryOut, "List what is kept about a person"))
def read_inventory(request: HttpRequest, params: Query[PersonIn]) -> dict[str, Any]:
    """Return the number of rows about an end user in each table."""
    person = params.person(request)
    return {"user_ids": list(person.ids), "tables": counts_of(person)}


@router.get(
    "/people/export",
    **of_people({200: None}, "Export a person's file"),
    openapi_extra={
        "responses": {
            200: {
                "description": "A zip archive.",
                "content": {"application/zip": {"schema": {"type": "string", "format": "binary"}}},
            }
        }
    },
)
def export_person(request: HttpRequest, params: Query[PersonIn]) -> HttpResponseBase:
    """Return everything that is kept about an end user as a zip archive, with pages to read and
    JSON lines for programs. Secrets in what was said are masked.
    """
    person = params.person(request)
    record = person.instance.activity.record
    record(caller_of(request).actor, Activity.Action.FILE_EXPORTED, end_user=person.ids[0])
    return download(
        request,
        export.archive_of(person),
        name=export.filename(person),
        content_type="application/zip",
    )


class ErasureIn(In):
    """A person to erase."""

    instance_id: InstanceId = None
    user_id: str = Field(max_length=200, examples=["ana@example.org"])
    confirm: str = Field(description="The `user_id` once more.", examples=["ana@example.org"])
    rules: bool = Field(False, description="Delete the never-again rules of the person as well.")


class ErasureOut(Schema):
    """An erasure."""

    id: UUID = Field(alias="uid")
    state: Literal["running", "done"]
    asked_at: datetime
    asked_by: str
    finished_at: datetime | None
    rows: int = Field(description="Number of rows that were deleted or stripped so far.")
    error: str = Field(description="Why it waits, or empty.")
    certificate: dict[str, Any] = Field(description="Empty until the erasure is done.")


@router.post("/people/erasures", **of_people({202: ErasureOut}, "Erase a person", 413))
def erase_person(request: HttpRequest, body: ErasureIn) -> Status[Erasure]:
    """Erase everything about an end user, which cannot be undone. Poll the erasure for its
    certificate.
    """
    if body.confirm != body.user_id:
        raise ApiError(422, "not_confirmed", "“confirm” must repeat “user_id”.")
    try:
        erasure = ask_for_erasure(
            instance_named(request, body.instance_id),
            sanitize(body.user_id),
            by=caller_of(request).actor,
            with_rules=body.rules,
        )
    except NothingKept as refused:
        raise ApiError(404, "not_found", str(refused)) from refused
    hand_over_erasure(erasure.pk)
    return Status(202, erasure)


class ErasuresIn(PageIn):
    """Filters and pagination of a list of erasures."""

    instance_id: InstanceId = None
    user_id: str = Field("", description="Only erasures of this end user.")


class ErasuresOut(PageOut):
    """One page of erasures."""

    items: list[ErasureOut]


@router.get("/people/erasures", **of_people(ErasuresOut, "List erasures"))
def list_erasures(request: HttpRequest, params: Query[ErasuresIn]) -> dict[str, Any]:
    """List the erasures of an instance, newest first."""
    instance = instance_named(request, params.instance_id)
    rows = Erasure.objects.filter(instance=instance)
    if params.user_id:
        rows = Erasure.objects.of_person(instance, sanitize(params.user_id))
    return page_of(rows, params, order=["-id"])


@router.get("/people/erasures/{uuid:erasure_id}", **of_people(ErasureOut, "Get an erasure"))
def read_erasure(request: HttpRequest, erasure_id: UUID) -> Erasure:
    """Return an erasure with its certificate."""
    caller = caller_of(request)
    mine = caller.instances().values("pk")
    erasure = get_object_or_404(Erasure, uid=erasure_id, instance__in=mine)
    caller.check_role(erasure.instance_id)
    return erasure
