"""Keys and their scopes in mem0's API."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest
from mem0 import MemoryClient
from mem0.exceptions import AuthenticationError, MemoryNotFoundError, RateLimitError
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from instances.models import ApiKey, Instance
from memoryapp.api import throttling
from tests.api.mem0.client_calls import ANA, stored, texts
from tests.api.mem0.conftest import Connect
from tests.provider_fixtures import read_with
from tests.scripted_provider import ScriptedProvider


def test_key_is_limited_to_its_instance(
    client: MemoryClient, connect: Connect, private: Instance
) -> None:
    theirs = connect(private)
    (pk,) = stored(theirs, "The diary is green.")
    for ask in (client.get, client.history, client.delete):
        with pytest.raises(MemoryNotFoundError):
            ask(pk)
    with pytest.raises(MemoryNotFoundError):
        client.update(pk, text="Mine now.")
    with pytest.raises(MemoryNotFoundError):
        client.batch_update([{"memory_id": pk, "text": "Mine now."}])
    client.batch_delete([{"memory_id": pk}])
    everybody = {"user_id": "*"}
    assert client.get_all(filters=everybody)["results"] == []
    assert client.get_all(filters={"memory_ids": [pk]})["results"] == []
    assert client.search("What is green?", filters=everybody)["results"] == []
    assert client.users()["results"] == []
    assert client.delete_all(filters=everybody)["deleted"] == 0
    assert texts(theirs.get_all(filters=ANA)) == ["The diary is green."]


def test_event_of_another_instance_is_404(
    client: MemoryClient, connect: Connect, private: Instance, provider: ScriptedProvider
) -> None:
    read_with(provider, private)
    theirs = connect(private).add("The diary is green.", user_id="ana")["event_id"]
    for event in (theirs, "0", "first", "9" * 30):
        assert client.client.get(f"/v1/event/{event}/").status_code == 404


@pytest.mark.parametrize(
    ("scopes", "may"),
    [
        (["read"], {"get", "history", "get_all", "search", "users"}),
        (["write"], {"add", "update", "batch_update"}),
        (["delete"], {"delete_all", "batch_delete", "delete_users", "delete"}),
    ],
)
def test_scopes_of_the_key_are_enforced(
    scopes: list[str], may: set[str], client: MemoryClient, connect: Connect, instance: Instance
) -> None:
    (pk,) = stored(client, "Ana rows.")
    limited = connect(instance, *scopes)
    ways: dict[str, Callable[[], Any]] = {
        "get": lambda: limited.get(pk),
        "history": lambda: limited.history(pk),
        "get_all": lambda: limited.get_all(filters=ANA),
        "search": lambda: limited.search("rows", filters=ANA),
        "users": lambda: limited.users(),
        "add": lambda: limited.add("Ben rows.", user_id="ben", infer=False),
        "update": lambda: limited.update(pk, metadata={"a": 1}),
        "batch_update": lambda: limited.batch_update([{"memory_id": pk, "metadata": {"a": 2}}]),
        "delete_all": lambda: limited.delete_all(user_id="nobody"),
        "batch_delete": lambda: limited.batch_delete([{"memory_id": "nothing"}]),
        "delete_users": lambda: limited.delete_users(user_id="ana"),
        "delete": lambda: limited.delete(pk),
    }
    for name, way in ways.items():
        try:
            way()
        except AuthenticationError:
            assert name not in may
        except MemoryNotFoundError:
            assert name == "delete"  # deleted by the previous call
        else:
            assert name in may


def test_invalid_key_is_rejected_at_once(live_server: LiveServer, instance: Instance) -> None:
    with httpx.Client() as http, pytest.raises(ValueError, match="is invalid"):
        MemoryClient(api_key="ks_nothing", host=live_server.url, client=http)


def test_revoked_key_is_rejected(client: MemoryClient) -> None:
    ApiKey.objects.all().delete()
    with pytest.raises(AuthenticationError, match="revoked"):
        client.get_all(filters=ANA)


def test_rate_limit_has_retry_after(
    client: MemoryClient, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(throttling, "WINDOW_SECONDS", 10**7)
    settings.API_RATE_LIMIT = 1
    with pytest.raises(RateLimitError) as caught:
        for _ in range(3):
            client.get_all(filters=ANA)
    assert caught.value.debug_info["retry_after"] > 0
