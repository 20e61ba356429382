"""Fixtures for tests with failing servers and workers."""

from collections.abc import Iterator

import pytest

from conversations.models import Conversation
from instances.models import Instance
from memoryapp.embedded.redis import RedisServer
from memoryapp.tasks import dispatch
from tests.faults.worker import empty_queue
from tests.provider_fixtures import keep_everything, provider, read_with
from tests.scripted_provider import ScriptedProvider

__all__ = ["provider"]


@pytest.fixture
def broker(servers: RedisServer) -> Iterator[RedisServer]:
    """The broker, emptied first, and started again after the test."""
    empty_queue(servers)
    # After an outage in an earlier test, the dispatcher would leave the runs to the sweeper.
    dispatch.broker_pause.end()
    yield servers
    servers.start()


@pytest.fixture
def reader(instance: Instance, provider: ScriptedProvider) -> ScriptedProvider:
    """The model that reads the instance's conversations; it extracts every line."""
    instance.dedup_exact = instance.dedup_update = 1.0
    read_with(provider, instance)
    provider.reply_with(keep_everything)
    return provider


@pytest.fixture
def talk(instance: Instance) -> Conversation:
    """A conversation without messages."""
    return Conversation.objects.create(instance=instance)
