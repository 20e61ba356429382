"""The MCP endpoint: authentication, end users and limits, in this process."""

import asyncio
import json
import logging
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from instances.models import Instance
from memoryapp.api import throttling
from memoryapp.api.mcp import server
from memoryapp.models import Memory
from tests.api.conftest import Program, key_of
from tests.api.mcp.conftest import Line

pytestmark = pytest.mark.django_db
Store = Callable[..., Memory]
Ping = dict[str, Any]


def open_line(program: Program, **headers: str) -> Line:
    return Line(Authorization=f"Bearer {program.secret}", **headers)


def test_key_is_required(
    ping: Ping, program: Program, instance: Instance, as_alice: Client
) -> None:
    assert open_line(program).post(ping).json() == {"jsonrpc": "2.0", "id": 1, "result": {}}
    revoked, former = key_of(instance)
    revoked.revoke()
    in_session = as_alice.post("/mcp", ping, content_type="application/json")
    for response in (Line().post(ping), open_line(former).post(ping), in_session):
        assert response.status_code == 401
        assert response.json()["code"] == "unauthenticated"
        assert response["WWW-Authenticate"].startswith("Bearer")


def test_streamed_call_that_breaks_off_is_an_error(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: Any) -> Any:
        raise RuntimeError("The database is gone.")

    monkeypatch.setattr(server, "_answer", broken)
    params = {
        "name": "search_memory",
        "arguments": {"query": "bees"},
        "_meta": {"progressToken": 7},
    }
    request = {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": params}
    response = open_line(program).post(request)

    async def sent() -> list[bytes]:
        return [event async for event in response]

    (event,) = asyncio.run(sent())
    said = json.loads(event.decode().partition("data: ")[2])
    assert (said["id"], said["error"]["code"]) == (3, -32603)
    assert "database" not in event.decode()


def test_missing_scope_is_reported(store_memory: Store, instance: Instance) -> None:
    memory = store_memory("The user sails.")
    reader = open_line(key_of(instance, ["read"])[1])
    for name, arguments, verb in (
        ("save_memory", {"content": "The user has a goat."}, "write"),
        ("forget_memory", {"id": f"m{memory.pk}"}, "delete"),
    ):
        result = reader.call(name, **arguments)
        assert result["isError"]
        assert f"This API key has no permission to {verb}." in result["content"][0]["text"]
    assert Memory.objects.get() == memory


def test_other_instance_is_not_accessible(
    store_memory: Store, private: Instance, program: Program
) -> None:
    secret = store_memory("The diary’s secret: heliotrope.", into=private)
    line = open_line(program)
    for result in (
        line.call("search_memory", query="heliotrope"),
        line.call("list_memories"),
        line.call("forget_memory", id=f"m{secret.pk}"),
        line.call("forget_memory", content=secret.content),
    ):
        assert "heliotrope" not in str(result)
    assert Memory.objects.get() == secret


def test_user_header_applies_to_all_tools(program: Program, store_memory: Store) -> None:
    store_memory("Imre keeps bees.", end_user="imre")
    mine = store_memory("Ana has a boat.", end_user="ana")
    line = open_line(program, **{"X-User-Id": "ana"})
    assert all("user_id" not in t["inputSchema"]["properties"] for t in line.tools().values())
    line.call("save_memory", content="Ana likes tea.", user_id="ana")
    assert Memory.objects.get(content="Ana likes tea.").end_user == "ana"
    result = line.call("list_memories")["structuredContent"]
    assert [item["content"] for item in result["items"]] == ["Ana likes tea.", mine.content]
    refused = line.call("search_memory", query="bees", user_id="imre")
    assert refused["isError"]
    assert "omit user_id" in refused["content"][0]["text"]


def test_user_argument_is_used_without_the_header(program: Program, store_memory: Store) -> None:
    store_memory("Imre keeps bees.", end_user="imre")
    store_memory("Ana has a boat.", end_user="ana")
    line = open_line(program)
    assert all("user_id" in tool["inputSchema"]["properties"] for tool in line.tools().values())

    def listed(**arguments: str) -> list[str]:
        result = line.call("list_memories", **arguments)["structuredContent"]
        return [item["content"] for item in result["items"]]

    assert listed(user_id="imre") == ["Imre keeps bees."]
    assert listed() == ["Ana has a boat.", "Imre keeps bees."]
    wrong = line.call("list_memories", user_id="x" * 201)
    assert "user_id: must be a string" in wrong["content"][0]["text"]


@pytest.mark.parametrize("user", ["Ana Müller", "安娜"])
def test_user_header_in_any_script_is_decoded(user: str, program: Program) -> None:
    line = open_line(program, **{"X-User-Id": user.encode().decode("latin-1")})
    line.call("save_memory", content="She likes tea.")
    assert Memory.objects.get().end_user == user


def test_foreign_origin_is_rejected(ping: Ping, program: Program, settings: Settings) -> None:
    assert open_line(program, Origin="http://testserver").post(ping).status_code == 200
    for origin in ("http://evil.example", "https://testserver", "null"):
        response = open_line(program, Origin=origin).post(ping)
        assert (response.status_code, response.json()["code"]) == (403, "foreign_origin")
    settings.CSRF_TRUSTED_ORIGINS = ["https://desk.example"]
    assert open_line(program, Origin="https://desk.example").post(ping).status_code == 200


def test_foreign_host_is_rejected(ping: Ping, program: Program) -> None:
    assert open_line(program, Host="evil.example").post(ping).status_code == 400


def test_key_is_rate_limited(ping: Ping, program: Program, settings: Settings) -> None:
    settings.API_RATE_LIMIT = 2
    line = open_line(program)
    statuses = {line.post(ping).status_code for _ in range(6)}
    # If a new minute has just begun, a few more requests pass.
    assert statuses == {200, 429}
    late = next(r for r in (line.post(ping) for _ in range(6)) if r.status_code == 429)
    assert late.json()["code"] == "rate_limited"
    assert 0 < int(late["Retry-After"]) <= throttling.WINDOW_SECONDS


def test_get_stream_is_not_supported(program: Program) -> None:
    headers = {"Authorization": f"Bearer {program.secret}"}
    for method in ("get", "delete"):
        response = getattr(Client(), method)("/mcp", headers=headers)
        assert (response.status_code, response["Allow"]) == (405, "POST")
        assert response.json()["code"] == "method_not_allowed"


def test_invalid_message_is_rejected(program: Program, settings: Settings) -> None:
    broken = open_line(program).post(b'{"jsonrpc": "2.0", "id"')
    assert (broken.status_code, broken.json()["error"]["code"]) == (400, -32700)
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000
    big = open_line(program).post(b" " * 1_001)
    assert (big.status_code, big.json()["code"]) == (413, "too_large")


def test_responses_are_not_cached_or_logged(
    ping: Ping, program: Program, caplog: pytest.LogCaptureFixture
) -> None:
    assert "no-store" in open_line(program).post(ping)["Cache-Control"]
    with caplog.at_level(logging.DEBUG):
        open_line(program).call("save_memory", content="The user loves heliotrope.")
        open_line(program).call("search_memory", query="heliotrope?")
        open_line(program).call("save_memory", content="heliotrope", importance=99)
    assert Memory.objects.exists()
    assert "heliotrope" not in caplog.text
