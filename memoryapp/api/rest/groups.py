"""Endpoints of groups: list, make, change and remove them."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router, Schema, Status
from pydantic import Field, StrictBool

from instances.models import Agent, Group, Instance
from memoryapp.api.auth import caller_of, instance_named, visible_row
from memoryapp.api.errors import ApiError
from memoryapp.api.fields import In, InstanceId
from memoryapp.api.operations import of_people
from memoryapp.api.paging import PageIn, PageOut, page_of
from memoryapp.api.response_headers import set_location, with_headers
from memoryapp.people.groups import (
    MAX_MEMBERS,
    GroupMembers,
    GroupRefused,
    change_group,
    create_group,
    remove_group,
)

router = Router(tags=["Groups"])


class GroupOut(Schema):
    """A group: people and agents that share memories."""

    id: int
    name: str
    user_id: str = Field(
        alias="shared_id",
        description="The ID of its memories: as `user_id`, it stores what is shared.",
    )
    everyone: bool = Field(description="Whether all people and agents belong to it.")
    people: list[str] = Field(description="The IDs of its people.")
    agents: list[str] = Field(description="The API names of its agents.")

    @staticmethod
    def resolve_people(group: Group) -> list[str]:
        return [member.end_user for member in group.members.all()]

    @staticmethod
    def resolve_agents(group: Group) -> list[str]:
        return [agent.slug for agent in group.agents.all()]


class GroupListIn(PageIn):
    """Pagination of a list of groups."""

    instance_id: InstanceId = None


class GroupListOut(PageOut):
    """One page of groups."""

    items: list[GroupOut]


class GroupFields(In):
    """Name and members of a group."""

    name: str = Field(min_length=1, max_length=100, examples=["Family"])
    everyone: StrictBool = Field(False, description="Whether all people and agents belong to it.")
    people: list[str] = Field(
        default_factory=list, max_length=MAX_MEMBERS, description="The IDs of its people."
    )
    agents: list[str] = Field(
        default_factory=list, max_length=100, description="The API names of its agents."
    )


class GroupIn(GroupFields):
    """A group to make."""

    instance_id: InstanceId = None
    user_id: str = Field(
        "",
        max_length=200,
        description="The ID of its memories; empty: a new one. What is kept under it is shared.",
    )


@router.get("/groups", **of_people(GroupListOut, "List groups"))
def list_groups(request: HttpRequest, params: Query[GroupListIn]) -> dict[str, Any]:
    """List the groups of an instance."""
    rows = Group.objects.filter(instance=instance_named(request, params.instance_id))
    return page_of(rows.prefetch_related("members", "agents"), params, order=["id"])


@router.get("/groups/{int:group_id}", **of_people(GroupOut, "Get a group"))
def read_group(request: HttpRequest, group_id: int) -> Group:
    """Return a group."""
    group: Group = visible_row(request, Group.objects.all(), group_id)
    return group


@router.post(
    "/groups",
    **of_people({201: GroupOut}, "Make a group", 422),
    openapi_extra=with_headers({201: ["Location"]}),
)
def make_group(request: HttpRequest, response: HttpResponse, body: GroupIn) -> Status[Group]:
    """Make a group. From then on, its members are told what is stored with its `user_id`."""
    instance = instance_named(request, body.instance_id)
    members = _members(instance, body)
    try:
        by = caller_of(request).actor
        group = create_group(instance, body.name, members, end_user=body.user_id, by=by)
    except GroupRefused as error:
        raise ApiError(422, "invalid", str(error)) from error
    set_location(response, "read_group", group.pk)
    return Status(201, group)


@router.put("/groups/{int:group_id}", **of_people(GroupOut, "Change a group", 422))
def set_group(request: HttpRequest, group_id: int, body: GroupFields) -> Group:
    """Give a group this name and these members."""
    rows = Group.objects.select_related("instance")
    group: Group = visible_row(request, rows, group_id)
    members = _members(group.instance, body)
    try:
        change_group(group, body.name, members, by=caller_of(request).actor)
    except GroupRefused as error:
        raise ApiError(422, "invalid", str(error)) from error
    return group


@router.delete("/groups/{int:group_id}", **of_people({204: None}, "Remove a group"))
def delete_group(request: HttpRequest, group_id: int) -> Status[None]:
    """Remove a group. What it shared stays, under its `user_id`."""
    rows = Group.objects.select_related("instance")
    group: Group = visible_row(request, rows, group_id)
    remove_group(group, by=caller_of(request).actor)
    return Status(204, None)


def _members(instance: Instance, body: GroupFields) -> GroupMembers:
    agents = list(Agent.objects.filter(instance=instance, slug__in=body.agents))
    if unknown := {*body.agents} - {agent.slug for agent in agents}:
        named = ", ".join(sorted(unknown))
        raise ApiError(422, "invalid", f"There is no agent with the API name {named}.")
    return GroupMembers(body.people, agents, everyone=body.everyone)
