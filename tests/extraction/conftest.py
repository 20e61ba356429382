import pytest

from conversations.models import Conversation
from instances.models import Instance
from tests.provider_fixtures import keep_everything, provider, read_with
from tests.scripted_provider import ScriptedProvider

__all__ = ["provider"]


@pytest.fixture
def reader(instance: Instance, provider: ScriptedProvider) -> ScriptedProvider:
    """The model that reads the instance's conversations; it extracts every line."""
    read_with(provider, instance)
    provider.reply_with(keep_everything)
    return provider


@pytest.fixture
def talk(instance: Instance) -> Conversation:
    """A conversation without messages."""
    return Conversation.objects.create(instance=instance, end_user="alice")
