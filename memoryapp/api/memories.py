"""Memories: found, written, corrected, restored, deleted."""

from collections.abc import Callable
from dataclasses import fields
from datetime import date
from typing import Annotated, Any, Literal

from django.db.models import QuerySet
from django.http import Http404, HttpRequest
from ninja import Query, Router, Schema, Status
from pydantic import Field

from conversations.models import Message
from conversations.turns import clean
from memoryapp.api.callers import DELETE, READ, WRITE, caller_of, instance_named, one
from memoryapp.api.errors import Refusal, problems
from memoryapp.api.fields import Day, Importance, In, InstanceId, Moment, UserId, Whole
from memoryapp.api.once import IdempotencyKey, gone, once
from memoryapp.api.paging import PageIn, PageOut, page_of
from memoryapp.api.schemas import (
    MemoryDetailOut,
    MemoryHitOut,
    MessageHitOut,
    memory_hit,
    message_hit,
)
from memoryapp.models import Category, Memory, Origin
from memoryapp.pipeline import (
    MAX_CONTENT,
    MAX_TAGS,
    Candidate,
    Changed,
    Changes,
    KeyTaken,
    Outcome,
    Rejected,
    Writer,
    remember,
    revise,
)
from memoryapp.pipeline.facts import MAX_KEY, MAX_VALUE
from memoryapp.pipeline.forgetting import forget
from memoryapp.recall import note_recalled, recall

router = Router(tags=["Memories"])

#: Memories that one request may delete.
MOST_AT_ONCE = 1_000
#: How often a change is worked out anew when somebody else changes the memory meanwhile.
TRIES = 3

Content = Annotated[
    str,
    Field(min_length=1, max_length=MAX_CONTENT, examples=["The user is allergic to peanuts."]),
]
Key = Annotated[
    str,
    Field(
        max_length=MAX_KEY,
        examples=["home_city"],
        description="For a fact that has one value at a time. The same key of the same person and "
        "category is the same memory; the better supported value stands.",
    ),
]
Value = Annotated[str, Field(max_length=MAX_VALUE, examples=["Munich"])]
Tags = Annotated[list[Annotated[str, Field(max_length=50)]], Field(max_length=MAX_TAGS)]


class Narrowing(Schema):
    """Which memories are meant."""

    category: str = Field("", description="One of the closed set of categories.")
    tag: str = ""
    user_id: str = Field("", description="Only what is about this end user.")
    since: Moment | None = Field(None, description="Only what was written then or later.")
    until: Moment | None = Field(None, description="Only what was written before then.")

    @property
    def narrows(self) -> bool:
        """Whether anything but the end user is asked for, which messages do not have."""
        return bool(self.category or self.tag or self.since or self.until)

    def of(self, memories: QuerySet[Memory]) -> QuerySet[Memory]:
        """Those of *memories* that are meant."""
        if self.category and self.category not in Category.values:
            known = ", ".join(Category.values)
            raise Refusal(400, "unknown_category", f"category must be one of {known}")
        if self.category:
            memories = memories.filter(category=self.category)
        if self.tag:
            memories = memories.filter(tags__contains=[clean(self.tag).lower()])
        if self.user_id:
            memories = memories.filter(end_user=clean(self.user_id))
        if self.since:
            memories = memories.filter(created_at__gte=self.since)
        if self.until:
            memories = memories.filter(created_at__lt=self.until)
        return memories


class MemoriesIn(PageIn, Narrowing):
    """Which memories, and which page of them."""

    instanceId: InstanceId = None
    q: str = Field("", description="A question. Empty: list what there is, newest first.")


class MemoriesOut(PageOut):
    """One page of memories, or the results of a search."""

    items: list[MemoryHitOut]
    messages: list[MessageHitOut] = Field(default_factory=list)
    count: int = Field(description="How many there are; for a search, how many were found.")
    degraded: Literal["embedding_unavailable"] | None = Field(
        None, description="Why a search ran on words alone; null when it did not."
    )


@router.get(
    "/memories",
    auth=READ,
    response={200: MemoriesOut, **problems()},
    summary="List or search memories",
)
def list_memories(request: HttpRequest, params: Query[MemoriesIn]) -> dict[str, Any]:
    """Without `q`: newest first, in pages. With it: the results of hybrid search over memories and
    messages, best first, in two lists; `POST /api/search` gives them in one.
    """
    instance = instance_named(request, params.instanceId)
    memories = params.of(Memory.objects.in_instance(instance))
    if not clean(params.q).strip():
        page = page_of(memories.defer("search"), params, order=["-created_at", "-id"])
        return {**page, "count": memories.count()}
    found = recall(
        instance,
        clean(params.q),
        limit=params.size,
        end_user=clean(params.user_id) or None,
        memories=memories if params.narrows else None,
        with_messages=not params.narrows,
    )
    note_recalled(found.hits)
    return {
        "items": [memory_hit(hit, hit.memory) for hit in found.hits if hit.memory],
        "messages": [message_hit(hit, hit.message) for hit in found.hits if hit.message],
        "count": len(found.hits),
        "limit": params.size,
        "degraded": found.degraded,
    }


