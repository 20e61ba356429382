"""What clients leave to the server: HEAD instead of GET, and a slash at the end of an address."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from conversations.models import Conversation
from instances.models import Instance
from memoryapp.models import Memory
from tests.api.conftest import Program
from tests.web.access_table import addresses

Store = Callable[..., Memory]


def ask(program: Program, method: str, path: str, body: Any = None, **headers: str) -> Any:
    return Client().generic(
        method,
        path,
        b"" if body is None else json.dumps(body),
        content_type="application/json",
        headers={"Authorization": f"Bearer {program.secret}"} | headers,
    )


def test_slash_at_the_end_keeps_the_body(program: Program) -> None:
    made = ask(program, "POST", "/api/memories/", {"content": "The user keeps bees."})
    assert (made.status_code, Memory.objects.count()) == (201, 1)
    path = f"{made['Location']}/"
    assert ask(program, "GET", path).json()["content"] == "The user keeps bees."
    assert ask(program, "PATCH", path, {"importance": 9}).json()["importance"] == 9
    assert ask(program, "PUT", path, {}).status_code == 405
    assert ask(program, "DELETE", path).status_code == 204
    assert ask(program, "GET", path).status_code == 404


def test_slash_at_the_end_of_v1_and_mcp(program: Program) -> None:
    made = ask(program, "POST", "/v1/conversations/", {"metadata": {"user_id": "ana"}})
    assert (made.status_code, Conversation.objects.get().end_user) == (200, "ana")
    assert ask(program, "GET", "/v1/models/").status_code == 200
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    accept = {"Accept": "application/json, text/event-stream"}
    assert ask(program, "POST", "/mcp/", ping, **accept).status_code == 200


def test_slash_opens_nothing_that_needs_a_session(client: Client, db: None) -> None:
    assert client.get("/api/docs/", follow=True).redirect_chain[-1][0].startswith("/accounts/login")
    for path in ("/api/", "/v1/", "/api/nowhere/", "/api/memories//"):
        assert client.get(path).status_code == 404
    for path in ("/api/memories/", "/api/openapi.json/", "/v1/models/", "/api/me/"):
        assert client.get(path).status_code == 401


def test_slash_at_the_end_needs_the_csrf_token_of_a_session(instance: Instance, alice: Any) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    body = {"instance_id": "desk", "content": "Forged."}
    refused = client.post("/api/memories/", body, "application/json")
    assert (refused.status_code, refused.json()["code"]) == (403, "csrf_failed")


def test_head_has_the_headers_of_get(program: Program, store_memory: Store) -> None:
    path = f"/api/memories/{store_memory('The user keeps bees.').pk}"
    got, head = ask(program, "GET", path), ask(program, "HEAD", path)
    assert (head.status_code, head.content) == (200, b"")
    for name in ("ETag", "Content-Type", "Content-Length"):
        assert head[name] == got[name]
    assert ask(program, "HEAD", path, **{"If-None-Match": got["ETag"]}).status_code == 304
    refused = ask(program, "PUT", path, {})
    assert refused["Allow"].split(", ")[-1] == "HEAD"
    only_post = ask(program, "HEAD", "/api/search")
    assert (only_post.status_code, only_post["Allow"]) == (405, "POST")


def test_head_of_a_conversation_deletes_nothing(program: Program) -> None:
    name = ask(program, "POST", "/v1/conversations", {}).json()["id"]
    assert ask(program, "HEAD", f"/v1/conversations/{name}").status_code == 200
    assert Conversation.objects.count() == 1


@pytest.mark.parametrize("name", ["v1_models", "v1_nowhere", "v1_chat_completions"])
def test_head_needs_a_key_as_well(name: str, client: Client, db: None) -> None:
    (route,) = (each.route for each in addresses() if each.name == name)
    assert client.head(f"/{route}").status_code in (401, 404, 405)
