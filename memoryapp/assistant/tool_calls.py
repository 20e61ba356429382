"""Runs the tools that a model calls in one round, and formats their results for it."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from instances.models import Instance
from memoryapp import tools
from memoryapp.assistant.cancellation import CancellableWait
from memoryapp.models import Answer, ProposedDeletion, ToolRun
from memoryapp.providers.chat_stream import ToolCall

#: Rounds of tool calls before the model must answer.
MAX_ROUNDS = 5
#: Calls of one round that are carried out; for the others, the result says that they were not.
MAX_CALLS = 8


@dataclass(frozen=True)
class Called:
    """A call with its result."""

    call: ToolCall
    result: tools.ToolResult
    milliseconds: int
    #: The tool that ran. An unknown name is text of the model, and is not stored.
    tool: str

    def note(self, answer: Answer) -> ToolRun:
        """Store the call for *answer*, and what it proposes to forget."""
        ProposedDeletion.objects.propose(answer, self.result.proposed)
        return ToolRun.objects.create(
            instance_id=answer.instance_id,
            answer=answer,
            name=self.tool,
            outcome=self.result.outcome,
            ok=self.result.ok,
            memory_ids=list(self.result.memory_ids),
            milliseconds=self.milliseconds,
        )


def allowed_tools(instance: Instance, *, recalls: bool) -> list[str]:
    """Return the tools of an assistant: those that read if it recalls, those that write if memory
    is on. To forget, it must also be able to search.
    """
    names = [tools.SEARCH, tools.LIST] if recalls else []
    if instance.memory_enabled:
        names += [tools.SAVE, tools.FORGET] if recalls else [tools.SAVE]
    return names


def carry_out(
    calls: Sequence[ToolCall],
    context: tools.ToolContext,
    *,
    allowed: Sequence[str],
    waiting: CancellableWait,
) -> list[Called]:
    """Run the first `MAX_CALLS` of *calls* concurrently."""

    def run(call: ToolCall) -> Called:
        began = time.monotonic()
        result = tools.run(call.name, call.arguments, context, allowed=allowed)
        milliseconds = round((time.monotonic() - began) * 1000)
        name = call.name if call.name in allowed else "unknown"
        return Called(call, result, milliseconds, name)

    return waiting.all([partial(run, call) for call in calls[:MAX_CALLS]])


def as_messages(
    text: str, calls: Sequence[ToolCall], called: Sequence[Called]
) -> list[dict[str, Any]]:
    """Return the model's *text*, its *calls* and their results in the form of the OpenAI API."""
    made = [
        {
            "id": call.id,
            "type": "function",
            "function": {"name": call.name, "arguments": call.arguments or "{}"},
        }
        for call in calls
    ]
    return [
        {"role": "assistant", "content": text or None, "tool_calls": made},
        *(
            {"role": "tool", "tool_call_id": call.id, "content": result}
            for call, result in zip(calls, results_of(calls, called), strict=True)
        ),
    ]


def results_of(calls: Sequence[ToolCall], called: Sequence[Called]) -> list[str]:
    """Return what the model is told about each of *calls*, of which *called* were carried out."""
    left_out = len(calls) - len(called)
    texts = [each.result.text for each in called]
    return texts + [f"Not carried out: at most {MAX_CALLS} calls at once."] * left_out
