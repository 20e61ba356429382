"""Adding messages, from which facts are extracted, or facts, which are stored as they are."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Annotated, Any, Literal
from urllib.parse import quote
from zoneinfo import ZoneInfo

from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from pydantic import BeforeValidator, Field

from conversations.messages import NewMessage, append_new, short_id
from conversations.models import Conversation, ConversationOrigin
from conversations.titles import clean_title
from instances.models import Instance
from instances.tiers import Tier
from memoryapp.api.auth import Caller, caller_of, instance_named, keep_to_person
from memoryapp.api.errors import ApiError
from memoryapp.api.key_requests import note_request, require_person
from memoryapp.api.mem0.auth import WRITE_OWN, router
from memoryapp.api.mem0.bodies import Body, Mem0MessageIn, as_new_messages
from memoryapp.api.mem0.entity_scope import LABELS, Owners, WithOwners
from memoryapp.api.mem0.schemas import EVENTS, memory_event, queued
from memoryapp.api.mem0.timestamps import Timestamp
from memoryapp.api.rest.memory_changes import unfit
from memoryapp.api.rest.memory_create import note_stored
from memoryapp.extraction.run import queue_by_hand
from memoryapp.llm.structured import NO_MODEL
from memoryapp.models import Origin, RequestDoor, Run
from memoryapp.pipeline import MAX_CONTENT, Candidate, Rejected, Writer, remember
from memoryapp.tasks.dispatch import hand_over_on_commit

#: Messages of one request.
MAX_MESSAGES = 1_000


def _as_messages(value: Any) -> Any:
    # A text alone is what the user says.
    return [{"role": "user", "content": value}] if isinstance(value, str) else value


class AddIn(WithOwners, Body):
    """Messages to add, with their owners."""

    messages: Annotated[list[Mem0MessageIn], BeforeValidator(_as_messages)] = Field(
        min_length=1, max_length=MAX_MESSAGES
    )
    metadata: dict[str, Any] = Field(default_factory=dict)
    infer: bool = True
    timestamp: Timestamp | None = None
    expiration_date: date | None = None
    # What they ask for does not happen here, and would be missed.
    custom_instructions: None = None
    immutable: Literal[False] | None = None


@router.post("/v3/memories/add/", auth=WRITE_OWN, url_name="add_v3", summary="Add")
@router.post("/v1/memories/", auth=WRITE_OWN, url_name="memories_v1", summary="Add")
def add(request: HttpRequest, body: AddIn) -> dict[str, Any]:
    """Extract facts from messages in the background; without `infer`, store each message as a
    memory.
    """
    instance = instance_named(request, None, body)
    owners = body.owners()
    keep_to_person(request, instance, owners)
    require_person(request, owners.end_user, RequestDoor.MEM0)
    if not any(message.text.strip() for message in body.messages):
        raise ApiError(400, "invalid", "messages: at least one must contain text.")
    return _ingest(request, body, owners) if body.infer else _store(request, body, owners)


def _ingest(request: HttpRequest, body: AddIn, owners: Owners) -> dict[str, Any]:
    instance = instance_named(request, None)
    if body.expiration_date is not None:
        raise ApiError(
            400,
            "unsupported",
            "expiration_date: not supported with infer, which extracts the validity of a "
            "fact from the messages. Omit it, or send infer=false.",
        )
    if not instance.can_read:
        raise ApiError(
            409, "no_language_model", f"{NO_MODEL} Or send infer=false to store texts as they are."
        )
    messages = [
        replace(message, sent_at=body.timestamp, metadata=body.metadata | owners.labels)
        for message in as_new_messages(body.messages)
    ]
    run = ingest(instance, owners, messages, caller_of(request))
    note_request(request, owners.end_user, RequestDoor.MEM0, kept=len(messages))
    return queued(run)


def _store(request: HttpRequest, body: AddIn, owners: Owners) -> dict[str, Any]:
    messages = [message for message in body.messages if message.role != "system"]
    if any(len(message.text) > MAX_CONTENT for message in messages):
        raise ApiError(
            422, "invalid", f"messages: each may have at most {MAX_CONTENT:,} characters."
        )
    candidates = [
        Candidate(
            message.text,
            end_user=owners.end_user,
            tier=Tier.of_role(message.role),
            valid_until=body.expiration_date,
            metadata=body.metadata | owners.labels,
            said_at=body.timestamp,
            created_at=body.timestamp,
            updated_at=timezone.now(),
            # The program says which texts are memories of their own: only equal ones are one.
            keep_apart=True,
        )
        for message in messages
        if message.text.strip()
    ]
    caller = caller_of(request)
    writer = Writer(Origin.API, caller.actor, tier=caller.tier)
    instance = instance_named(request, None)
    try:
        outcomes = remember(instance, candidates, writer)
    except Rejected as error:
        raise unfit(error) from error
    actions = [{"action": each.action} for each in outcomes]
    note_stored(request, owners.end_user, actions, RequestDoor.MEM0)
    return {"results": [memory_event(each.memory, EVENTS[each.action]) for each in outcomes]}


def ingest(
    instance: Instance, owners: Owners, messages: Sequence[NewMessage], caller: Caller
) -> Run:
    """Append *messages* to the conversation of *owners*, and queue its extraction, even if the
    instance does not do so by itself: that is what adding messages means in mem0.
    """
    with transaction.atomic():
        conversation = _conversation(instance, owners)
        append_new(conversation, messages, door=caller.door)
        run = queue_by_hand(conversation)
        hand_over_on_commit(run)
    return run


def _conversation(instance: Instance, owners: Owners) -> Conversation:
    """Return the conversation of the run, or without a run that of the day, since nothing else says
    where a conversation ends.
    """
    day = timezone.now().astimezone(ZoneInfo(instance.time_zone)).date().isoformat()
    labels = owners.labels
    named = [owners.end_user, *(labels.get(name, "") for name in LABELS)]
    parts = [*named, "" if owners.run_id else day]
    values: dict[str, Any] = {
        "title": clean_title(instance, labels.get("run_id", day)),
        "end_user": owners.end_user,
        "agent": instance.agents.filter(slug=labels.get("agent_id", "")).first(),
        "origin": ConversationOrigin.MEM0,
    }
    conversation, _ = Conversation.objects.get_or_create(
        instance=instance,
        external_id=short_id(":".join(["mem0", *(quote(part, safe="") for part in parts)])),
        defaults=values,
    )
    return conversation
