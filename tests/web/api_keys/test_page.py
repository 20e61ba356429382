"""The page of an API key."""

import pytest
from django.test import Client

from instances.models import ApiKey, Instance
from memoryapp.models import Activity, KeyRequest
from tests.api.conftest import key_of


@pytest.fixture
def key(instance: Instance) -> ApiKey:
    key, _ = key_of(instance)
    for remark in ("", "store_false", "store_false", "client_task"):
        KeyRequest.objects.create(
            instance=instance,
            key=key,
            door="v1",
            client="Home/1",
            end_user="ana",
            kept=0 if remark else 2,
            remark=remark,
        )
    return key


def address(key: ApiKey) -> str:
    return f"/instances/{key.instance.slug}/keys/{key.pk}"


def test_requests_are_shown_with_what_became_of_them(as_alice: Client, key: ApiKey) -> None:
    page = as_alice.get(address(key)).content.decode()
    assert "Home/1" in page and "ana" in page
    assert "2 requests: the client said store: false" in page
    assert "1 request: the client’s own task" in page
    assert address(key) in as_alice.get(f"/instances/{key.instance.slug}/settings/keys").text


def test_switches_are_saved_and_recorded(as_alice: Client, key: ApiKey) -> None:
    answer = as_alice.post(address(key), {"keeps_unstored": "on"})
    assert answer.status_code == 302
    key.refresh_from_db()
    assert (key.keeps_unstored, key.requires_person) == (True, False)
    assert Activity.objects.get().about == f"Key {key.name}"
    as_alice.post(address(key), {"requires_person": "on"})
    key.refresh_from_db()
    assert (key.keeps_unstored, key.requires_person) == (False, True)


def test_a_key_without_requests_says_what_to_do(as_alice: Client, instance: Instance) -> None:
    key, _ = key_of(instance)
    assert "No request yet" in as_alice.get(address(key)).content.decode()
