"""The list of sessions, and how sessions end."""

import time
from datetime import timedelta

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from instances.models import User
from instances.signin import sessions
from instances.signin.devices import device_in_words

WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0"
IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like "
    "Gecko) Version/18.5 Mobile/15E148 Safari/604.1"
)
NEW = "correct-horse-battery"


def sign_in(name: str = "alice", user_agent: str = WINDOWS, address: str = "192.0.2.1") -> Client:
    client = Client(REMOTE_ADDR=address, HTTP_USER_AGENT=user_agent)
    form = {"login": name, "password": f"{name}-password"}
    assert client.post("/accounts/login", form).status_code == 302
    return client


def is_signed_in(client: Client) -> bool:
    return client.get("/account").status_code == 200


def page(client: Client) -> str:
    return client.get("/account").content.decode()


def change_password(client: Client, old: str = "alice-password", new: str = NEW) -> int:
    form = {"old_password": old, "new_password1": new, "new_password2": new}
    return client.post("/account/password", form).status_code


@pytest.mark.parametrize(
    ("user_agent", "device"),
    [
        (WINDOWS, "Firefox on Windows"),
        (IPHONE, "Safari on iPhone"),
        (
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) "
            "Chrome/140.0.0.0 Safari/537.36",
            "Chrome on Linux",
        ),
        (
            "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 "
            "Safari/537.36 Edg/140.0.0.0",
            "Edge on Windows",
        ),
        (
            "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) "
            "Chrome/140.0.0.0 Mobile Safari/537.36",
            "Chrome on Android",
        ),
        ("curl/8.5.0", "curl"),
        ("", "Unknown device"),
        ("<script>alert(1)</script>", "Unknown device"),
    ],
)
def test_device_names_are_readable(user_agent: str, device: str) -> None:
    assert device_in_words(user_agent) == device


def test_own_sessions_are_listed(alice: User, bob: User) -> None:
    here = sign_in()
    sign_in(user_agent=IPHONE, address="198.51.100.7")
    sign_in("bob", address="203.0.113.9")
    content = page(here)
    assert "Firefox on Windows" in content and "192.0.2.1" in content
    assert "Safari on iPhone" in content and "198.51.100.7" in content
    assert "203.0.113.9" not in content
    assert content.count("this device") == 1


def test_one_session_is_ended(alice: User) -> None:
    here, there, elsewhere = sign_in(), sign_in(user_agent=IPHONE), sign_in(user_agent="curl/8")
    pk = UserSession.objects.get(user_agent=IPHONE).pk
    assert here.post(f"/account/sessions/{pk}/end").status_code == 302
    assert [is_signed_in(client) for client in (here, there, elsewhere)] == [True, False, True]
    assert "iPhone" not in page(here)


def test_all_other_sessions_are_ended(alice: User, bob: User) -> None:
    here, there, bobs = sign_in(), sign_in(), sign_in("bob")
    assert here.post("/account/sessions/end").status_code == 302
    assert [is_signed_in(client) for client in (here, there, bobs)] == [True, False, True]


def test_session_of_another_person_cannot_be_ended(alice: User, bob: User) -> None:
    alices, bobs = sign_in(), sign_in("bob")
    pk = UserSession.objects.get(user=alice).pk
    assert bobs.post(f"/account/sessions/{pk}/end").status_code == 404
    assert is_signed_in(alices)


def test_ending_all_sessions_can_keep_one(alice: User) -> None:
    first, second = sign_in(), sign_in()
    assert sessions.end_sessions(alice, keep=first.session.session_key) == 1
    assert (is_signed_in(first), is_signed_in(second)) == (True, False)
    assert sessions.end_sessions(alice) == 1
    assert not is_signed_in(first)
    assert not Session.objects.exists()


def test_sessions_of_every_sign_in_method_are_listed(alice: User, client: Client) -> None:
    client.force_login(alice)
    assert sessions.open_sessions(alice).count() == 1
    assert sessions.end_sessions(alice) == 1
    assert not is_signed_in(client)


def test_expired_session_is_not_listed(alice: User) -> None:
    here, there, elsewhere = sign_in(), sign_in(user_agent=IPHONE), sign_in(user_agent="curl/8")
    there.post("/accounts/logout")
    Session.objects.filter(pk=elsewhere.session.session_key).update(
        expire_date=timezone.now() - timedelta(seconds=1)
    )
    content = page(here)
    assert "iPhone" not in content and "curl" not in content


