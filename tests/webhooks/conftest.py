"""Fixtures for tests of webhooks."""

from collections.abc import Iterator

import pytest

from instances.models import Instance, Webhook
from tests.webhooks.receiver import Receiver, add_webhook, receiving


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as receiver:
        yield receiver


@pytest.fixture
def webhook(instance: Instance, receiver: Receiver) -> Webhook:
    """A webhook for all events, whose receiver takes everything."""
    return add_webhook(instance, receiver.url)[0]
