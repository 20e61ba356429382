import pytest

from conversations.models import Conversation, Message
from memoryapp.tools import Scope


@pytest.fixture
def scope(conversation: Conversation) -> Scope:
    """A call that is made while the conversation's first message is answered."""
    first = Message.objects.get(conversation=conversation, position=1)
    return Scope(conversation.instance, conversation, first)
