"""The superadmins' screens for people: invitations and password links."""

import re
from datetime import timedelta
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from instances import accounts, secrets
from instances.models import Instance, Membership, PasswordLink, User
from memoryapp.models import Activity
from tests.instances.people import (
    PASSWORD,
    choose,
    invite,
    page,
    reset,
    signed_in,
    token_in,
)

# Invitations


def test_invited_person_sets_a_password_and_is_signed_in(
    as_dana: Client, instance: Instance
) -> None:
    link = invite(as_dana, name="Eve Adams", **{f"role-{instance.pk}": "viewer"})
    guest = Client()
    content = page(guest.get(link))
    assert "Welcome, Eve Adams" in content
    assert "dana" in content
    assert "Support desk" in content
    assert choose(guest, link)["Location"] == "/"
    assert guest.get("/memory?instance=desk").status_code == 200
    eve = User.objects.get(username="eve")
    assert eve.check_password(PASSWORD)
    assert Membership.objects.get(user=eve).role == "viewer"


def test_link_works_once_within_seven_days(as_dana: Client) -> None:
    link = invite(as_dana)
    assert Client().get(link).status_code == 200
    PasswordLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert Client().get(link).status_code == 404
    assert choose(Client(), link).status_code == 404
    PasswordLink.objects.update(expires_at=timezone.now() + timedelta(days=7))
    assert choose(Client(), link).status_code == 302
    assert choose(Client(), link, "another-kettle").status_code == 404
    assert User.objects.get(username="eve").check_password(PASSWORD)


def test_link_is_shown_once_and_stored_as_a_digest(as_dana: Client) -> None:
    link = invite(as_dana)
    eve = User.objects.get(username="eve")
    assert token_in(link) not in page(as_dana.get(f"/server/people/{eve.pk}"))
    assert token_in(link) not in str(PasswordLink.objects.values().get())
    assert "no-store" in as_dana.get(f"/server/people/{eve.pk}")["Cache-Control"]
    reset(as_dana, eve)
    # The new link replaces the first one.
    assert Client().get(link).status_code == 404


def test_pending_link_is_encrypted_and_shown_only_while_valid(
    as_dana: Client, alice: User, bob: User
) -> None:
    url = f"/server/people/{alice.pk}"
    as_dana.post(f"{url}/link")
    (sealed,) = [value for key, value in as_dana.session.items() if "link" in key]
    token = secrets.decrypt(sealed)
    assert token not in str(dict(as_dana.session))
    # Neither the page of another person nor another superadmin shows it.
    assert token not in page(as_dana.get(f"/server/people/{bob.pk}"))
    other = User.objects.create_superuser("frank")
    assert token not in page(signed_in(other).get(url))
    assert token in page(as_dana.get(url))
    as_dana.post(f"{url}/link")
    as_dana.post(f"{url}/link/withdraw")
    assert 'id="password-link"' not in page(as_dana.get(url))
    assert not [key for key, _ in as_dana.session.items() if "link" in key]


def test_reload_creates_no_new_link(as_dana: Client, alice: User) -> None:
    reset(as_dana, alice)
    stored = PasswordLink.objects.values().get()
    again = page(as_dana.get(f"/server/people/{alice.pk}"))
    assert 'id="password-link"' not in again
    assert "has not been used yet" in again
    assert PasswordLink.objects.values().get() == stored


@pytest.mark.parametrize(
    ("host", "local"),
    [("localhost:8000", True), ("127.0.0.1:8000", True), ("[::1]", True), ("testserver", False)],
)
def test_link_to_localhost_has_a_warning(
    host: str, local: bool, as_dana: Client, settings: Settings
) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    fields, headers = {"username": "eve"}, {"host": host}
    answer = as_dana.post("/server/people/invite", fields, headers=headers, follow=True)
    assert ("only works on this machine" in page(answer)) == local


def test_invitation_is_listed_and_can_be_withdrawn(as_dana: Client) -> None:
    link = invite(as_dana)
    eve = User.objects.get(username="eve")
    assert "invited, until" in page(as_dana.get("/server/people?state=invited"))
    as_dana.post(f"/server/people/{eve.pk}/link/withdraw")
    assert Client().get(link).status_code == 404
    assert "invited, no link yet" in page(as_dana.get("/server/people"))


@pytest.mark.parametrize("password", ["short", "eve", ""])
def test_weak_password_is_rejected_and_keeps_the_link_valid(password: str, as_dana: Client) -> None:
    link = invite(as_dana)
    assert choose(Client(), link, password).status_code == 422
    assert choose(Client(), link).status_code == 302


@pytest.mark.parametrize(
    ("first", "second", "wrong"),
    [("short", "short", "new_password1"), (PASSWORD, PASSWORD + "s", "new_password2")],
)
def test_rejected_password_is_reported_at_its_field(
    first: str, second: str, wrong: str, as_dana: Client
) -> None:
    fields = {"token": token_in(invite(as_dana)), "new_password1": first, "new_password2": second}
    answer = Client().post("/accounts/set-password", fields)
    assert list(answer.context["form"].errors) == [wrong]


