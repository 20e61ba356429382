"""The search endpoint: memories, messages and notes in one list."""

from dataclasses import replace
from datetime import datetime
from typing import Any, Literal

from django.http import HttpRequest
from ninja import Router, Schema
from pydantic import Field, StrictBool

from conversations.sanitizer import sanitize
from instances.models import Instance
from memoryapp.api.auth import caller_of, instance_named
from memoryapp.api.fields import Degraded, In, InstanceId, Rerank, RerankProblem, ResultLimit
from memoryapp.api.operations import reads_own
from memoryapp.api.paging import MAX_PAGE_SIZE
from memoryapp.api.rest.memories import MemoryFilterIn, MetadataFilter
from memoryapp.api.schemas import (
    MemoryHitOut,
    MessageHitOut,
    NoteHitOut,
    Relevant,
    memory_hit,
    message_hit,
    note_hit,
    with_sources,
)
from memoryapp.models import Memory
from memoryapp.recall import Hit, RecallOptions, note_recalled, recall, recall_and_rerank

router = Router(tags=["Search"])


class SearchIn(In, MemoryFilterIn):
    """A query with filters."""

    instance_id: InstanceId = None
    q: str = Field(
        min_length=1,
        max_length=8_000,
        description="Search query. Quotes match a phrase; a minus before a word excludes it.",
        examples=["what should I not cook?"],
    )
    limit: ResultLimit = 10
    rerank: Rerank = False
    weaker: StrictBool = Field(
        False,
        description="Whether matches below the floor of relevance follow the relevant ones, with "
        "`relevant` false.",
    )
    metadata: MetadataFilter = Field(default_factory=dict)


class ResultOut(Schema):
    """A search result: a memory, a message that is not the source of any memory in the results, or
    a note in the palace. What all have in common stands first; the rest is in the field named as
    its type.
    """

    type: Literal["memory", "message", "note"]
    id: int
    content: str
    said_at: datetime = Field(description="When it was said last.")
    score: float
    relevant: Relevant
    memory: MemoryHitOut | None = None
    message: MessageHitOut | None = None
    note: NoteHitOut | None = None


class ResultsOut(Schema):
    """Results, best first."""

    items: list[ResultOut]
    degraded: Degraded
    rerank_problem: RerankProblem


@router.post("/search", **reads_own(ResultsOut, "Search memories and messages", 413))
def search(request: HttpRequest, body: SearchIn) -> dict[str, Any]:
    """Hybrid search over memories, messages and notes. What is not relevant to the query is left
    out, unless `weaker` is set: for a greeting, nothing is returned. Each result includes its rank
    in each list, the components of its score and its cosine similarity. The method is POST to keep
    queries out of logs. With a filter that only
    memories have, such as `category`, no messages are returned.
    """
    instance = instance_named(request, body.instance_id, body)
    options = RecallOptions(
        limit=body.limit,
        end_user=sanitize(body.user_id) or None,
        reach=caller_of(request).reach,
        memories=body.of_anyone(Memory.objects.in_instance(instance)) if body.narrows else None,
        with_messages=not body.narrows,
        max_weaker=MAX_PAGE_SIZE if body.weaker else 0,
    )
    hits, notes = search_hits(instance, body.q, options, rerank=body.rerank)
    with_sources(hit.memory for hit in hits if hit.memory)
    return {"items": [_result(instance, hit) for hit in hits], **notes}


def search_hits(
    instance: Instance, question: str, options: RecallOptions, *, rerank: bool
) -> tuple[list[Hit], dict[str, Any]]:
    """Return the hits of *question*, of which the relevant ones are noted as recalled, and the
    fields that report problems.
    """
    limit = min(MAX_PAGE_SIZE, max(1, options.limit))
    find = recall_and_rerank if rerank else recall
    result = find(instance, sanitize(question), replace(options, limit=limit))
    note_recalled(instance, result.hits)
    problems = {"degraded": result.degraded, "rerank_problem": result.rerank_problem or None}
    return [*result.hits, *result.weaker][:limit], problems


def _result(instance: Instance, hit: Hit) -> dict[str, Any]:
    if hit.memory is not None:
        kind, found, said_at = "memory", memory_hit(hit, hit.memory), hit.memory.said_at
    elif hit.message is not None:
        kind, found, said_at = "message", message_hit(instance, hit, hit.message), hit.said.sent_at
    else:
        kind, found, said_at = "note", note_hit(instance, hit), hit.filed.said_at
    common = {name: found[name] for name in ("id", "content", "score", "relevant")}
    return {"type": kind, "said_at": said_at, **common, kind: found}
