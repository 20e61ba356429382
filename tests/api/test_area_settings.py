"""Settings for sensitive areas, read and set by programs."""

from typing import Any

import pytest

from instances.models import Instance
from instances.models.sensitivity_settings import AREAS
from memoryapp.models import Activity
from tests.api.conftest import Program

PATH = "sensitive-areas"
KEPT = dict.fromkeys(AREAS, "keep")
MERGER = {"name": "Merger", "words": ["Project Heron", "lay-off"], "handling": "refuse"}
APPLES = {"name": "Apples", "words": ["apple"], "handling": "hold"}


def changed_settings(instance: Instance) -> list[tuple[str, list[Any]]]:
    lines = Activity.objects.filter(instance=instance, action="settings").order_by("pk")
    return [(line.about, line.changes) for line in lines]


def test_answer_of_get_can_be_put(program: Program) -> None:
    assert program.send("GET", PATH) == KEPT | {"own_areas": []}
    wanted = KEPT | {"health": "refuse", "minors": "local", "own_areas": [APPLES, MERGER]}
    assert program.send("PUT", PATH, wanted) == wanted
    assert program.send("PUT", PATH, program.send("GET", PATH)) == wanted


def test_what_is_set_is_obeyed(program: Program) -> None:
    program.send("PUT", PATH, KEPT | {"health": "refuse", "own_areas": [MERGER]})
    for text in ("The user has asthma.", "Project Heron begins in May."):
        assert program.send("POST", "memories", {"content": text}, status=422)["code"] == "not_kept"
    program.send("PUT", PATH, KEPT | {"own_areas": []})
    program.send("POST", "memories", {"content": "Project Heron begins in May."}, status=201)


def test_activity_tells_only_what_changed(program: Program, instance: Instance) -> None:
    first = KEPT | {"health": "refuse", "own_areas": [APPLES, MERGER]}
    for _ in range(2):
        program.send("PUT", PATH, first)
    of_screen = [("Areas", [["health_handling", "keep", "refuse"]])]
    of_screen += [(f"Area {name}", [["own_areas"]]) for name in ("Apples", "Merger")]
    assert changed_settings(instance) == of_screen
    program.send("PUT", PATH, first | {"own_areas": [APPLES]})
    assert changed_settings(instance) == [*of_screen, ("Area Merger", [["own_areas"]])]


def test_name_in_another_case_takes_the_place_of_the_area(program: Program) -> None:
    program.send("PUT", PATH, KEPT | {"own_areas": [MERGER]})
    wanted = KEPT | {"own_areas": [MERGER | {"name": "MERGER"}]}
    assert program.send("PUT", PATH, wanted) == wanted


def test_full_list_can_take_the_place_of_a_full_list(program: Program) -> None:
    for kind in ("Old", "New"):
        areas = [APPLES | {"name": f"{kind} {number:02}"} for number in range(20)]
        answer = program.send("PUT", PATH, KEPT | {"own_areas": areas})
        assert answer["own_areas"] == areas


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"health": "never"}, "health"),
        ({"own_areas": [APPLES] * 21}, "own_areas"),
        ({"own_areas": [MERGER, MERGER | {"name": " merger"}]}, "have the same name"),
        ({"own_areas": [MERGER | {"name": " "}]}, "Enter a text."),
        ({"own_areas": [MERGER | {"words": []}]}, "words"),
        ({"own_areas": [MERGER | {"words": [" "]}]}, "at least one letter or digit"),
        ({"own_areas": [MERGER | {"words": ["heron", "…"]}]}, "at least one letter or digit"),
        ({"own_areas": [MERGER | {"words": ["x" * 61]}]}, "longer than 60 characters"),
        ({"own_areas": [MERGER | {"words": ["ana@example.org"]}]}, "a secret or an identifier"),
    ],
)
def test_what_is_wrong_is_said_and_changes_nothing(
    program: Program, given: dict[str, Any], problem: str
) -> None:
    before = program.send("PUT", PATH, KEPT | {"finances": "hold", "own_areas": [APPLES]})
    refused = program.send("PUT", PATH, KEPT | {"own_areas": []} | given, status=422)
    assert problem in str(refused)
    assert program.send("GET", PATH) == before


@pytest.mark.parametrize("left_out", [*AREAS, "own_areas"])
def test_nothing_is_loosened_by_being_left_out(program: Program, left_out: str) -> None:
    given: dict[str, Any] = KEPT | {"own_areas": []}
    del given[left_out]
    assert left_out in str(program.send("PUT", PATH, given, status=422))
