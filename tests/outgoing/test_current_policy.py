import threading
from collections.abc import Callable
from ipaddress import ip_address

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from pytest_django import Settings

from instances.models import AllowedAddress, OutgoingConnections, OutgoingMode, User
from instances.outgoing.current_policy import allowed_addresses, refusal_of, stored_policy
from instances.outgoing.policy import AllowEntry, Mode, RefusedAddress

PUBLIC, PRIVATE = ip_address("8.8.8.8"), ip_address("10.0.0.5")


def test_public_addresses_are_allowed_by_default(db: None, nothing_listed: None) -> None:
    assert allowed_addresses("host", 443, [PUBLIC]) == [PUBLIC]
    assert isinstance(allowed_addresses("host", 443, [PRIVATE]), RefusedAddress)
    assert allowed_addresses("host", 443, [PRIVATE, PUBLIC]) == [PUBLIC]


def test_allowed_address_takes_effect_at_once(db: None, nothing_listed: None) -> None:
    AllowedAddress.objects.create(address="10.0.0.0/8")
    assert allowed_addresses("host", 80, [PRIVATE]) == [PRIVATE]
    AllowedAddress.objects.all().delete()
    assert isinstance(allowed_addresses("host", 80, [PRIVATE]), RefusedAddress)
    OutgoingConnections.objects.create(id=1, mode=OutgoingMode.EVERYTHING)
    assert allowed_addresses("host", 80, [PRIVATE]) == [PRIVATE]
    OutgoingConnections.objects.update(mode=OutgoingMode.LISTED)
    assert isinstance(allowed_addresses("host", 80, [PUBLIC]), RefusedAddress)


def test_operator_entries_need_no_database(settings: Settings) -> None:
    # This test has no database access, so a query would fail.
    settings.OUTGOING_ALLOW = ["10.0.0.0/8", " ollama:11434", ""]
    assert allowed_addresses("host", 80, [PRIVATE]) == [PRIVATE]
    assert allowed_addresses("ollama", 11434, [ip_address("172.18.0.3")])


def test_operator_and_superadmin_entries_are_combined(db: None, settings: Settings) -> None:
    settings.OUTGOING_ALLOW = ["10.0.0.5"]
    AllowedAddress.objects.create(address="10.0.0.6:80")
    policy = stored_policy()
    assert policy.mode == Mode.PUBLIC
    assert set(policy.entries) == {AllowEntry.parse("10.0.0.5"), AllowEntry.parse("10.0.0.6:80")}


def test_address_in_settings_is_checked_before_a_call(db: None, nothing_listed: None) -> None:
    refusal = refusal_of("http://127.0.0.1:11434/v1")
    assert refusal and refusal.entry == "127.0.0.1:11434"
    assert refusal_of("https://127.0.0.1/v1").entry == "127.0.0.1:443"  # type: ignore[union-attr]  # Not None.
    assert refusal_of("http://8.8.8.8/v1") is None
    assert refusal_of("http://name.invalid/v1") is None
    assert refusal_of("") is None


def test_entries_are_valid_and_unique(db: None) -> None:
    AllowedAddress.objects.create(address="ollama")
    for wrong in ("http://ollama", "169.254.169.254", "ollama"):
        with pytest.raises(ValidationError):
            AllowedAddress(address=wrong).full_clean()
    with pytest.raises(IntegrityError), transaction.atomic():
        OutgoingConnections.objects.create(id=2)


def test_entry_survives_deletion_of_its_author(dana: User) -> None:
    address = AllowedAddress.objects.create(address="ollama", added_by=dana)
    dana.delete()
    address.refresh_from_db()
    assert address.added_by is None


@pytest.mark.django_db(transaction=True)
def test_calling_thread_closes_its_database_connection(nothing_listed: None) -> None:
    connections: list[object] = []

    def call() -> None:
        allowed_addresses("host", 80, [PUBLIC])
        connections.append(connection.connection)

    thread = threading.Thread(target=call)
    thread.start()
    thread.join(10)
    assert connections == [None]


def test_call_within_a_request_keeps_its_database_connection(
    db: None, nothing_listed: None, django_assert_num_queries: Callable[..., object]
) -> None:
    with django_assert_num_queries(2):  # type: ignore[attr-defined]  # Untyped fixture.
        allowed_addresses("host", 80, [PUBLIC, PRIVATE])
    assert connection.connection is not None
