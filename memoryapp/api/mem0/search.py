"""Search and lists of memories, with mem0's filters."""

from typing import Any
from zoneinfo import ZoneInfo

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query
from pydantic import Field

from conversations.sanitizer import sanitize
from instances.models import Instance, Reach
from memoryapp.api.auth import caller_of, instance_named
from memoryapp.api.key_requests import require_person
from memoryapp.api.mem0 import filters
from memoryapp.api.mem0.auth import READ_OWN, router
from memoryapp.api.mem0.bodies import Body
from memoryapp.api.mem0.entity_scope import ALL, USER, Owners, owner_required
from memoryapp.api.mem0.filters import Condition
from memoryapp.api.mem0.pages import Mem0PageIn, page_of
from memoryapp.api.mem0.schemas import hit_fields, memory_fields, only
from memoryapp.api.paging import MAX_PAGE_SIZE
from memoryapp.models import Memory, RequestDoor
from memoryapp.models.memory import MemoryQuerySet
from memoryapp.recall import RecallOptions, note_recalled, recall

DEFAULT_TOP_K = 10


class FilterIn(Owners):
    """Owners, filters, and the conditions of older clients."""

    filters: dict[str, Any] | None = None
    categories: list[str] | None = None
    metadata: dict[str, Any] | None = Field(
        None, description="Metadata that the memories must have."
    )
    show_expired: bool = False
    fields: list[str] | None = Field(None, description="Fields to return. Default: all.")
    output_format: str = ""

    def all_filters(self) -> dict[str, Any]:
        """Return all conditions as filters."""
        names = (*ALL, "categories", "metadata")
        more = {name: getattr(self, name) for name in names if getattr(self, name)}
        parts = [part for part in (self.filters, more) if part]
        return {"AND": parts} if parts else {}

    def of(self, instance: Instance, condition: Condition) -> MemoryQuerySet:
        """Return the memories that match *condition*, which is that of these filters."""
        memories = Memory.objects.in_instance(instance).filter(condition.q)
        return memories if self.show_expired else memories.current(timezone.localdate())

    def condition(self, request: HttpRequest, instance: Instance) -> Condition:
        """Return the condition of all filters; raise `ApiError` when no owner is named."""
        return condition_of(request, instance, self.all_filters())


def condition_of(request: HttpRequest, instance: Instance, given: Any) -> Condition:
    """Parse filters, which must name the owner of the memories; else raise `ApiError`. With the key
    of one person, they are about that one.
    """
    if person := caller_of(request).person:
        given = {"AND": [{USER: person}, *([given] if given else [])]}
    if instance.has_aliases:
        given = _with_stored_ids(instance, given)
    condition = filters.parse(given, ZoneInfo(instance.time_zone)) if given else None
    if condition is None or not condition.owned:
        raise owner_required()
    return condition


def _with_stored_ids(instance: Instance, given: Any, *, of_user: bool = False) -> Any:
    """Return filters with the ids under which users are stored for those that were joined."""
    if isinstance(given, dict):
        return {
            name: _with_stored_ids(instance, value, of_user=of_user or name == USER)
            for name, value in given.items()
        }
    if isinstance(given, list):
        return [_with_stored_ids(instance, value, of_user=of_user) for value in given]
    return instance.canonical_end_user(given) if of_user and isinstance(given, str) else given


class Mem0SearchIn(FilterIn, Body):
    """A query with filters."""

    query: str = Field(min_length=1, max_length=8_000)
    top_k: int = Field(DEFAULT_TOP_K, ge=1, description="Maximum number of results, up to 100.")
    limit: int | None = Field(None, ge=1, description="The name of `top_k` in older clients.")
    threshold: float | None = Field(None, description="Minimum similarity, from 0 to 1.")


