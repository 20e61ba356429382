"""mem0's own clients work unchanged with the running application."""

import asyncio

import pytest
from mem0 import AsyncMemoryClient, MemoryClient
from mem0.exceptions import MemoryNotFoundError
from pytest_django.live_server_helper import LiveServer

from instances.models import Instance
from memoryapp.models import Memory
from tests.api.conftest import key_of
from tests.api.mem0.client_calls import ANA, texts


def test_async_client_works(live_server: LiveServer, instance: Instance) -> None:
    secret = key_of(instance)[1].secret

    async def use() -> list[str]:
        client = AsyncMemoryClient(api_key=secret, host=live_server.url)
        (added,) = (await client.add("Ana rows.", user_id="ana", infer=False))["results"]
        pk = added["id"]
        await client.update(pk, text="Ana sails.")
        assert (await client.get(pk))["memory"] == "Ana sails."
        assert len(await client.history(pk)) == 2
        found = texts(await client.search("Who sails?", filters=ANA))
        found += texts(await client.get_all(filters=ANA))
        await client.delete(pk)
        await client.delete_all(user_id="ana")
        await client.async_client.aclose()
        return found

    assert asyncio.run(use()) == ["Ana sails."] * 2
    assert not Memory.objects.exists()


def test_older_clients_work(client: MemoryClient) -> None:
    """The requests that mem0ai 0.1.115 and 1.0.11 make."""
    http = client.client
    body = {
        "messages": [{"role": "user", "content": "Ana rows."}],
        "user_id": "ana",
        "infer": False,
        "version": "v2",
        "async_mode": True,
        "output_format": "v1.1",
    }
    assert http.post("/v1/memories/", json=body).json()["results"][0]["event"] == "ADD"
    first = http.get("/v1/memories/", params={"user_id": "ana"}).json()
    assert [one["memory"] for one in first] == ["Ana rows."]
    paged = {"user_id": "ana", "page": 1, "page_size": 10}
    assert http.get("/v1/memories/", params=paged).json()["count"] == 1
    assert http.get("/v1/memories/", params={"user_id": "ana", "nearly": "x"}).status_code == 200
    v2 = http.post("/v2/memories/", json={"filters": {"AND": [ANA]}}).json()
    assert v2 == first
    v2 = http.post("/v2/memories/", params={"page": 1, "page_size": 5}, json={"filters": ANA})
    assert v2.json()["results"] == first
    for version in ("v1", "v2"):
        asked = {"query": "Who rows?", "user_id": "ana", "top_k": 3}
        url = f"/{version}/memories/search/"
        found = http.post(url, json=asked).json()
        assert [one["memory"] for one in found] == ["Ana rows."]
        assert http.post(url, json=asked | {"output_format": "v1.1"}).json()["results"] == found


def test_unsupported_endpoints_are_reported(client: MemoryClient) -> None:
    with pytest.raises(MemoryNotFoundError, match=r"docs/mem0\.md"):
        client.get_profile("ana")
