"""The connection to the queue, when the queue goes away."""

import pytest

from memoryapp.celery import app
from memoryapp.embedded.redis import RedisServer


def test_use_after_the_end_of_a_connection_is_an_error_of_connections(servers: RedisServer) -> None:
    connection = app.connection_for_read()
    channel = connection.channel()
    connection.close()
    with pytest.raises(connection.connection_errors), channel.conn_or_acquire():
        pass
