"""ETags of memories, If-None-Match and If-Match."""

import json
import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from instances.actor import Actor
from instances.models import Instance, User
from memoryapp.api import conditional
from memoryapp.api.rest import memories, memory_changes
from memoryapp.models import Memory
from memoryapp.pipeline import Changes, revise
from tests.api.conftest import Program, key_of

Store = Callable[..., Memory]

BEES = "The user keeps bees on the roof."


def ask(program: Program, method: str, path: str, body: Any = None, **headers: str) -> Any:
    """Make a request with *headers*, such as ``if_match``; return the response."""
    return Client().generic(
        method,
        path,
        b"" if body is None else json.dumps(body),
        content_type="application/json",
        headers={name.replace("_", "-"): value for name, value in headers.items()}
        | {"Authorization": f"Bearer {program.secret}"},
    )


def test_unchanged_memory_is_304(program: Program, store_memory: Store) -> None:
    path = f"/api/memories/{store_memory(BEES).pk}"
    tag = ask(program, "GET", path)["ETag"]
    for known in (tag, f'"other", {tag}', f"W/{tag}", "*"):
        same = ask(program, "GET", path, if_none_match=known)
        assert (same.status_code, same.content, same["ETag"]) == (304, b"", tag)
    for other in ('"other"', "nonsense", ""):
        assert ask(program, "GET", path, if_none_match=other).json()["content"] == BEES
    changed = ask(program, "PATCH", path, {"importance": 9})
    assert changed["ETag"] != tag
    fresh = ask(program, "GET", path, if_none_match=tag)
    assert (fresh.json()["importance"], fresh["ETag"]) == (9, changed["ETag"])


def test_recall_changes_the_answer_but_not_the_version(
    program: Program, store_memory: Store
) -> None:
    path = f"/api/memories/{store_memory(BEES).pk}"
    tag = ask(program, "GET", path)["ETag"]
    Memory.objects.update(recall_count=1)
    assert ask(program, "GET", path, if_none_match=tag).json()["recall_count"] == 1
    assert ask(program, "PATCH", path, {"importance": 9}, if_match=tag).status_code == 200


def test_new_memory_has_its_address_and_tag(program: Program) -> None:
    new = ask(program, "POST", "/api/memories", {"content": BEES})
    assert new.status_code == 201
    assert new["Location"] == f"/api/memories/{new.json()['id']}"
    assert ask(program, "GET", new["Location"])["ETag"] == new["ETag"]
    again = ask(program, "POST", "/api/memories", {"content": BEES})
    assert again.status_code == 200 and "Location" not in again


def test_only_the_version_that_was_read_is_changed(program: Program, store_memory: Store) -> None:
    path = f"/api/memories/{store_memory(BEES).pk}"
    tag = ask(program, "GET", path)["ETag"]
    first = ask(program, "PATCH", path, {"content": "The user keeps goats."}, if_match=tag)
    assert first.status_code == 200
    for known in (tag, f"W/{first['ETag']}", "nonsense", ""):
        late = ask(program, "PATCH", path, {"content": "The user keeps hens."}, if_match=known)
        assert (late.status_code, late.json()["code"]) == (412, "precondition_failed")
    assert Memory.objects.get().content == "The user keeps goats."
    body = {"content": "The user keeps hens."}
    for known in (first["ETag"], "*"):
        assert ask(program, "PATCH", path, body, if_match=known).status_code == 200


@pytest.mark.parametrize("forget", [True, False])
def test_only_the_version_that_was_read_is_deleted(
    program_that_may: Callable[..., Program], store_memory: Store, forget: bool
) -> None:
    program = program_that_may("read", "write", "delete", *["forget"] * forget)
    path = f"/api/memories/{store_memory(BEES).pk}"
    tag = ask(program, "GET", path)["ETag"]
    changed = ask(program, "PATCH", path, {"importance": 9})["ETag"]
    late = ask(program, "DELETE", path, if_match=tag)
    assert (late.status_code, late.json()["code"]) == (412, "precondition_failed")
    assert Memory.objects.exists()
    assert ask(program, "DELETE", path, if_match=changed).status_code == 204
    assert ask(program, "DELETE", path, if_match=changed).status_code == 404


def test_restored_version_has_a_tag(program: Program, store_memory: Store) -> None:
    path = f"/api/memories/{store_memory(BEES).pk}"
    ask(program, "PATCH", path, {"content": "The user keeps goats."})
    (revision,) = ask(program, "GET", f"{path}/revisions").json()["items"]
    restored = ask(program, "POST", f"{path}/revisions/{revision['id']}/restore")
    assert restored["ETag"] == ask(program, "GET", path)["ETag"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("method", ["PATCH", "DELETE"])
def test_change_between_reading_and_locking_is_not_lost(
    method: str, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    instance = Instance.objects.create(slug="desk", name="Desk")
    program = key_of(instance)[1]
    path = ask(program, "POST", "/api/memories", {"content": BEES})["Location"]
    tag = ask(program, "GET", path)["ETag"]
    checked = conditional.check_version

    def change(memory: Memory) -> None:
        revise(memory, Changes("The user keeps goats.", "general", 5), by=Actor(alice))
        connection.close()

    def check_then_let_another_change(memory: Memory, if_match: str | None) -> None:
        checked(memory, if_match)
        thread = threading.Thread(target=change, args=[Memory.objects.get()])
        thread.start()
        thread.join()

    for module in (memories, memory_changes):
        monkeypatch.setattr(module, "check_version", check_then_let_another_change)
    body = {"content": "The user keeps hens."} if method == "PATCH" else None
    late = ask(program, method, path, body, if_match=tag)
    assert (late.status_code, late.json()["code"]) == (412, "precondition_failed")
    assert Memory.objects.get().content == "The user keeps goats."
