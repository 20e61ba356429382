"""Finding: by a question, or all that filters leave."""

from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Schema
from pydantic import ConfigDict, Field

from conversations.sanitizer import sanitize
from instances.models import Instance
from memoryapp.api.auth import instance_named
from memoryapp.api.errors import Refusal
from memoryapp.api.mem0 import filters
from memoryapp.api.mem0.auth import READ, router
from memoryapp.api.mem0.entity_scope import ALL, Owners, owner_required
from memoryapp.api.mem0.filters import Condition
from memoryapp.api.mem0.schemas import found, only, written
from memoryapp.api.paging import MAX_PAGE_SIZE
from memoryapp.models import Memory
from memoryapp.models.memory import MemoryQuerySet
from memoryapp.recall import RecallOptions, note_recalled, recall

#: Parameters that clients send, and that mean nothing here.
_WITHOUT_MEANING = {"org_id", "project_id", "async_mode", "version", "top_k", "enable_graph"}
#: Results of a search that does not say how many.
DEFAULT_TOP_K = 10


class FilterIn(Owners):
    """Which memories are meant: owners, filters and what older clients say beside them."""

    filters: dict[str, Any] | None = None
    categories: list[str] | None = None
    metadata: dict[str, Any] | None = Field(None, description="What must be attached.")
    show_expired: bool = False
    fields: list[str] | None = Field(None, description="What to say of each; all when left out.")
    output_format: str = ""
    # Sent by some clients, and without a meaning here: there is one version of each memory, and one
    # way to search.
    latest_only: Any = None
    version: Any = None
    enable_graph: Any = None
    org_id: Any = None
    project_id: Any = None

    def wanted(self) -> dict[str, Any]:
        """All that narrows, as filters."""
        beside = {name: getattr(self, name) for name in ALL if getattr(self, name)}
        if self.categories:
            beside["categories"] = self.categories
        if self.metadata:
            beside["metadata"] = self.metadata
        parts = [part for part in (self.filters, beside) if part]
        return {"AND": parts} if parts else {}

    def of(self, instance: Instance) -> MemoryQuerySet:
        """The memories of *instance* that are meant; raises `Refusal` when no owner is named."""
        memories = Memory.objects.in_instance(instance).filter(self.condition(instance).q)
        return memories if self.show_expired else memories.current(timezone.localdate())

    def condition(self, instance: Instance) -> Condition:
        """Which memories are meant; raises `Refusal` when no owner is named."""
        return condition_of(instance, self.wanted())


def condition_of(instance: Instance, given: Any) -> Condition:
    """Understand filters, which must say whose memories they mean; else raises `Refusal`."""
    condition = filters.read(given, ZoneInfo(instance.time_zone)) if given else None
    if condition is None or not condition.owned:
        raise owner_required()
    return condition


def meant(instance: Instance, given: Any) -> MemoryQuerySet:
    """The memories of *instance* that filters mean, which must say whose they are."""
    return Memory.objects.in_instance(instance).filter(condition_of(instance, given).q)


class SearchIn(FilterIn):
    """A question, and where to look."""

    model_config = ConfigDict(extra="forbid")

    query: str = Field(min_length=1, max_length=8_000)
    top_k: int = Field(DEFAULT_TOP_K, ge=1, description="How many; brought below 100.")
    limit: int | None = Field(None, ge=1, description="The same, as older clients say it.")
    threshold: float | None = Field(None, description="The least similarity, from 0 to 1.")
    rerank: Any = None
    keyword_search: Any = None
    filter_memories: Any = None


@router.post("/v3/memories/search/", auth=READ, url_name="search_v3", summary="Search")
def search(request: HttpRequest, body: SearchIn) -> dict[str, Any]:
    """The memories that answer a question, best first, by the same recall as everywhere."""
    instance = instance_named(request, None)
    recalled = recall(
        instance,
        sanitize(body.query),
        RecallOptions(
            limit=min(MAX_PAGE_SIZE, body.limit or body.top_k),
            # So that what others have said takes no place among the messages that lend support.
            end_user=body.condition(instance).end_user,
            memories=body.of(instance),
            with_messages=False,
        ),
    )
    hits = recalled.hits
    if body.threshold is not None and not recalled.degraded:
        # While there are no vectors, nothing has a similarity, and all would be left out.
        hits = [hit for hit in hits if (hit.similarity or 0.0) >= body.threshold]
    note_recalled(hits)
    results = [found(hit, hit.memory) for hit in hits if hit.memory]
    return {"results": only(body.fields, results), "degraded": recalled.degraded}


