"""Connections to the task queue after the queue has gone away."""

import pytest

from memoryapp.celery import app
from memoryapp.embedded.redis import RedisServer


def test_use_of_a_closed_connection_raises_a_connection_error(servers: RedisServer) -> None:
    connection = app.connection_for_read()
    channel = connection.channel()
    connection.close()
    with pytest.raises(connection.connection_errors), channel.conn_or_acquire():
        pass
