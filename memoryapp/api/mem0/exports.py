"""Exports in the shape that a program asks for, and the summary of a person.

No export is stored: the id that a client gets is signed, and holds the schema and the filters. The
memories are read when it asks for the export, so that it has none that was deleted meanwhile.
"""

import hashlib
import json
import logging
from typing import Any

import redis
from django.core import signing
from django.core.cache import cache
from django.http import HttpRequest
from django.utils import timezone
from pydantic import Field

from instances.models import Instance
from memoryapp.api.auth import instance_named
from memoryapp.api.errors import ApiError
from memoryapp.api.mem0.auth import READ, router
from memoryapp.api.mem0.bodies import Body
from memoryapp.api.mem0.entity_scope import USER
from memoryapp.api.mem0.export_shape import MAX_SCHEMA, NotFilled, UnreadableSchema, read, shaped
from memoryapp.api.mem0.search import FilterIn
from memoryapp.models import Summary
from memoryapp.summary.generation import summed_up

logger = logging.getLogger(__name__)

#: Memories of one export, the newest.
MAX_MEMORIES = 1_000
#: Seconds for which an export can be fetched.
MAX_AGE = 7 * 24 * 3600
_SALT = "keepsake.mem0-export"


class Mem0ExportIn(FilterIn, Body):
    """The schema of an export, and whose memories it is made from."""

    # Pydantic has a method called `schema`.
    shape: Any = Field(None, alias="schema")


@router.post("/v1/exports/", auth=READ, url_name="exports", summary="Create an export")
def create_export(request: HttpRequest, body: Mem0ExportIn) -> dict[str, Any]:
    """Prepare an export: memories in the shape of a JSON schema."""
    instance = instance_named(request, None)
    body.condition(request, instance)
    schema = _schema(body.shape)
    given = body.all_filters()
    try:
        cache.set(_key(instance, given), schema, MAX_AGE)
    except redis.RedisError as error:
        # It can still be fetched by its id.
        logger.warning("an export is not kept under its filters: %s", error)
    name = signing.dumps([instance.pk, schema, given], salt=_SALT, compress=True)
    return {"id": name, "memory_export_id": name, "message": "The export is ready."}


def _schema(given: Any) -> Any:
    if len(json.dumps(given)) > MAX_SCHEMA:
        raise ApiError(422, "invalid", f"schema: at most {MAX_SCHEMA:,} characters.")
    try:
        return read(given)
    except UnreadableSchema as error:
        raise ApiError(422, "invalid", f"schema: {error}") from error


class ExportNamedIn(FilterIn, Body):
    """An export, by its id or by the filters that it was created with."""

    memory_export_id: str | None = Field(None, max_length=200_000)


@router.post("/v1/exports/get/", auth=READ, url_name="export", summary="Get an export")
def get_export(request: HttpRequest, body: ExportNamedIn) -> Any:
    """Return an export: memories as they are now. By filters, the last one with these filters."""
    instance = instance_named(request, None)
    if body.memory_export_id is not None:
        schema, given = _opened(instance, body.memory_export_id)
    else:
        given = body.all_filters()
        schema = _kept(instance, given)
        if schema is None:
            raise _unknown()
    asked = FilterIn.model_validate({"filters": given})
    condition = asked.condition(request, instance)
    memories = asked.of(instance, condition).defer("search").order_by("-created_at", "-id")
    try:
        return shaped(schema, memories[:MAX_MEMORIES], condition.labels)
    except NotFilled as error:
        raise ApiError(422, "schema_not_filled", f"schema: {error}") from error


def _kept(instance: Instance, given: Any) -> Any:
    try:
        return cache.get(_key(instance, given))
    except redis.RedisError:
        raise ApiError(
            503, "unavailable", "Redis does not answer. Try again, or give memory_export_id."
        ) from None


def _opened(instance: Instance, name: str) -> tuple[Any, dict[str, Any]]:
    try:
        owner, schema, given = signing.loads(name, salt=_SALT, max_age=MAX_AGE)
    except signing.BadSignature:
        raise _unknown() from None
    if owner != instance.pk:
        raise _unknown()
    return schema, given


def _unknown() -> ApiError:
    return ApiError(
        404,
        "not_found",
        "There is no such export, or it is older than 7 days. Create it again, and get it by its "
        "id or the same filters.",
    )


def _key(instance: Instance, given: dict[str, Any]) -> str:
    # Only a digest: the filters name people.
    text = json.dumps(given, sort_keys=True, default=str)
    digest = hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
    return f"mem0-export:{instance.pk}:{digest}"


class SummaryIn(FilterIn, Body):
    """Owners of the memories that a summary is about."""


@router.post("/v1/summary/", auth=READ, url_name="summary", summary="Summary")
def get_summary(request: HttpRequest, body: SummaryIn) -> dict[str, Any]:
    """Return the summary of a user, if the filters name one user and nothing else, and the number
    of the memories.
    """
    instance = instance_named(request, None)
    condition = body.condition(request, instance)
    user = condition.end_user if _only_user(body.all_filters()) else None
    text = summed_up(instance, user) if user else ""
    coming = Summary.objects.of(instance, user or "").exclude(due_at=None, lease_until=None)
    pending = bool(user) and not text and instance.summary_enabled and coming.exists()
    return {
        "status": "PENDING" if pending else "SUCCEEDED",
        "summary": text or None,
        "count": body.of(instance, condition).count(),
        "created_at": timezone.now(),
    }


def _only_user(given: Any) -> bool:
    """True if these filters are but one user: a summary says what others would leave out."""
    while isinstance(given, dict) and given.keys() == {"AND"} and len(given["AND"]) == 1:
        given = given["AND"][0] if isinstance(given["AND"], list) else given["AND"]
    return isinstance(given, dict) and given.keys() == {USER}