def test_visit_renews_the_session_and_its_last_use(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = sign_in()
    key = client.session.session_key
    week_ago = timezone.now() - timedelta(days=7)
    Session.objects.update(expire_date=week_ago + timedelta(days=14))
    UserSession.objects.update(last_seen_at=week_ago)
    later = time.time() + sessions.SEEN_EVERY_SECONDS + 1
    monkeypatch.setattr(time, "time", lambda: later)
    answer = client.get("/account", REMOTE_ADDR="198.51.100.7")
    renewed = Session.objects.get(pk=key).expire_date - timezone.now()
    assert timedelta(days=13, hours=23) < renewed <= timedelta(days=14)
    assert answer.cookies["sessionid"]["max-age"] == 14 * 24 * 3600
    user_session = UserSession.objects.get(session_key=key)
    assert timezone.now() - user_session.last_seen_at < timedelta(minutes=1)
    assert user_session.ip == "198.51.100.7"


def test_repeated_visit_writes_nothing(alice: User) -> None:
    client = sign_in()
    with CaptureQueriesContext(connection) as queries:
        client.get("/account")
    assert queries.captured_queries
    assert all(query["sql"].startswith("SELECT") for query in queries.captured_queries)


def test_screen_has_a_constant_number_of_queries(alice: User) -> None:
    client = sign_in()
    with CaptureQueriesContext(connection) as first:
        client.get("/account")
    few = len(first)
    for _ in range(19):
        sign_in()
    with CaptureQueriesContext(connection) as second:
        assert page(client).count("Firefox on Windows") >= 20
    assert len(second) == few


class TestPassword:
    """Change of one's own password."""

    def test_change_requires_the_current_password_and_ends_other_sessions(
        self, alice: User
    ) -> None:
        here, there = sign_in(), sign_in()
        assert change_password(here) == 302
        assert User.objects.get().check_password(NEW)
        assert (is_signed_in(here), is_signed_in(there)) == (True, False)
        assert sessions.open_sessions(alice).count() == 1
        assert page(here).count("this device") == 1

    def test_wrong_current_password_changes_nothing(self, alice: User) -> None:
        here, there = sign_in(), sign_in()
        assert change_password(here, old="guessed") == 422
        assert User.objects.get().check_password("alice-password")
        assert is_signed_in(there)

    @pytest.mark.parametrize(
        "weak", ["password", "12345678", "1029384756", "short-1", "alice1", "1q2w3e4r5t"]
    )
    def test_weak_password_is_rejected(self, alice: User, weak: str) -> None:
        assert change_password(sign_in(), new=weak) == 422
        assert User.objects.get().check_password("alice-password")


class TestReset:
    """The notice after a password reset."""

    NOTICE = "Your password was reset with a link from a superadmin"

    def test_notice_is_shown_until_dismissed(self, alice: User, bob: User) -> None:
        sessions.note_password_reset(alice)
        client = sign_in()
        for address in ("/account", "/memory", "/account"):
            assert self.NOTICE in client.get(address, follow=True).content.decode()
        assert self.NOTICE not in sign_in("bob").get("/account").content.decode()
        client.post("/account/password/notice")
        assert self.NOTICE not in page(client)
        assert self.NOTICE not in page(sign_in())

    def test_password_change_dismisses_the_notice(self, alice: User) -> None:
        sessions.note_password_reset(alice)
        client = sign_in()
        assert change_password(client) == 302
        assert self.NOTICE not in page(client)


def test_expired_sessions_are_deleted_with_their_devices(alice: User, bob: User) -> None:
    over, open_ = sign_in(), sign_in("bob")
    Session.objects.filter(session_key=over.session.session_key).update(
        expire_date=timezone.now() - timedelta(seconds=1)
    )

    assert sessions.delete_expired() == 1

    assert [each.session_key for each in Session.objects.all()] == [open_.session.session_key]
    assert [each.user for each in UserSession.objects.all()] == [bob]


@pytest.mark.django_db
def test_anonymous_visit_stores_no_session(client: Client) -> None:
    client.get("/accounts/login?next=/memory")
    client.post("/accounts/login", {"login": "nobody", "password": "guessed"})
    client.get("/memory")
    client.get("/accounts/set-password?token=guessed")
    client.get("/accounts/login/code")
    assert not Session.objects.exists()


@pytest.mark.django_db
def test_incomplete_sign_in_expires_soon(client: Client) -> None:
    client.get("/accounts/login/passkey", headers={"X-Requested-With": "XMLHttpRequest"})
    soon = timezone.now() + timedelta(seconds=sessions.ANONYMOUS_SECONDS + 1)
    assert Session.objects.get().expire_date < soon


def test_complete_sign_in_lasts(alice: User, client: Client) -> None:
    client.get("/accounts/login/passkey", headers={"X-Requested-With": "XMLHttpRequest"})
    client.force_login(alice)
    client.get("/account")
    assert Session.objects.get().expire_date > timezone.now() + timedelta(days=13)
