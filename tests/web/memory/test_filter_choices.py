"""The values that the filters offer, with their numbers."""

from typing import Any

import pytest
from django.test import Client

from instances.models import Instance
from memoryapp.models import Memory
from tests.web.memory.listing import listed

URL = "/memory/choices?instance=desk"


@pytest.fixture
def chosen_from(instance: Instance, private: Instance) -> Instance:
    rows: list[dict[str, Any]] = [
        {"tags": ["food", "home"], "end_user": "ana", "labels": ["agent:cook", "app:"]},
        {"tags": ["food"], "end_user": "ana", "category": "fact", "importance": 8},
        {"tags": ["work"], "end_user": "bo", "origin": "import"},
        {"labels": ["agent:cook"]},
    ]
    Memory.objects.bulk_create(
        Memory(instance=instance, content=f"Memory {n}", **row) for n, row in enumerate(rows)
    )
    Memory.objects.create(instance=private, content="Hidden", tags=["secret"], end_user="carl")
    return instance


def offered(client: Client, query: str = "") -> dict[str, dict[str, int | None]]:
    """The values of each filter with their numbers."""
    response = client.get(f"{URL}&{query}", headers={"HX-Request": "true"})
    assert response.status_code == 200
    return {
        name: {choice.value: choice.count for choice in filter_.choices}
        for name, filter_ in response.context["filters"].items()
    }


@pytest.mark.usefixtures("chosen_from")
def test_values_have_the_numbers_of_their_lists(as_alice: Client) -> None:
    values = offered(as_alice)
    assert values["tag"] == {"food": 2, "home": 1, "work": 1}
    assert values["user"] == {"ana": 2, "bo": 1}
    # A label without a name says that nobody stated it.
    assert values["label"] == {"agent:cook": 2}
    assert values["origin"] == {"manual": 3, "import": 1}
    assert values["importance"]["8"] == 1
    for name in ("tag", "user", "label", "origin"):
        for value, number in values[name].items():
            rows = listed(as_alice, f"{name}={value}").context["rows"]
            assert rows.everything.count == number, (name, value)


def test_what_the_instance_does_not_keep_is_not_offered(
    as_alice: Client, instance: Instance
) -> None:
    Memory.objects.create(instance=instance, content="The user rows.", tags=["sea"])
    page = as_alice.get(URL, headers={"HX-Request": "true"}).content.decode()
    assert 'name="tag"' in page
    assert 'name="user"' not in page
    assert 'name="label"' not in page
    assert 'name="user"' not in listed(as_alice).content.decode().partition("filter-fields")[2]
    # What is chosen can be changed.
    assert 'name="user"' in as_alice.get(f"{URL}&user=ana").content.decode()
    Memory.objects.create(instance=instance, content="Ana rows.", end_user="ana")
    page = as_alice.get(URL, headers={"HX-Request": "true"}).content.decode()
    assert '<label for="f-user">Person</label>' in page


def test_importance_can_be_at_least_one(as_alice: Client, instance: Instance) -> None:
    Memory.objects.bulk_create(
        Memory(instance=instance, content=f"Memory {n}", importance=n) for n in range(1, 11)
    )
    values = offered(as_alice)["importance"]
    assert (values["from-8"], values["8"]) == (3, 1)
    for value, number in values.items():
        rows = listed(as_alice, f"importance={value}").context["rows"]
        assert rows.everything.count == number, value
    page = listed(as_alice, "importance=from-8").content.decode()
    assert "importance: at least 8" in page
    assert "at least 8 (3)" in as_alice.get(URL).content.decode()
    assert listed(as_alice, "importance=from-11").context["rows"].everything.count == 10


@pytest.mark.usefixtures("chosen_from")
def test_numbers_respect_the_other_filters_but_not_their_own(as_alice: Client) -> None:
    values = offered(as_alice, "user=ana&category=fact&q=anything")
    assert values["tag"] == {"food": 1}
    assert values["user"] == {"ana": 1}
    assert offered(as_alice, "tag=work")["tag"] == {"food": 2, "home": 1, "work": 1}
    # What is chosen stays on offer.
    assert offered(as_alice, "tag=gone")["tag"]["gone"] is None


@pytest.mark.usefixtures("chosen_from")
def test_list_counts_nothing_until_the_filters_open(as_alice: Client) -> None:
    page = listed(as_alice).content.decode()
    assert 'hx-get="/memory/choices?instance=desk" hx-trigger="toggle from:closest details' in page
    assert "food (2)" not in page
    assert '<input id="f-tag" name="tag"' in page


def test_of_many_values_the_most_frequent_are_suggested(
    as_alice: Client, instance: Instance
) -> None:
    Memory.objects.bulk_create(
        Memory(instance=instance, content=f"Memory {n}", tags=[f"tag{n}", "all"])
        for n in range(150)
    )
    page = as_alice.get(URL, headers={"HX-Request": "true"}).content.decode()
    assert '<input id="f-tag" name="tag"' in page
    assert '<option value="all">150</option>' in page
    assert page.count('<option value="tag') == 99


@pytest.mark.usefixtures("chosen_from")
def test_page_without_javascript_keeps_the_state(as_alice: Client) -> None:
    page = as_alice.get(f"{URL}&q=boat&category=fact&tag=food&per_page=50").content.decode()
    for name, value in {"instance": "desk", "q": "boat", "category": "fact"}.items():
        assert f'<input type="hidden" name="{name}" value="{value}">' in page
    assert page.count('name="tag"') == 1
    assert "food (1)" in page.replace("\n", " ").replace("          ", "")
