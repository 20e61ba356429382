"""Areas of the managers' own: setting, changing and removing them on the screen."""

from html import unescape
from typing import Any

import pytest
from django.test import Client

from instances.models import Instance
from memoryapp.models import Activity, Memory
from memoryapp.suppression.own_areas import MAX_AREAS, MAX_WORDS

pytestmark = pytest.mark.django_db

ADDRESS = "/instances/desk/areas"


def set_area(client: Client, name: str, words: str, handling: str = "refuse") -> Any:
    given = {"area-name": name, "area-words": words, "area-handling": handling}
    return client.post(ADDRESS, given)


def stored(instance: Instance) -> list[dict[str, Any]]:
    instance.refresh_from_db()
    return list(instance.own_areas)


def test_area_is_set_and_obeyed_by_the_form_of_a_memory(
    as_alice: Client, instance: Instance
) -> None:
    set_area(as_alice, " Merger ", "Project Heron\r\n\r\n lay-off \r\nlay-off")
    words = ["Project Heron", "lay-off"]
    assert stored(instance) == [{"name": "Merger", "words": words, "handling": "refuse"}]
    given = {"content": "Project Heron begins in May.", "category": "fact", "importance": 5}
    page = as_alice.post("/memory/new?instance=desk", given).content.decode()
    assert "Merger: not kept here (Settings → Never kept)." in unescape(page)
    assert not Memory.objects.exists()


def test_area_of_a_name_is_replaced_and_shown_to_be_changed(
    as_alice: Client, instance: Instance
) -> None:
    set_area(as_alice, "Merger & co", "heron")
    set_area(as_alice, "Apples", "apple", "hold")
    set_area(as_alice, "merger & CO", "heron\negret", "local")
    assert [area["name"] for area in stored(instance)] == ["Apples", "merger & CO"]
    page = as_alice.get("/instances/desk/settings/areas").content.decode()
    assert "?area=merger%20%26%20CO#own-areas" in page
    assert "egret" not in page
    page = as_alice.get("/instances/desk/settings/areas?area=merger%20%26%20CO").content.decode()
    assert "heron\negret" in page


def test_area_is_removed(as_alice: Client, instance: Instance) -> None:
    set_area(as_alice, "Merger", "heron")
    set_area(as_alice, "Apples", "apple")
    for _ in range(2):
        as_alice.post(f"{ADDRESS}/remove", {"row": "Merger"})
        assert [area["name"] for area in stored(instance)] == ["Apples"]


def test_activity_log_names_the_area_without_its_words(
    as_alice: Client, instance: Instance
) -> None:
    set_area(as_alice, "Merger", "heron")
    line = Activity.objects.get(instance=instance, action="settings")
    assert (line.about, line.changes) == ("Area Merger", [["own_areas"]])
    page = as_alice.get("/activity?instance=desk").content.decode()
    assert "Area Merger" in page and "heron" not in page


@pytest.mark.parametrize(
    ("name", "words", "problem"),
    [
        ("", "heron", "This field is required."),
        ("Merger", "", "This field is required."),
        ("Merger", "heron\n…", "Enter at least one letter or digit."),
        ("Merger", "x" * 61, "is longer than 60 characters."),
        ("Merger", "\n".join(f"w{n}" for n in range(MAX_WORDS + 1)), "At most 100 words"),
        ("Merger", "ana@example.org", "This looks like a secret or an identifier"),
    ],
)
def test_what_is_wrong_is_said(
    as_alice: Client, instance: Instance, name: str, words: str, problem: str
) -> None:
    answer = set_area(as_alice, name, words)
    assert answer.status_code == 422
    assert problem in unescape(answer.content.decode())
    assert stored(instance) == []


def test_number_of_areas_is_bounded(as_alice: Client, instance: Instance) -> None:
    for number in range(MAX_AREAS):
        assert set_area(as_alice, f"Area {number}", "heron").status_code == 302
    answer = set_area(as_alice, "One more", "heron")
    assert answer.status_code == 422
    assert "There are 20 areas already." in answer.content.decode()
    assert set_area(as_alice, "Area 7", "egret").status_code == 302
    assert len(stored(instance)) == MAX_AREAS
