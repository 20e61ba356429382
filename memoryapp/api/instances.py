"""Instances with their settings, and the identity of the caller."""

from datetime import datetime
from typing import Any

from django.http import HttpRequest
from ninja import Query, Router, Schema
from pydantic import Field

from instances.models import Instance, Permission
from memoryapp.api.auth import (
    READ,
    caller_of,
    instance_named,
    needs,
)
from memoryapp.api.errors import problems
from memoryapp.api.paging import PageIn, PageOut, page_of

router = Router(tags=["Instances"])


class InstanceOut(Schema):
    """One assistant with a memory of its own."""

    id: int
    slug: str
    name: str
    private: bool
    created_at: datetime

    @staticmethod
    def resolve_private(instance: Instance) -> bool:
        return instance.private_to_id is not None


class AgentOut(Schema):
    """A named persona."""

    slug: str
    name: str
    recall_enabled: bool = Field(description="False: it answers without what is remembered.")


class InstanceDetailOut(InstanceOut):
    """An instance with its settings: neither keys nor the addresses of private servers."""

    memory_enabled: bool
    extract_when: str
    stale_minutes: int = Field(description="With `stale`: minutes in which nothing is said.")
    palace_enabled: bool = Field(description="Whether each turn is filed, word for word.")
    provider: str = Field(description="Who reads conversations; empty: nobody yet.")
    has_language_model: bool
    embedding_provider: str
    has_embeddings: bool = Field(description="False: search finds by words only.")
    dedup_exact: float
    dedup_update: float
    dedup_merge: float
    merge_with_model: bool
    recall_enabled: bool
    turns_enabled: bool = Field(description="Whether the assistant is shown turns as well.")
    rerank_enabled: bool = Field(description="Whether a model picks what the assistant is shown.")
    rerank_model: str = Field(description="Empty: the one that reads conversations.")
    time_zone: str
    language: str
    agents: list[AgentOut]


class InstancesOut(PageOut):
    """One page of instances."""

    items: list[InstanceOut]


@router.get(
    "/instances", auth=READ, response={200: InstancesOut, **problems()}, summary="List instances"
)
def list_instances(request: HttpRequest, page: Query[PageIn]) -> dict[str, Any]:
    """Those that you may see: with an API key, its own."""
    return page_of(caller_of(request).instances(), page, order=["id"])


@router.get(
    "/instances/{instanceId}",
    auth=READ,
    response={200: InstanceDetailOut, **problems()},
    summary="Read an instance",
)
def read_instance(request: HttpRequest, instanceId: str) -> Instance:
    """An instance by its slug or id, with its settings."""
    return instance_named(request, instanceId)


class KeyOut(Schema):
    """The key of this request, but for its secret."""

    name: str
    prefix: str
    created_at: datetime


class WhoOut(Schema):
    """Who asks, and what they may do."""

    user: str | None = Field(description="The name of the person; null for a key.")
    key: KeyOut | None = Field(description="Null for a person.")
    scopes: list[Permission]
    instance: InstanceOut | None = Field(description="The one that the key opens.")


@router.get("/me", auth=needs(None), response={200: WhoOut, **problems()}, summary="Say who asks")
def who_am_i(request: HttpRequest) -> dict[str, Any]:
    """Whose key or session this is: a way to try a key."""
    caller = caller_of(request)
    return {
        "user": caller.user.get_username() if caller.user else None,
        "key": caller.key,
        "scopes": caller.scopes,
        "instance": caller.key.instance if caller.key else None,
    }
