"""Each door for programs refuses what an instance never keeps, and says why without the text."""

import json
from typing import Any

import pytest

from instances.actor import Actor
from instances.models import Instance
from memoryapp import tools
from memoryapp.models import Drawer, Memory, Origin, StoredDocument
from memoryapp.pipeline import Writer
from tests.api.conftest import Program

ASTHMA = "The user has asthma."


OWN = {"name": "Lungs", "words": ["tea", "asthma"], "handling": "refuse"}


@pytest.fixture(autouse=True, params=[{"health_handling": "refuse"}, {"own_areas": [OWN]}])
def never_asthma(request: pytest.FixtureRequest, instance: Instance) -> dict[str, Any]:
    Instance.objects.filter(pk=instance.pk).update(**request.param)
    return dict(request.param)


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "memories", {"content": ASTHMA}),
        ("POST", "palace/notes", {"text": ASTHMA, "wing": "Alice"}),
        (
            "PUT",
            "store/document?namespace=users&key=a",
            {"namespace": ["users"], "key": "a", "value": {"notes": [ASTHMA]}},
        ),
    ],
)
def test_door_refuses(method: str, path: str, body: dict[str, Any], program: Program) -> None:
    refused = program.send(method, path, body, status=422)
    assert refused["code"] == "not_kept"
    assert "asthma" not in str(refused)
    for model in (Memory, Drawer, StoredDocument):
        assert not model.objects.exists()


def test_model_tool_refuses(instance: Instance) -> None:
    instance.refresh_from_db()
    context = tools.ToolContext(instance, Writer(Origin.API, Actor(via="api")), end_user="")
    given = json.dumps({"content": ASTHMA})
    result = tools.run(tools.SAVE, given, context, allowed=[tools.SAVE])
    assert "not kept here" in result.text
    assert not Memory.objects.exists()


def test_import_refuses(program: Program) -> None:
    rows = [{"content": ASTHMA}, {"content": "The user likes cocoa."}]
    program.send("POST", "memories/bulk", {"memories": rows}, status=200)
    assert [memory.content for memory in Memory.objects.all()] == ["The user likes cocoa."]


def test_held_statement_answers_202(program: Program, instance: Instance) -> None:
    own = OWN | {"handling": "hold"}
    Instance.objects.filter(pk=instance.pk).update(health_handling="hold", own_areas=[own])
    answer = program.send("POST", "memories", {"content": ASTHMA}, status=202)
    assert answer["dedup"]["action"] == "held"
