"""Endpoints of memories: list, search, create, correct, delete."""

from datetime import datetime
from typing import Annotated, Any, Literal, Self, TypeVar

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from ninja import Query, Router, Schema, Status
from pydantic import AfterValidator, Field, Strict, model_validator

from conversations.bounded_json import parse
from conversations.downloads import download
from conversations.sanitizer import sanitize, sanitize_json
from instances.ids import parse_pk
from instances.models import Instance
from memoryapp.api.auth import caller_of, instance_named, visible_row
from memoryapp.api.conditional import (
    IfMatch,
    IfNoneMatch,
    check_version,
    not_modified,
    set_entity_tag,
)
from memoryapp.api.errors import ApiError
from memoryapp.api.fields import (
    END,
    End,
    Importance,
    In,
    InstanceId,
    MemoryId,
    Moment,
    NeverAgain,
)
from memoryapp.api.idempotency import IdempotencyKey
from memoryapp.api.operations import deletes_own, exports_own, reads_own, writes_own
from memoryapp.api.paging import PageIn, PageOut, page_of
from memoryapp.api.response_headers import with_headers
from memoryapp.api.rest.memory_changes import correct
from memoryapp.api.rest.memory_create import (
    MAX_EXTERNAL_ID,
    REMEMBERED,
    REMEMBERED_HEADERS,
    Content,
    Key,
    Metadata,
    NewMemoryIn,
    Tags,
    Value,
    remembered,
)
from memoryapp.api.rest.removal import remove
from memoryapp.api.schemas import (
    MemoryDetailOut,
    MemoryHitOut,
    MessageHitOut,
    memory_hit,
    message_hit,
    with_sources,
)
from memoryapp.imports.export_lines import CHUNK_SIZE, JSONL_TYPE, jsonl, sources_of_memories
from memoryapp.models import Category, Memory, MemoryCount, Version
from memoryapp.models.end_dates import split_end
from memoryapp.models.memory import MemoryQuerySet
from memoryapp.models.versions import as_memories
from memoryapp.policy.keyed_facts import MAX_KEY, normalised
from memoryapp.recall import RecallOptions, RecallResult, note_recalled, recall, recall_past

router = Router(tags=["Memories"])

Row = TypeVar("Row", Memory, Version)

#: Memories that one request may delete.
MAX_DELETED_AT_ONCE = 1_000


#: For the bodies of searches; a list takes it as text.
MetadataFilter = Annotated[
    dict[str, Any],
    Field(
        description="Only memories whose metadata contains this.", examples=[{"project": "atlas"}]
    ),
]


class MemoryFilterIn(Schema):
    """Filters of memories."""

    category: str = Field("", description="Only memories of this category.")
    tag: str = ""
    user_id: str = Field("", description="Only results about this end user.")
    since: Moment | None = Field(None, description="Only memories created at or after this time.")
    until: Moment | None = Field(None, description="Only memories created before this time.")
    external_id: str = Field(
        "", max_length=MAX_EXTERNAL_ID, description="Only the memory with this ID of yours."
    )

    @property
    def narrows(self) -> bool:
        """True if a filter is set that messages do not have."""
        own = (self.category, self.tag, self.since, self.until, self.external_id)
        return any(own) or bool(self.required_metadata)

    @property
    def required_metadata(self) -> dict[str, Any]:
        """The metadata that memories must have; empty: any."""
        return getattr(self, "metadata", None) or {}

    def of(self, memories: QuerySet[Row], *, memory: str = "") -> QuerySet[Row]:
        """Return those of *memories*, or of their versions, that match; *memory* is the prefix of
        columns that versions do not have.
        """
        if self.user_id:
            memories = memories.filter(end_user=sanitize(self.user_id))
        return self.of_anyone(memories, memory=memory)

    def of_anyone(self, memories: QuerySet[Row], *, memory: str = "") -> QuerySet[Row]:
        """Return those of *memories* that match, whomever they are about: a search finds what the
        person may see.
        """
        if self.category and self.category not in Category.values:
            known = ", ".join(Category.values)
            raise ApiError(400, "unknown_category", f"category must be one of {known}")
        if self.category:
            memories = memories.filter(category=self.category)
        if self.tag:
            memories = memories.filter(tags__contains=[sanitize(self.tag).lower()])
        if self.since:
            memories = memories.filter(**{f"{memory}created_at__gte": self.since})
        if self.until:
            memories = memories.filter(**{f"{memory}created_at__lt": self.until})
        if self.external_id:
            memories = memories.filter(**{f"{memory}external_id": sanitize(self.external_id)})
        if self.required_metadata:
            contained = sanitize_json(self.required_metadata)
            memories = memories.filter(**{f"{memory}metadata__contains": contained})
        return memories


