"""The time of the last sign-in and of a key's last use, which nobody has to wait for."""

from typing import Any

import pytest
from django.db import OperationalError
from django.db.models import QuerySet
from django.test import Client

from instances.models import ApiKey, Instance, User
from instances.signin import receivers
from tests.api.conftest import key_of

pytestmark = pytest.mark.django_db
FORM = {"login": "alice", "password": "alice-password"}


def _away(*args: Any, **kwargs: Any) -> int:
    raise OperationalError("a server does not answer")


def test_it_is_stored(alice: User, client: Client) -> None:
    client.post("/accounts/login", FORM)
    alice.refresh_from_db()
    assert alice.last_login is not None


def test_people_sign_in_where_it_cannot_be_stored(
    alice: User, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(receivers, "update_last_login", _away)
    assert client.post("/accounts/login", FORM).status_code == 302
    assert client.get("/account").status_code == 200
    alice.refresh_from_db()
    assert alice.last_login is None


def test_a_key_is_used_where_that_cannot_be_stored(
    instance: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, program = key_of(instance)
    real = QuerySet.update

    def update(rows: Any, **values: Any) -> int:
        return _away() if rows.model is ApiKey else real(rows, **values)

    monkeypatch.setattr(QuerySet, "update", update)
    program.send("GET", "memories", None, 200)
    key.refresh_from_db()
    assert key.last_used_at is None
