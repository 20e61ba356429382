"""The rollback of a source over the API."""

import pytest
from django.test import Client

from instances.actor import Actor
from instances.models import Instance, User
from memoryapp.models import Memory, Origin
from memoryapp.pipeline import Candidate, Writer, remember
from tests.api.conftest import key_of

PATH = "/api/rollback"


@pytest.fixture
def prefix(instance: Instance) -> str:
    """The beginning of a key that has stored two memories."""
    key, _ = key_of(instance)
    writer = Writer(Origin.API, Actor(via=f"api {key.prefix}"))
    remember(instance, [Candidate("Ana rows."), Candidate("Ben sails.")], writer)
    return key.prefix


def test_preview_and_rollback(as_alice: Client, instance: Instance, prefix: str) -> None:
    shown = as_alice.get(f"{PATH}?instance_id=desk&key={prefix}&limit=1").json()
    effect = {name: number for name, number in shown["effect"].items() if number}
    assert effect == {"removed": 2}
    assert shown["influence"]["answers"] == 0
    (item,) = shown["items"]
    assert (item["content"], item["fate"], item["before"]) == ("Ben sails.", "removed", None)
    after = {"instance_id": "desk", "key": prefix, "cursor": shown["next"]}
    assert [each["content"] for each in as_alice.get(PATH, after).json()["items"]] == ["Ana rows."]

    body = {"instance_id": "desk", "key": prefix}
    done = as_alice.post(PATH, body, "application/json").json()
    assert done["removed"] == 2
    assert not Memory.objects.exists()
    assert instance.archived.count() == 2


def test_only_managers_who_are_signed_in(
    as_alice: Client, instance: Instance, prefix: str, bob: User
) -> None:
    program = key_of(instance)[1]
    assert program.send("GET", "rollback", status=403)["code"] == "role_required"
    program.send("POST", "rollback", {"key": prefix}, status=403)
    as_alice.force_login(bob)
    assert as_alice.get(PATH, {"instance_id": "desk", "key": prefix}).status_code == 403
    assert Memory.objects.count() == 2


@pytest.mark.parametrize(
    ("source", "status"),
    [({}, 422), ({"key": "ks_nothing"}, 404), ({"import_id": 9}, 404), ({"since": "soon"}, 422)],
)
def test_wrong_sources(
    as_alice: Client, prefix: str, source: dict[str, str | int], status: int
) -> None:
    body: dict[str, str | int] = {"instance_id": "desk", **source}
    assert as_alice.get(PATH, body).status_code == status
    assert as_alice.post(PATH, body, "application/json").status_code == status
    assert Memory.objects.count() == 2