class NewMemoryIn(In):
    """A fact to remember."""

    instanceId: InstanceId = None
    content: Content
    category: Category = Category.GENERAL
    importance: Importance | None = Field(
        None, description="Null: nobody has judged it; it gets 5."
    )
    tags: Tags = Field(default_factory=list, examples=[["food"]])
    valid_until: Day | None = Field(None, description="The last day it holds; null: it stays.")
    key: Key = ""
    value: Value = ""
    user_id: UserId = ""
    confidence: Whole | None = Field(
        None, ge=0, le=100, description="How sure you are, in percent."
    )
    conversation_id: Whole | None = Field(None, description="Where it was said, if it was.")
    message_id: Whole | None = Field(None, description="The message of that conversation.")


class TemporalOut(Schema):
    """How long a memory holds."""

    type: Literal["persistent", "temporal"]
    valid_until: date | None


class DedupOut(Schema):
    """What became of a new fact beside those that were there."""

    action: Literal["stored_new", "updated_existing", "duplicate_exact"]
    existing_id: int | None
    not_taken: bool = Field(
        False,
        description="It gave another value to the key, and what was there is better supported: "
        "that stands, and the revisions tell what was heard.",
    )


class PIIOut(Schema):
    """What was taken out before anything was stored."""

    redactions: dict[str, int] = Field(
        description="How many of each kind; their placeholders stand in the content.",
        examples=[{"CARD": 1}],
    )


class RememberedOut(Schema):
    """What is remembered now, and how it got there."""

    id: int
    content: str
    category: Category
    importance: int
    categories: list[str] = Field(description="The tags.")
    temporal: TemporalOut
    dedup: DedupOut
    pii: PIIOut
    degraded: Literal["embedding_unavailable"] | None = Field(
        None, description="Why it has no vector yet, and is found by words only; null when it has."
    )


@router.post(
    "/memories",
    auth=WRITE,
    response={201: RememberedOut, 200: RememberedOut, **problems(409, 410, 413)},
    summary="Remember a fact",
)
def create_memory(
    request: HttpRequest, body: NewMemoryIn, idempotency_key: IdempotencyKey = None
) -> Status[dict[str, Any]]:
    """Send a fact through the write path that all memories take. `201`: it is new. `200`: it is the
    new wording of a memory that was there, or says what one says already.

    Secrets and identifiers are taken out of it, or it is refused with `pii_rejected`, as the
    instance is set.
    """
    instance = instance_named(request, body.instanceId)
    caller = caller_of(request)
    _there(request, body)
    candidate = Candidate(
        body.content,
        category=body.category,
        importance=body.importance,
        tags=body.tags,
        valid_until=body.valid_until,
        key=body.key,
        value=body.value,
        end_user=body.user_id,
        confidence=body.confidence,
        conversation_id=body.conversation_id,
        message_id=body.message_id,
    )
    writer = Writer(Origin.API, via=caller.via, by=caller.user)
    with once(request, instance, idempotency_key) as attempt:
        if attempt.result is None:
            try:
                remember(
                    instance,
                    [candidate],
                    writer,
                    in_same_transaction=lambda outcomes: attempt.finish(_noted(outcomes[0])),
                )
            except Rejected as error:
                raise unfit(error) from error
    done = attempt.result or {}
    memory = Memory.objects.in_instance(instance).filter(pk=done["id"]).first()
    if memory is None:
        raise gone()
    return Status(
        201 if done["action"] == "stored_new" else 200,
        {
            "id": memory.pk,
            "content": memory.content,
            "category": memory.category,
            "importance": memory.importance,
            "categories": memory.tags,
            "temporal": {
                "type": "temporal" if memory.valid_until else "persistent",
                "valid_until": memory.valid_until,
            },
            "dedup": {
                "action": done["action"],
                "existing_id": None if done["action"] == "stored_new" else memory.pk,
                "not_taken": done["not_taken"],
            },
            "pii": {"redactions": done["redactions"]},
            "degraded": "embedding_unavailable" if done["waits"] else None,
        },
    )


def unfit(error: Rejected) -> Refusal:
    """The answer to what the pipeline does not take."""
    if isinstance(error, KeyTaken):
        return Refusal(409, error.code, str(error))
    return Refusal(422, error.code, f"content: {error}")


def _noted(outcome: Outcome) -> dict[str, Any]:
    return {
        "id": outcome.memory.pk,
        "action": outcome.action.value,
        "waits": bool(outcome.problem),
        "redactions": dict(outcome.redactions),
        "not_taken": outcome.not_taken,
    }


