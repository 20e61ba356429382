"""An instance whose assistant is the scripted provider."""

import pytest

from conversations.models import Conversation, ConversationOrigin
from instances.models import Instance
from tests.provider_fixtures import provider, read_with
from tests.scripted_provider import ScriptedProvider

__all__ = ["provider"]


@pytest.fixture
def assisted(instance: Instance, provider: ScriptedProvider) -> Instance:
    """The instance, with memory on and a model that answers."""
    read_with(provider, instance)
    instance.chat_model = "talker"
    instance.save()
    return instance


@pytest.fixture
def chat(assisted: Instance) -> Conversation:
    """A conversation without messages."""
    return Conversation.objects.create(
        instance=assisted, title="Dinner", origin=ConversationOrigin.CHAT
    )
