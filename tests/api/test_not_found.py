"""Every 404 names what is missing: an object of an endpoint, or the endpoint."""

import re
from typing import Any

import pytest

from instances.models import Instance, User
from tests.api.conftest import Program
from tests.api.test_isolation import OPERATIONS, Operation, create_objects

WITH_OBJECTS = [operation for operation in OPERATIONS if "{" in operation.path]
#: A number, a name and a UUID that no object has.
UNKNOWN = [2_000_000_000, "lunch", "5f0c0a4e-7d55-4c3f-9f0e-6f2f3a1b9c11"]
NOUNS = {"held": "held statement", "refused": "refused proposal"}


@pytest.fixture
def parts(instance: Instance, alice: User) -> dict[str, Any]:
    return create_objects(instance, alice)


def noun_of(parameter: str) -> str:
    noun = re.sub("(_id|Id)$", "", parameter)
    return NOUNS.get(noun, noun)


def detail(program: Program, operation: Operation, parts: dict[str, Any]) -> str:
    response = operation.ask(program, parts, None)
    answer = response.json()
    assert (response.status_code, answer["code"]) == (404, "not_found"), answer
    return str(answer["detail"])


@pytest.mark.parametrize("name", UNKNOWN)
def test_unknown_object_is_named(
    name: object, subtests: pytest.Subtests, program: Program, as_alice: Any, parts: dict[str, Any]
) -> None:
    for operation in WITH_OBJECTS:
        for parameter in re.findall(r"{(\w+)}", operation.path):
            with subtests.test(operation.name, parameter=parameter):
                told = detail(program, operation, parts | {parameter: name})
                shown = name if isinstance(name, int) else f"“{name}”"
                assert told.startswith("No ")
                assert f"{noun_of(parameter)} {shown}" in told
                assert "endpoint" not in told


def test_name_in_the_place_of_an_id_says_what_to_do(program: Program) -> None:
    body = {"messages": [{"role": "user", "content": "Yes."}]}
    told = program.send("POST", "conversations/lunch/messages", body, 404)["detail"]
    assert told == (
        "No conversation “lunch”. Create it with POST /api/conversations, and use the ID that this "
        "returns."
    )
    told = program.send("GET", "runs/lunch", status=404)["detail"]
    assert told == "No run “lunch”. See GET /api/runs."
    told = program.send("GET", "messages/lunch", status=404)["detail"]
    assert told == "No message “lunch”."
    told = program.send("GET", "conversations/4711", status=404)["detail"]
    assert told == "No conversation 4711, or you do not have access. See GET /api/conversations."
    told = program.send("GET", "conversations/4711/messages/", status=404)["detail"]
    assert told.startswith("No conversation 4711")


def test_inner_object_is_named_with_the_outer_one(program: Program, parts: dict[str, Any]) -> None:
    pk = parts["memory_id"]
    told = program.send("POST", f"memories/{pk}/revisions/4711/restore", status=404)["detail"]
    assert told.startswith(f"No revision 4711 of memory {pk}, or you do not have access.")
    assert told.endswith(f"See GET /api/memories/{pk}/revisions.")


@pytest.mark.parametrize(
    ("method", "path", "body", "named"),
    [
        ("GET", "memories?instance_id=nope", None, "instance “nope”"),
        ("POST", "memories", {"content": "He is away.", "instance_id": "nope"}, "instance “nope”"),
        ("POST", "memories", {"content": "He is away.", "conversation_id": 4711}, "4711"),
        ("POST", "conversations", {"agent": "nope"}, "agent “nope”"),
        ("GET", "palace/drawers/by-pointer?pointer=W-9/R-9/D-9", None, "drawer “W-9/R-9/D-9”"),
        ("GET", "store/document?namespace=a&key=nope", None, "document “nope”"),
        ("DELETE", "store/document?namespace=a&key=nope", None, "document “nope”"),
    ],
)
def test_object_outside_of_the_address_is_named(
    method: str, path: str, body: Any, named: str, program: Program
) -> None:
    assert named in program.send(method, path, body, 404)["detail"]


@pytest.mark.parametrize(
    "path", ["nowhere", "conversations/1/nowhere", "nowhere/conversations/1", "memories//"]
)
def test_unknown_endpoint_is_called_so(path: str, program: Program) -> None:
    answer = program.send("GET", path, status=404)
    assert answer["detail"] == "Unknown endpoint. See /api/docs."
