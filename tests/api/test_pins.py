"""Pins over the API: managers who are signed in set them, everybody reads them."""

from collections.abc import Callable

from django.test import Client

from instances.models import Instance, User
from memoryapp.models import Memory
from tests.api.conftest import key_of
from tests.api.rest_calls import checked, fetch


def test_manager_pins_and_unpins(
    as_alice: Client, instance: Instance, store_memory: Callable[..., Memory]
) -> None:
    memory = store_memory("The user is called Captain.")
    path = f"/api/memories/{memory.pk}"
    before = as_alice.get(path)
    pinned = as_alice.put(f"{path}/pin")
    assert checked(pinned)["pinned"] is True
    assert pinned["ETag"] != before["ETag"]
    assert pinned["ETag"] == as_alice.get(path)["ETag"]
    assert fetch(as_alice, instance_id="desk")["items"][0]["pinned"] is True
    # Who has read the text may still change it: the pin is no version.
    changed = as_alice.patch(
        path, {"importance": 8}, "application/json", headers={"If-Match": before["ETag"]}
    )
    assert changed.status_code == 200
    assert checked(as_alice.delete(f"{path}/pin"))["pinned"] is False


def test_only_managers_who_are_signed_in(
    as_alice: Client, bob: User, instance: Instance, store_memory: Callable[..., Memory]
) -> None:
    memory = store_memory("The user is called Captain.")
    path = f"memories/{memory.pk}/pin"
    _, program = key_of(instance)
    assert program.send("PUT", path, status=403)["code"] == "role_required"
    as_alice.force_login(bob)
    assert as_alice.put(f"/api/{path}").status_code == 403
    assert not Memory.objects.pinned().exists()


def test_refusal_has_a_code(as_alice: Client, store_memory: Callable[..., Memory]) -> None:
    memory = store_memory("The user knows " + "x" * 300)
    response = as_alice.put(f"/api/memories/{memory.pk}/pin")
    assert response.status_code == 409
    assert checked(response)["code"] == "too_long"
