"""``forget_memory``: propose to forget a memory, or archive it, at the user's request."""

import re
from dataclasses import replace
from typing import Self

from django.urls import reverse
from pydantic import BaseModel, Field, field_validator, model_validator

from conversations.sanitizer import sanitize
from instances.models import Permission, Reach
from instances.translatable import translatable, translatable_plural
from memoryapp.context.block import block
from memoryapp.forgetting.archive import archive
from memoryapp.forgetting.deletion import forget as delete
from memoryapp.language.shortening import one_line
from memoryapp.models import Category, Memory
from memoryapp.models.memory import MemoryQuerySet
from memoryapp.pipeline import MAX_CONTENT
from memoryapp.policy.keyed_facts import MAX_KEY, normalised
from memoryapp.recall import recall
from memoryapp.recall.hit_entries import memory_entries, memory_ref
from memoryapp.tools.arguments import ToolArguments
from memoryapp.tools.result_items import ResultItem, memory_item
from memoryapp.tools.tool import Tool
from memoryapp.tools.tool_context import Removal, ToolContext, ToolResult

NAME = "forget_memory"
#: What it is for, and what not, whoever calls it.
_USE = """\
Use it only when the user asks you to forget something. Identify the memory by its id; if you do \
not have it, give the key or the exact text, and if that is ambiguous the result lists the \
candidates.
Do not use it to correct a memory: save_memory stores the new version. Do not use it because \
something seems old, wrong or unimportant to you."""
DESCRIPTION = f"""\
Propose to forget one memory. Nothing is forgotten by this call: a person is asked, and decides.
{_USE}"""
EXTERNAL_DESCRIPTION = f"""\
Forget one memory: it is not recalled any more. Where the client can ask the user, it asks first; \
otherwise people can restore the memory for 30 days.
{_USE}"""

#: Candidates that are shown when it is not clear which memory is meant.
MAX_CANDIDATES = 5

_ID = re.compile(r"\[?m?([0-9]{1,18})\]?", re.IGNORECASE)


class ForgetArguments(ToolArguments):
    id: str = Field(
        "",
        max_length=25,
        description="ID of the memory as shown by search_memory or list_memories, such as m12.",
    )
    key: str = Field("", max_length=MAX_KEY, description="Instead of id: the key of the fact.")
    content: str = Field(
        "", max_length=MAX_CONTENT, description="Instead of id: the exact text of the memory."
    )
    category: Category | None = Field(
        None, description="With key or content: only a memory of this category is meant."
    )

    @field_validator("id")
    @classmethod
    def _of_a_memory(cls, value: str) -> str:
        # Models write 12 as readily as m12.
        value = value.strip()
        if value and not _ID.fullmatch(value):
            raise ValueError(
                "must be the id of a memory, such as m12; an id that begins with s is a "
                "message, which goes with its conversation"
            )
        return value

    @model_validator(mode="after")
    def _one_of_them(self) -> Self:
        if sum(bool(each.strip()) for each in (self.id, self.key, self.content)) != 1:
            raise ValueError("give either id, key or content")
        if self.id and self.category:
            raise ValueError("give category only with key or content")
        return self


class ForgetResult(BaseModel):
    """The forgotten memory. If it is ambiguous, nothing is, and the candidates are listed."""

    forgotten: list[str] = Field(
        description="ID of the forgotten or archived memory. Empty if none was."
    )
    candidates: list[ResultItem] = Field(
        description="Memories that the user may mean. Ask which one, then call again with its id."
    )


def forget(arguments: ForgetArguments, context: ToolContext) -> ToolResult:
    """Remove the memory that is meant, or propose it; if it is not clear which one, return the
    candidates instead.
    """
    matching = _matching(arguments, context)
    if context.agreed is not None:
        matching = matching.as_seen(context.agreed)
    meant = list(matching.defer("search")[:2])
    if len(meant) == 1:
        (memory,) = meant
        if context.removal == Removal.PROPOSE:
            return _proposed(memory, context)
        # Still filtered by its text: when it is locked, it may say something else.
        if _remove(matching.filter(pk=memory.pk), context):
            return _removed(memory, context)
    if context.agreed is not None:
        return ToolResult(
            "Nothing was forgotten: the memory has changed since the user was asked. Call again.",
            translatable("It had changed"),
            ok=False,
        )
    if arguments.id:
        return ToolResult(
            f"There is no memory {arguments.id}. search_memory and list_memories show the ids.",
            translatable("Found nothing to forget"),
            ok=False,
        )
    exact = list(matching.order_by("-created_at", "-id").defer("search")[:MAX_CANDIDATES])
    similar = [] if exact else _similar(arguments, context)
    return _ask_which(exact or similar, context, exact=bool(exact))


