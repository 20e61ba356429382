"""Acts on the server, in the audit log."""

from collections.abc import Callable

import pytest
from django.test import Client

from instances import accounts
from instances.models import AllowedAddress, Instance, OutgoingConnections, User
from memoryapp.models import AuditRecord


def latest() -> tuple[str, str, str]:
    """The action, the actor and the detail of the latest record."""
    record = AuditRecord.objects.latest("pk")
    return record.action, record.actor, record.detail


def sign_in(client: Client, name: str, password: str) -> None:
    client.post("/accounts/login", {"login": name, "password": password})


def test_sign_in_and_out(client: Client, alice: User) -> None:
    sign_in(client, "alice", "alice-password")
    assert latest() == ("signed_in", "alice", "")
    assert AuditRecord.objects.latest("pk").address == "127.0.0.1"
    client.post("/accounts/logout")
    assert latest() == ("signed_out", "alice", "")


def test_failed_sign_in_names_only_accounts_that_exist(client: Client, alice: User) -> None:
    sign_in(client, "alice", "wrong")
    assert latest() == ("sign_in_failed", "", "alice")
    sign_in(client, "my-secret-password", "wrong")
    assert latest() == ("sign_in_failed", "", "")


@pytest.mark.parametrize(
    ("act", "action"),
    [
        (lambda bob, dana: accounts.make_password_link(bob, by=dana), "account_link"),
        (lambda bob, dana: accounts.deactivate(bob, by=dana), "account_deactivated"),
        (lambda bob, dana: accounts.reactivate(bob, by=dana), "account_reactivated"),
        (lambda bob, dana: accounts.appoint(bob, by=dana), "superadmin_appointed"),
        (lambda bob, dana: accounts.dismiss(bob, by=dana), "superadmin_dismissed"),
        (lambda bob, dana: accounts.delete(bob, by=dana), "account_deleted"),
    ],
)
def test_changes_of_accounts(
    bob: User, dana: User, act: Callable[[User, User], object], action: str
) -> None:
    act(bob, dana)
    assert latest() == (action, "dana", "bob")


def test_outgoing_connections(dana: User) -> None:
    OutgoingConnections.change("listed", by=dana)
    assert latest() == ("outgoing_mode", "dana", "listed")
    AllowedAddress.objects.allow("10.0.0.9", by=dana)
    assert latest() == ("address_allowed", "dana", "10.0.0.9")
    AllowedAddress.objects.get().remove(by=dana)
    assert latest() == ("address_removed", "dana", "10.0.0.9")


def test_instance_is_created_and_deleted(as_alice: Client, private: Instance) -> None:
    as_alice.post("/instances/new", {"name": "Garden", "slug": "garden", "time_zone": "UTC"})
    created = AuditRecord.objects.get(action="instance_created")
    assert (created.actor, created.instance_name) == ("alice", created.detail)
    assert created.detail.startswith("garden")
    as_alice.post("/instances/diary/delete", {"slug": "diary"})
    deleted = AuditRecord.objects.get(action="instance_deleted")
    assert (deleted.actor, deleted.instance_name, deleted.is_private) == ("alice", "diary", True)
