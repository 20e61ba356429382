"""Endpoints of retention: list, set and remove its rules, and what one would delete."""

from datetime import datetime
from typing import Any, Literal

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router, Schema, Status
from pydantic import Field

from instances.tiers import Tier
from memoryapp.api.auth import caller_of, instance_named, visible_row
from memoryapp.api.errors import ApiError
from memoryapp.api.fields import In, InstanceId, TierName
from memoryapp.api.operations import of_people
from memoryapp.api.paging import PageIn, PageOut, page_of
from memoryapp.api.response_headers import set_location, with_headers
from memoryapp.forgetting import retention
from memoryapp.models import Category, Kept, Origin, RetentionRule

router = Router(tags=["Retention"])


class RuleFields(Schema):
    """Fields of a rule: the rows that it is for, and for how long it keeps them."""

    kept: Kept = Field(description="The kind of rows.")
    days: int = Field(ge=1, description="Days after which they are deleted.", examples=[365])
    category: Category | Literal[""] = Field(
        "", description="Of memories: only of this category; empty: of any."
    )
    tier: TierName | None = Field(None, description="Of memories: only of this tier.")
    origin: Origin | Literal[""] = Field(
        "", description="Of memories: only with this origin; empty: with any."
    )
    tag: str = Field("", max_length=50, description="Of memories: only with this tag.")


class RuleOut(RuleFields):
    """A rule: rows of a kind are deleted so many days after they were last said or changed."""

    id: int
    created_at: datetime


class RuleIn(RuleFields, In):
    """A rule to set."""

    instance_id: InstanceId = None


class RulePreviewIn(RuleFields):
    """A rule to try."""

    instance_id: InstanceId = None


class RuleListIn(PageIn):
    """Pagination of a list of rules."""

    instance_id: InstanceId = None


class RuleListOut(PageOut):
    """One page of rules."""

    items: list[RuleOut]


class RulePreviewOut(Schema):
    """Effect that a rule would have."""

    due: int = Field(description="Number of rows that the next night deletes.")
    oldest: datetime | None = Field(description="When the oldest of them was last changed.")
    next_at: datetime | None = Field(description="When the first of the others is due.")


@router.get("/retention", **of_people(RuleListOut, "List retention rules"))
def list_rules(request: HttpRequest, params: Query[RuleListIn]) -> dict[str, Any]:
    """List the retention rules of an instance."""
    rows = RetentionRule.objects.filter(instance=instance_named(request, params.instance_id))
    return page_of(rows, params, order=["id"])


@router.get("/retention/preview", **of_people(RulePreviewOut, "Preview a retention rule", 422))
def preview_rule(request: HttpRequest, params: Query[RulePreviewIn]) -> retention.Preview:
    """Return what a rule would delete, without setting it."""
    return retention.preview(_rule(request, params))


@router.get("/retention/{int:rule_id}", **of_people(RuleOut, "Get a retention rule"))
def read_rule(request: HttpRequest, rule_id: int) -> RetentionRule:
    """Return a rule."""
    rule: RetentionRule = visible_row(request, RetentionRule.objects.all(), rule_id)
    return rule


@router.post(
    "/retention",
    **of_people({201: RuleOut}, "Set a retention rule", 422),
    openapi_extra=with_headers({201: ["Location"]}),
)
def set_rule(request: HttpRequest, response: HttpResponse, body: RuleIn) -> Status[RetentionRule]:
    """Set a rule, in the place of one for the same rows. What is due by it is deleted in the next
    night, except what is under a legal hold.
    """
    rule = retention.set_rule(_rule(request, body), by=caller_of(request).actor)
    set_location(response, "read_rule", rule.pk)
    return Status(201, rule)


@router.delete("/retention/{int:rule_id}", **of_people({204: None}, "Remove a retention rule"))
def remove_rule(request: HttpRequest, rule_id: int) -> Status[None]:
    """Remove a rule. What has not been deleted by then is kept."""
    rows = RetentionRule.objects.select_related("instance")
    rule: RetentionRule = visible_row(request, rows, rule_id)
    retention.remove_rule(rule, by=caller_of(request).actor)
    return Status(204, None)


def _rule(request: HttpRequest, given: RuleIn | RulePreviewIn) -> RetentionRule:
    try:
        return retention.new_rule(
            instance_named(request, given.instance_id),
            given.kept,
            given.days,
            category=given.category,
            tier=Tier.named(given.tier) if given.tier else None,
            origin=given.origin,
            tag=given.tag,
        )
    except retention.RuleRefused as error:
        raise ApiError(422, "invalid", str(error)) from error
