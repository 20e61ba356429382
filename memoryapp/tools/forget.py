"""``forget_memory``: delete what the user does not want remembered."""

import re
from typing import Annotated, Self

from pydantic import BaseModel, BeforeValidator, Field, field_validator, model_validator

from conversations.sanitizer import sanitize
from memoryapp.context.block import block
from memoryapp.models import Memory
from memoryapp.models.memory import MemoryQuerySet
from memoryapp.pipeline import MAX_CONTENT
from memoryapp.pipeline.deletion import forget as delete
from memoryapp.policy.keyed_facts import MAX_KEY, normalised
from memoryapp.recall import RecallOptions, recall
from memoryapp.recall.hit_entries import memory_entry, memory_ref
from memoryapp.text.shortening import one_line
from memoryapp.tools.result_items import ResultItem, counted, memory_item
from memoryapp.tools.tool_context import ToolContext, ToolResult

NAME = "forget_memory"
DESCRIPTION = """\
Delete one memory for good.
Use it only when the user asks you to forget something. Name the memory by its id; without one \
give its key or its exact text, and you are told which memories may be meant.
Do not use it to correct a memory: save_memory stores the new version. Do not use it because \
something seems old, wrong or unimportant to you."""

#: Of those that might be meant, how many are shown.
MAX_SHOWN = 5

_ID = re.compile(r"\[?m?([0-9]{1,18})\]?", re.IGNORECASE)


class Arguments(BaseModel):
    # Models write 12 as readily as m12.
    id: Annotated[str, BeforeValidator(lambda value: str(value or "").strip())] = Field(
        "", max_length=25, description="Its id as a search or a list shows it, such as m12."
    )
    key: Annotated[str, BeforeValidator(lambda value: value or "")] = Field(
        "", max_length=MAX_KEY, description="Instead of the id: the key of a fact."
    )
    content: Annotated[str, BeforeValidator(lambda value: value or "")] = Field(
        "", max_length=MAX_CONTENT, description="Instead of the id: its exact text."
    )

    never_again: bool = Field(
        False, description="Whether the user also wants it never to be learned again."
    )

    @field_validator("id")
    @classmethod
    def _of_a_memory(cls, value: str) -> str:
        if value and not _ID.fullmatch(value):
            raise ValueError(
                "must be the id of a memory, such as m12; what begins with s was said in a "
                "conversation and goes with it"
            )
        return value

    @model_validator(mode="after")
    def _one_of_them(self) -> Self:
        if sum(bool(each.strip()) for each in (self.id, self.key, self.content)) != 1:
            raise ValueError("give either id, key or content")
        return self


class ForgetResult(BaseModel):
    """What was deleted; when it was not clear which is meant, nothing, and what may be."""

    forgotten: list[str] = Field(description="The id of what was deleted.")
    candidates: list[ResultItem] = Field(
        description="What may be meant: ask which, then give its id."
    )


def forget(arguments: Arguments, scope: ToolContext) -> ToolResult:
    """Delete the one memory that is meant; when none or several may be, show them instead."""
    meant = _meant(arguments, scope)
    ids = list(meant.values_list("pk", flat=True)[:2])
    if len(ids) == 1:
        # Narrowed still: by the time it is locked, it may say something else.
        gone = delete(
            scope.instance,
            meant.filter(pk=ids[0]),
            by=scope.writer.by,
            for_good=arguments.never_again,
            asked_in=scope.message,
        )
        if gone:
            return ToolResult(
                f"[m{ids[0]}] is deleted for good.",
                "Forgot 1 memory",
                (ids[0],),
                data=ForgetResult(forgotten=[f"m{ids[0]}"], candidates=[]),
            )
    if arguments.id:
        return ToolResult(
            f"There is no memory {arguments.id}. search_memory and list_memories tell the ids.",
            "Found nothing to forget",
            ok=False,
        )
    several = list(meant.order_by("-created_at", "-id").defer("search")[:MAX_SHOWN])
    return _asking(several or _near(arguments.key or arguments.content, scope), exact=bool(several))


def _meant(arguments: Arguments, scope: ToolContext) -> MemoryQuerySet:
    if named := _ID.fullmatch(arguments.id):
        return scope.memories().filter(pk=int(named[1]))
    if key := arguments.key.strip():
        # Of what has no letter in it nothing is left, and most memories have no key.
        return scope.memories().with_key().filter(key=normalised(key))
    return scope.memories().same_text(one_line(sanitize(arguments.content)))


def _near(text: str, scope: ToolContext) -> list[Memory]:
    found = recall(
        scope.instance,
        text,
        RecallOptions(
            limit=MAX_SHOWN,
            end_user=scope.end_user,
            with_messages=False,
            current_conversation=scope.conversation,
        ),
    )
    return [hit.memory for hit in found.hits if hit.memory]


def _asking(candidates: list[Memory], *, exact: bool) -> ToolResult:
    if not candidates:
        return ToolResult("Nothing like this is remembered.", "Found nothing to forget", ok=False)
    context = block([memory_entry(memory) for memory in candidates])
    told = [memory for memory in candidates if memory_ref(memory) in context.shown]
    why = "Several memories fit." if exact else "No memory fits exactly."
    return ToolResult(
        f"Nothing was deleted. {why} Ask the user which of these is meant, unless it is plain, "
        f"and call again with its id.\n{context.text}",
        f"Asked which of {counted(len(told), 'memory', 'memories')} is meant",
        tuple(memory.pk for memory in told),
        data=ForgetResult(forgotten=[], candidates=[memory_item(memory) for memory in told]),
    )
