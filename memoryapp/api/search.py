"""Search: one list of whatever answers a question."""

from typing import Any, Literal

from django.http import HttpRequest
from ninja import Router, Schema
from pydantic import Field, StrictBool

from conversations.sanitizer import sanitize
from memoryapp.api.auth import READ, instance_named
from memoryapp.api.errors import problems
from memoryapp.api.fields import In, InstanceId, Whole
from memoryapp.api.memories import MemoryFilterIn
from memoryapp.api.paging import MAX_PAGE_SIZE
from memoryapp.api.schemas import (
    MemoryHitOut,
    MessageHitOut,
    NoteHitOut,
    memory_hit,
    message_hit,
    note_hit,
)
from memoryapp.models import Memory
from memoryapp.recall import Hit, RecallOptions, note_recalled, recall, recall_and_rerank

router = Router(tags=["Search"])


class SearchIn(In, MemoryFilterIn):
    """A question, and where to look."""

    instanceId: InstanceId = None
    q: str = Field(
        min_length=1,
        max_length=8_000,
        description="A question. Quotes ask for a phrase, a minus before a word leaves it out.",
        examples=["what should I not cook?"],
    )
    limit: Whole = Field(10, description="How many; brought between 1 and 100.")
    rerank: StrictBool = Field(
        False,
        description="Let the instance’s reranking model put the best 5 of the first 20 in front.",
    )


class ResultOut(Schema):
    """One result: a memory, a message that none of the memories here stands for, or a note that
    somebody put into the palace.
    """

    type: Literal["memory", "message", "note"]
    memory: MemoryHitOut | None = None
    message: MessageHitOut | None = None
    note: NoteHitOut | None = None


class ResultsOut(Schema):
    """What was found, best first."""

    items: list[ResultOut]
    degraded: Literal["embedding_unavailable"] | None = Field(
        description="Why the search ran on words alone; null when it did not."
    )
    rerank_problem: str | None = Field(
        description="Why the order is as it was found although `rerank` was asked for; else null."
    )


@router.post(
    "/search",
    auth=READ,
    response={200: ResultsOut, **problems(413)},
    summary="Search memories and messages",
)
def search(request: HttpRequest, body: SearchIn) -> dict[str, Any]:
    """Hybrid search, explained: each result has its rank in each list, the parts of its score and
    its cosine similarity. A POST, so that questions stand in no log. Messages have no category and
    no tags: with either, only memories are found.
    """
    instance = instance_named(request, body.instanceId)
    ask = recall_and_rerank if body.rerank else recall
    found = ask(
        instance,
        sanitize(body.q),
        RecallOptions(
            limit=min(MAX_PAGE_SIZE, max(1, body.limit)),
            end_user=sanitize(body.user_id) or None,
            memories=body.of(Memory.objects.in_instance(instance)) if body.narrows else None,
            with_messages=not body.narrows,
        ),
    )
    note_recalled(found.hits)
    return {
        "items": [_result(hit) for hit in found.hits],
        "degraded": found.degraded,
        "rerank_problem": found.rerank_problem or None,
    }


def _result(hit: Hit) -> dict[str, Any]:
    if hit.memory is not None:
        return {"type": "memory", "memory": memory_hit(hit, hit.memory)}
    if hit.message is None:
        return {"type": "note", "note": note_hit(hit)}
    return {"type": "message", "message": message_hit(hit, hit.message)}
