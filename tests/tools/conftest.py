import json
from collections.abc import Callable
from typing import Any

import pytest

from conversations.models import Conversation, Message
from memoryapp import tools
from memoryapp.tools import ToolContext, ToolResult


@pytest.fixture
def scope(conversation: Conversation) -> ToolContext:
    """The context of a tool call during the answer to the first message."""
    first = Message.objects.get(conversation=conversation, position=1)
    return ToolContext.answering(conversation.instance, conversation, first)


@pytest.fixture
def call(scope: ToolContext) -> Callable[..., ToolResult]:
    """Call a tool as a model does: ``call("search_memory", query="…")``, *within* another scope."""

    def call(name: str, *, within: ToolContext | None = None, **arguments: Any) -> ToolResult:
        return tools.run(name, json.dumps(arguments), within or scope, allowed=tools.TOOLS)

    return call
