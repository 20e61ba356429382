"""Where somebody is signed in, and how that ends."""

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
def test_a_device_is_named_as_people_do(user_agent: str, device: str) -> None:
    assert device_in_words(user_agent) == device


def test_everybody_sees_where_they_are_signed_in(alice: User, bob: User) -> None:
    here = sign_in()
    sign_in(user_agent=IPHONE, address="198.51.100.7")
    sign_in("bob", address="203.0.113.9")
    shown = page(here)
    assert "Firefox on Windows" in shown and "192.0.2.1" in shown
    assert "Safari on iPhone" in shown and "198.51.100.7" in shown
    assert "203.0.113.9" not in shown
    assert shown.count("this one") == 1


def test_one_session_ends(alice: User) -> None:
    here, there, elsewhere = sign_in(), sign_in(user_agent=IPHONE), sign_in(user_agent="curl/8")
    pk = UserSession.objects.get(user_agent=IPHONE).pk
    assert here.post(f"/account/sessions/{pk}/end").status_code == 302
    assert [is_signed_in(client) for client in (here, there, elsewhere)] == [True, False, True]
    assert "iPhone" not in page(here)


def test_all_others_end(alice: User, bob: User) -> None:
    here, there, bobs = sign_in(), sign_in(), sign_in("bob")
    assert here.post("/account/sessions/end").status_code == 302
    assert [is_signed_in(client) for client in (here, there, bobs)] == [True, False, True]


def test_nobody_ends_the_session_of_somebody_else(alice: User, bob: User) -> None:
    alices, bobs = sign_in(), sign_in("bob")
    pk = UserSession.objects.get(user=alice).pk
    assert bobs.post(f"/account/sessions/{pk}/end").status_code == 404
    assert is_signed_in(alices)


def test_ending_all_sessions_leaves_none_and_keeps_the_one_named(alice: User) -> None:
    first, second = sign_in(), sign_in()
    assert sessions.end_sessions(alice, keep=first.session.session_key) == 1
    assert (is_signed_in(first), is_signed_in(second)) == (True, False)
    assert sessions.end_sessions(alice) == 1
    assert not is_signed_in(first)
    assert not Session.objects.exists()


def test_every_way_of_signing_in_is_on_the_list(alice: User, client: Client) -> None:
    client.force_login(alice)
    assert sessions.open_sessions(alice).count() == 1
    assert sessions.end_sessions(alice) == 1
    assert not is_signed_in(client)


def test_a_session_is_off_the_list_once_it_is_over(alice: User) -> None:
    here, there, elsewhere = sign_in(), sign_in(user_agent=IPHONE), sign_in(user_agent="curl/8")
    there.post("/accounts/logout")
    Session.objects.filter(pk=elsewhere.session.session_key).update(
        expire_date=timezone.now() - timedelta(seconds=1)
    )
    shown = page(here)
    assert "iPhone" not in shown and "curl" not in shown


def test_using_a_session_renews_it_and_says_when_it_was_seen(
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
    seen = UserSession.objects.get(session_key=key)
    assert timezone.now() - seen.last_seen_at < timedelta(minutes=1)
    assert seen.ip == "198.51.100.7"


def test_a_visit_soon_after_another_writes_nothing(alice: User) -> None:
    client = sign_in()
    with CaptureQueriesContext(connection) as asked:
        client.get("/account")
    assert asked.captured_queries
    assert all(query["sql"].startswith("SELECT") for query in asked.captured_queries)


def test_the_screen_takes_as_many_queries_for_twenty_sessions_as_for_one(alice: User) -> None:
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
    """Everybody changes their own."""

    def test_changing_it_takes_the_present_one_and_ends_all_other_sessions(
        self, alice: User
    ) -> None:
        here, there = sign_in(), sign_in()
        assert change_password(here) == 302
        assert User.objects.get().check_password(NEW)
        assert (is_signed_in(here), is_signed_in(there)) == (True, False)
        assert sessions.open_sessions(alice).count() == 1
        assert page(here).count("this one") == 1

    def test_without_the_present_one_nothing_changes(self, alice: User) -> None:
        here, there = sign_in(), sign_in()
        assert change_password(here, old="guessed") == 422
        assert User.objects.get().check_password("alice-password")
        assert is_signed_in(there)

    @pytest.mark.parametrize(
        "weak", ["password", "12345678", "1029384756", "short-1", "alice1", "1q2w3e4r5t"]
    )
    def test_a_weak_one_is_refused(self, alice: User, weak: str) -> None:
        assert change_password(sign_in(), new=weak) == 422
        assert User.objects.get().check_password("alice-password")


class TestReset:
    """Whose password was reset is told so."""

    NOTICE = "A superadmin had your password reset"

    def test_they_are_told_until_they_dismiss_it(self, alice: User, bob: User) -> None:
        sessions.note_password_reset(alice)
        client = sign_in()
        for address in ("/account", "/memory", "/account"):
            assert self.NOTICE in client.get(address, follow=True).content.decode()
        assert self.NOTICE not in sign_in("bob").get("/account").content.decode()
        client.post("/account/password/notice")
        assert self.NOTICE not in page(client)
        assert self.NOTICE not in page(sign_in())

    def test_changing_the_password_dismisses_it(self, alice: User) -> None:
        sessions.note_password_reset(alice)
        client = sign_in()
        assert change_password(client) == 302
        assert self.NOTICE not in page(client)


def test_what_is_over_is_deleted_with_what_is_known_of_its_browser(alice: User, bob: User) -> None:
    over, open_ = sign_in(), sign_in("bob")
    Session.objects.filter(session_key=over.session.session_key).update(
        expire_date=timezone.now() - timedelta(seconds=1)
    )

    assert sessions.delete_expired() == 1

    assert [each.session_key for each in Session.objects.all()] == [open_.session.session_key]
    assert [each.user for each in UserSession.objects.all()] == [bob]


@pytest.mark.django_db
def test_a_stranger_stores_no_session(client: Client) -> None:
    client.get("/accounts/login?next=/memory")
    client.post("/accounts/login", {"login": "nobody", "password": "guessed"})
    client.get("/memory")
    client.get("/accounts/set-password?token=guessed")
    client.get("/accounts/login/code")
    assert not Session.objects.exists()


@pytest.mark.django_db
def test_a_sign_in_that_has_only_begun_is_soon_forgotten(client: Client) -> None:
    client.get("/accounts/login/passkey", headers={"X-Requested-With": "XMLHttpRequest"})
    soon = timezone.now() + timedelta(seconds=sessions.ANONYMOUS_SECONDS + 1)
    assert Session.objects.get().expire_date < soon


def test_a_sign_in_that_is_complete_lasts(alice: User, client: Client) -> None:
    client.get("/accounts/login/passkey", headers={"X-Requested-With": "XMLHttpRequest"})
    client.force_login(alice)
    client.get("/account")
    assert Session.objects.get().expire_date > timezone.now() + timedelta(days=13)
