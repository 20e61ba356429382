"""``save_memory``: store a fact at the user's request."""

from datetime import date, datetime, timedelta
from typing import Annotated, Self

from django.utils import timezone
from pydantic import BaseModel, BeforeValidator, Field, model_validator

from instances.models import Permission
from instances.translatable import translatable
from memoryapp.models import Category
from memoryapp.models.end_dates import split_end
from memoryapp.pipeline import (
    MAX_EXPIRES_DAYS,
    MAX_SOURCE_CONTEXT,
    SOURCE_CONTEXT,
    Candidate,
    Outcome,
    Rejected,
    RememberOptions,
    remember,
)
from memoryapp.policy.dedup import Action
from memoryapp.policy.keyed_facts import MAX_KEY, MAX_VALUE
from memoryapp.privacy.redaction_words import redactions_in_words
from memoryapp.recall.hit_entries import memory_ref
from memoryapp.tools.arguments import ToolArguments
from memoryapp.tools.tool import Tool
from memoryapp.tools.tool_context import ToolContext, ToolResult

NAME = "save_memory"
DESCRIPTION = """\
Store one lasting fact in the long-term memory immediately.
Use it when the user asks you to remember something, or corrects what you remembered.
Do not use it for anything else: facts worth keeping are extracted from the conversation \
afterwards automatically. Never save what you said yourself, what only matters for the current \
task, or secrets such as passwords."""
EXTERNAL_DESCRIPTION = """\
Store one lasting fact in the long-term memory immediately.
Use it when the user asks you to remember something, corrects what you remembered, or mentions \
something that will still matter in later conversations: who they are, what they prefer, what they \
decided, what they plan. Make one call per fact. Known facts are not stored twice.
Do not use it for what you said yourself, what only matters for the current task, what is general \
knowledge, or secrets such as passwords."""

#: What people and the model are told of an outcome.
_RESULTS = {
    Action.STORED: (translatable("Remembered"), "stored"),
    Action.UPDATED: (
        translatable("Changed what was remembered"),
        "stored as the new version of an existing memory",
    ),
    Action.DUPLICATE: (translatable("Known already"), "already known, nothing stored"),
}
_NOT_STORED = {
    Action.HELD: (
        translatable("Held for review"),
        "it waits until a person has reviewed it, since it may contradict what the user has said, "
        "or speaks to the assistant",
    ),
    Action.IGNORED: (translatable("Not kept"), "such statements are not kept here"),
}
_NOT_TAKEN = (
    translatable("Known otherwise"),
    "not changed: what is remembered comes from the user; yours is recorded beside it",
)


def _no_number(value: object) -> object:
    # Pydantic would read a number as seconds since 1970.
    if isinstance(value, int | float):
        raise ValueError("write it as 2031-05-31")
    return value


class SaveArguments(ToolArguments):
    content: str = Field(
        min_length=1,
        max_length=2_000,
        description="One sentence in the third person that can be understood on its own, with "
        "names instead of pronouns and dates instead of words such as tomorrow.",
    )
    category: Category | None = Field(None, description="Category of the fact.")
    importance: int | None = Field(
        None,
        ge=1,
        le=10,
        description="Importance from 1 (trivial) to 10 (essential, such as a severe allergy).",
    )
    valid_until: Annotated[date | datetime, BeforeValidator(_no_number)] | None = Field(
        None,
        description="Last day on which the fact is valid, if it is about something that ends; or "
        "the moment at which it ends.",
    )
    expires_days: int | None = Field(
        None,
        ge=1,
        le=MAX_EXPIRES_DAYS,
        description="Instead of valid_until: the number of days from today on which the fact is "
        "valid.",
    )
    key: str = Field(
        "",
        max_length=MAX_KEY,
        description="Only for a fact about a person that has one value at a time: the name of "
        "the fact, such as home_city. Then also give value; a later value replaces "
        "it.",
    )
    value: str = Field("", max_length=MAX_VALUE, description="Value of key, such as Munich.")
    tags: list[str] = Field(
        default_factory=list, max_length=12, description="One to four words in lower case."
    )
    source_context: str = Field(
        "",
        max_length=MAX_SOURCE_CONTEXT,
        description="Where the fact comes from, in a few words, such as: while planning the trip "
        "to Porto.",
    )
    confidence: int | None = Field(
        None,
        ge=0,
        le=100,
        description="How sure it is, from 0 to 100: 95 for the result of a tool, 80 for what the "
        "user has said, 50 for a web page, 30 for a guess.",
    )

    @model_validator(mode="after")
    def _one_end(self) -> Self:
        if self.valid_until is not None and self.expires_days is not None:
            raise ValueError("give either valid_until or expires_days")
        return self


class SaveResult(BaseModel):
    """The stored memory."""

    id: str = Field(description="ID of the memory; empty if nothing was stored.")
    content: str = Field(
        description="Content of the memory as stored, or of the existing memory if the fact was "
        "already known."
    )
    action: Action


def save(arguments: SaveArguments, context: ToolContext) -> ToolResult:
    """Store the fact through the write path, linked to the message that is being answered."""
    key, value = arguments.key, arguments.value
    if key and value and not context.is_usable_key(key, value, arguments.content):
        key = value = ""
    valid_until, expires_at = split_end(_end(arguments, context))
    source_context = arguments.source_context.strip()
    candidate = Candidate(
        arguments.content,
        category=arguments.category,
        importance=arguments.importance,
        tags=arguments.tags,
        valid_until=valid_until,
        expires_at=expires_at,
        key=key,
        value=value,
        confidence=arguments.confidence,
        metadata={SOURCE_CONTEXT: source_context} if source_context else {},
        tier=context.tier_of(arguments.content),
        end_user=context.end_user or "",
        conversation_id=context.conversation.pk if context.conversation else None,
        message_id=context.message.pk if context.message else None,
        source_text=context.message.content if context.message else "",
    )
    try:
        # A person waits for the answer that this is part of.
        (outcome,) = remember(
            context.instance,
            [candidate],
            context.writer,
            RememberOptions(assess_later=True),
        )
    except Rejected as error:
        return ToolResult(
            f"Not saved: {error.text}",
            translatable("Not kept: it was not fit to be a memory"),
            ok=False,
        )
    if outcome.action in (Action.HELD, Action.IGNORED):
        return _not_stored(outcome)
    for_people, for_model = _NOT_TAKEN if outcome.not_taken else _RESULTS[outcome.action]
    memory = outcome.memory
    ref, redacted = memory_ref(memory), redactions_in_words(outcome.redactions)
    return ToolResult(
        f"[{ref}] {for_model}." + (f" Not kept in it: {redacted}." if redacted else ""),
        for_people,
        (memory.pk,),
        data=SaveResult(id=ref, content=memory.content, action=outcome.action),
    )


def _end(arguments: SaveArguments, context: ToolContext) -> date | datetime | None:
    if arguments.expires_days is None:
        end = arguments.valid_until
        if isinstance(end, datetime) and timezone.is_naive(end):
            return timezone.make_aware(end)
        return end
    return context.instance.date_of(timezone.now()) + timedelta(days=arguments.expires_days)


def _not_stored(outcome: Outcome) -> ToolResult:
    for_people, for_model = _NOT_STORED[outcome.action]
    data = SaveResult(id="", content=outcome.memory.content, action=outcome.action)
    return ToolResult(f"Not saved: {for_model}.", for_people, data=data)


TOOL = Tool(
    NAME,
    "Save a memory",
    Permission.WRITE,
    save,
    SaveArguments,
    SaveResult,
    DESCRIPTION,
    EXTERNAL_DESCRIPTION,
)
