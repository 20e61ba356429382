"""The addresses of mem0's self-hosted server."""

from typing import Any

import httpx
import pytest
from django.test import Client

from instances.models import Instance
from memoryapp.models import Memory
from tests.api.conftest import key_of
from tests.api.mem0.client_calls import read_waiting
from tests.provider_fixtures import keep_everything, read_with
from tests.scripted_provider import ScriptedProvider

pytestmark = pytest.mark.django_db


class Server:
    """A program that is made for mem0's self-hosted server."""

    def __init__(self, secret: str) -> None:
        self._client = Client(headers={"X-API-Key": secret})

    def send(self, method: str, path: str, body: Any = None, status: int = 200) -> Any:
        answer = self._client.generic(
            method, path, httpx.Request("POST", "http://x", json=body).content, "application/json"
        )
        assert answer.status_code == status, answer.content
        return answer.json()


@pytest.fixture
def server(instance: Instance) -> Server:
    return Server(key_of(instance)[1].secret)


def test_memories_are_kept_found_changed_and_deleted(server: Server) -> None:
    said = {
        "messages": [{"role": "user", "content": "Ana is allergic to peanuts."}],
        "user_id": "ana",
        "agent_id": "coach",
        "metadata": {"room": "a"},
        "infer": False,
    }
    (added,) = server.send("POST", "/memories", said)["results"]
    assert (added["memory"], added["event"]) == ("Ana is allergic to peanuts.", "ADD")
    pk = added["id"]
    assert server.send("GET", f"/memories/{pk}")["agent_id"] == "coach"
    listed = server.send("GET", "/memories?user_id=ana&agent_id=coach")
    assert [one["id"] for one in listed["results"]] == [pk]
    asked = {"query": "Which allergy?", "user_id": "ana", "filters": {"room": "a"}, "limit": 3}
    assert [one["id"] for one in server.send("POST", "/search", asked)["results"]] == [pk]
    for name in ("text", "memory", "data"):
        text = f"Ana is allergic to {name}."
        assert server.send("PUT", f"/memories/{pk}", {name: text})["memory"] == text
    assert len(server.send("GET", f"/memories/{pk}/history")) == 4
    assert server.send("DELETE", f"/memories/{pk}")["message"] == "Memory deleted."
    server.send("GET", f"/memories/{pk}", status=404)
    server.send("POST", "/memories", said)
    assert server.send("DELETE", "/memories?user_id=ana")["deleted"] == 1
    assert not Memory.objects.exists()


def test_pages_keep_the_filters(server: Server) -> None:
    for name in ("rows", "sings", "bakes"):
        said = {"messages": f"Ana {name}.", "user_id": "ana", "infer": False}
        server.send("POST", "/memories", said)
    server.send("POST", "/memories", {"messages": "Ben rows.", "user_id": "ben", "infer": False})
    first = server.send("GET", "/memories?user_id=ana&page_size=2")
    second = server.send("GET", first["next"].removeprefix("http://testserver"))
    texts = [one["memory"] for page in (first, second) for one in page["results"]]
    assert texts == ["Ana bakes.", "Ana sings.", "Ana rows."]
    assert (first["count"], second["next"]) == (3, None)


def test_facts_are_extracted(
    server: Server, instance: Instance, provider: ScriptedProvider
) -> None:
    read_with(provider, instance)
    provider.reply_with(keep_everything)
    added = server.send("POST", "/memories", {"messages": "I moved to Lyon.", "user_id": "ana"})
    assert added["status"] == "PENDING"
    read_waiting()
    event = server.send("GET", f"/v1/event/{added['event_id']}/")
    assert [one["memory"] for one in event["results"]] == ["I moved to Lyon."]


def test_key_and_owner_are_required(server: Server, instance: Instance) -> None:
    assert Client().get("/memories?user_id=ana").status_code == 401
    Server("ks_nothing").send("GET", "/memories?user_id=ana", status=401)
    reader = Server(key_of(instance, ["read"])[1].secret)
    reader.send("DELETE", "/memories?user_id=ana", status=403)
    for method, path, body in (
        ("GET", "/memories", None),
        ("DELETE", "/memories", None),
        ("POST", "/search", {"query": "rows"}),
        ("POST", "/memories", {"messages": "Ana rows."}),
    ):
        assert server.send(method, path, body, 400)["code"] == "owner_required"
    server.send("DELETE", "/memories?user_id=ana&room=a", status=400)


@pytest.mark.parametrize("path", ["/reset", "/configure", "/memories/1/x"])
def test_what_is_not_served_says_so(path: str, server: Server) -> None:
    assert "docs/mem0.md" in server.send("POST", path, {}, 404)["detail"]


def test_key_alone_does_not_count_beside_another(instance: Instance) -> None:
    good = key_of(instance)[1].secret
    client = Client(headers={"X-API-Key": good, "Authorization": "Bearer ks_nothing"})
    assert client.get("/memories?user_id=ana").status_code == 401
