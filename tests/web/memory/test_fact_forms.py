"""Key and value on the memory form, in the panel and the list, through the API and in files."""

import json
from typing import Any

import pytest
from django.test import Client

from instances.actor import Actor
from instances.models import Instance
from instances.tiers import Tier
from memoryapp.models import Memory, MemoryRevision, Origin
from memoryapp.pipeline import Candidate, Writer, remember
from tests.api.conftest import key_of
from tests.web.page_text import text_of

NEW = "/memory/new?instance=desk"


def filled(**fields: str) -> dict[str, str]:
    sentence = {"content": "The user lives in Munich.", "category": "fact", "importance": "6"}
    return sentence | fields


@pytest.fixture
def munich(instance: Instance) -> Memory:
    candidate = Candidate("The user lives in Munich.", "fact", key="home_city", value="Munich")
    return remember(
        instance, [candidate], Writer(Origin.MANUAL, Actor(via="test"), tier=Tier.PERSON)
    )[0].memory


def reject_lyon(instance: Instance) -> MemoryRevision:
    candidate = Candidate("The user lives in Lyon.", "fact", key="home_city", value="Lyon")
    writer = Writer(Origin.CONVERSATION, Actor(via="extraction"), tier=Tier.USER)
    remember(instance, [candidate], writer)
    return MemoryRevision.objects.heard().get()


def panel(client: Client, memory: Memory) -> str:
    return text_of(client.get(f"/memory/{memory.pk}").content.decode())


def test_fact_is_created_with_the_form(as_alice: Client, instance: Instance) -> None:
    as_alice.post(NEW, filled(key="Home City", value="Munich"))
    memory = Memory.objects.get()
    assert (memory.key, memory.value, memory.confidence) == ("home_city", "Munich", 100)
    page = panel(as_alice, memory)
    assert "home_city = Munich" in page
    as_alice.post(NEW, filled(content="Home is Lyon now.", key="home_city", value="Lyon"))
    assert Memory.objects.get().value == "Lyon"


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"key": "home_city"}, "Enter the value of this key"),
        ({"value": "Munich"}, "Enter the key of this value"),
        ({"key": "?!", "value": "Munich"}, "A key needs at least one letter or digit"),
    ],
)
def test_incomplete_fact_is_rejected_at_its_field(
    as_alice: Client, instance: Instance, fields: dict[str, str], said: str
) -> None:
    response = as_alice.post(NEW, filled(**fields))
    assert response.status_code == 422
    page = response.content.decode()
    assert said in page
    # The invalid field is in a section that is usually collapsed.
    assert '<details class="fold" open>' in page
    assert not Memory.objects.exists()


def test_key_section_is_collapsed_until_a_key_exists(
    as_alice: Client, instance: Instance, munich: Memory
) -> None:
    assert '<details class="fold">' in as_alice.get(NEW).content.decode()
    edit = as_alice.get(f"/memory/{munich.pk}/edit").content.decode()
    assert '<details class="fold" open>' in edit
    assert 'value="home_city"' in edit


def test_edit_cannot_use_the_key_of_another_fact(
    as_alice: Client, instance: Instance, munich: Memory
) -> None:
    as_alice.post(NEW, filled(content="The user works in Lyon.", key="work_city", value="Lyon"))
    other = Memory.objects.get(key="work_city")
    wrong = filled(content=other.content, key="home_city", value="Lyon")
    response = as_alice.post(f"/memory/{other.pk}/edit", wrong)
    assert response.status_code == 422
    assert "There is another memory with the key home_city" in response.content.decode()


def test_edit_in_the_row_keeps_the_key(
    as_alice: Client, instance: Instance, munich: Memory
) -> None:
    row = as_alice.post(
        f"/memory/{munich.pk}/row?instance=desk",
        filled(content="The user lives in Munich, in Haidhausen."),
        headers={"HX-Request": "true"},
    )
    assert "home_city" in row.content.decode()
    munich.refresh_from_db()
    assert (munich.key, munich.value) == ("home_city", "Munich")


def test_panel_shows_a_rejected_value_and_can_accept_it(
    as_alice: Client, instance: Instance, munich: Memory
) -> None:
    page = panel(as_alice, munich)
    assert "Other values, not used" not in page
    heard = reject_lyon(instance)
    page = panel(as_alice, munich)
    assert "Other values, not used" in page
    assert "The user lives in Lyon." in page
    assert "Changed once" not in page
    as_alice.post(f"/memory/{munich.pk}/restore/{heard.pk}?instance=desk")
    munich.refresh_from_db()
    assert munich.value == "Lyon"
    page = panel(as_alice, munich)
    assert "Changed once" in page
    assert "value Munich → Lyon" in page
    assert "Other values, not used" not in page


def test_api_reads_and_writes_facts(as_alice: Client, instance: Instance) -> None:
    def post(**fields: Any) -> Any:
        body = {"instance_id": "desk", "category": "fact", "content": "The user lives in Munich."}
        return as_alice.post("/api/memories", body | fields, content_type="application/json")

    first = post(key="homeCity", value="Munich", confidence=90)
    assert first.status_code == 201
    again = post(content="Home is Munich.", key="home_city", value="Munich")
    assert again.json()["dedup"] == {
        "action": "duplicate_exact",
        "existing_id": first.json()["id"],
    }
    assert again.json()["not_taken"] is False
    lyon = {"content": "Home is Lyon.", "key": "home_city", "value": "Lyon", "confidence": 100}
    worse = key_of(instance)[1].send("POST", "memories", lyon)
    assert worse["not_taken"] is True
    assert worse["content"] == "The user lives in Munich."
    url = f"/api/memories/{first.json()['id']}"
    memory = as_alice.get(url).json()
    assert (memory["key"], memory["value"]) == ("home_city", "Munich")
    assert memory["verified_at"]
    (revision,) = as_alice.get(f"{url}/revisions").json()["items"]
    assert (revision["reason"], revision["value"], revision["tier"]) == ("heard", "Lyon", "user")
    assert post(key="home_city").status_code == 422
    other = post(content="The user works in Lyon.", key="work_city", value="Lyon").json()["id"]
    response = as_alice.patch(
        f"/api/memories/{other}", {"key": "home_city"}, content_type="application/json"
    )
    assert (response.status_code, response.json()["code"]) == (409, "key_taken")
    moved = as_alice.patch(url, {"value": "Graz"}, content_type="application/json").json()
    assert (moved["key"], moved["value"]) == ("home_city", "Graz")


def test_facts_are_exported(as_alice: Client, instance: Instance, munich: Memory) -> None:
    response: Any = as_alice.get("/memory/export?instance=desk&format=jsonl")
    (line,) = b"".join(response.streaming_content).decode().splitlines()
    fields = json.loads(line)
    assert (fields["key"], fields["value"]) == ("home_city", "Munich")
