"""The endpoints' way to create a memory: the body, the write path, the response."""

import json
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Annotated, Any, Literal, Self

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Schema, Status
from pydantic import AfterValidator, Field, model_validator

from conversations.models import Message
from conversations.sanitizer import sanitize
from instances.models import Instance
from instances.tiers import Tier
from memoryapp.api.auth import caller_of, instance_named
from memoryapp.api.conditional import set_entity_tag
from memoryapp.api.errors import ApiError
from memoryapp.api.fields import END, End, Importance, In, InstanceId, UserId, Whole
from memoryapp.api.idempotency import once
from memoryapp.api.key_requests import note_request, require_person
from memoryapp.api.response_headers import set_location, with_headers
from memoryapp.api.rest.memory_changes import known_by_id, restate, unfit
from memoryapp.models import Category, Memory, Origin, RequestDoor, RequestRemark
from memoryapp.models.end_dates import split_end
from memoryapp.pipeline import (
    MAX_CONTENT,
    MAX_EXPIRES_DAYS,
    MAX_METADATA,
    MAX_SOURCE_CONTEXT,
    MAX_TAGS,
    SOURCE_CONTEXT,
    Candidate,
    Outcome,
    Rejected,
    Writer,
    remember,
)
from memoryapp.policy.dedup import Action
from memoryapp.policy.keyed_facts import MAX_KEY, MAX_VALUE

Content = Annotated[
    str,
    Field(min_length=1, max_length=MAX_CONTENT, examples=["The user is allergic to peanuts."]),
]
Key = Annotated[
    str,
    Field(
        max_length=MAX_KEY,
        examples=["home_city"],
        description="Key of a fact that has one value at a time. Facts with the same key and "
        "person are one memory: another value replaces the present one, unless that has a "
        "higher tier.",
    ),
]
Value = Annotated[str, Field(max_length=MAX_VALUE, examples=["Munich"])]
MAX_EXTERNAL_ID = 300


def _check_id(text: str) -> str:
    text = sanitize(text).strip()
    if text.isdigit():
        # A client of mem0 could take it for the number of another memory.
        raise ValueError("must not be a number alone; put a word before it, as in crm:4711")
    return text


def _check_size(metadata: dict[str, Any]) -> dict[str, Any]:
    if len(json.dumps(metadata, ensure_ascii=False)) > MAX_METADATA:
        raise ValueError(f"must have at most {MAX_METADATA:,} characters as JSON")
    return metadata


ExternalId = Annotated[
    str,
    AfterValidator(_check_id),
    Field(
        max_length=MAX_EXTERNAL_ID,
        description="Your own ID of the memory, unique in the instance. If a memory has it "
        "already, that one is changed to the given fields, as by PATCH. Not a number alone.",
        examples=["crm:4711"],
    ),
]
Metadata = Annotated[
    dict[str, Any],
    AfterValidator(_check_size),
    Field(
        description="Anything of your own, at most 10,000 characters as JSON. Secrets in it are "
        "redacted. `agent_id`, `app_id` and `run_id` become `labels`.",
        examples=[{"project": "atlas"}],
    ),
]
Tags = Annotated[list[Annotated[str, Field(max_length=50)]], Field(max_length=MAX_TAGS)]


class NewMemoryIn(In):
    """A fact to store."""

    instance_id: InstanceId = None
    content: Content
    category: Category | None = Field(None, description="Null: by the words of the content.")
    importance: Importance | None = Field(
        None,
        description="Importance from 1 (trivial) to 10 (essential). Null: by the words of the "
        "content, until a language model has assessed it.",
    )
    tags: Tags = Field(default_factory=list, examples=[["food"]])
    valid_until: End | None = Field(
        None, description=f"{END} If it is left out, the content may name the day."
    )
    expires_days: Whole | None = Field(
        None,
        ge=1,
        le=MAX_EXPIRES_DAYS,
        description="Number of days from today for which the memory is valid, instead of "
        "`valid_until`.",
    )
    key: Key = ""
    value: Value = ""
    user_id: UserId = ""
    confidence: Whole | None = Field(
        None,
        ge=0,
        le=100,
        description="Confidence in percent. It counts only among statements of the same tier, "
        "which depends on the key: below 50 it is a guess, which does not replace the value of a "
        "`key` that is more than a guess.",
    )
    source_context: str = Field(
        "",
        max_length=MAX_SOURCE_CONTEXT,
        description="Where the fact comes from, in a few words. Stored in the metadata.",
        examples=["while planning the trip to Porto"],
    )
    conversation_id: Whole | None = Field(
        None, description="ID of the conversation that the fact comes from."
    )
    message_id: Whole | None = Field(
        None, description="ID of the message in that conversation. Requires `conversation_id`."
    )
    external_id: ExternalId = ""
    metadata: Metadata = Field(default_factory=dict)

    @model_validator(mode="after")
    def _one_end(self) -> Self:
        if self.valid_until is not None and self.expires_days is not None:
            raise ValueError("give either valid_until or expires_days")
        return self

    def end_in(self, instance: Instance) -> date | datetime | None:
        """The last day or the moment until which the fact is valid; None: it does not expire."""
        if self.expires_days is None:
            return self.valid_until
        return instance.date_of(timezone.now()) + timedelta(days=self.expires_days)