def _check_object(text: str) -> str:
    if text and not isinstance(parse(text), dict):
        raise ValueError("must be a JSON object")
    return text


class ListFilterIn(MemoryFilterIn):
    """Filters of memories in an address."""

    metadata: Annotated[str, AfterValidator(_check_object)] = Field(
        "",
        max_length=1_000,
        description="Only memories whose metadata contains this JSON object.",
        examples=['{"project": "atlas"}'],
        json_schema_extra={"contentMediaType": "application/json"},
    )

    @property
    def required_metadata(self) -> dict[str, Any]:
        """The metadata that memories must have; empty: any."""
        return parse(self.metadata) if self.metadata else {}


class MemoriesIn(PageIn, ListFilterIn):
    """Filters and pagination of a list of memories."""

    instance_id: InstanceId = None
    q: str = Field(
        "",
        description="Search query; `POST /api/search` is the place for one. Empty: list all "
        "memories, newest first.",
        json_schema_extra={"deprecated": True},
    )
    as_of: Moment | None = Field(
        None,
        description="Return the memories that existed at this time, in their wording of that time. "
        "Their metadata and sources are the present ones.",
    )


class MemoriesOut(PageOut):
    """One page of memories, or the results of a search."""

    items: list[MemoryHitOut]
    messages: list[MessageHitOut] = Field(default_factory=list)
    count: int = Field(description="Number of memories that match, or number of search results.")
    degraded: Literal["embedding_unavailable"] | None = Field(
        None, description="Why the search matched words only, or null."
    )


@router.get("/memories", **reads_own(MemoriesOut, "List or search memories"))
def list_memories(request: HttpRequest, params: Query[MemoriesIn]) -> dict[str, Any]:
    """List memories, newest first, in pages. With `q`, return the results of a hybrid search over
    memories and messages, best first, in two lists; `POST /api/search` returns them in one list.
    With `as_of`, return only memories, as they were at that time. Memories that have been deleted
    since are not included.
    """
    instance = instance_named(request, params.instance_id, params)
    params.user_id = instance.canonical_end_user(sanitize(params.user_id))
    if params.as_of:
        return _as_of(instance, params, params.as_of)
    memories = params.of(Memory.objects.in_instance(instance))
    if not sanitize(params.q).strip():
        page = page_of(memories.defer("search"), params, order=["-created_at", "-id"])
        page["items"] = with_sources(page["items"])
        narrowed = params.narrows or params.user_id
        count = memories.count() if narrowed else MemoryCount.objects.total(instance)
        return {**page, "count": count}
    result = recall(
        instance,
        sanitize(params.q),
        RecallOptions(
            limit=params.size,
            end_user=sanitize(params.user_id) or None,
            reach=caller_of(request).reach,
            memories=(
                params.of_anyone(Memory.objects.in_instance(instance)) if params.narrows else None
            ),
            with_messages=not params.narrows,
        ),
    )
    note_recalled(instance, result.hits)
    return _search_results(instance, result, params)


def _as_of(instance: Instance, params: MemoriesIn, moment: datetime) -> dict[str, Any]:
    all_versions = Version.objects.in_instance(instance).as_of(moment)
    versions = params.of(all_versions, memory="memory__")
    if not sanitize(params.q).strip():
        page = page_of(versions.defer("search"), params, order=["-valid_from", "-id"])
        items = with_sources(as_memories(page["items"]))
        return {**page, "items": items, "count": versions.count()}
    result = recall_past(instance, sanitize(params.q), moment, limit=params.size, among=versions)
    return _search_results(instance, result, params)


