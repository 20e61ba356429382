"""The endpoint of the usage log: which provider was told something about whom."""

from datetime import datetime
from decimal import Decimal
from typing import Any

from django.http import HttpRequest
from ninja import Query, Router, Schema
from pydantic import Field

from memoryapp.api.auth import instance_named
from memoryapp.api.fields import InstanceId, Moment
from memoryapp.api.operations import of_people
from memoryapp.api.paging import PageIn, PageOut, page_of
from memoryapp.models import Usage
from memoryapp.models.usage import UsageSource

router = Router(tags=["Usage"])


class CallOut(Schema):
    """A call to a model or embedding provider, without any text."""

    id: int
    at: datetime
    purpose: UsageSource = Field(alias="source")
    host: str = Field(description="The server that was called; empty if it is not known.")
    model: str
    user_id: str | None = Field(
        alias="end_user",
        description="Whom it was about; null if that was nobody, several, or is not known.",
    )
    people: int | None = Field(description="How many it was about; null if that is not known.")
    prompt_tokens: int
    completion_tokens: int
    cost: Decimal | None = Field(description="Null if a price was not known.")
    failed: bool = Field(description="True if the provider failed to answer.")

    @staticmethod
    def resolve_failed(call: Usage) -> bool:
        return bool(call.error_kind)


class CallListIn(PageIn):
    """Filters and pagination of a list of calls."""

    instance_id: InstanceId = None
    host: str = Field("", max_length=260, description="Only calls to this server.")
    user_id: str | None = Field(None, max_length=200, description="Only about this person alone.")
    purpose: UsageSource | None = None
    since: Moment | None = Field(None, description="Only calls from then on.")
    before: Moment | None = Field(None, description="Only calls before then.")


class CallListOut(PageOut):
    """One page of calls."""

    items: list[CallOut]


@router.get("/usage", **of_people(CallListOut, "List calls to providers"))
def list_calls(request: HttpRequest, params: Query[CallListIn]) -> dict[str, Any]:
    """List the calls of an instance to model and embedding providers, the latest first: to which
    server, for what, and about whom.
    """
    instance = instance_named(request, params.instance_id)
    person = params.user_id
    rows = Usage.objects.filter(instance=instance).matching(
        host=params.host,
        end_user=None if person is None else instance.canonical_end_user(person),
        source=params.purpose or "",
        since=params.since,
        before=params.before,
    )
    return page_of(rows, params, order=["-at", "-id"])