class TemporalOut(Schema):
    """Validity of a memory."""

    type: Literal["persistent", "temporal"]
    valid_until: datetime | date | None


class DedupOut(Schema):
    """The result of deduplication."""

    action: Literal["stored_new", "updated_existing", "duplicate_exact", "held", "ignored"] = Field(
        description="`held`: not stored, since it waits for a person’s review; `ignored`: not "
        "stored, since the instance ignores such statements, or a person has rejected it."
    )
    existing_id: int | None


class PIIOut(Schema):
    """Redactions made before storing."""

    redactions: dict[str, int] = Field(
        description="Number of redactions of each kind. The content contains placeholders in "
        "their place.",
        examples=[{"CARD": 1}],
    )


class RememberedOut(Schema):
    """The stored memory and the result of storing it."""

    id: int | None = Field(description="ID of the memory, or null if none was stored.")
    content: str
    category: Category
    importance: int
    categories: list[str] = Field(description="Tags of the memory.")
    external_id: str
    metadata: dict[str, Any]
    temporal: TemporalOut
    dedup: DedupOut
    pii: PIIOut
    held_id: int | None = Field(
        None, description="ID of the statement that waits for review, or null."
    )
    not_taken: bool = Field(
        False,
        description="True if the request would have changed a memory that has a higher tier, or "
        "gave a value for its key that was stated earlier. The memory stays as it is; the given "
        "text is recorded in the revisions.",
    )
    degraded: Literal["embedding_unavailable"] | None = Field(
        None, description="Why the memory has no vector yet and is found by words only, or null."
    )


#: The responses of an operation that sends its body through `remembered`, and their headers.
REMEMBERED = {201: RememberedOut, 200: RememberedOut, 202: RememberedOut}
REMEMBERED_HEADERS = with_headers({201: ["ETag", "Location"], 200: ["ETag"]})


def remembered(
    request: HttpRequest, response: HttpResponse, body: NewMemoryIn, idempotency_key: str | None
) -> Status[dict[str, Any]]:
    """Send *body* through the write path, once. The response is one of `REMEMBERED`; 202 says that
    nothing is stored, since the text is held for review or ignored.
    """
    instance = instance_named(request, body.instance_id, body)
    candidate = candidate_of(instance, body, person=caller_of(request).person)
    require_person(request, body.user_id)
    with once(request, instance, idempotency_key) as attempt:
        is_repeated = attempt.is_done
        if not attempt.is_done:
            if known := known_by_id(instance, candidate):
                outcome = restate(request, known, candidate, body.model_fields_set)
                # Not in one transaction with the change, which leads to the same if it is repeated.
                attempt.finish(result_of(outcome))
            else:
                try:
                    remember(
                        instance,
                        [candidate],
                        writer_of(request),
                        in_same_transaction=lambda outcomes: attempt.finish(result_of(outcomes[0])),
                    )
                except Rejected as error:
                    raise unfit(error) from error
    result = attempt.result
    if not is_repeated:
        note_stored(request, body.user_id, [result])
    if result["action"] in (Action.HELD, Action.IGNORED):
        return Status(202, not_stored(instance, body, result))
    memory = attempt.created(Memory.objects.in_instance(instance).with_conversations())
    is_new = result["action"] == "stored_new"
    set_entity_tag(response, memory)
    if is_new:
        set_location(response, "read_memory", memory.pk)
    return Status(201 if is_new else 200, stored(memory, result))


