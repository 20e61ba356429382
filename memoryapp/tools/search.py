"""``search_memory``: search memories and messages."""

from dataclasses import replace

from pydantic import BaseModel, Field

from instances.models import Permission
from instances.translatable import translatable, translatable_plural
from memoryapp.context.block import block
from memoryapp.models import Category
from memoryapp.recall import Hit, note_recalled, recall
from memoryapp.recall.hit_entries import entries_for
from memoryapp.tools.arguments import ToolArguments
from memoryapp.tools.result_items import ResultItem, item
from memoryapp.tools.tool import Tool
from memoryapp.tools.tool_context import ToolContext, ToolResult

NAME = "search_memory"
DESCRIPTION = """\
Search the long-term memory of earlier conversations.
Use it when an answer may depend on what was said or decided before (a name, a date, a \
preference, a plan) and memory_context does not contain it, or when the user asks what you know or \
remember.
Do not use it for general knowledge or for what is in this conversation, and do not repeat a \
search with the same words after it found nothing."""
EXTERNAL_DESCRIPTION = """\
Search the long-term memory of earlier conversations.
Use it when a conversation begins, with its topic as the query, whenever an answer may depend on \
what was said or decided before (a name, a date, a preference, a plan), and when the user asks \
what you know or remember.
Do not use it for general knowledge or for what is in this conversation, and do not repeat a \
search with the same words after it found nothing."""


class SearchArguments(ToolArguments):
    query: str = Field(
        min_length=1,
        max_length=500,
        description="What you want to know, as a question or a few keywords.",
    )
    category: Category | None = Field(None, description="Only memories of this category.")
    limit: int = Field(8, ge=1, le=20, description="Maximum number of results.")


class SearchResult(BaseModel):
    """Memories and messages that answer the query, best first."""

    items: list[ResultItem]
    words_only: bool = Field(
        description="Whether search by meaning was unavailable, so that only words were matched."
    )


def search(arguments: SearchArguments, context: ToolContext) -> ToolResult:
    """Find memories, and earlier messages that no memory came from."""
    memories = None
    if arguments.category:
        memories = context.memories().filter(category=arguments.category)
    result = recall(
        context.instance,
        arguments.query,
        replace(
            context.options,
            limit=arguments.limit,
            memories=memories,
            with_messages=memories is None,
            current_conversation=context.conversation,
        ),
    )
    lines = entries_for(context.instance, result.hits, context.policy)
    text_block = block([line for _, line in lines], nonce=context.nonce, question=arguments.query)
    shown = [(hit, line) for hit, line in lines if line.ref in text_block.shown]
    hits = [hit for hit, _ in shown]
    note_recalled(context.instance, hits)
    words_only = (
        " Only words were matched: search by meaning is unavailable." if result.problem else ""
    )
    return ToolResult(
        text=(text_block.text or "Nothing is remembered about this.") + words_only,
        outcome=_outcome(hits, words_only=bool(result.problem)),
        memory_ids=tuple(hit.memory.pk for hit in hits if hit.memory),
        data=SearchResult(
            items=[item(hit, line) for hit, line in shown], words_only=bool(result.problem)
        ),
    )


def _outcome(hits: list[Hit], *, words_only: bool) -> str:
    memories = sum(1 for hit in hits if hit.memory)
    messages = len(hits) - memories
    in_memories = translatable_plural("%(number)s memory", "%(number)s memories", memories)
    in_messages = translatable_plural(
        "%(number)s earlier message", "%(number)s earlier messages", messages
    )
    if memories and messages:
        outcome = translatable(
            "Found %(memories)s and %(messages)s", memories=in_memories, messages=in_messages
        )
    elif hits:
        outcome = translatable("Found %(what)s", what=in_memories if memories else in_messages)
    else:
        outcome = translatable("Found nothing")
    return translatable("%(outcome)s, by words only", outcome=outcome) if words_only else outcome


TOOL = Tool(
    NAME,
    "Search memory",
    Permission.READ,
    search,
    SearchArguments,
    SearchResult,
    DESCRIPTION,
    EXTERNAL_DESCRIPTION,
)
