"""The endpoints to store a text and to retrieve memories, in the form of memory pipelines."""

from datetime import date, datetime
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Router, Schema, Status
from pydantic import Field, StrictBool

from conversations.sanitizer import sanitize
from memoryapp.api.auth import caller_of, instance_named
from memoryapp.api.fields import (
    Degraded,
    Importance,
    In,
    InstanceId,
    Rerank,
    RerankProblem,
    ResultLimit,
    TierName,
)
from memoryapp.api.idempotency import IdempotencyKey
from memoryapp.api.operations import reads_own, writes_own
from memoryapp.api.rest.memories import MemoryFilterIn, MetadataFilter
from memoryapp.api.rest.memory_create import (
    REMEMBERED,
    REMEMBERED_HEADERS,
    NewMemoryIn,
    TemporalOut,
    remembered,
    temporal,
)
from memoryapp.api.rest.search import search_hits
from memoryapp.models import Category, Memory
from memoryapp.models.memory import MemoryQuerySet
from memoryapp.recall import Hit, RecallOptions

router = Router(tags=["Store and retrieve"])


@router.post(
    "/memory/store",
    **writes_own(REMEMBERED, "Store a text", 409, 410, 413),
    deprecated=True,
    openapi_extra=REMEMBERED_HEADERS,
)
def store(
    request: HttpRequest,
    response: HttpResponse,
    body: NewMemoryIn,
    idempotency_key: IdempotencyKey = None,
) -> Status[dict[str, Any]]:
    """Redact, deduplicate and store a text. `dedup.action` is the result; `202` means that the text
    is not stored, since it waits for a person’s review or is ignored. Rejected texts return `422`,
    with the code `pii_rejected` for secrets.
    """
    return remembered(request, response, body, idempotency_key)


class Filters(In, MemoryFilterIn):
    """Filters of memories."""

    importance: Importance | None = Field(None, description="Minimum importance, from 1 to 10.")
    current: StrictBool = Field(False, description="Only memories that are valid today.")
    metadata: MetadataFilter = Field(default_factory=dict)

    def among(self, memories: MemoryQuerySet, today: date) -> QuerySet[Memory]:
        """Return those of *memories* that match."""
        if self.importance is not None:
            memories = memories.filter(importance__gte=self.importance)
        return self.of_anyone(memories.current(today) if self.current else memories)


class RetrieveIn(In):
    """A query with filters."""

    instance_id: InstanceId = None
    query: str = Field(min_length=1, max_length=8_000, examples=["What should I not cook?"])
    limit: ResultLimit = 10
    rerank: Rerank = False
    filters: Filters = Field(default_factory=lambda: Filters.model_validate({}))


class MetaOut(Schema):
    """Metadata of a memory."""

    category: Category
    categories: list[str] = Field(description="Tags of the memory.")
    user_id: str
    origin: str
    tier: TierName
    confidence: int | None


class RetrievedOut(Schema):
    """A memory found by the query."""

    id: int
    content: str
    score: float = Field(description="Relevance score. Higher is better.")
    similarity: float | None = Field(
        description="Cosine similarity to the query, or null if not compared."
    )
    importance: int
    temporal: TemporalOut
    expired: bool = Field(description="Whether `valid_until` has passed.")
    meta: MetaOut
    created_at: datetime
    updated_at: datetime


class RetrievalOut(Schema):
    """Results, best first."""

    results: list[RetrievedOut]
    degraded: Degraded
    rerank_problem: RerankProblem


@router.post(
    "/memory/retrieve", **reads_own(RetrievalOut, "Retrieve memories", 413), deprecated=True
)
def retrieve(request: HttpRequest, body: RetrieveIn) -> dict[str, Any]:
    """Hybrid search over memories. Unlike `/api/search`, it does not return messages."""
    instance = instance_named(request, body.instance_id, body.filters)
    today = instance.date_of(timezone.now())
    options = RecallOptions(
        limit=body.limit,
        end_user=sanitize(body.filters.user_id) or None,
        reach=caller_of(request).reach,
        memories=body.filters.among(Memory.objects.in_instance(instance), today),
        with_messages=False,
    )
    hits, notes = search_hits(instance, body.query, options, rerank=body.rerank)
    results = [_retrieved(hit, hit.memory, today) for hit in hits if hit.memory]
    return {"results": results, **notes}


def _retrieved(hit: Hit, memory: Memory, today: date) -> dict[str, Any]:
    names = ("id", "content", "importance", "created_at", "updated_at")
    return {name: getattr(memory, name) for name in names} | {
        "score": hit.score,
        "similarity": hit.similarity,
        "temporal": temporal(memory),
        "expired": memory.is_expired(today),
        "meta": {
            "category": memory.category,
            "categories": memory.tags,
            "user_id": memory.end_user,
            "origin": memory.origin,
            "tier": memory.tier,
            "confidence": memory.confidence,
        },
    }