def note_stored(
    request: HttpRequest,
    end_user: str,
    results: Sequence[Mapping[str, Any]],
    door: RequestDoor = RequestDoor.REST,
) -> None:
    """List *request* for its key, with how many of the *results* of the write path were stored."""
    actions = [result.get("action") for result in results]
    kept = sum(action in (Action.STORED, Action.UPDATED) for action in actions)
    held = not kept and any(action in (Action.HELD, Action.IGNORED, None) for action in actions)
    remark = RequestRemark.HELD if held else ""
    note_request(request, end_user, door, kept=kept, remark=remark)


def candidate_of(instance: Instance, body: NewMemoryIn, *, person: str = "") -> Candidate:
    """Return the candidate that *body* describes; raise `ApiError` if *instance* does not have the
    conversation or message that it names, of the *person* whom the key is for.
    """
    message = _source(instance, body, person)
    valid_until, expires_at = split_end(body.end_in(instance))
    source_context = body.source_context.strip()
    return Candidate(
        body.content,
        category=body.category,
        importance=body.importance,
        tags=body.tags,
        valid_until=valid_until,
        expires_at=expires_at,
        has_no_end="valid_until" in body.model_fields_set and body.valid_until is None,
        key=body.key,
        value=body.value,
        end_user=body.user_id,
        tier=message.tier if message else Tier.PERSON,
        confidence=body.confidence,
        conversation_id=body.conversation_id,
        message_id=body.message_id,
        external_id=body.external_id,
        metadata=body.metadata | ({SOURCE_CONTEXT: source_context} if source_context else {}),
    )


def writer_of(request: HttpRequest) -> Writer:
    """Return the writer of what the caller stores."""
    caller = caller_of(request)
    return Writer(Origin.API, caller.actor, tier=caller.tier)


def stored(memory: Memory, result: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a `RememberedOut` for a *memory* that stands for what was sent."""
    is_new = result["action"] == "stored_new"
    return {
        "id": memory.pk,
        "content": memory.content,
        "category": memory.category,
        "importance": memory.importance,
        "categories": memory.tags,
        "external_id": memory.external_id,
        "metadata": memory.metadata,
        "temporal": temporal(memory),
        "dedup": {"action": result["action"], "existing_id": None if is_new else memory.pk},
        "pii": {"redactions": result["redactions"]},
        "not_taken": result["not_taken"],
        "degraded": "embedding_unavailable" if result["waits"] else None,
    }


def not_stored(instance: Instance, body: NewMemoryIn, result: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a `RememberedOut` for what *body* says, which is held or ignored."""
    valid_until, expires_at = split_end(body.end_in(instance))
    kind = "temporal" if valid_until else "persistent"
    return {
        "id": None,
        "content": body.content,
        "category": body.category or Category.GENERAL,
        "importance": body.importance or 5,
        "categories": body.tags,
        "external_id": body.external_id,
        "metadata": body.metadata,
        "temporal": {"type": kind, "valid_until": expires_at or valid_until},
        "dedup": {"action": result["action"], "existing_id": None},
        "pii": {"redactions": result["redactions"]},
        "held_id": result["held_id"],
    }


def temporal(memory: Memory) -> dict[str, Any]:
    """Return how long *memory* holds, as a `TemporalOut`."""
    kind = "temporal" if memory.valid_until else "persistent"
    return {"type": kind, "valid_until": memory.end}


def result_of(outcome: Outcome) -> dict[str, Any]:
    """Return the ids and counts of *outcome*, for `IdempotentCall.finish`."""
    return {
        "id": outcome.memory.pk,
        "action": outcome.action.value,
        "waits": bool(outcome.problem),
        "redactions": dict(outcome.redactions),
        "not_taken": outcome.not_taken,
        "held_id": outcome.held.pk if outcome.held else None,
    }


def _source(instance: Instance, body: NewMemoryIn, person: str) -> Message | None:
    """Return the message that *body* names, if any; raise `ApiError` if *instance* does not have it
    or its conversation.
    """
    source = instance.conversations.filter(pk=body.conversation_id or 0)
    if person:
        source = source.filter(end_user=person)
    if body.conversation_id is not None and not source.exists():
        raise ApiError(
            404, "not_found", f"There is no conversation {body.conversation_id} in this instance."
        )
    if body.message_id is None:
        return None
    if body.conversation_id is None:
        raise ApiError(422, "invalid", "conversation_id: required if message_id is given")
    message = Message.objects.filter(pk=body.message_id, conversation__in=source).first()
    if message is None:
        raise ApiError(
            404,
            "not_found",
            f"Conversation {body.conversation_id} has no message {body.message_id}.",
        )
    return message
