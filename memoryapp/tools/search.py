"""``search_memory``: ask the memory a question of one's own."""

from pydantic import BaseModel, Field

from memoryapp.models import Category, Memory
from memoryapp.recall import Hit, note_recalled, recall
from memoryapp.recall.context import Entry, block
from memoryapp.tools.scope import Result, Scope

NAME = "search_memory"
DESCRIPTION = """\
Search the long-term memory of earlier conversations.
Use it when an answer may depend on what was said or decided before and memory_context does not \
tell: a name, a date, a preference, a plan, or when the user asks what you know or remember.
Do not use it for general knowledge, for what stands in this conversation, or again with the same \
words after it found nothing."""


class Arguments(BaseModel):
    query: str = Field(
        min_length=1,
        max_length=500,
        description="What you want to know, as a question or a few telling words.",
    )
    category: Category | None = Field(None, description="Only memories of this kind.")
    limit: int = Field(8, ge=1, le=20, description="How many results at most.")


def search(arguments: Arguments, scope: Scope) -> Result:
    """Find memories, and earlier messages that no memory came from."""
    narrowed = None
    if arguments.category:
        narrowed = Memory.objects.filter(category=arguments.category)
    found = recall(
        scope.instance,
        arguments.query,
        limit=arguments.limit,
        end_user=scope.conversation.end_user,
        memories=narrowed,
        with_messages=narrowed is None,
        current_conversation=scope.conversation,
    )
    context = block([entry(hit) for hit in found.hits])
    shown = [hit for hit in found.hits if ref(hit) in context.shown]
    note_recalled(shown)
    words_only = (
        " Only the words were searched: search by meaning is down." if found.problem else ""
    )
    return Result(
        text=(context.text or "Nothing is remembered about this.") + words_only,
        outcome=_outcome(shown) + (", by words only" if found.problem else ""),
        memory_ids=tuple(hit.memory.pk for hit in shown if hit.memory),
    )


def ref(hit: Hit) -> str:
    """The id by which a model can cite *hit*: m for memories, s for what was said."""
    if hit.memory:
        return f"m{hit.memory.pk}"
    return f"s{hit.message.pk}" if hit.message else ""


def entry(hit: Hit) -> Entry:
    """What the model is shown of *hit*."""
    if hit.memory:
        memory = hit.memory
        on = memory.updated_at.date()
        return Entry(ref(hit), memory.content, on, memory.category, memory.valid_until)
    assert hit.message is not None  # noqa: S101 - a hit is one or the other
    message = hit.message
    return Entry(ref(hit), message.content, message.sent_at.date(), f"said by {message.role}")


def _outcome(shown: list[Hit]) -> str:
    memories = sum(1 for hit in shown if hit.memory)
    messages = len(shown) - memories
    parts = []
    if memories:
        parts.append("1 memory" if memories == 1 else f"{memories} memories")
    if messages:
        parts.append("1 earlier message" if messages == 1 else f"{messages} earlier messages")
    return f"Found {' and '.join(parts)}" if parts else "Found nothing"
