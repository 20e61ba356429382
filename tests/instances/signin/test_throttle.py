"""Throttling of sign-ins by name and address, for passwords and codes."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import BoundedSemaphore
from typing import Any

import pytest
from django.contrib.auth import authenticate
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.db import connection
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from instances.models import FailedSignIns, User
from instances.signin import backends
from instances.signin.known_browser import digest_of
from instances.signin.throttle import TooManyAttempts

LOGIN = "/accounts/login"
REFUSED = "Too many failed attempts. Try again in "


WRONG = "guessed"


def try_to(client: Client, name: str, password: str = WRONG, **headers: str) -> Any:
    return client.post(LOGIN, {"login": name, "password": password}, headers=headers)


def fail(times: int, name: str = "alice", address: str | None = None) -> list[int]:
    """Fail to sign in, each time with a new client; return the status codes."""
    statuses = []
    for number in range(times):
        client = Client(REMOTE_ADDR=address or f"203.0.113.{number}")
        statuses.append(try_to(client, name).status_code)
    return statuses


def pass_time(**parts: int) -> None:
    """Move all counted failures into the past."""
    for row in FailedSignIns.objects.all():
        row.counted_at -= timedelta(**parts)
        if row.refused_until:
            row.refused_until -= timedelta(**parts)
        row.save()


def is_signed_in(client: Client) -> bool:
    return client.get("/account").status_code == 200


def test_correct_password_waits_after_five_failures(alice: User) -> None:
    assert fail(5) == [200] * 5
    client = Client(REMOTE_ADDR="198.51.100.1")
    answer = try_to(client, "alice", "alice-password")
    assert answer.status_code == 429
    assert 25 <= int(answer["Retry-After"]) <= 30
    assert REFUSED in answer.content.decode()
    assert "seconds" in answer.content.decode()
    assert not is_signed_in(client)

    pass_time(seconds=31)
    assert try_to(client, "alice", "alice-password").status_code == 302
    assert is_signed_in(client)


def test_unknown_names_are_throttled_alike(db: None) -> None:
    assert fail(6, "nobody") == [200] * 5 + [429]


@pytest.mark.parametrize("spelling", ["ALICE", " alice ", "ａｌｉｃｅ"])
def test_other_spellings_share_the_count(alice: User, spelling: str) -> None:
    fail(5)
    assert try_to(Client(REMOTE_ADDR="198.51.100.1"), spelling).status_code == 429


def test_waits_double_up_to_15_minutes(alice: User) -> None:
    fail(5)
    waits = []
    for number in range(8):
        client = Client(REMOTE_ADDR=f"198.51.100.{number}")
        waits.append(int(try_to(client, "alice")["Retry-After"]))
        pass_time(seconds=waits[-1])
        assert try_to(client, "alice").status_code == 200
    assert waits == pytest.approx([30, 60, 120, 240, 480, 900, 900, 900], abs=2)


def test_rejected_attempt_does_not_extend_the_wait(alice: User) -> None:
    fail(5)
    before = list(FailedSignIns.objects.values())
    assert fail(3) == [429] * 3
    assert list(FailedSignIns.objects.values()) == before


def test_address_is_throttled_across_names(alice: User) -> None:
    for number in range(5):
        fail(1, f"name-{number}", "203.0.113.7")
    assert fail(1, "another", "203.0.113.7") == [429]
    assert try_to(Client(REMOTE_ADDR="203.0.113.7"), "alice", "alice-password").status_code == 429
    assert fail(1, "another", "203.0.113.8") == [200]


def test_ipv6_network_counts_as_one_address(db: None) -> None:
    for number in range(5):
        fail(1, f"name-{number}", f"2001:db8::{number}")
    assert fail(1, "another", "2001:db8::ffff:1") == [429]
    assert fail(1, "another", "2001:db8:0:1::1") == [200]


def test_success_clears_the_name_but_not_the_address(alice: User, bob: User) -> None:
    """Otherwise an attacker with an account could guess, sign in, and guess again."""
    for name in ("eve", "mallory", "alice", "alice"):
        fail(1, name, "203.0.113.7")
    assert try_to(Client(REMOTE_ADDR="203.0.113.7"), "bob", "bob-password").status_code == 302
    assert fail(2, "alice", "203.0.113.7") == [200, 429]
    assert fail(3, "bob", "198.51.100.1") == [200] * 3


def test_success_does_not_count_against_its_address(alice: User) -> None:
    for _ in range(12):
        answer = try_to(Client(REMOTE_ADDR="203.0.113.7"), "alice", "alice-password")
        assert answer.status_code == 302


def test_known_browser_is_not_locked_out_by_others(alice: User) -> None:
    at_home = Client(REMOTE_ADDR="192.0.2.1")
    try_to(at_home, "alice", "alice-password")
    at_home.post("/accounts/logout")
    fail(5)
    fail(5, "anybody", "192.0.2.1")
    assert fail(1) == [429]
    assert try_to(at_home, "alice", "alice-password").status_code == 302
    assert fail(1) == [429], "the success cleared the count of others"


def test_known_browser_is_throttled_by_its_own_failures(alice: User) -> None:
    at_home = Client()
    try_to(at_home, "alice", "alice-password")
    at_home.post("/accounts/logout")
    assert [try_to(at_home, "alice").status_code for _ in range(6)] == [200] * 5 + [429]
    assert try_to(Client(), "alice", "alice-password").status_code == 302


def test_browser_is_known_only_for_users_who_signed_in_with_it(alice: User, bob: User) -> None:
    browser = Client(REMOTE_ADDR="192.0.2.1")
    try_to(browser, "bob", "bob-password")
    browser.post("/accounts/logout")
    fail(5, "alice")
    assert try_to(browser, "alice", "alice-password").status_code == 429


def test_shared_browser_keeps_separate_counts(alice: User, bob: User) -> None:
    shared = Client()
    for name in ("alice", "bob"):
        try_to(shared, name, f"{name}-password")
        shared.post("/accounts/logout")
    for _ in range(5):
        try_to(shared, "alice")
    try_to(shared, "bob", "bob-password")
    shared.post("/accounts/logout")
    assert try_to(shared, "alice", "alice-password").status_code == 429


@pytest.mark.parametrize("cookie", ["", "x", "e30:1tXxYz:abc", "." * 5000])
def test_forged_cookie_is_not_a_known_browser(alice: User, cookie: str) -> None:
    fail(5)
    client = Client(REMOTE_ADDR="198.51.100.1")
    client.cookies["known_browser"] = cookie
    assert try_to(client, "alice").status_code == 429


def test_counts_expire(alice: User) -> None:
    fail(4)
    pass_time(hours=25)
    fail(1, "somebody", "198.51.100.1")
    assert sorted(FailedSignIns.objects.values_list("failures", flat=True)) == [1, 1]


def test_stored_counts_contain_no_names(alice: User) -> None:
    fail(1, "hunter2-typed-in-the-wrong-field", "203.0.113.7")
    stored = str(list(FailedSignIns.objects.values()))
    assert "hunter2" not in stored and "203.0.113.7" not in stored


def test_failures_are_counted_without_redis(alice: User, settings: Settings) -> None:
    settings.CACHES = {
        "default": settings.CACHES["default"] | {"LOCATION": "redis://127.0.0.1:9/0"}
    }
    assert fail(6) == [200] * 5 + [429]


@pytest.mark.parametrize("door", ["/accounts/confirm", "/account/password"])
def test_signed_in_users_are_throttled_too(as_alice: Client, door: str) -> None:
    form = {
        "password": "guessed",
        "old_password": "guessed",
        "new_password1": "correct-horse-1",
        "new_password2": "correct-horse-1",
    }
    right = {"password": "alice-password", "old_password": "alice-password"}
    for _ in range(5):
        assert as_alice.post(door, form).status_code in (200, 422)
    answer = as_alice.post(door, form | right)
    assert answer.status_code == 429
    assert answer["Retry-After"]
    assert REFUSED in answer.content.decode()
    assert User.objects.get(username="alice").check_password("alice-password")


def test_authentication_without_a_request_is_counted(alice: User) -> None:
    assert authenticate(username="alice", password="alice-password") == alice
    for _ in range(5):
        assert authenticate(username="alice", password=WRONG) is None
    with pytest.raises(TooManyAttempts):
        authenticate(username="alice", password="alice-password")


def test_no_other_login_page_exists(alice: User) -> None:
    form = {"username": "alice", "login": "alice", "password": "alice-password"}
    for path in ("/admin/login/", "/admin/", "/login", "/login/", "/api-auth/login"):
        client = Client()
        assert client.post(path, form).status_code in (302, 308, 404)
        assert not is_signed_in(client)


class TestAddress:
    """The client address that is counted."""

    @pytest.fixture(autouse=True)
    def proxied(self, settings: Settings) -> None:
        settings.TRUST_PROXY = True

    def fail_as(self, forwarded: str) -> int:
        client = Client(REMOTE_ADDR="10.0.0.1")
        status: int = try_to(client, "nobody", X_Forwarded_For=forwarded).status_code
        FailedSignIns.objects.filter(
            key=FailedSignIns.key_for("name", "password", digest_of("nobody"))
        ).delete()
        return status

    def test_forwarded_address_counts_behind_a_proxy(self, db: None) -> None:
        assert [self.fail_as("203.0.113.7") for _ in range(6)] == [200] * 5 + [429]
        assert self.fail_as("203.0.113.8") == 200

    def test_forged_forwarded_addresses_are_ignored(self, db: None) -> None:
        answers = [self.fail_as(f"192.0.2.{number}, 203.0.113.7") for number in range(6)]
        assert answers == [200] * 5 + [429]

    def test_header_is_ignored_without_a_trusted_proxy(self, db: None, settings: Settings) -> None:
        settings.TRUST_PROXY = False
        assert [self.fail_as(f"192.0.2.{number}") for number in range(6)] == [200] * 5 + [429]


class TestHashing:
    """Password hashing is expensive, so few run at once."""

    @pytest.fixture
    def counted(
        self, db: None, settings: Settings, monkeypatch: pytest.MonkeyPatch
    ) -> Iterator[list[str]]:
        """Record the passwords that are hashed."""
        settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.PBKDF2PasswordHasher"]
        monkeypatch.setattr(PBKDF2PasswordHasher, "iterations", 10)
        hashed: list[str] = []
        encode = PBKDF2PasswordHasher.encode

        def watched(self: Any, password: str, *args: Any, **kwargs: Any) -> str:
            hashed.append(password)
            return encode(self, password, *args, **kwargs)

        monkeypatch.setattr(PBKDF2PasswordHasher, "encode", watched)
        yield hashed

    def test_known_and_unknown_names_cost_the_same(self, counted: list[str]) -> None:
        User.objects.create_user("erin", password="erin-password")
        User.objects.create_user("frank", password="frank-password", is_active=False)
        User.objects.create_user("grace")
        pages = set()
        for name in ("erin", "frank", "grace", "nobody"):
            counted.clear()
            answer = try_to(Client(REMOTE_ADDR=f"192.0.2.{ord(name[0])}"), name)
            assert len(counted) == 1, name
            page = answer.content.decode().replace(name, "…")
            pages.add(page.split("<h1>")[1].split("csrfmiddlewaretoken")[0])
        assert len(pages) == 1

    def test_rejected_password_is_not_hashed(self, alice: User, counted: list[str]) -> None:
        fail(5)
        counted.clear()
        fail(1)
        assert counted == []

    def test_too_many_concurrent_checks_are_rejected(
        self, alice: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(backends, "admissions", BoundedSemaphore(1))
        with backends.admissions:
            answer = try_to(Client(), "alice", "alice-password")
        assert answer.status_code == 503
        assert answer["Retry-After"] == "5"
        assert "Many people are signing in" in answer.content.decode()
        assert not FailedSignIns.objects.exists(), "a rejected check was counted as a failure"
        assert try_to(Client(), "alice", "alice-password").status_code == 302


@pytest.mark.django_db(transaction=True)
def test_concurrent_guesses_are_all_counted() -> None:
    User.objects.create_user("alice", password="alice-password")

    def guess(number: int) -> int:
        try:
            client = Client(REMOTE_ADDR=f"203.0.113.{number}")
            status: int = try_to(client, "alice").status_code
            return status
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        statuses = list(pool.map(guess, range(24)))
    looked_at = statuses.count(200)
    assert looked_at == 5
    assert set(statuses) <= {200, 429, 503}
    assert timezone.now() < FailedSignIns.objects.get(failures=5).refused_until  # type: ignore[operator]  # Set.
