"""Endpoints of messages: append and list them, with the outcome of extraction."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal

from django.db import transaction
from django.db.models import prefetch_related_objects
from django.http import HttpRequest
from ninja import Query, Router, Schema
from pydantic import Field

from conversations.messages import NewMessage, append
from conversations.models import Conversation, Message
from conversations.sanitizer import sanitize
from memoryapp.api.auth import caller_of, visible_row
from memoryapp.api.conversations import conversation_named
from memoryapp.api.fields import In, Moment
from memoryapp.api.idempotency import IdempotencyKey, once
from memoryapp.api.operations import reads, writes
from memoryapp.api.paging import PageIn, PageOut, page_of
from memoryapp.extraction.message_status import ExtractionProgress, MessageState
from memoryapp.text.verbatim import masked_within

router = Router(tags=["Messages"])

#: Messages that one request may append.
MAX_MESSAGES = 1_000
#: Fields that are stored as they were sent, and shown with placeholders for secrets.
VERBATIM = ("content", "caption", "tool_calls")


class LearnedOut(Schema):
    """A memory that comes from a message."""

    memory_id: int
    action: str = Field(examples=["stored_new"])


class OutcomeOut(Schema):
    """Result of extraction for a message."""

    state: MessageState
    detail: str = Field(
        description="Explanation of the state in plain text. Empty if the message led to memories."
    )
    memories: list[LearnedOut]


class MessageOut(Schema):
    """A message with the result of extraction."""

    id: int
    conversation_id: int
    position: int = Field(description="Position in the conversation, starting at 1.")
    role: Literal["user", "assistant", "system", "tool"]
    author: str
    content: str
    caption: str
    external_id: str = Field(description="Your own ID of the message.")
    tool_name: str
    tool_calls: list[Any]
    sent_at: datetime
    outcome: OutcomeOut


class MessagesOut(PageOut):
    """One page of messages."""

    items: list[MessageOut]


@router.get(
    "/conversations/{int:conversation_id}/messages",
    **reads(MessagesOut, "List messages of a conversation"),
)
def list_messages(
    request: HttpRequest, conversation_id: int, page: Query[PageIn]
) -> dict[str, Any]:
    """List the messages of a conversation in order, each with the result of extraction. Secrets
    are masked, unless the instance keeps them.
    """
    conversation = conversation_named(request, conversation_id)
    listed = page_of(conversation.messages.defer("search"), page, order=["position", "id"])
    return {**listed, "items": _with_outcomes(conversation, listed["items"])}


@router.get("/messages/{int:message_id}", **reads(MessageOut, "Get a message"))
def read_message(request: HttpRequest, message_id: int) -> dict[str, Any]:
    """Return a message with the result of extraction."""
    rows = Message.objects.select_related("conversation__instance").defer("search")
    message = visible_row(request, rows, message_id)
    return _with_outcomes(message.conversation, [message])[0]


class ToolCallIn(In):
    """A tool call of the assistant."""

    name: str = Field(max_length=200)
    arguments: Any = None


class MessageIn(In):
    """A message to append."""

    role: Literal["user", "assistant", "system", "tool"]
    content: str = Field("", max_length=1_000_000, examples=["I moved to Lyon in March."])
    author: str = Field("", max_length=200)
    id: str = Field(
        "",
        max_length=300,
        description="Your own ID of the message. A message that is sent again with the same ID "
        "is not added again.",
    )
    created_at: Moment | None = Field(None, description="When the message was sent. Null: now.")
    tool_name: str = Field(
        "",
        max_length=200,
        description="Name of the tool, if the message is the result of a tool call.",
    )
    tool_calls: list[ToolCallIn] = Field(default_factory=list)


class MessagesIn(In):
    """Messages to append, in order."""

    messages: list[MessageIn] = Field(min_length=1, max_length=MAX_MESSAGES)


class AppendedOut(Schema):
    """The result of appending messages."""

    added: int
    known: int = Field(description="Number of messages that already existed, by your own IDs.")
    ids: list[int] = Field(description="IDs of the added messages.")


@router.post(
    "/conversations/{int:conversation_id}/messages",
    **writes(AppendedOut, "Append messages to a conversation", 409, 413),
)
def append_messages(
    request: HttpRequest,
    conversation_id: int,
    body: MessagesIn,
    idempotency_key: IdempotencyKey = None,
) -> dict[str, Any]:
    """Append messages to a conversation. If they include a reply of the assistant and memory is on,
    facts are extracted in the background; the request does not wait for that.
    """
    conversation = conversation_named(request, conversation_id)
    messages = [
        NewMessage(
            role=message.role,
            content=message.content,
            author=message.author,
            external_id=sanitize(message.id),
            tool_name=message.tool_name,
            tool_calls=[call.dict() for call in message.tool_calls],
            sent_at=message.created_at,
        )
        for message in body.messages
    ]
    with once(request, conversation.instance, idempotency_key) as attempt:
        if not attempt.is_done:
            with transaction.atomic():
                appended = append(conversation, messages, door=caller_of(request).door)
                added = [message.pk for message in appended.added]
                attempt.finish({"known": appended.known, "ids": added})
    return {"added": len(attempt.result["ids"]), **attempt.result}


def _with_outcomes(conversation: Conversation, messages: Sequence[Message]) -> list[dict[str, Any]]:
    # Loaded before the memories: a run that has ended by now has stored all of them.
    progress = ExtractionProgress.of(conversation)
    prefetch_related_objects(messages, "memory_sources")
    policy = conversation.instance.pii_policy
    return [_with_outcome(message, progress, policy) for message in messages]


def _with_outcome(message: Message, progress: ExtractionProgress, policy: str) -> dict[str, Any]:
    status = progress.outcome_of(message)
    learned = [
        {"memory_id": source.memory_id, "action": source.action} for source in status.sources
    ]
    fields = {name: getattr(message, name) for name in MessageOut.model_fields if name != "outcome"}
    secret = {name: masked_within(fields[name], policy) for name in VERBATIM}
    return (
        fields
        | secret
        | {"outcome": {"state": status.state, "detail": status.words, "memories": learned}}
    )
