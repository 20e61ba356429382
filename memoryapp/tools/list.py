"""``list_memories``: page through the memories."""

from collections.abc import Sequence

from pydantic import BaseModel, Field

from conversations.sanitizer import sanitize
from instances.models import Permission
from instances.translatable import translatable, translatable_plural
from memoryapp.context.block import ContextBlock, block
from memoryapp.models import Category, Memory
from memoryapp.models.pagination import InvalidCursor, cursor_after, page
from memoryapp.recall.hit_entries import memory_entries, memory_ref
from memoryapp.tools.arguments import ToolArguments
from memoryapp.tools.result_items import ResultItem, memory_item
from memoryapp.tools.tool import Tool
from memoryapp.tools.tool_context import ToolContext, ToolResult

NAME = "list_memories"
DESCRIPTION = """\
List the memories in the long-term memory, newest first.
Use it when the user wants to see everything that you remember, or everything of one category or \
tag.
Do not use it to answer a question: use search_memory for that."""

ORDER = ("-created_at", "-id")
#: Tokens that one page may cost.
BUDGET = 4_000


class ListArguments(ToolArguments):
    category: Category | None = Field(None, description="Only memories of this category.")
    tag: str = Field("", max_length=50, description="Only memories with this tag.")
    limit: int = Field(20, ge=1, le=50, description="Maximum number of memories.")
    cursor: str = Field(
        "",
        max_length=1_000,
        description="The cursor for the next page that the previous page returned. Empty for the "
        "first page.",
    )


class ListResult(BaseModel):
    """One page of memories."""

    items: list[ResultItem]
    total: int = Field(description="Total number of memories that match.")
    next: str | None = Field(description="Cursor of the next page, or null on the last page.")


def list_memories(arguments: ListArguments, context: ToolContext) -> ToolResult:
    """Return one page of the memories, as many as fit the budget."""
    rows = context.memories().defer("search")
    if arguments.category:
        rows = rows.filter(category=arguments.category)
    if tag := sanitize(arguments.tag).strip().lower():
        rows = rows.tagged(context.instance, tag)
    try:
        memories, after = page(rows, order=ORDER, size=arguments.limit, cursor=arguments.cursor)
    except InvalidCursor:
        return ToolResult(
            "This cursor is not one that list_memories gave for these arguments. Start "
            "again without a cursor.",
            translatable("The model called it wrongly"),
            ok=False,
        )
    total = rows.count()
    told = _told(context, memories)
    text_block = _block(told, context)
    refs = [memory_ref(memory) if memory in told else "" for memory in memories]
    left = (n for n, ref in enumerate(refs) if ref and ref not in text_block.shown)
    fitting = next(left, len(memories))
    if fitting < len(memories):
        # What does not fit begins the next page, so that none is skipped.
        memories = memories[:fitting]
        after = cursor_after(memories[-1], ORDER)
        told = _told(context, memories)
        text_block = _block(told, context)
    return ToolResult(
        text=_text(text_block.text, total, after),
        outcome=translatable_plural(
            "Looked through %(number)s memory of %(total)s",
            "Looked through %(number)s memories of %(total)s",
            len(told),
            total=total,
        ),
        memory_ids=tuple(memory.pk for memory in told),
        data=ListResult(items=list(map(memory_item, told)), total=total, next=after),
    )


def _told(context: ToolContext, memories: Sequence[Memory]) -> list[Memory]:
    """The *memories* that the model may be sent."""
    return list(filter(context.policy.allows_memory, memories))


def _block(memories: Sequence[Memory], context: ToolContext) -> ContextBlock:
    entries = memory_entries(context.instance, memories, context.policy)
    return block(entries, nonce=context.nonce, budget=BUDGET, order="newest first")


def _text(memories: str, total: int, after: str | None) -> str:
    if not memories:
        return "There are no more memories." if total else "Nothing is remembered."
    count = f"There {'is 1' if total == 1 else f'are {total}'} in all."
    return f"{memories}\n{count}" + (f" Cursor of the next page: {after}" if after else "")


TOOL = Tool(
    NAME, "List memories", Permission.READ, list_memories, ListArguments, ListResult, DESCRIPTION
)