def _search_results(instance: Instance, result: RecallResult, params: MemoriesIn) -> dict[str, Any]:
    with_sources(hit.memory for hit in result.hits if hit.memory)
    return {
        "items": [memory_hit(hit, hit.memory) for hit in result.hits if hit.memory],
        "messages": [message_hit(instance, hit, hit.message) for hit in result.hits if hit.message],
        "count": len(result.hits),
        "limit": params.size,
        "degraded": result.degraded,
    }


@router.post(
    "/memories",
    **writes_own(REMEMBERED, "Create a memory", 409, 410, 413),
    openapi_extra=REMEMBERED_HEADERS,
)
def create_memory(
    request: HttpRequest,
    response: HttpResponse,
    body: NewMemoryIn,
    idempotency_key: IdempotencyKey = None,
) -> Status[dict[str, Any]]:
    """Store a fact. Returns `201` if a memory was created, `200` if the fact updated or repeated an
    existing memory, or `202` if it is not stored, since it waits for a person’s review or is
    ignored.

    Depending on the settings of the instance, secrets and identifiers are redacted, or the request
    is rejected with `pii_rejected`.
    """
    return remembered(request, response, body, idempotency_key)


class ExportIn(ListFilterIn):
    """Filters of an export."""

    instance_id: InstanceId = None


@router.get(
    "/memories/export",
    **exports_own({200: None}, "Export memories"),
    openapi_extra={
        "responses": {
            200: {
                "description": "JSON lines, one memory on each.",
                "content": {JSONL_TYPE: {"schema": {"type": "string"}}},
            }
        }
    },
)
def export_memories(request: HttpRequest, params: Query[ExportIn]) -> HttpResponseBase:
    """Return all memories that match the filters, newest first, as a stream of JSON lines: the file
    that the web interface exports, and can import again.
    """
    instance = instance_named(request, params.instance_id, params)
    params.user_id = instance.canonical_end_user(sanitize(params.user_id))
    memories = params.of(Memory.objects.in_instance(instance)).defer("search")
    rows = memories.order_by("-created_at", "-id").prefetch_related(sources_of_memories())
    return download(
        request,
        jsonl(rows.iterator(chunk_size=CHUNK_SIZE)),
        name=f"keepsake-{instance.slug}-{timezone.localdate().isoformat()}.jsonl",
        content_type=JSONL_TYPE,
    )


@router.get(
    "/memories/{memory:memory_id}",
    **reads_own({200: MemoryDetailOut, 304: None}, "Get a memory"),
    openapi_extra=with_headers({200: ["ETag"], 304: ["ETag"]}),
)
def read_memory(
    request: HttpRequest,
    response: HttpResponse,
    memory_id: int,
    if_none_match: IfNoneMatch = None,
) -> Memory | HttpResponse:
    """Return a memory with its sources: the conversations and messages that it comes from. Its
    `ETag` changes with each version, and with its sources and statistics.
    """
    memory = memory_named(request, memory_id)
    return not_modified(memory, if_none_match) or set_entity_tag(response, memory)


class MemoryChangesIn(In):
    """Changes to a memory. Omitted fields remain unchanged."""

    content: Content | None = None
    category: Category | None = None
    importance: Importance | None = None
    tags: Tags | None = None
    valid_until: End | None = Field(None, description=END)
    key: Key | None = None
    value: Value | None = None
    metadata: Metadata | None = Field(None, description="Replaces the present metadata.")


@router.patch(
    "/memories/{memory:memory_id}",
    **writes_own(MemoryDetailOut, "Update a memory", 409, 412, 413),
    openapi_extra=with_headers({200: ["ETag"]}),
)
def correct_memory(
    request: HttpRequest,
    response: HttpResponse,
    memory_id: int,
    body: MemoryChangesIn,
    if_match: IfMatch = None,
) -> Memory:
    """Update the given fields. The previous version is kept as a revision. With `If-Match`, only
    the version that you have read is changed.
    """
    changes = {
        name: value
        for name, value in body.dict(exclude_unset=True).items()
        if value is not None or name == "valid_until"
    }
    if "valid_until" in changes:
        changes["valid_until"], changes["expires_at"] = split_end(changes["valid_until"])
    correct(request, lambda: memory_named(request, memory_id), changes, if_match=if_match)
    return set_entity_tag(response, memory_named(request, memory_id))


