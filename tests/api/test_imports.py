"""Imports of files by programs: in the background, without a person's confirmation."""

import io
import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client

from conversations.models import Conversation, Import, UploadPart
from instances.models import ApiKey, Instance
from instances.tiers import Tier
from memoryapp.models import Memory, Run
from tests.api.conftest import Program, key_of
from tests.conversations.test_exports import gpt_message, tree
from tests.imports.test_assistants import chatgpt_export, claude_export, instructions
from tests.uploading import work

FACTS = [{"content": "The user keeps bees."}, {"content": "The user sings.", "tier": "person"}]
LINES = "\n".join(map(json.dumps, FACTS)).encode()


def send(program: Program, content: bytes, query: str = "", kind: str = "") -> Any:
    return Client().generic(
        "POST",
        f"/api/imports?{query}",
        content,
        content_type=kind or "application/octet-stream",
        headers={"Authorization": f"Bearer {program.secret}"},
    )


def done(response: Any) -> Import:
    """Let the worker check the file and then store it."""
    assert response.status_code == 202, response.content
    import_ = work(Import.objects.get(pk=response.json()["id"]))
    assert import_.state == Import.State.QUEUED
    return work(import_)


def test_memories_are_imported(program: Program, instance: Instance) -> None:
    started = send(program, LINES, "filename=bees.jsonl")
    assert started["Location"] == f"/api/imports/{started.json()['id']}"
    assert (started.json()["state"], started.json()["filename"]) == ("uploaded", "bees.jsonl")
    assert Import.objects.get().bytes_total == len(LINES)
    done(started)
    report = program.send("GET", started["Location"])
    assert (report["state"], report["kind"], report["percent"]) == ("succeeded", "memories", 100)
    assert (report["memories_new"], report["skipped_count"], report["error"]) == (2, 0, "")
    # A program does not bring tiers back.
    assert {memory.tier for memory in Memory.objects.in_instance(instance)} == {Tier.DOCUMENT}
    assert not UploadPart.objects.exists()


def test_export_can_be_imported(program: Program, instance: Instance) -> None:
    for fact in ("The user keeps bees.", "The user sings."):
        program.send("POST", "memories", {"content": fact, "metadata": {"a": 1}})
    exported = program.ask("GET", "memories/export").getvalue()
    other = Instance.objects.create(slug="other", name="Other")
    done(send(key_of(other)[1], exported))
    again = Memory.objects.in_instance(other)
    assert {(memory.content, memory.metadata["a"]) for memory in again} == {
        ("The user keeps bees.", 1),
        ("The user sings.", 1),
    }


def test_columns_of_other_programs_are_understood_or_named(
    program: Program, instance: Instance
) -> None:
    row = {"note": "The user keeps bees.", "text": "The user sings.", "importance": 0.4}
    content = json.dumps(row).encode()
    done(send(program, content, "kind=memories"))
    done(send(program, content, urlencode({"columns": '{"note": "content", "text": ""}'})))
    found = Memory.objects.in_instance(instance).values_list("content", "importance")
    # What is not named is left out.
    assert set(found) == {("The user sings.", 4), ("The user keeps bees.", 5)}
    for wrong in ("[1]", "no", '{"note": 1}'):
        response = send(program, content, urlencode({"columns": wrong}))
        assert response.status_code == 422, response.content


def test_what_cannot_be_imported_is_reported(program: Program) -> None:
    started = send(program, LINES + b'\n{"content": ""}\n{"content": 4111}')
    done(started)
    report = program.send("GET", started["Location"])
    assert (report["memories_new"], report["skipped_count"]) == (2, 2)
    assert len(report["skipped"]) == sum(report["reasons"].values()) == 2
    unknown = send(program, b"\x00\x01\x02")
    work(Import.objects.get(pk=unknown.json()["id"]))
    failed = program.send("GET", unknown["Location"])
    assert failed["state"] == "failed" and failed["error"]


@pytest.mark.parametrize("read", [True, False])
def test_conversations_are_imported(read: bool, program: Program, instance: Instance) -> None:
    instance.provider, instance.base_url = "custom", "http://127.0.0.1:9/v1"
    instance.save()
    said = [
        {"conversation": "c", "role": "user", "content": "I keep bees."},
        {"conversation": "c", "role": "assistant", "content": "I see."},
    ]
    content = "\n".join(map(json.dumps, said)).encode()
    done(send(program, content, f"kind=conversations&read={read}"))
    assert Conversation.objects.get().messages.count() == 2
    assert Run.objects.extractions().exists() is read


