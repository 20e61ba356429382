import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from conversations.models import Conversation, Message
from memoryapp import tools
from memoryapp.tools import Removal, ToolContext, ToolResult


@pytest.fixture
def scope(conversation: Conversation) -> ToolContext:
    """The context of a tool call about the first message, by a program that may archive."""
    first = Message.objects.get(conversation=conversation, position=1)
    chatting = ToolContext.answering(conversation.instance, conversation, first)
    return replace(chatting, removal=Removal.ARCHIVE)


@pytest.fixture
def call(scope: ToolContext) -> Callable[..., ToolResult]:
    """Call a tool as a model does: ``call("search_memory", query="…")``, *within* another scope."""

    def call(name: str, *, within: ToolContext | None = None, **arguments: Any) -> ToolResult:
        return tools.run(name, json.dumps(arguments), within or scope, allowed=tools.TOOLS)

    return call
