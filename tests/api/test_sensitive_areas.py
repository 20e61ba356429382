"""Each door for programs refuses what an instance never keeps, and says why without the text."""

from typing import Any

import pytest

from instances.models import Instance
from memoryapp.models import Drawer, Memory, StoredDocument
from tests.api.conftest import Program

ASTHMA = "The user has asthma."


@pytest.fixture(autouse=True)
def never_health(instance: Instance) -> None:
    instance.health_handling = "refuse"
    instance.save()


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


def test_held_statement_answers_202(program: Program, instance: Instance) -> None:
    Instance.objects.filter(pk=instance.pk).update(health_handling="hold")
    answer = program.send("POST", "memories", {"content": ASTHMA}, status=202)
    assert answer["dedup"]["action"] == "held"
