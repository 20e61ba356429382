"""Endpoints of conversations: create, list, rename, extract, delete."""

from datetime import datetime
from typing import Any, Literal

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from ninja import Query, Router, Schema, Status
from pydantic import Field, StrictBool

from conversations.models import Conversation, ConversationOrigin
from conversations.sanitizer import sanitize
from conversations.titles import clean_title
from memoryapp.api.auth import caller_of, instance_named, visible_row
from memoryapp.api.errors import ApiError
from memoryapp.api.fields import In, InstanceId, UserId
from memoryapp.api.idempotency import IdempotencyKey, once
from memoryapp.api.key_requests import require_person
from memoryapp.api.not_found import named
from memoryapp.api.operations import deletes_own, reads_own, writes_own
from memoryapp.api.paging import PageIn, PageOut, page_of
from memoryapp.api.response_headers import set_location, with_headers
from memoryapp.api.rest.removal import may_forget
from memoryapp.api.rest.runs import RunOut
from memoryapp.extraction.message_status import ExtractionProgress
from memoryapp.extraction.run import WithoutMemory, queue_by_hand
from memoryapp.llm.structured import NO_MODEL
from memoryapp.models import Run
from memoryapp.tasks.dispatch import hand_over_on_commit
from memoryapp.trust.conversation_deletion import forget_conversation, learned_from

router = Router(tags=["Conversations"])


class ConversationOut(Schema):
    """A conversation."""

    id: int
    title: str
    user_id: str = Field(alias="end_user")
    agent: str | None = Field(None, description="Slug of the agent of the conversation, or null.")
    external_id: str
    origin: ConversationOrigin = Field(
        description="Interface that the conversation was created through."
    )
    without_memory: bool = Field(description="Nothing of it is recalled, read or filed.")
    shared_with: str | None = Field(description="ID of the group that is told it, or null.")
    created_at: datetime
    last_activity_at: datetime

    @staticmethod
    def resolve_agent(conversation: Conversation) -> str | None:
        return conversation.agent.slug if conversation.agent else None


class ConversationDetailOut(ConversationOut):
    """A conversation with the progress of extraction."""

    messages: int
    state: Literal["unread", "queued", "running", "read", "failed"]
    memories: int = Field(description="Number of memories that come from the conversation.")

    @staticmethod
    def resolve_messages(conversation: Conversation) -> int:
        return conversation.messages.count()

    @staticmethod
    def resolve_state(conversation: Conversation) -> str:
        return ExtractionProgress.of(conversation).state

    @staticmethod
    def resolve_memories(conversation: Conversation) -> int:
        return learned_from(conversation).count()


class ConversationsIn(PageIn):
    """Filters and pagination of a list of conversations."""

    instance_id: InstanceId = None
    user_id: str = Field("", description="Only conversations with this end user.")


class ConversationsOut(PageOut):
    """One page of conversations."""

    items: list[ConversationOut]


@router.get("/conversations", **reads_own(ConversationsOut, "List conversations"))
def list_conversations(request: HttpRequest, params: Query[ConversationsIn]) -> dict[str, Any]:
    """List the conversations of an instance, newest first by creation. Unlike an order by last
    activity, this order is stable across pages.
    """
    instance = instance_named(request, params.instance_id, params)
    rows = Conversation.objects.filter(instance=instance).select_related("agent")
    if params.user_id:
        rows = rows.filter(end_user=instance.canonical_end_user(sanitize(params.user_id)))
    return page_of(rows, params, order=["-id"])


class NewConversationIn(In):
    """A new conversation."""

    instance_id: InstanceId = None
    title: str = Field("", max_length=300, examples=["Dinner for eight"])
    user_id: UserId = ""
    agent: str = Field("", description="Slug of an agent of the instance.")
    without_memory: StrictBool = Field(
        False, description="Keep nothing but the transcript: no facts, no palace, no recall."
    )
    external_id: str = Field(
        "",
        max_length=300,
        description="Your own ID of the conversation. A request with an existing `external_id` "
        "returns the existing conversation.",
        examples=["chat-2041"],
    )


