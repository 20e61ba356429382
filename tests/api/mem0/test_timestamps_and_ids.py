"""The date of what is added, and ids with signs that addresses and Unicode treat specially."""

from datetime import datetime
from typing import Any, Literal
from unicodedata import normalize
from urllib.parse import quote

import pytest
from mem0 import MemoryClient

from conversations.models import Conversation
from instances.models import Instance
from memoryapp.models import Memory
from tests.api.mem0.client_calls import ANA, read_waiting, stored, texts
from tests.provider_fixtures import keep_everything, read_with
from tests.scripted_provider import ScriptedProvider

Form = Literal["NFC", "NFD"]

SPRING = 1_552_521_600  # 2019-03-14
BEFORE_AND_AFTER = {"gte": "2019-03-13", "lte": "2019-03-15"}


FORMS: list[Any] = [
    SPRING,
    float(SPRING),
    str(SPRING),
    SPRING * 1000,
    f"{SPRING}000",
    "2019-03-14",
    "2019-03-14T00:00:00Z",
    "2019-03-14T02:00:00+02:00",
]


def test_forms_of_a_timestamp(client: MemoryClient) -> None:
    for number, timestamp in enumerate(FORMS):
        (pk,) = stored(client, f"Ana plants leek {number}.", timestamp=timestamp)
        assert datetime.fromisoformat(client.get(pk)["created_at"]).timestamp() == SPRING
    for value in FORMS:
        filters = {"AND": [ANA, {"created_at": {"eq": value}}]}
        assert client.get_all(filters=filters)["count"] == len(FORMS)


@pytest.mark.parametrize("infer", [True, False])
def test_what_is_no_timestamp(infer: bool, client: MemoryClient) -> None:
    body = {"messages": "I plant leeks.", "user_id": "ana", "infer": infer}
    for timestamp in ("yesterday", "", True, -(10**16), 10**15, [SPRING], "1e400", "9" * 20):
        answer = client.client.post("/v3/memories/add/", json=body | {"timestamp": timestamp})
        assert answer.status_code == 400, timestamp
        assert "seconds since 1970" in answer.text
    assert not (Memory.objects.exists() or Conversation.objects.exists())


def test_timestamp_dates_what_is_inferred(
    client: MemoryClient, instance: Instance, provider: ScriptedProvider
) -> None:
    read_with(provider, instance)
    provider.reply_with(keep_everything)
    client.add("I plant leeks.", user_id="ana", timestamp=SPRING)
    read_waiting()
    filters = {"AND": [ANA, {"created_at": BEFORE_AND_AFTER}]}
    (memory,) = client.get_all(filters=filters)["results"]
    assert datetime.fromisoformat(memory["created_at"]).timestamp() == SPRING
    assert memory["updated_at"] > memory["created_at"]
    # It is new all the same: charts of growth show it today.
    assert Memory.objects.get().stored_at > Memory.objects.get().created_at


ODD = ["team/ana", "/ana", "a//b", "ana?x=1#y", "ana%2Fben", "ána & co", "安娜/一", "a b"]


@pytest.mark.parametrize("kind", ["user", "run"])
def test_owner_with_any_name_in_an_address(kind: str, client: MemoryClient) -> None:
    for number, name in enumerate(ODD):
        client.add(f"Rower {number}.", infer=False, **{f"{kind}_id": name})
    for number, name in enumerate(ODD):
        answer = client.client.delete(f"/v2/entities/{kind}/{quote(name, safe='')}/")
        assert answer.status_code == 200
        assert not Memory.objects.filter(content=f"Rower {number}.").exists()
        assert Memory.objects.count() == len(ODD) - number - 1


@pytest.mark.parametrize("kind", ["user", "agent", "run"])
@pytest.mark.parametrize(("one", "other"), [("NFC", "NFD"), ("NFD", "NFC")])
def test_both_forms_of_a_letter_are_one_id(
    kind: str, one: Form, other: Form, client: MemoryClient
) -> None:
    name = "Zoë Müller"
    client.add("Zoë rows.", infer=False, **{f"{kind}_id": normalize(one, name)})
    owner = {f"{kind}_id": normalize(other, name)}
    (memory,) = client.get_all(filters=owner)["results"]
    assert memory[f"{kind}_id"] == normalize("NFC", name)
    asked = {"filters": owner, "query": "rows"}
    found = client.client.post("/v3/memories/search/", json=asked).json()
    assert texts(found) == ["Zoë rows."]
    client.delete_all(**owner)
    assert not Memory.objects.exists()


def test_forms_of_an_id_are_one_at_other_doors(instance: Instance) -> None:
    composed, apart = normalize("NFC", "Zoë"), normalize("NFD", "Zoë")
    assert instance.canonical_end_user(apart) == instance.canonical_end_user(composed) == composed
    talk = Conversation.objects.create(instance=instance, end_user=apart)
    assert talk.end_user == composed
    # A form of a letter that becomes longer when composed still fits into its column.
    assert len(instance.canonical_end_user("\u0958" * 200)) == 200