@router.post("/v2/memories/search/", auth=READ, url_name="search_v2", summary="Search")
@router.post("/v1/memories/search/", auth=READ, url_name="search_v1", summary="Search")
def search_before(request: HttpRequest, body: SearchIn) -> Any:
    """The same, as older clients expect it: a list, unless they ask for format 1.1."""
    return _as_before(search(request, body), body)


class PageIn(Schema):
    """Which page."""

    page: int = Field(1, ge=1, le=1_000_000)
    page_size: int = Field(MAX_PAGE_SIZE, ge=1, description="How many; brought below 100.")


class ListIn(FilterIn):
    """Which memories."""

    model_config = ConfigDict(extra="forbid")

    start_date: str | None = Field(None, description="Created on that day or later.")
    end_date: str | None = Field(None, description="Created on that day or before.")
    keywords: str | None = None
    top_k: Any = None

    def wanted(self) -> dict[str, Any]:
        """All that narrows, as filters."""
        span = {"gte": self.start_date, "lte": self.end_date}
        dates = {name: value for name, value in span.items() if value is not None}
        more = [super().wanted()]
        more += [{"created_at": dates}] if dates else []
        more += [{"keywords": self.keywords}] if self.keywords else []
        return {"AND": [part for part in more if part]} if any(more) else {}


@router.post("/v3/memories/", auth=READ, url_name="list_v3", summary="List")
def list_all(request: HttpRequest, body: ListIn, page: Query[PageIn]) -> dict[str, Any]:
    """The memories that the filters leave, newest first, in pages."""
    memories = body.of(instance_named(request, None))
    size = min(MAX_PAGE_SIZE, page.page_size)
    first = (page.page - 1) * size
    rows = memories.defer("search").order_by("-created_at", "-id")[first : first + size]
    count = memories.count()

    def address(number: int, there: bool) -> str | None:
        query = urlencode({"page": number, "page_size": size})
        return request.build_absolute_uri(f"{request.path}?{query}") if there else None

    return {
        "count": count,
        "next": address(page.page + 1, first + size < count),
        "previous": address(page.page - 1, page.page > 1),
        "results": only(body.fields, [written(memory) for memory in rows]),
    }


@router.post("/v2/memories/", auth=READ, url_name="list_v2", summary="List")
def list_second(request: HttpRequest, body: ListIn, page: Query[PageIn]) -> Any:
    """The same, as clients of version 1 ask for it."""
    listed = list_all(request, body, page)
    return listed if "page" in request.GET else _as_before(listed, body)


class ListQuery(Owners):
    """Which memories, in an address."""

    filters: str | None = None
    metadata: str | None = None
    keywords: str | None = None
    categories: list[str] | None = None
    start_date: str | None = None
    end_date: str | None = None
    output_format: str = ""


@router.get("/v1/memories/", auth=READ, url_name="memories_v1", summary="List")
def list_first(request: HttpRequest, asked: Query[ListQuery], page: Query[PageIn]) -> Any:
    """The same, as clients before version 1 ask for it."""
    nothing_unknown(request, ListQuery, PageIn)
    written_out = {
        name: filters.from_address(value)
        for name in ("filters", "metadata")
        if (value := getattr(asked, name))
    }
    body = ListIn(**(asked.dict() | {"filters": None, "metadata": None} | written_out))
    listed = list_all(request, body, page)
    return listed if "page" in request.GET else _as_before(listed, body)


def nothing_unknown(request: HttpRequest, *known: type[Schema]) -> None:
    """See that the address names nothing that would be passed over: it might have narrowed what is
    shown or deleted. Raises `Refusal`.
    """
    names = {name for schema in known for name in schema.model_fields} | _WITHOUT_MEANING
    for name in request.GET.keys() - names:
        raise Refusal(400, "invalid", f"“{sanitize(name)[:50]}” is not known here.")


def _as_before(answer: dict[str, Any], body: FilterIn) -> Any:
    return answer if body.output_format == "v1.1" else answer["results"]
