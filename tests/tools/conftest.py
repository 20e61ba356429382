import json
from collections.abc import Callable
from typing import Any

import pytest

from conversations.models import Conversation, Message
from memoryapp import tools
from memoryapp.tools import Result, Scope


@pytest.fixture
def scope(conversation: Conversation) -> Scope:
    """A call that is made while the conversation's first message is answered."""
    first = Message.objects.get(conversation=conversation, position=1)
    return Scope.answering(conversation.instance, conversation, first)


@pytest.fixture
def call(scope: Scope) -> Callable[..., Result]:
    """Call a tool as a model does: ``call("search_memory", query="…")``, *within* another scope."""

    def call(name: str, *, within: Scope | None = None, **arguments: Any) -> Result:
        return tools.run(name, json.dumps(arguments), within or scope, allowed=tools.TOOLS)

    return call