@router.delete("/memories/{memory:memory_id}", **deletes_own({204: None}, "Delete a memory", 412))
def delete_memory(
    request: HttpRequest,
    memory_id: int,
    never_again: NeverAgain = False,
    if_match: IfMatch = None,
) -> Status[None]:
    """Delete a memory with its vector, revisions and links; the messages that state it are no
    longer recalled, and it is not extracted from them again. With permission to forget, it is
    deleted for good. Without it, people can restore it for 30 days. With `If-Match`, only the
    version that you have read is deleted.
    """
    memory = memory_named(request, memory_id)
    check_version(memory, if_match)
    chosen = memory.row()
    if if_match is not None:
        # PostgreSQL compares it again when it locks the row.
        chosen = chosen.as_seen({memory.pk: memory.updated_at})
    if not remove(request, memory.instance, chosen, never_again=never_again):
        check_version(memory_named(request, memory_id), if_match)
        raise Http404
    return Status(204, None)


class MemoriesToDeleteIn(In):
    """The memories to delete: their IDs, or a key or a category."""

    instance_id: InstanceId = None
    ids: list[MemoryId] | None = Field(
        None, min_length=1, max_length=MAX_DELETED_AT_ONCE, examples=[[1, 2]]
    )
    key: str = Field("", max_length=MAX_KEY, description="Only memories with this key.")
    category: Category | None = Field(None, description="Only memories of this category.")
    user_id: str | None = Field(
        None,
        max_length=200,
        description="Only memories about this end user.",
    )
    # In a body, unlike in an address, 1 is not yes.
    never_again: Annotated[NeverAgain, Strict()] = False

    @model_validator(mode="after")
    def _ids_or_filter(self) -> Self:
        if self.ids is None and not (self.key or self.category):
            raise ValueError("give ids, a key or a category")
        if self.key and not normalised(self.key):
            # Most memories have no key, and they are not meant.
            raise ValueError("this is no key")
        return self

    def of(self, memories: MemoryQuerySet) -> MemoryQuerySet:
        """Return those of *memories* that are meant."""
        if self.ids is not None:
            memories = memories.filter(pk__in=[pk for pk in self.ids if parse_pk(pk)])
        if self.key:
            memories = memories.filter(key=normalised(self.key))
        if self.category:
            memories = memories.filter(category=self.category)
        if self.user_id is not None:
            memories = memories.filter(end_user=self.user_id)
        return memories


class DeletedOut(Schema):
    """The result of a deletion."""

    deleted: int
    more: bool = Field(
        False,
        description="Whether more memories match. Repeat the request to delete them.",
    )


@router.post("/memories/delete", **deletes_own(DeletedOut, "Delete several memories", 413))
def delete_memories(request: HttpRequest, body: MemoriesToDeleteIn) -> dict[str, Any]:
    """Delete the given memories in one transaction: for good with permission to forget, else into
    the bin, from which people can restore them for 30 days. Give their `ids`, or a `key`, a
    `category` or both, and all that match are deleted, at most 1,000 per request. IDs that do not
    exist in the instance are ignored, so the request can be repeated.
    """
    instance = instance_named(request, body.instance_id, body)
    if body.user_id is not None:
        body.user_id = instance.canonical_end_user(sanitize(body.user_id))
    meant = body.of(Memory.objects.in_instance(instance)).order_by("pk")
    ids = list(meant.values_list("pk", flat=True)[: MAX_DELETED_AT_ONCE + 1])
    # Still filtered: one of them may have changed when it is locked.
    chosen = meant.order_by().filter(pk__in=ids[:MAX_DELETED_AT_ONCE])
    deleted = remove(request, instance, chosen, never_again=body.never_again)
    return {"deleted": deleted, "more": len(ids) > MAX_DELETED_AT_ONCE}


def memory_named(request: HttpRequest, number: int, *, manages: bool = False) -> Memory:
    """Return the memory with that id and the rows of its response, if the caller may see it.
    *manages*: as in `Caller.check_role`.
    """
    rows = Memory.objects.select_related("instance").defer("search").with_conversations()
    rows = rows.prefetch_related("instance__secrets")
    return visible_row(request, rows, number, manages=manages)
