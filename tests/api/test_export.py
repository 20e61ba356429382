"""Export of memories, and the summary of a person."""

import json
from collections.abc import Callable
from typing import Any

from django.test import Client
from django.utils import timezone

from conversations.models import Conversation
from instances.models import Instance
from memoryapp.imports import export_lines
from memoryapp.models import Memory, Summary
from tests.api.conftest import Program, key_of

Store = Callable[..., Memory]


def lines(program: Program, query: str = "") -> list[Any]:
    response = program.ask("GET", f"memories/export?{query}")
    assert (response.status_code, response.streaming) == (200, True)
    assert response["Content-Type"] == "application/x-ndjson"
    return [json.loads(line) for line in response.getvalue().splitlines()]


def test_export_is_the_file_of_the_screen(
    program: Program, as_alice: Client, store_memory: Store, monkeypatch: Any
) -> None:
    monkeypatch.setattr(export_lines, "CHUNK_SIZE", 2)
    for number in range(5):
        store_memory(f"Fact {number}.", metadata={"a": number}, end_user="ana")
    screen = as_alice.get("/memory/export?instance=desk&format=jsonl")
    exported = program.ask("GET", "memories/export").getvalue()
    assert exported == screen.getvalue()
    assert [line["content"] for line in lines(program)] == [f"Fact {n}." for n in (4, 3, 2, 1, 0)]


def test_export_has_the_filters_of_the_list(
    program: Program, instance: Instance, store_memory: Store
) -> None:
    store_memory("The user keeps bees.", category="fact", end_user="ana", external_id="crm:1")
    store_memory("The user sings.", end_user="bob", metadata={"a": 1})
    key_of(Instance.objects.create(slug="other", name="Other"))[1].send(
        "POST", "memories", {"content": "Of another instance."}
    )
    for query, content in (
        ("category=fact", "The user keeps bees."),
        ("external_id=crm:1", "The user keeps bees."),
        ("user_id=bob", "The user sings."),
        ('metadata={"a":1}', "The user sings."),
    ):
        assert [line["content"] for line in lines(program, query)] == [content]
    assert len(lines(program)) == 2
    assert lines(program, "user_id=nobody") == []
    assert program.send("GET", "memories/export?metadata=x", None, 422)["code"] == "invalid"


def test_export_names_the_messages(program: Program, conversation: Conversation) -> None:
    message = conversation.messages.earliest("position")
    body = {"content": "The user sings.", "conversation_id": conversation.pk}
    program.send("POST", "memories", body | {"message_id": message.pk})
    (line,) = lines(program)
    assert line["sources"][0]["position"] == message.position


def test_head_of_an_export_is_no_export(program: Program) -> None:
    head = program.ask("HEAD", "memories/export")
    assert (head.status_code, head.streaming) == (200, False)
    assert head["Content-Type"] == "application/x-ndjson"


def test_export_and_summary_need_permission_to_read(
    program_that_may: Callable[..., Program], instance: Instance
) -> None:
    other = key_of(Instance.objects.create(slug="other", name="Other"))[1]
    for path in ("memories/export", "summary"):
        assert program_that_may("write").send("GET", path, None, 403)["code"] == "scope_required"
        assert other.send("GET", f"{path}?instance_id=desk", None, 404)["code"] == "not_found"


def test_summary(program: Program, instance: Instance, store_memory: Store) -> None:
    Instance.objects.update(summary_enabled=True)
    none = program.send("GET", "summary?user_id=ana")
    assert none == {
        "user_id": "ana",
        "enabled": True,
        "text": "",
        "written_at": None,
        "made_from": 0,
        "newer": 0,
        "pending": False,
        "error": "",
    }
    first = store_memory("The user keeps bees.", end_user="ana")
    Summary.objects.create(
        instance=instance,
        end_user="ana",
        text="Ana keeps bees.",
        written_at=timezone.now(),
        made_from=1,
        newest_memory=first.pk,
    )
    store_memory("The user sings.", end_user="ana")
    summary = program.send("GET", "summary?user_id=ana")
    assert (summary["text"], summary["made_from"], summary["newer"]) == ("Ana keeps bees.", 1, 1)
    assert program.send("GET", "summary")["text"] == ""
    program.send("DELETE", f"memories/{first.pk}", status=204)
    assert program.send("GET", "summary?user_id=ana")["text"] == ""


def test_summary_is_not_shown_when_it_is_off(program: Program, instance: Instance) -> None:
    Instance.objects.update(summary_enabled=False)
    Summary.objects.create(instance=instance, text="Keeps bees.", written_at=timezone.now())
    answer = program.send("GET", "summary")
    assert (answer["enabled"], answer["text"], answer["written_at"]) == (False, "", None)
