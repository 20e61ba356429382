"""The list of a key's requests, and keys that require a person."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from instances.models import ApiKey, Instance, Permission
from memoryapp.models import KeyRequest, Memory, Run
from memoryapp.models.key_requests import LOG_DAYS, MAX_OF_KEY, client_name
from tests.api.conftest import Program, key_of
from tests.api.documented import operation_of, operations

FACT = "The user keeps bees."
#: Operations that change something stored, or that only people who are signed in may call.
ADD_NOTHING = {
    "correct_memory",
    "restore_revision",
    "rename_conversation",
    "change_a_note",
    "approve_held",
    "reject_held",
    "take_back_source",
    "pin_memory",
    "unpin_memory",
    *("add_webhook", "change_webhook", "replace_webhook_secret", "test_webhook"),
    "keep_golden_question",
    "remove_golden_question",
    "ask_golden_questions",
    "share_memory",
    "share_conversation",
    "share_note",
    "unshare_conversation",
    "unshare_note",
}


@pytest.fixture
def key(instance: Instance) -> tuple[ApiKey, Program]:
    return key_of(instance)


def listed(program: Program) -> list[tuple[str, str, int, str]]:
    items = program.send("GET", "key/requests")["items"]
    return [(each["door"], each["user_id"], each["kept"], each["remark"]) for each in items]


def mcp_save(program: Program, **arguments: Any) -> Any:
    params = {"name": "save_memory", "arguments": {"content": FACT, **arguments}}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    return program._client.post(
        "/mcp",
        body,
        content_type="application/json",
        headers={
            "Authorization": f"Bearer {program.secret}",
            "Accept": "application/json, text/event-stream",
            "User-Agent": "Agent/2.1 (linux)",
        },
    ).json()["result"]


def test_what_is_stored_is_listed_latest_first(key: tuple[ApiKey, Program]) -> None:
    _, program = key
    assert listed(program) == []
    program.send("POST", "memories", {"content": FACT, "user_id": "ana"})
    program.send("POST", "memories", {"content": FACT, "user_id": "ana"})
    talk = program.send("POST", "conversations", {"user_id": "ben"})["id"]
    messages = [{"role": "user", "content": "Hello."}, {"role": "assistant", "content": "Hello!"}]
    program.send("POST", f"conversations/{talk}/messages", {"messages": messages})
    mcp_save(program, user_id="cleo")
    bulk = {"memories": [{"content": "The user plays chess."}, {"content": "The user sings."}]}
    program.send("POST", "memories/bulk", bulk)
    body = {"messages": [{"role": "user", "content": "I dive."}], "user_id": "dora"}
    program.send("POST", "/v3/memories/add/", body | {"infer": False})
    program.send("GET", "memories")
    assert listed(program) == [
        ("mem0", "dora", 1, ""),
        ("rest", "", 2, ""),
        ("mcp", "cleo", 1, ""),
        ("rest", "ben", 2, "memory_off"),
        ("rest", "ana", 0, "nothing_new"),
        ("rest", "ana", 1, ""),
    ]
    assert KeyRequest.objects.get(door="mcp").client == "Agent/2.1"


def test_a_repeated_request_is_listed_once(key: tuple[ApiKey, Program]) -> None:
    _, program = key
    for _ in range(2):
        program.ask("POST", "memories", {"content": FACT}, key="once")
    assert listed(program) == [("rest", "", 1, "")]


def test_each_key_sees_its_own(key: tuple[ApiKey, Program], instance: Instance) -> None:
    _, program = key
    program.send("POST", "memories", {"content": FACT})
    assert listed(key_of(instance)[1]) == []


@pytest.mark.usefixtures("key")
def test_people_have_no_key(client: Client, instance: Instance, alice: Any) -> None:
    client.force_login(alice)
    assert client.get("/api/key/requests").json()["code"] == "key_required"


def test_a_key_may_require_a_person(key: tuple[ApiKey, Program], instance: Instance) -> None:
    api_key, program = key
    talk = program.send("POST", "conversations", {})["id"]
    ApiKey.objects.filter(pk=api_key.pk).update(requires_person=True)
    said = {"messages": [{"role": "user", "content": "I dive."}]}
    read = instance.runs.create(conversation_id=talk, state=Run.State.FAILED)
    refused: list[tuple[str, Any]] = [
        ("memories", {"content": FACT}),
        ("memory/store", {"content": FACT}),
        ("memories", {"content": FACT, "user_id": " "}),
        ("memories", {"content": FACT, "user_id": "\u200b"}),
        ("memories/bulk", {"memories": [{"content": FACT, "user_id": "ana"}, {"content": FACT}]}),
        ("conversations", {}),
        (f"conversations/{talk}/messages", said),
        (f"conversations/{talk}/runs", None),
        (f"runs/{read.pk}/retry", None),
        ("imports", {"content": FACT}),
        ("tools/save_memory", {"content": FACT}),
        ("palace/notes", {"text": FACT, "wing": "Bees"}),
        ("/v3/memories/add/", said | {"run_id": "r"}),
        ("/v3/memories/search/", {"query": "bees", "filters": {"run_id": "r"}}),
    ]
    for path, body in refused:
        answer = program.send("POST", path, body, 400)
        assert "person" in str(answer), path
        assert answer.get("code", "person_required") == "person_required", path
    # All operations that add something are among them.
    answered = [operation_of(program.ask("POST", path, body)) for path, body in refused]
    tried = {each.view_func.__name__ for each in answered if each} | {"put_document"}
    assert (
        tried
        == {
            each.view_func.__name__
            for each in operations()
            if any(Permission.WRITE in getattr(it, "scopes", ()) for it in each.auth_callbacks)
        }
        - ADD_NOTHING
    )
    document = {"namespace": ["a"], "key": "k", "value": {}}
    assert program.send("PUT", "store/document", document, 400)["code"] == "person_required"
    result = mcp_save(program)
    assert result["isError"] and "person_required" in result["content"][0]["text"]
    assert not Memory.objects.exists()
    assert {remark for _, _, _, remark in listed(program)} == {"no_person"}
    # With one, they are taken.
    program.send("POST", "memories", {"content": FACT, "user_id": "ana"})
    assert not mcp_save(program, user_id="ben")["isError"]
    assert set(Memory.objects.values_list("end_user", flat=True)) == {"ana", "ben"}


def test_the_list_is_bounded(key: tuple[ApiKey, Program], instance: Instance) -> None:
    api_key, program = key
    other, _ = key_of(instance)
    old = timezone.now() - timedelta(days=LOG_DAYS, minutes=1)
    KeyRequest.objects.bulk_create(
        [KeyRequest(instance=instance, key=api_key, door="rest") for _ in range(MAX_OF_KEY + 7)]
        + [
            KeyRequest(instance=instance, key=other, door="rest", at=old),
            KeyRequest(instance=instance, key=other, door="rest"),
        ]
    )
    assert KeyRequest.objects.delete_old() == 8
    assert api_key.requests.count() == MAX_OF_KEY
    assert other.requests.count() == 1
    assert len(listed(program)) == 50


@pytest.mark.parametrize(
    ("user_agent", "name"),
    [
        ("OpenAI/Python 3.3.0", "OpenAI/Python 3.3.0"),
        ("Python/3.11 aiohttp/3.12", "Python/3.11"),
        ("opencode/1.18.33 ai-sdk/provider-utils", "opencode/1.18.33"),
        ("claude-cli/2.1.0 (external, cli)", "claude-cli/2.1.0"),
        ("", ""),
        ("x" * 500, "x" * 60),
    ],
)
def test_clients_are_named_in_short(user_agent: str, name: str) -> None:
    assert client_name(user_agent) == name
