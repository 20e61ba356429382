"""Feedback through mem0's API."""

from typing import Any

import pytest
from django.test import Client

from instances.models import Instance, User
from memoryapp.models import Activity, Memory
from tests.api.conftest import Program, key_of
from tests.web.page_text import definitions, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def memory(instance: Instance) -> Memory:
    return Memory.objects.create(instance=instance, content="Ana rows.", end_user="ana")


def rated(program: Program, memory: Memory, feedback: Any, **more: Any) -> Any:
    body = {"memory_id": str(memory.pk), "feedback": feedback, "feedback_reason": None}
    return program.send("POST", "/v1/feedback/", body | more)


def listed(program: Program, feedback: Any) -> list[str]:
    filters = {"AND": [{"user_id": "ana"}, {"feedback": feedback}]}
    found = program.send("POST", "/v3/memories/", {"filters": filters})
    return [one["memory"] for one in found["results"]]


def test_feedback_is_stored_with_the_memory(program: Program, memory: Memory) -> None:
    answer = rated(program, memory, "NEGATIVE", feedback_reason="She  sails\nnow.")
    assert (answer["feedback"], answer["feedback_reason"]) == ("NEGATIVE", "She sails now.")
    changed = memory.updated_at
    memory.refresh_from_db()
    assert (memory.feedback, memory.updated_at) == ("negative", changed)
    assert program.send("GET", f"/v1/memories/{memory.pk}/")["feedback"] == "NEGATIVE"
    assert listed(program, "NEGATIVE") == listed(program, "*") == ["Ana rows."]
    assert listed(program, ["POSITIVE", "VERY_NEGATIVE"]) == []
    rated(program, memory, "VERY_NEGATIVE")
    assert listed(program, "VERY_NEGATIVE") == ["Ana rows."]
    assert rated(program, memory, None, feedback_reason="x")["feedback_reason"] is None
    assert listed(program, None) == ["Ana rows."]
    assert Activity.objects.filter(action=Activity.Action.RATED).count() == 3


def test_people_see_it(alice: User, program: Program, memory: Memory, instance: Instance) -> None:
    rated(program, memory, "POSITIVE", feedback_reason="It helped.")
    screen = Client()
    screen.force_login(alice)
    page = definitions(screen.get(f"/memory/{memory.pk}").content.decode())
    assert page["Feedback"] == "positive: It helped."
    log = text_of(screen.get(f"/activity?instance={instance.slug}").content.decode())
    assert "gave feedback on a memory" in log


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"feedback": "GREAT"}, "must be one of POSITIVE, NEGATIVE, VERY_NEGATIVE, or null"),
        ({"feedback": 1}, "must be one of"),
        ({"memory_id": None}, "memory_id"),
        ({"feedback_reason": "x" * 10_001}, "feedback_reason"),
    ],
)
def test_invalid_feedback_is_rejected(
    change: dict[str, Any], says: str, program: Program, memory: Memory
) -> None:
    body = {"memory_id": str(memory.pk), "feedback": "POSITIVE"} | change
    answer = program.send("POST", "/v1/feedback/", body, status=422)
    assert says in answer["detail"]
    assert "Value error" not in answer["detail"]


def test_secrets_in_the_reason_are_redacted(
    program: Program, memory: Memory, instance: Instance
) -> None:
    reason = "Her card is 4111 1111 1111 1111."
    answer = rated(program, memory, "NEGATIVE", feedback_reason=reason)
    assert answer["feedback_reason"] == "Her card is [REDACTED:CARD]."
    instance.pii_policy = "reject"
    instance.save()
    body = {"memory_id": str(memory.pk), "feedback": "NEGATIVE", "feedback_reason": reason}
    assert program.send("POST", "/v1/feedback/", body, status=422)["code"] == "pii_rejected"


def test_feedback_needs_a_memory_of_the_instance_and_write(
    memory: Memory, private: Instance, instance: Instance
) -> None:
    body = {"memory_id": str(memory.pk), "feedback": "POSITIVE"}
    key_of(private)[1].send("POST", "/v1/feedback/", body, status=404)
    key_of(instance, ["read"])[1].send("POST", "/v1/feedback/", body, status=403)
    memory.refresh_from_db()
    assert memory.feedback == ""
