"""Endpoints of instances with their settings, and of the caller's identity."""

from datetime import datetime
from typing import Any

from django.http import HttpRequest
from ninja import Query, Router, Schema
from pydantic import Field

from instances.models import Instance, Permission
from memoryapp.api.auth import caller_of, instance_named
from memoryapp.api.operations import anyone, reads
from memoryapp.api.paging import PageIn, PageOut, page_of

router = Router(tags=["Instances"])


class InstanceOut(Schema):
    """An assistant with its own memory."""

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
    """An instance with its settings, without keys and addresses of private servers."""

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


@router.get("/instances", **reads(InstancesOut, "List instances"))
def list_instances(request: HttpRequest, page: Query[PageIn]) -> dict[str, Any]:
    """The instances that you may see: with an API key, its own."""
    return page_of(caller_of(request).instances(), page, order=["id"])


@router.get("/instances/{instanceId}", **reads(InstanceDetailOut, "Read an instance"))
def read_instance(request: HttpRequest, instanceId: str) -> Instance:
    """An instance by its slug or id, with its settings."""
    return instance_named(request, instanceId)


class KeyOut(Schema):
    """The key of this request, without its secret."""

    name: str
    prefix: str
    created_at: datetime


class WhoOut(Schema):
    """The caller and its permissions."""

    user: str | None = Field(description="The name of the person; null for a key.")
    key: KeyOut | None = Field(description="Null for a person.")
    scopes: list[Permission]
    instance: InstanceOut | None = Field(description="The one that the key opens.")


@router.get("/me", **anyone(WhoOut, "Say who asks"))
def who_am_i(request: HttpRequest) -> dict[str, Any]:
    """The owner of this key or session: a way to test a key."""
    caller = caller_of(request)
    return {
        "user": caller.user.get_username() if caller.user else None,
        "key": caller.key,
        "scopes": caller.scopes,
        "instance": caller.key.instance if caller.key else None,
    }