def _there(request: HttpRequest, body: NewMemoryIn) -> None:
    """See that the conversation and the message which are named exist in this very instance."""
    instance = instance_named(request, body.instanceId)
    said_in = instance.conversations.filter(pk=body.conversation_id or 0)
    if body.conversation_id is not None and not said_in.exists():
        raise Refusal(404, "not_found", f"There is no conversation {body.conversation_id} here.")
    if body.message_id is None:
        return
    if body.conversation_id is None:
        raise Refusal(422, "invalid", "conversation_id: name the conversation of this message too")
    if not Message.objects.filter(pk=body.message_id, conversation__in=said_in).exists():
        raise Refusal(
            404,
            "not_found",
            f"Conversation {body.conversation_id} has no message {body.message_id}.",
        )


@router.get(
    "/memories/{int:memory_id}",
    auth=READ,
    response={200: MemoryDetailOut, **problems()},
    summary="Read a memory",
)
def read_memory(request: HttpRequest, memory_id: int) -> Memory:
    """All of one memory, with the messages that it comes from."""
    return memory_named(request, memory_id)


class MemoryChangesIn(In):
    """What is to be different; what is left out stays as it is."""

    content: Content | None = None
    category: Category | None = None
    importance: Importance | None = None
    tags: Tags | None = None
    valid_until: Day | None = Field(None, description="Null: it stays for good.")
    key: Key | None = None
    value: Value | None = None


@router.patch(
    "/memories/{int:memory_id}",
    auth=WRITE,
    response={200: MemoryDetailOut, **problems(409, 413)},
    summary="Correct a memory",
)
def correct_memory(request: HttpRequest, memory_id: int, body: MemoryChangesIn) -> Memory:
    """Change what the body names. What the memory said before is kept as a revision."""
    wanted = {
        name: value
        for name, value in body.dict(exclude_unset=True).items()
        if value is not None or name == "valid_until"
    }
    return correct(request, lambda: memory_named(request, memory_id), wanted)


def correct(request: HttpRequest, find: Callable[[], Memory], wanted: dict[str, Any]) -> Memory:
    """Change what *wanted* names of the memory that *find* loads; return it as it is then."""
    caller = caller_of(request)
    for _ in range(TRIES):
        memory = find()
        present = {field.name: getattr(memory, field.name) for field in fields(Changes)}
        try:
            revise(
                memory,
                Changes(**(present | wanted)),
                by=caller.user,
                via=caller.via,
                only_as_seen=True,
            )
        except Changed:
            continue  # What it does not name comes from the memory as it is now.
        except Rejected as error:
            raise unfit(error) from error
        except Memory.DoesNotExist:
            raise Http404 from None
        return find()
    raise Refusal(409, "conflict", "Others are changing this memory. Send it again in a moment.")


@router.delete(
    "/memories/{int:memory_id}",
    auth=DELETE,
    response={204: None, **problems()},
    summary="Delete a memory",
)
def delete_memory(request: HttpRequest, memory_id: int) -> Status[None]:
    """Delete it at once and for good: text, vector, revisions and links."""
    caller = caller_of(request)
    memory = memory_named(request, memory_id)
    chosen = Memory.objects.filter(pk=memory.pk)
    if not forget(memory.instance, chosen, by=caller.user, via=caller.via):
        raise Http404
    return Status(204, None)


class MemoriesToDeleteIn(In):
    """Which memories."""

    instanceId: InstanceId = None
    ids: list[Whole] = Field(min_length=1, max_length=MOST_AT_ONCE, examples=[[1, 2]])


class DeletedOut(Schema):
    """How many were deleted."""

    deleted: int


@router.post(
    "/memories/delete",
    auth=DELETE,
    response={200: DeletedOut, **problems(413)},
    summary="Delete several memories",
)
def delete_memories(request: HttpRequest, body: MemoriesToDeleteIn) -> dict[str, int]:
    """Delete those of `ids` that the instance has, at once and for good, in one transaction. Ids
    that it does not have are passed over, so that sending it twice does no harm.
    """
    caller = caller_of(request)
    instance = instance_named(request, body.instanceId)
    possible = [number for number in body.ids if 0 < number < 2**63]
    chosen = Memory.objects.in_instance(instance).filter(pk__in=possible)
    return {"deleted": forget(instance, chosen, by=caller.user, via=caller.via)}


def memory_named(request: HttpRequest, number: int) -> Memory:
    """The memory of that id, if the caller may see it, with what is shown of it."""
    rows = (
        Memory.objects.select_related("instance")
        .prefetch_related("instance__secrets", "sources")
        .defer("search")
    )
    return one(request, rows, number)
