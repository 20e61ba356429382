"""Endpoints of legal holds: list, set and lift them."""

from datetime import date, datetime
from typing import Any, Literal, Self

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router, Schema, Status
from pydantic import Field, model_validator

from conversations.models import Conversation
from conversations.sanitizer import sanitize
from memoryapp.api.auth import caller_of, instance_named, visible_row
from memoryapp.api.errors import ApiError
from memoryapp.api.fields import In, InstanceId
from memoryapp.api.operations import of_people
from memoryapp.api.paging import PageIn, PageOut, page_of
from memoryapp.api.response_headers import set_location, with_headers
from memoryapp.forgetting import holds
from memoryapp.models import LegalHold

router = Router(tags=["Legal holds"])


class HoldOut(Schema):
    """A legal hold: what is under it cannot be deleted until it is lifted."""

    id: int
    name: str
    scope: Literal["person", "conversation", "period", "instance"]
    user_id: str = Field(alias="end_user", description="Of a hold on a person.")
    conversation_id: int | None = Field(description="Of a hold on a conversation.")
    begins_at: datetime | None = Field(description="Of a hold on a period.")
    ends_at: datetime | None = Field(description="The first moment after the period.")
    set_at: datetime
    set_by: str = Field(alias="set_by_name")
    lifted_at: datetime | None
    lifted_by: str = Field(alias="lifted_by_name")


class HoldListIn(PageIn):
    """Filters and pagination of a list of holds."""

    instance_id: InstanceId = None
    active: bool | None = Field(None, description="Only active ones, or only lifted ones.")


class HoldListOut(PageOut):
    """One page of holds."""

    items: list[HoldOut]


class HoldIn(In):
    """A hold to set: on a person, a conversation, a period, or else on the whole instance."""

    instance_id: InstanceId = None
    name: str = Field(min_length=1, max_length=200, examples=["Case 17/2026"])
    user_id: str | None = Field(None, max_length=200)
    conversation_id: int | None = None
    first_day: date | None = None
    last_day: date | None = None

    @model_validator(mode="after")
    def _on_one_thing(self) -> Self:
        if (self.first_day is None) != (self.last_day is None):
            raise ValueError("A period has a first_day and a last_day.")
        given = (self.user_id, self.conversation_id, self.first_day)
        if sum(each is not None for each in given) > 1:
            raise ValueError("A hold is on one thing: give a person, a conversation or a period.")
        return self


@router.get("/holds", **of_people(HoldListOut, "List legal holds"))
def list_holds(request: HttpRequest, params: Query[HoldListIn]) -> dict[str, Any]:
    """List the holds of an instance, the latest first, lifted ones included."""
    rows = LegalHold.objects.filter(instance=instance_named(request, params.instance_id))
    if params.active is not None:
        rows = rows.filter(lifted_at__isnull=params.active)
    return page_of(rows, params, order=["-set_at", "-id"])


@router.get("/holds/{int:hold_id}", **of_people(HoldOut, "Get a legal hold"))
def read_hold(request: HttpRequest, hold_id: int) -> LegalHold:
    """Return a hold."""
    hold: LegalHold = visible_row(request, LegalHold.objects.all(), hold_id)
    return hold


@router.post(
    "/holds",
    **of_people({201: HoldOut}, "Set a legal hold"),
    openapi_extra=with_headers({201: ["Location"]}),
)
def set_hold(request: HttpRequest, response: HttpResponse, body: HoldIn) -> Status[LegalHold]:
    """Set a hold. From then on, whatever would delete something under it answers 409 with the code
    `on_hold` and the name of the hold.
    """
    instance = instance_named(request, body.instance_id)
    conversation = None
    if body.conversation_id is not None:
        rows = Conversation.objects.filter(instance=instance)
        conversation = visible_row(request, rows, body.conversation_id)
    period = (body.first_day, body.last_day) if body.first_day and body.last_day else None
    try:
        hold = holds.set_hold(
            instance,
            sanitize(body.name),
            by=caller_of(request).actor,
            end_user=None if body.user_id is None else sanitize(body.user_id),
            conversation=conversation,
            period=period,
        )
    except holds.PeriodRefused as error:
        raise ApiError(422, "invalid", str(error)) from error
    set_location(response, "read_hold", hold.pk)
    return Status(201, hold)


@router.post("/holds/{int:hold_id}/lift", **of_people(HoldOut, "Lift a legal hold"))
def lift_hold(request: HttpRequest, hold_id: int) -> LegalHold:
    """Lift a hold. It stays on record; lifting it twice changes nothing."""
    hold: LegalHold = visible_row(request, LegalHold.objects.all(), hold_id)
    holds.lift(hold, by=caller_of(request).actor)
    hold.refresh_from_db()
    return hold
