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
from memoryapp.api.fields import In, Moment, Whole
from memoryapp.api.idempotency import IdempotencyKey, once
from memoryapp.api.key_requests import note_request, require_person
from memoryapp.api.operations import reads_own, writes_own
from memoryapp.api.paging import PageIn, PageOut, page_of
from memoryapp.api.rest.conversations import conversation_named
from memoryapp.api.rest.runs import RunOut, finished
from memoryapp.disclosure import (
    MAX_LISTED_CHARACTERS,
    Disclosed,
    disclosed,
    weight,
    with_beginnings,
)
from memoryapp.extraction.message_status import ExtractionProgress, MessageState
from memoryapp.models import RequestRemark, Run

router = Router(tags=["Messages"])

#: Messages that one request may append.
MAX_MESSAGES = 1_000
#: Seconds that a request may wait: a thread of the server waits with it.
MAX_WAIT_SECONDS = 30


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
    truncated: bool = Field(
        description="Whether `content` is only the beginning, which a list shows of a text of more "
        f"than {MAX_LISTED_CHARACTERS:,} characters. `GET /api/messages/{{id}}` returns all of it."
    )
    sent_at: datetime
    outcome: OutcomeOut


#: Fields that are as they are stored.
_PLAIN_FIELDS = [
    *("id", "conversation_id", "position", "role", "author", "external_id", "tool_name", "sent_at")
]


class MessagesOut(PageOut):
    """One page of messages."""

    items: list[MessageOut]


@router.get(
    "/conversations/{int:conversation_id}/messages",
    **reads_own(MessagesOut, "List messages of a conversation"),
)
def list_messages(
    request: HttpRequest, conversation_id: int, page: Query[PageIn]
) -> dict[str, Any]:
    """List the messages of a conversation in order, each with the result of extraction. Secrets
    are masked, unless the instance keeps them. A page with long texts has fewer items than `limit`.
    """
    conversation = conversation_named(request, conversation_id)
    rows = with_beginnings(conversation.messages.all())
    listed = page_of(rows, page, order=["position", "id"], weight=weight)
    shown = [
        disclosed(conversation.instance, each, most=MAX_LISTED_CHARACTERS)
        for each in listed["items"]
    ]
    return {**listed, "items": _with_outcomes(conversation, listed["items"], shown)}


@router.get("/messages/{int:message_id}", **reads_own(MessageOut, "Get a message"))
def read_message(request: HttpRequest, message_id: int) -> dict[str, Any]:
    """Return a message with the result of extraction."""
    rows = Message.objects.select_related("conversation__instance").defer("search")
    message = visible_row(request, rows, message_id)
    shown = disclosed(message.conversation.instance, message)
    return _with_outcomes(message.conversation, [message], [shown])[0]


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
    wait: Whole = Field(
        0,
        ge=0,
        le=MAX_WAIT_SECONDS,
        description="Seconds to wait for the run that extracts facts from them. What takes longer "
        "goes on: poll the run.",
    )


class AppendedOut(Schema):
    """The result of appending messages."""

    added: int
    known: int = Field(description="Number of messages that already existed, by your own IDs.")
    ids: list[int] = Field(description="IDs of the added messages.")
    run: RunOut | None = Field(
        description="The run that extracts facts from them, or null: no reply of the assistant is "
        "among them, memory is off, or all are known."
    )


@router.post(
    "/conversations/{int:conversation_id}/messages",
    **writes_own(AppendedOut, "Append messages to a conversation", 409, 413),
)
def append_messages(
    request: HttpRequest,
    conversation_id: int,
    body: MessagesIn,
    idempotency_key: IdempotencyKey = None,
) -> dict[str, Any]:
    """Append messages to a conversation. If they include a reply of the assistant and memory is on,
    facts are extracted in the background, by the `run`; with `wait`, the response comes when that
    is over.
    """
    conversation = conversation_named(request, conversation_id)
    require_person(request, conversation.end_user)
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
        is_repeated = attempt.is_done
        if not attempt.is_done:
            with transaction.atomic():
                appended = append(conversation, messages, door=caller_of(request).door)
                added = [message.pk for message in appended.added]
                attempt.finish({"known": appended.known, "ids": added})
    added_now = len(attempt.result["ids"])
    if not is_repeated:
        learns = conversation.instance.memory_enabled and not conversation.without_memory
        remark = "" if learns or not added_now else RequestRemark.MEMORY_OFF
        note_request(request, conversation.end_user, kept=added_now, remark=remark)
    run = _run_over(conversation, attempt.result["ids"])
    if run is not None and body.wait:
        run = finished(run, body.wait)
    return {"added": added_now, **attempt.result, "run": run}


def _run_over(conversation: Conversation, ids: Sequence[int]) -> Run | None:
    """The run that extracts facts from the last of these messages, or has done so."""
    run = Run.objects.extractions().filter(conversation=conversation).order_by("-pk").first()
    last = conversation.messages.filter(pk__in=ids[-1:]).values_list("position", flat=True).first()
    if run is None or last is None:
        return None
    return run if not run.is_over or (run.last_position or 0) >= last else None


def _with_outcomes(
    conversation: Conversation, messages: Sequence[Message], shown: Sequence[Disclosed]
) -> list[dict[str, Any]]:
    # Loaded before the memories: a run that has ended by now has stored all of them.
    progress = ExtractionProgress.of(conversation)
    prefetch_related_objects(messages, "memory_sources")
    return [
        _with_outcome(message, each, progress)
        for message, each in zip(messages, shown, strict=True)
    ]


def _with_outcome(
    message: Message, shown: Disclosed, progress: ExtractionProgress
) -> dict[str, Any]:
    status = progress.outcome_of(message)
    learned = [
        {"memory_id": source.memory_id, "action": source.action} for source in status.sources
    ]
    return {name: getattr(message, name) for name in _PLAIN_FIELDS} | {
        "content": shown.content,
        "caption": shown.caption,
        "tool_calls": shown.tool_calls,
        "truncated": shown.is_cut,
        "outcome": {"state": status.state, "detail": status.words, "memories": learned},
    }
