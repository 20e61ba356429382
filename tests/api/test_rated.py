"""What programs store without category, importance and end gets them from its text."""

from typing import Any

import pytest

from instances.models import Instance
from memoryapp.models import Memory
from tests.api.conftest import Program


def stored(program: Program, **body: Any) -> Memory:
    answer = program.send("POST", "memories", body, status=201)
    memory = Memory.objects.get()
    assert (answer["category"], answer["importance"]) == (memory.category, memory.importance)
    return memory


@pytest.mark.parametrize(
    "text",
    ["Nut allergy", "Nussallergie", "Allergia alle noci", "Alergia a las nueces", "Allergie"],
)  # fmt: skip
def test_fact_of_a_program_is_rated(program: Program, instance: Instance, text: str) -> None:
    memory = stored(program, content=text)
    assert (memory.category, memory.importance, memory.assessed) == ("fact", 9, False)


def test_end_may_be_left_to_the_text_or_denied(program: Program, instance: Instance) -> None:
    text = "Volo per Oslo il 3 maggio 2031"
    assert str(stored(program, content=text).valid_until) == "2031-05-03"
    Memory.objects.all().delete()
    assert stored(program, content=text, valid_until=None).valid_until is None


def test_correction_by_external_id_leaves_category_and_importance(
    program: Program, instance: Instance
) -> None:
    body = {"content": "Nut allergy", "external_id": "crm:1", "category": "event", "importance": 2}
    stored(program, **body)
    again = {"content": "Bad nut allergy", "external_id": "crm:1", "category": None}
    program.send("POST", "memories", again, status=200)
    memory = Memory.objects.get()
    assert (memory.content, memory.category, memory.importance) == ("Bad nut allergy", "event", 2)
