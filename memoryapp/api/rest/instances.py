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
    """An agent: a named persona of the assistant."""

    slug: str
    name: str
    recall_enabled: bool = Field(description="Whether the agent uses memory in its replies.")


class InstanceDetailOut(InstanceOut):
    """An instance with its settings. API keys and addresses of private servers are omitted."""

    memory_enabled: bool
    extract_when: str
    stale_minutes: int = Field(
        description="Minutes without a new message after which facts are extracted, if "
        "`extract_when` is `stale`."
    )
    palace_enabled: bool = Field(
        description="Whether each message is filed verbatim in the palace."
    )
    provider: str = Field(
        description="Provider of the language model. Empty if none is configured."
    )
    has_language_model: bool
    builtin_reader: bool = Field(
        description="Whether the built-in reader reads conversations while there is no language "
        "model."
    )
    embedding_provider: str
    has_embeddings: bool = Field(
        description="Whether embeddings are configured. If false, search matches words only."
    )
    dedup_exact: float
    dedup_update: float
    dedup_merge: float
    merge_with_model: bool
    recall_enabled: bool
    turns_enabled: bool = Field(
        description="Whether the assistant is given earlier messages in addition to memories."
    )
    context_placement: str = Field(
        description="Where a model is shown what was recalled: `user_message` or `system_message`."
    )
    rerank_enabled: bool = Field(
        description="Whether a reranking model selects what the assistant is given."
    )
    rerank_model: str = Field(
        description="Reranking model. Empty: the language model of the instance."
    )
    time_zone: str
    language: str
    agents: list[AgentOut]


class InstancesOut(PageOut):
    """One page of instances."""

    items: list[InstanceOut]


@router.get("/instances", **reads(InstancesOut, "List instances"))
def list_instances(request: HttpRequest, page: Query[PageIn]) -> dict[str, Any]:
    """List the instances that you can access. With an API key, this is only the instance of the
    key.
    """
    return page_of(caller_of(request).instances(), page, order=["id"])


@router.get("/instances/{instance_id}", **reads(InstanceDetailOut, "Get an instance"))
def read_instance(request: HttpRequest, instance_id: str) -> Instance:
    """Return an instance by slug or ID, with its settings."""
    return instance_named(request, instance_id)


class KeyOut(Schema):
    """The API key of the request, without its secret."""

    name: str
    prefix: str
    created_at: datetime


class WhoOut(Schema):
    """The caller and its permissions."""

    user: str | None = Field(description="Username, or null for an API key.")
    key: KeyOut | None = Field(description="The API key, or null for a session.")
    scopes: list[Permission]
    instance: InstanceOut | None = Field(
        description="Instance of the API key, or null for a session."
    )


@router.get("/me", **anyone(WhoOut, "Get the caller"))
def who_am_i(request: HttpRequest) -> dict[str, Any]:
    """Return the API key or user of the request and its permissions. Useful for testing a key."""
    caller = caller_of(request)
    return {
        "user": caller.user.get_username() if caller.user else None,
        "key": caller.key,
        "scopes": caller.scopes,
        "instance": caller.key.instance if caller.key else None,
    }