@router.post(
    "/conversations",
    **writes_own(
        {200: ConversationOut, 201: ConversationOut}, "Create a conversation", 409, 410, 413
    ),
    openapi_extra=with_headers({201: ["Location"]}),
)
def begin_conversation(
    request: HttpRequest,
    response: HttpResponse,
    body: NewConversationIn,
    idempotency_key: IdempotencyKey = None,
) -> Status[Conversation]:
    """Create a conversation. Returns `201` if it is new, and `200` with the existing one that has
    this `external_id`.
    """
    instance = instance_named(request, body.instance_id, body)
    agent = instance.agents.filter(slug=sanitize(body.agent)).first() if body.agent else None
    if body.agent and agent is None:
        raise ApiError(404, "not_found", f"The instance has no {named('agent', body.agent)}.")
    require_person(request, body.user_id)
    external_id = sanitize(body.external_id)
    values = {
        "title": clean_title(instance, body.title),
        "end_user": sanitize(body.user_id),
        "agent": agent,
        "origin": ConversationOrigin.API,
        "without_memory": body.without_memory,
    }
    with once(request, instance, idempotency_key) as attempt:
        if not attempt.is_done:
            with transaction.atomic():
                is_new = True
                if external_id:
                    begun, is_new = Conversation.objects.get_or_create(
                        instance=instance, external_id=external_id, defaults=values
                    )
                    if (person := caller_of(request).person) and begun.end_user != person:
                        raise ApiError(
                            409,
                            "external_id_taken",
                            "The conversation of this external_id is another person's.",
                        )
                else:
                    begun = Conversation.objects.create(instance=instance, **values)
                attempt.finish({"id": begun.pk, "is_new": is_new})
    begun = attempt.created(instance.conversations.select_related("agent"))
    if not attempt.result["is_new"]:
        return Status(200, begun)
    set_location(response, "read_conversation", begun.pk)
    return Status(201, begun)


@router.get(
    "/conversations/{int:conversation_id}", **reads_own(ConversationDetailOut, "Get a conversation")
)
def read_conversation(request: HttpRequest, conversation_id: int) -> Conversation:
    """Return a conversation without its messages."""
    return conversation_named(request, conversation_id)


class ConversationChangesIn(In):
    """Changes to a conversation."""

    title: str = Field(max_length=300, examples=["Dinner for nine"])


@router.patch(
    "/conversations/{int:conversation_id}",
    **writes_own(ConversationDetailOut, "Rename a conversation", 413),
)
def rename_conversation(
    request: HttpRequest, conversation_id: int, body: ConversationChangesIn
) -> Conversation:
    """Change the title. Messages cannot be changed."""
    conversation = conversation_named(request, conversation_id)
    conversation.row().update(title=clean_title(conversation.instance, body.title))
    return conversation_named(request, conversation_id)


class DeletionIn(Schema):
    """Treatment of the conversation's memories."""

    memories: Literal["keep", "delete"] = Field(
        description="`keep`: keep the memories that come from the conversation, without the link "
        "to it. `delete`: also undo its changes of other memories, and delete the memories that "
        "come from this conversation only, into the bin unless the key may forget."
    )


class DeletedConversationOut(Schema):
    """The result of a deletion."""

    memories_deleted: int
    memories_taken_back: int = Field(
        description="Memories that were changed by this conversation, and have their former text."
    )


@router.delete(
    "/conversations/{int:conversation_id}",
    **deletes_own(DeletedConversationOut, "Delete a conversation"),
)
def delete_conversation(
    request: HttpRequest, conversation_id: int, params: Query[DeletionIn]
) -> dict[str, int]:
    """Permanently delete a conversation with all its messages. `memories` determines what happens
    to its memories.
    """
    done = forget_conversation(
        conversation_named(request, conversation_id),
        with_memories=params.memories == "delete",
        by=caller_of(request).actor,
        for_good=may_forget(request),
    )
    return {"memories_deleted": done.deleted, "memories_taken_back": done.taken_back}


@router.post(
    "/conversations/{int:conversation_id}/runs",
    **writes_own({202: RunOut}, "Extract facts from a conversation", 409, 410),
)
def read_for_facts(
    request: HttpRequest, conversation_id: int, idempotency_key: IdempotencyKey = None
) -> Status[Run]:
    """Queue a run that extracts facts from new messages and from those whose last run failed, even
    if the instance does not extract automatically. Poll the run to get its result.
    """
    conversation = conversation_named(request, conversation_id)
    require_person(request, conversation.end_user)
    instance = conversation.instance
    if not instance.can_read:
        raise ApiError(409, "no_language_model", NO_MODEL)
    if conversation.without_memory:
        raise ApiError(409, "without_memory", str(WithoutMemory()))
    with once(request, instance, idempotency_key) as attempt:
        if not attempt.is_done:
            with transaction.atomic():
                run = queue_by_hand(conversation)
                attempt.finish({"id": run.pk})
                hand_over_on_commit(run)
    return Status(202, attempt.created(Run.objects.filter(conversation=conversation)))


def conversation_named(request: HttpRequest, number: int) -> Conversation:
    """Return the conversation with that id, if the caller may see it."""
    rows = Conversation.objects.select_related("instance", "agent")
    return visible_row(request, rows.prefetch_related("instance__secrets"), number)
