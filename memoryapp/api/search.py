"""Search over memories, messages and notes, with the results in one list."""

from dataclasses import replace
from typing import Any, Literal

from django.http import HttpRequest
from ninja import Router, Schema
from pydantic import Field

from conversations.sanitizer import sanitize
from instances.models import Instance
from memoryapp.api.auth import READ, instance_named
from memoryapp.api.errors import problems
from memoryapp.api.fields import Degraded, In, InstanceId, Rerank, RerankProblem, ResultLimit
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
    limit: ResultLimit = 10
    rerank: Rerank = False


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
    degraded: Degraded
    rerank_problem: RerankProblem


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
    options = RecallOptions(
        limit=body.limit,
        end_user=sanitize(body.user_id) or None,
        memories=body.of(Memory.objects.in_instance(instance)) if body.narrows else None,
        with_messages=not body.narrows,
    )
    hits, problems = answer(instance, body.q, options, rerank=body.rerank)
    return {"items": [_result(hit) for hit in hits], **problems}


def answer(
    instance: Instance, question: str, options: RecallOptions, *, rerank: bool
) -> tuple[list[Hit], dict[str, Any]]:
    """The hits of *question*, noted as recalled, and the fields that say what went wrong."""
    ask = recall_and_rerank if rerank else recall
    limit = min(MAX_PAGE_SIZE, max(1, options.limit))
    result = ask(instance, sanitize(question), replace(options, limit=limit))
    note_recalled(result.hits)
    return result.hits, {
        "degraded": result.degraded,
        "rerank_problem": result.rerank_problem or None,
    }


def _result(hit: Hit) -> dict[str, Any]:
    if hit.memory is not None:
        return {"type": "memory", "memory": memory_hit(hit, hit.memory)}
    if hit.message is None:
        return {"type": "note", "note": note_hit(hit)}
    return {"type": "message", "message": message_hit(hit, hit.message)}
