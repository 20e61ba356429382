"""Endpoints of which model may see what: read and set its rules."""

from typing import Any, Literal

from django.http import HttpRequest
from ninja import Query, Router, Schema
from pydantic import Field

from instances.models import Instance
from instances.tiers import Tier
from memoryapp.api.auth import caller_of, instance_named
from memoryapp.api.errors import ApiError
from memoryapp.api.fields import In, InstanceId, TierName
from memoryapp.api.operations import of_people
from memoryapp.models import Category
from memoryapp.suppression import sending_rules
from memoryapp.suppression.own_areas import MAX_CHARACTERS
from memoryapp.suppression.sending import Scope, SendingRule, rules_of
from memoryapp.suppression.sending_rules import MAX_RULES, MAX_SERVER, SendingRuleRefused

router = Router(tags=["Sending rules"])


class SendingRuleFields(In):
    """A class of what is remembered, which the models of a server are not shown."""

    server: str = Field(
        "",
        max_length=MAX_SERVER,
        description="Server of the models; empty: any that is not one's own.",
        examples=["api.openai.com"],
    )
    area: str = Field(
        "",
        max_length=MAX_CHARACTERS,
        description="Only what is about this area: `health`, `religion`, `politics`, "
        "`sexuality`, `finances`, `minors`, or the name of one of the managers' own.",
    )
    category: Category | Literal[""] = Field(
        "", description="Only what is in memories of this category; empty: of any."
    )
    tier: TierName | None = Field(None, description="Only what is of this tier.")
    scope: Scope | Literal[""] = Field(
        "", description="Only what these people see; empty: anybody."
    )


class SendingRulesOf(Schema):
    """The instance whose rules are meant."""

    instance_id: InstanceId = None


class SendingRulesOut(Schema):
    """All rules of an instance."""

    items: list[SendingRuleFields]


class SendingRulesIn(In):
    """All rules that an instance is to have."""

    instance_id: InstanceId = None
    items: list[SendingRuleFields] = Field(max_length=MAX_RULES)


@router.get("/sending-rules", **of_people(SendingRulesOut, "List sending rules"))
def list_sending_rules(request: HttpRequest, params: Query[SendingRulesOf]) -> dict[str, Any]:
    """List what the models of which server are not shown."""
    return _shown(instance_named(request, params.instance_id))


@router.put("/sending-rules", **of_people(SendingRulesOut, "Set sending rules", 422))
def set_sending_rules(request: HttpRequest, body: SendingRulesIn) -> dict[str, Any]:
    """Set these rules, in the place of all others."""
    instance = instance_named(request, body.instance_id)
    try:
        rules = [
            SendingRule(
                sending_rules.server_named(each.server),
                sending_rules.area_named(instance, each.area),
                each.category,
                Tier.named(each.tier) if each.tier else None,
                each.scope,
            )
            for each in body.items
        ]
        sending_rules.set_rules(instance, rules, by=caller_of(request).actor)
    except SendingRuleRefused as error:
        raise ApiError(422, "invalid", str(error)) from error
    return _shown(instance)


def _shown(instance: Instance) -> dict[str, Any]:
    return {
        "items": [
            rule.as_json() | {"tier": Tier(rule.tier).api_name if rule.tier else None}
            for rule in rules_of(instance)
        ]
    }