def test_replacing_is_a_choice(program: Program) -> None:
    for query, apart in (("replace=true", False), ("", True)):
        send(program, LINES, query)
        assert Import.objects.latest("pk").keep_apart is apart


def test_import_of_the_screen_still_waits_for_its_person(as_alice: Client, instance: Any) -> None:
    file = io.BytesIO(LINES)
    file.name = "bees.jsonl"
    as_alice.post("/conversations/import?instance=desk&kind=memories", {"file": file})
    assert work(Import.objects.get()).state == Import.State.READY


@pytest.mark.parametrize(
    ("content", "query", "kind", "status", "code"),
    [
        (b"", "", "", 422, "invalid"),
        (LINES, "kind=letters", "", 422, "invalid"),
        (LINES, "replace=some", "", 422, "invalid"),
        (LINES, "", "multipart/form-data; boundary=x", 415, "unsupported_format"),
        (LINES, "instance_id=other", "", 404, "not_found"),
    ],
)
def test_bad_requests(
    content: bytes, query: str, kind: str, status: int, code: str, program: Program
) -> None:
    Instance.objects.create(slug="other", name="Other")
    refused = send(program, content, query, kind)
    assert (refused.status_code, refused.json()["code"]) == (status, code)
    assert not Import.objects.exists()
    assert not UploadPart.objects.exists()


def test_name_of_the_file_is_no_path(program: Program) -> None:
    made = send(program, LINES, "filename=../../etc/passwd")
    assert made.json()["filename"] == "passwd"


def test_needs_a_key_that_may_write_and_is_believed_as_the_user(
    instance: Instance, program_that_may: Callable[..., Program], program: Program
) -> None:
    refused = send(program_that_may("read"), LINES)
    assert (refused.status_code, refused.json()["code"]) == (403, "scope_required")
    key, tool = key_of(instance)
    ApiKey.objects.filter(pk=key.pk).update(trust=Tier.TOOL)
    refused = send(tool, LINES)
    assert (refused.status_code, refused.json()["code"]) == (403, "outranked")
    made = send(program, LINES)
    stranger = key_of(Instance.objects.create(slug="other", name="Other"))[1]
    assert stranger.send("GET", made["Location"], None, 404)["code"] == "not_found"


@pytest.mark.parametrize("export", [chatgpt_export, claude_export])
@pytest.mark.parametrize(
    ("query", "kind"),
    [("", "conversations"), ("kind=conversations", "conversations"), ("kind=memories", "memories")],
)
def test_file_that_holds_both_is_one_of_conversations_unless_memories_are_requested(
    query: str, kind: str, export: Callable[[], bytes], program: Program
) -> None:
    started = send(program, export(), query)
    assert started.json()["kind"] == (kind if query else "either")
    done(started)
    report = program.send("GET", started["Location"])
    assert (report["state"], report["kind"]) == ("succeeded", kind)
    assert bool(report["conversations"]) is (kind == "conversations")


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b'{"content": "I row."}', "memories"),
        (b"I row.\nI ski.", "memories"),
        (b"content;tags\nI row.;sport", "memories"),
        (b'{"content": "I row.", "role": "user"}', "conversations"),
        (b'[{"role": "user", "content": "I row."}]', "conversations"),
        (json.dumps([{"conversations_memory": "Ada restores clocks."}]).encode(), "memories"),
    ],
)
def test_file_decides_on_its_kind(content: bytes, kind: str, program: Program) -> None:
    started = send(program, content)
    done(started)
    assert program.send("GET", started["Location"])["kind"] == kind


def test_export_with_instructions_alone_is_one_of_memories(program: Program) -> None:
    export = tree(instructions("Preferred name: Ada", "Be brief."), gpt_message("user", ""))
    started = send(program, json.dumps([export]).encode())
    done(started)
    report = program.send("GET", started["Location"])
    assert (report["state"], report["kind"]) == ("succeeded", "memories")
    assert report["memories_new"] + report["memories_held"] == 2


def test_unknown_file_is_of_no_kind_left_open(program: Program) -> None:
    started = send(program, b"\x00\x01")
    work(Import.objects.get(pk=started.json()["id"]))
    report = program.send("GET", started["Location"])
    assert (report["state"], report["kind"]) == ("failed", "memories")
