"""``list_memories``: look through what is remembered."""

from pydantic import BaseModel, Field

from conversations.sanitizer import sanitize
from memoryapp.context.block import block
from memoryapp.models import Category
from memoryapp.models.pagination import InvalidCursor, cursor_after, page
from memoryapp.recall.hit_entries import memory_entry, memory_ref
from memoryapp.tools.result_items import ResultItem, counted, memory_item
from memoryapp.tools.tool_context import ToolContext, ToolResult

NAME = "list_memories"
DESCRIPTION = """\
List what the long-term memory holds, the newest first.
Use it when the user wants to know all that you remember, or all of one category or tag.
Do not use it to answer a question: search_memory finds what bears on one."""

ORDER = ("-created_at", "-id")
#: Tokens that one page may cost.
BUDGET = 4_000


class Arguments(BaseModel):
    category: Category | None = Field(None, description="Only memories of this kind.")
    tag: str = Field("", max_length=50, description="Only memories with this tag.")
    limit: int = Field(20, ge=1, le=50, description="How many at most.")
    cursor: str = Field(
        "", max_length=1_000, description="What the page before gave to go on with; else empty."
    )


class ListResult(BaseModel):
    """One page."""

    items: list[ResultItem]
    total: int = Field(description="How many there are in all.")
    next: str | None = Field(description="The cursor of the next page; null after the last one.")


def list_memories(arguments: Arguments, scope: ToolContext) -> ToolResult:
    """Tell one page of the memories within reach, as many as there is room for."""
    rows = scope.memories().defer("search")
    if arguments.category:
        rows = rows.filter(category=arguments.category)
    if tag := sanitize(arguments.tag).strip().lower():
        rows = rows.tagged(scope.instance, tag)
    try:
        found, after = page(rows, order=ORDER, size=arguments.limit, cursor=arguments.cursor)
    except InvalidCursor:
        return ToolResult(
            "This cursor is not one that list_memories gave for these arguments. Begin without.",
            "Its arguments were not usable",
            ok=False,
        )
    total = rows.count()
    context = block([memory_entry(each) for each in found], budget=BUDGET, order="newest first")
    fit = next(
        (n for n, each in enumerate(found) if memory_ref(each) not in context.shown), len(found)
    )
    if fit < len(found):
        # What found no room begins the next page, so that none is passed over.
        found = found[:fit]
        after = cursor_after(found[-1], ORDER)
        context = block([memory_entry(each) for each in found], budget=BUDGET, order="newest first")
    return ToolResult(
        text=_text(context.text, total, after),
        outcome=f"Looked through {counted(len(found), 'memory', 'memories')} of {total}",
        memory_ids=tuple(each.pk for each in found),
        data=ListResult(items=[memory_item(each) for each in found], total=total, next=after),
    )


def _text(told: str, total: int, after: str | None) -> str:
    if not told:
        return "There is nothing more." if total else "Nothing is remembered."
    there = f"There {'is 1' if total == 1 else f'are {total}'} in all."
    return f"{told}\n{there}" + (f" The next page has the cursor {after}" if after else "")