def _proposed(memory: Memory, context: ToolContext) -> ToolResult:
    ref = memory_ref(memory)
    return ToolResult(
        f"[{ref}] has not been forgotten yet: a person has been asked whether to forget or to keep "
        f"it, and decides {context.decided_in}. Tell the user so, and do not call again for it.",
        translatable("Proposed to forget 1 memory"),
        (memory.pk,),
        data=ForgetResult(forgotten=[], candidates=[]),
        proposed=(memory,),
    )


def _remove(memories: MemoryQuerySet, context: ToolContext) -> int:
    remove = delete if context.removal == Removal.FORGET else archive
    return remove(context.instance, memories, by=context.writer.by, asked_in=context.message)


def _removed(memory: Memory, context: ToolContext) -> ToolResult:
    ref = memory_ref(memory)
    text = f"[{ref}] is forgotten for good."
    if context.removal == Removal.ARCHIVE:
        bin_address = f"{reverse('bin')}?instance={context.instance.slug}"
        text = (
            f"[{ref}] is archived, and not recalled any more. People can restore it for 30 days in "
            f"Keepsake’s bin, {bin_address}."
        )
    return ToolResult(
        text,
        translatable("Forgot 1 memory")
        if context.removal == Removal.FORGET
        else translatable("Archived 1 memory"),
        (memory.pk,),
        data=ForgetResult(forgotten=[ref], candidates=[]),
    )


def _matching(arguments: ForgetArguments, context: ToolContext) -> MemoryQuerySet:
    if match := _ID.fullmatch(arguments.id):
        return context.own_memories().filter(pk=int(match[1]))
    among = context.own_memories()
    if arguments.category:
        among = among.filter(category=arguments.category)
    if key := arguments.key.strip():
        # A key without a letter is normalised to nothing, and most memories have no key.
        return among.with_key().filter(key=normalised(key))
    return among.same_text(one_line(sanitize(arguments.content)))


def _similar(arguments: ForgetArguments, context: ToolContext) -> list[Memory]:
    among = (
        context.own_memories().filter(category=arguments.category) if arguments.category else None
    )
    result = recall(
        context.instance,
        arguments.key or arguments.content,
        replace(
            context.options,
            memories=among,
            limit=MAX_CANDIDATES,
            reach=Reach.OWN,
            with_messages=False,
            current_conversation=context.conversation,
        ),
    )
    return [hit.memory for hit in result.hits if hit.memory]


def _ask_which(candidates: list[Memory], context: ToolContext, *, exact: bool) -> ToolResult:
    candidates = list(filter(context.policy.allows_memory, candidates))
    if not candidates:
        return ToolResult(
            "Nothing like this is remembered.", translatable("Found nothing to forget"), ok=False
        )
    entries = memory_entries(context.instance, candidates, context.policy)
    text_block = block(entries, nonce=context.nonce)
    shown = [memory for memory in candidates if memory_ref(memory) in text_block.shown]
    why = "Several memories fit." if exact else "No memory fits exactly."
    return ToolResult(
        f"Nothing was forgotten. {why} Ask the user which of these is meant, unless it is clear, "
        f"and call again with its id.\n{text_block.text}",
        translatable_plural(
            "Asked whether %(number)s memory is meant",
            "Asked which of %(number)s memories is meant",
            len(shown),
        ),
        tuple(memory.pk for memory in shown),
        data=ForgetResult(forgotten=[], candidates=[memory_item(memory) for memory in shown]),
    )


TOOL = Tool(
    NAME,
    "Forget a memory",
    Permission.DELETE,
    forget,
    ForgetArguments,
    ForgetResult,
    DESCRIPTION,
    EXTERNAL_DESCRIPTION,
)
