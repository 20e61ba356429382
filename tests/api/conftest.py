"""API clients with keys."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.test import Client

from instances.models import ApiKey, Instance
from tests.api.documented import assert_declared
from tests.provider_fixtures import provider

__all__ = ["provider"]

SCOPES = ("read", "write", "delete", "people", "webhooks")


class Program:
    """An API client that authenticates only with a key."""

    def __init__(self, secret: str) -> None:
        self.secret = secret
        # Exceptions become responses.
        self._client = Client(raise_request_exception=False)

    def send(
        self,
        method: str,
        path: str,
        body: Any = None,
        status: int | None = None,
        key: str | None = None,
    ) -> Any:
        """Make a request; return the JSON of the response, which must have the status."""
        response = self.ask(method, path, body, key)
        expected = {status} if status else {200, 201, 202, 204}
        assert response.status_code in expected, response.content
        return response.json() if response.content else None

    def ask(self, method: str, path: str, body: Any = None, key: str | None = None) -> Any:
        """Make a request, with an Idempotency-Key if *key* is given; return the response, whose
        status the operation must declare.
        """
        response = self._client.generic(
            method,
            path if path.startswith("/") else f"/api/{path}",
            b"" if body is None else json.dumps(body),
            content_type="application/json",
            headers={"Authorization": f"Bearer {self.secret}"}
            | ({} if key is None else {"Idempotency-Key": key}),
        )
        assert_declared(response)
        return response


def key_of(instance: Instance, scopes: Sequence[str] = SCOPES) -> tuple[ApiKey, Program]:
    """Create a key of *instance*, and a client that uses it."""
    key = ApiKey(instance=instance, name=f"For {instance}", scopes=list(scopes))
    secret = key.make_secret()
    key.save()
    return key, Program(secret)


@pytest.fixture
def program(instance: Instance) -> Program:
    """A client whose key has all scopes."""
    return key_of(instance)[1]


@pytest.fixture
def program_that_may(instance: Instance) -> Callable[..., Program]:
    """Create a client whose key has only these scopes: ``program_that_may("read")``."""
    return lambda *scopes: key_of(instance, scopes)[1]