@pytest.mark.parametrize(
    "fields",
    [{"username": "alice"}, {"username": "Alice"}, {"username": ""}, {"username": "a b"}],
)
def test_invalid_username_is_reported_at_the_field(
    fields: dict[str, str], as_dana: Client, alice: User
) -> None:
    response = as_dana.post("/server/people/invite", fields)
    assert response.status_code == 422
    assert response.context["form"].errors.keys() == {"username"}


def test_concurrently_taken_username_is_reported_at_the_field(
    as_dana: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    invite_now = accounts.invite

    def invite_late(username: str, *args: Any, **kwargs: Any) -> Any:
        User.objects.create_user("Eve")
        return invite_now(username, *args, **kwargs)

    monkeypatch.setattr(accounts, "invite", invite_late)
    response = as_dana.post("/server/people/invite", {"username": "eve"})
    assert response.status_code == 422
    assert response.context["form"].errors.keys() == {"username"}
    assert User.objects.filter(username__iexact="eve").count() == 1


def test_invitation_to_a_private_instance_is_rejected(
    as_dana: Client, instance: Instance, private: Instance
) -> None:
    assert f"role-{private.pk}" not in page(as_dana.get("/server/people/invite"))
    invite(as_dana, **{f"role-{private.pk}": "manager"})
    eve = User.objects.get(username="eve")
    added = as_dana.post(
        f"/server/people/{eve.pk}/instances", {"instance": private.pk, "role": "manager"}
    )
    assert added.status_code == 422
    assert not Membership.objects.filter(user=eve).exists()


@pytest.mark.parametrize("token", ["", "nonsense", "\x00", "ü" * 500])
def test_unknown_link_explains_what_to_do(token: str, db: None) -> None:
    response = Client().get("/accounts/set-password", {"token": token})
    assert response.status_code == 404
    assert "Ask the superadmin" in page(response)


# Password resets


def test_reset_ends_sessions_and_is_recorded(
    as_dana: Client, as_alice: Client, alice: User, instance: Instance, private: Instance
) -> None:
    link = reset(as_dana, alice)
    # Creating the link changes nothing yet, and is recorded only in private instances.
    assert as_alice.get("/memory?instance=diary").status_code == 200
    activity = page(as_alice.get("/activity?instance=diary"))
    assert "created a password link for alice" in activity
    visitor = Client()
    assert choose(visitor, link)["Location"] == "/accounts/login"
    # The person's sessions end, and the user of the link is not signed in.
    assert as_alice.get("/memory?instance=diary").status_code == 302
    assert visitor.get("/memory?instance=diary").status_code == 302
    alice.refresh_from_db()
    assert alice.check_password(PASSWORD)
    assert alice.password_reset_at is not None
    again = signed_in(alice)
    assert "set a new password for alice" in page(again.get("/activity?instance=diary"))
    assert set(Activity.objects.values_list("instance__slug", flat=True)) == {"diary"}


def focused(response: Any) -> list[str]:
    """Return the fields of the page with autofocus."""
    return re.findall(r'<input[^>]*name="(\w+)"[^>]* autofocus', page(response))


def test_sign_in_page_is_prefilled_after_setting_a_password(as_dana: Client, alice: User) -> None:
    visitor = Client()
    assert focused(visitor.get("/accounts/login")) == ["login"]
    answer = visitor.get(choose(visitor, reset(as_dana, alice))["Location"])
    assert 'value="alice"' in page(answer)
    assert focused(answer) == ["password"]
    assert 'value="alice"' not in page(visitor.get("/accounts/login"))


def test_failed_sign_in_keeps_the_username(alice: User) -> None:
    refused = Client().post("/accounts/login", {"login": "alice", "password": "wrong"})
    assert focused(refused) == ["password"]
    assert focused(Client().post("/accounts/login", {"password": "wrong"})) == ["login"]


def test_activity_shows_who_created_the_link(
    as_dana: Client, alice: User, private: Instance
) -> None:
    choose(Client(), reset(as_dana, alice))
    lines = list(private.activity.values_list("action", "by__username", "via"))
    assert lines == [("password_reset", None, "link"), ("password_link", "dana", "screen")]


def test_reset_is_announced_at_the_next_sign_in_and_keeps_the_second_factor(
    as_dana: Client, alice: User, instance: Instance
) -> None:
    Authenticator.objects.create(user=alice, type="totp", data={"secret": "sealed"})
    assert "second factor" in page(as_dana.get("/server/people"))
    choose(Client(), reset(as_dana, alice))
    alice.refresh_from_db()
    assert "Your password was reset with a link from a superadmin" in page(
        signed_in(alice).get("/instances")
    )
    assert Authenticator.objects.filter(user=alice).exists()


def test_own_password_link_cannot_be_created(as_dana: Client, dana: User) -> None:
    assert as_dana.post(f"/server/people/{dana.pk}/link").status_code == 404


def test_no_screen_sets_a_password_for_another_person(as_dana: Client, alice: User) -> None:
    for url in ("/server/people", "/server/people/invite", f"/server/people/{alice.pk}"):
        assert 'type="password"' not in page(as_dana.get(url))