@router.post("/v3/memories/search/", auth=READ_OWN, url_name="search_v3", summary="Search")
def search(request: HttpRequest, body: Mem0SearchIn) -> dict[str, Any]:
    """Return the memories that match a query, best first."""
    instance = instance_named(request, None)
    condition = body.condition(request, instance)
    require_person(request, condition.end_user or "", RequestDoor.MEM0)
    recalled = recall(
        instance,
        sanitize(body.query),
        RecallOptions(
            limit=min(MAX_PAGE_SIZE, body.limit or body.top_k),
            # Messages of other people must take no place among those that lend support.
            end_user=condition.end_user,
            reach=Reach.OWN,
            memories=body.of(instance, condition),
            with_messages=False,
            # A program that names a threshold sets a floor of its own.
            only_relevant=body.threshold is None,
        ),
    )
    hits = recalled.hits
    if body.threshold is not None and not recalled.degraded:
        # While there are no vectors, no memory has a similarity, and all would be left out.
        hits = [hit for hit in hits if (hit.similarity or 0.0) >= body.threshold]
    note_recalled(instance, hits)
    results = [hit_fields(hit, hit.memory, condition.labels) for hit in hits if hit.memory]
    return {"results": only(body.fields, results), "degraded": recalled.degraded}


@router.post("/v2/memories/search/", auth=READ_OWN, url_name="search_v2", summary="Search")
@router.post("/v1/memories/search/", auth=READ_OWN, url_name="search_v1", summary="Search")
def search_before(request: HttpRequest, body: Mem0SearchIn) -> Any:
    """The same for older clients: a list, unless they ask for format 1.1."""
    return _as_list(search(request, body), body)


class ListIn(FilterIn, Body):
    """Filters of a list."""

    start_date: str | None = Field(None, description="Only memories created on or after this day.")
    end_date: str | None = Field(None, description="Only memories created on or before this day.")
    keywords: str | None = None

    def all_filters(self) -> dict[str, Any]:
        """Return all conditions as filters."""
        span = {"gte": self.start_date, "lte": self.end_date}
        dates = {name: value for name, value in span.items() if value is not None}
        parts = [super().all_filters()]
        parts += [{"created_at": dates}] if dates else []
        parts += [{"keywords": self.keywords}] if self.keywords else []
        return {"AND": [part for part in parts if part]} if any(parts) else {}


@router.post("/v3/memories/", auth=READ_OWN, url_name="list_v3", summary="List")
def list_all(request: HttpRequest, body: ListIn, page: Query[Mem0PageIn]) -> dict[str, Any]:
    """List the memories that match the filters, newest first, in pages."""
    instance = instance_named(request, None)
    condition = body.condition(request, instance)
    require_person(request, condition.end_user or "", RequestDoor.MEM0)
    memories = body.of(instance, condition)
    rows = memories.defer("search").order_by("-created_at", "-id")
    return page_of(
        request,
        rows,
        page,
        lambda some: only(body.fields, [memory_fields(each, condition.labels) for each in some]),
    )


@router.post("/v2/memories/", auth=READ_OWN, url_name="list_v2", summary="List")
def list_second(request: HttpRequest, body: ListIn, page: Query[Mem0PageIn]) -> Any:
    """The same for clients of version 1."""
    listed = list_all(request, body, page)
    return listed if "page" in request.GET else _as_list(listed, body)


class ListQuery(Owners):
    """Filters of a list in a query string."""

    filters: str | None = None
    metadata: str | None = None
    keywords: str | None = None
    categories: list[str] | None = None
    start_date: str | None = None
    end_date: str | None = None
    output_format: str = ""

    def as_body(self) -> ListIn:
        """Return the same in the form of a body; raises `ApiError`."""
        parsed = {
            name: filters.parse_query_value(value) if value else None
            for name in ("filters", "metadata")
            for value in [getattr(self, name)]
        }
        return ListIn(**(self.dict() | parsed))


@router.get("/v1/memories/", auth=READ_OWN, url_name="memories_v1", summary="List")
def list_first(request: HttpRequest, params: Query[ListQuery], page: Query[Mem0PageIn]) -> Any:
    """The same for clients before version 1."""
    return list_second(request, params.as_body(), page)


def _as_list(response: dict[str, Any], body: FilterIn) -> Any:
    return response if body.output_format == "v1.1" else response["results"]
