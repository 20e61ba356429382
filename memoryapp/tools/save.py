"""``save_memory``: store a fact at the user's request."""

from datetime import date
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, Field

from instances.models import Permission
from memoryapp.models import Category
from memoryapp.pipeline import Candidate, Rejected, remember
from memoryapp.policy.dedup import Action
from memoryapp.policy.keyed_facts import MAX_KEY, MAX_VALUE
from memoryapp.recall.hit_entries import memory_ref
from memoryapp.text import pii
from memoryapp.tools.tool import Tool
from memoryapp.tools.tool_context import ToolContext, ToolResult

NAME = "save_memory"
DESCRIPTION = """\
Keep one lasting fact in the long-term memory, at once.
Use it when the user asks you to remember something, or corrects what you remembered.
Do not use it for anything else: what is worth keeping in a conversation is learned from it \
afterwards without your doing. Never save what you said yourself, what only matters for the task \
at hand, or secrets such as passwords."""
ELSEWHERE = """\
Keep one lasting fact in the long-term memory, at once.
Use it when the user asks you to remember something, corrects what you remembered, or tells what \
will still matter in later conversations: who they are, what they prefer, what they decided, what \
they plan. One call for each fact. What is known already is not stored twice.
Do not use it for what you said yourself, what only matters for the task at hand, what anybody \
could look up, or secrets such as passwords."""

#: What people and the model are told of an outcome.
_RESULTS = {
    Action.STORED: ("Remembered", "stored"),
    Action.UPDATED: ("Changed what was remembered", "stored as the new version of what was there"),
    Action.DUPLICATE: ("Known already", "known already, nothing to store"),
}
_NOT_TAKEN = (
    "Known otherwise",
    "not changed: what is remembered is better supported; what you said is kept beside it",
)


def _no_number(value: object) -> object:
    # Pydantic would read a number as seconds since 1970.
    if isinstance(value, int | float):
        raise ValueError("write it as 2031-05-31")
    return value


class Arguments(BaseModel):
    content: str = Field(
        min_length=1,
        max_length=2_000,
        description="One sentence in the third person that can be understood on its own, with "
        "names instead of pronouns and dates instead of words such as tomorrow.",
    )
    category: Category = Field(Category.GENERAL, description="What kind of fact it is.")
    importance: int | None = Field(
        None, ge=1, le=10, description="1: trivial, 10: vital, such as a severe allergy."
    )
    valid_until: Annotated[date, BeforeValidator(_no_number)] | None = Field(
        None, description="The last day on which it holds, if it is about something that ends."
    )
    key: str = Field(
        "",
        max_length=MAX_KEY,
        description="Only for a fact about a person that has one value at a time: its name, such "
        "as home_city. Then give its value, too; a later one takes its place.",
    )
    value: str = Field("", max_length=MAX_VALUE, description="The value of key, such as Munich.")
    tags: list[str] = Field(
        default_factory=list, max_length=12, description="One to four lower-case words."
    )


class SaveResult(BaseModel):
    """What is remembered now."""

    id: str
    content: str = Field(description="As it was stored, or stood there already.")
    action: Literal["stored_new", "updated_existing", "duplicate_exact"]


def save(arguments: Arguments, context: ToolContext) -> ToolResult:
    """Store the fact through the write path, linked to the message that is being answered."""
    candidate = Candidate(
        arguments.content,
        category=arguments.category,
        importance=arguments.importance,
        tags=arguments.tags,
        valid_until=arguments.valid_until,
        key=arguments.key,
        value=arguments.value,
        end_user=context.end_user or "",
        conversation_id=context.conversation.pk if context.conversation else None,
        message_id=context.message.pk if context.message else None,
        source_text=context.message.content if context.message else "",
    )
    try:
        # A person waits for the answer that this is part of.
        (outcome,) = remember(context.instance, [candidate], context.writer, assess_later=True)
    except Rejected as error:
        return ToolResult(
            f"Not saved: {error}", "Not kept: it was not fit to be a memory", ok=False
        )
    for_people, for_model = _NOT_TAKEN if outcome.not_taken else _RESULTS[outcome.action]
    memory = outcome.memory
    ref, redacted = memory_ref(memory), pii.in_words(outcome.redactions)
    return ToolResult(
        f"[{ref}] {for_model}." + (f" Not kept in it: {redacted}." if redacted else ""),
        for_people,
        (memory.pk,),
        data=SaveResult(id=ref, content=memory.content, action=outcome.action.value),
    )


TOOL = Tool(
    NAME, "Save a memory", Permission.WRITE, save, Arguments, SaveResult, DESCRIPTION, ELSEWHERE
)
