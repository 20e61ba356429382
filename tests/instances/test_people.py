"""The people screens, for superadmins: inviting, links for a new password, who may sign in."""

import re
import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.db import connection
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from instances import secrets
from instances.models import Instance, Membership, PasswordLink, User
from instances.people import accounts
from memoryapp.models import Activity

PASSWORD = "a-kettle-in-the-attic"


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def as_dana(dana: User) -> Client:
    return signed_in(dana)


def link_in(response: Any) -> str:
    """The link on the page, without the server's name."""
    pattern = r">http://testserver(/accounts/set-password\?token=[^<]+)<"
    found = re.search(pattern, page(response))
    assert found, page(response)
    return found[1]


def page(response: Any) -> str:
    return str(response.content.decode())


def token_in(link: str) -> str:
    return link.partition("token=")[2]


def choose(client: Client, link: str, password: str = PASSWORD) -> Any:
    fields = {"token": token_in(link), "new_password1": password, "new_password2": password}
    return client.post("/accounts/set-password", fields)


def invite(client: Client, username: str = "eve", **fields: str) -> str:
    made = client.post("/server/people/invite", {"username": username} | fields)
    assert made.status_code == 302
    return link_in(client.get(made["Location"]))


def can_sign_in(username: str, password: str) -> bool:
    client = Client()
    client.post("/accounts/login", {"login": username, "password": password})
    return client.get("/account").status_code == 200


# Inviting.


def test_an_invited_person_sets_a_password_and_is_signed_in(
    as_dana: Client, instance: Instance
) -> None:
    link = invite(as_dana, name="Eve Adams", **{f"role-{instance.pk}": "viewer"})
    guest = Client()
    shown = page(guest.get(link))
    assert "Welcome, Eve Adams" in shown
    assert "dana" in shown
    assert "Support desk" in shown
    assert choose(guest, link)["Location"] == "/"
    assert guest.get("/memory?instance=desk").status_code == 200
    eve = User.objects.get(username="eve")
    assert eve.check_password(PASSWORD)
    assert Membership.objects.get(user=eve).role == "viewer"


def test_a_link_works_once_and_for_seven_days(as_dana: Client) -> None:
    link = invite(as_dana)
    assert Client().get(link).status_code == 200
    PasswordLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert Client().get(link).status_code == 404
    assert choose(Client(), link).status_code == 404
    PasswordLink.objects.update(expires_at=timezone.now() + timedelta(days=7))
    assert choose(Client(), link).status_code == 302
    assert choose(Client(), link, "another-kettle").status_code == 404
    assert User.objects.get(username="eve").check_password(PASSWORD)


def test_the_link_is_shown_once_and_stored_as_a_digest(as_dana: Client) -> None:
    link = invite(as_dana)
    eve = User.objects.get(username="eve")
    assert token_in(link) not in page(as_dana.get(f"/server/people/{eve.pk}"))
    assert token_in(link) not in str(PasswordLink.objects.values().get())
    assert "no-store" in as_dana.get(f"/server/people/{eve.pk}")["Cache-Control"]
    reset(as_dana, eve)
    # The new link has replaced the first one.
    assert Client().get(link).status_code == 404


def test_a_link_waits_for_its_page_encrypted_and_only_while_it_works(
    as_dana: Client, alice: User, bob: User
) -> None:
    url = f"/server/people/{alice.pk}"
    as_dana.post(f"{url}/link")
    (sealed,) = [value for key, value in as_dana.session.items() if "link" in key]
    token = secrets.decrypt(sealed)
    assert token not in str(dict(as_dana.session))
    # The page of another person shows it as little as another superadmin's page.
    assert token not in page(as_dana.get(f"/server/people/{bob.pk}"))
    other = User.objects.create_superuser("frank")
    assert token not in page(signed_in(other).get(url))
    assert token in page(as_dana.get(url))
    as_dana.post(f"{url}/link")
    as_dana.post(f"{url}/link/withdraw")
    assert 'id="password-link"' not in page(as_dana.get(url))
    assert not [key for key, _ in as_dana.session.items() if "link" in key]


def test_a_reload_makes_no_other_link(as_dana: Client, alice: User) -> None:
    reset(as_dana, alice)
    made = PasswordLink.objects.values().get()
    again = page(as_dana.get(f"/server/people/{alice.pk}"))
    assert 'id="password-link"' not in again
    assert "has not been used yet" in again
    assert PasswordLink.objects.values().get() == made


@pytest.mark.parametrize(
    ("host", "local"),
    [("localhost:8000", True), ("127.0.0.1:8000", True), ("[::1]", True), ("testserver", False)],
)
def test_a_link_that_opens_on_this_machine_only_says_so(
    host: str, local: bool, as_dana: Client, settings: Settings
) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    fields, headers = {"username": "eve"}, {"host": host}
    answer = as_dana.post("/server/people/invite", fields, headers=headers, follow=True)
    assert ("on this machine only" in page(answer)) == local


def test_an_invitation_is_listed_and_can_be_withdrawn(as_dana: Client) -> None:
    link = invite(as_dana)
    eve = User.objects.get(username="eve")
    assert "invited, until" in page(as_dana.get("/server/people?state=invited"))
    as_dana.post(f"/server/people/{eve.pk}/link/withdraw")
    assert Client().get(link).status_code == 404
    assert "invited, without a link" in page(as_dana.get("/server/people"))


@pytest.mark.parametrize("password", ["short", "eve", ""])
def test_a_weak_password_is_refused_and_uses_nothing_up(password: str, as_dana: Client) -> None:
    link = invite(as_dana)
    assert choose(Client(), link, password).status_code == 422
    assert choose(Client(), link).status_code == 302


@pytest.mark.parametrize(
    ("first", "second", "wrong"),
    [("short", "short", "new_password1"), (PASSWORD, PASSWORD + "s", "new_password2")],
)
def test_a_refused_password_is_reported_at_its_field(
    first: str, second: str, wrong: str, as_dana: Client
) -> None:
    fields = {"token": token_in(invite(as_dana)), "new_password1": first, "new_password2": second}
    answer = Client().post("/accounts/set-password", fields)
    assert list(answer.context["form"].errors) == [wrong]


@pytest.mark.parametrize(
    "fields",
    [{"username": "alice"}, {"username": "Alice"}, {"username": ""}, {"username": "a b"}],
)
def test_who_cannot_be_invited_is_said_at_the_field(
    fields: dict[str, str], as_dana: Client, alice: User
) -> None:
    response = as_dana.post("/server/people/invite", fields)
    assert response.status_code == 422
    assert response.context["form"].errors.keys() == {"username"}


def test_a_username_that_is_taken_at_the_same_moment_is_said_at_the_field(
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


def test_nobody_is_invited_to_a_private_instance(
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
def test_a_link_that_was_never_made_says_what_to_do(token: str, db: None) -> None:
    response = Client().get("/accounts/set-password", {"token": token})
    assert response.status_code == 404
    assert "Ask the superadmin" in page(response)


# Another password.


def reset(client: Client, person: User) -> str:
    made = client.post(f"/server/people/{person.pk}/link")
    assert made["Location"] == f"/server/people/{person.pk}"
    return link_in(client.get(made["Location"]))


def test_a_reset_ends_sessions_and_is_told(
    as_dana: Client, as_alice: Client, alice: User, instance: Instance, private: Instance
) -> None:
    link = reset(as_dana, alice)
    # To have it made changes nothing yet, and is on the books of what nobody else sees.
    assert as_alice.get("/memory?instance=diary").status_code == 200
    told = page(as_alice.get("/activity?instance=diary"))
    assert "made a link that sets a new password for alice" in told
    visitor = Client()
    assert choose(visitor, link)["Location"] == "/accounts/login"
    # Neither the person's sessions go on, nor is whoever used the link signed in.
    assert as_alice.get("/memory?instance=diary").status_code == 302
    assert visitor.get("/memory?instance=diary").status_code == 302
    alice.refresh_from_db()
    assert alice.check_password(PASSWORD)
    assert alice.password_reset_at is not None
    again = signed_in(alice)
    assert "set a new password for alice" in page(again.get("/activity?instance=diary"))
    assert set(Activity.objects.values_list("instance__slug", flat=True)) == {"diary"}


def focused(response: Any) -> list[str]:
    """The fields of the page that get the focus."""
    return re.findall(r'<input[^>]*name="(\w+)"[^>]* autofocus', page(response))


def test_the_sign_in_page_knows_who_has_just_set_a_password(as_dana: Client, alice: User) -> None:
    visitor = Client()
    assert focused(visitor.get("/accounts/login")) == ["login"]
    answer = visitor.get(choose(visitor, reset(as_dana, alice))["Location"])
    assert 'value="alice"' in page(answer)
    assert focused(answer) == ["password"]
    assert 'value="alice"' not in page(visitor.get("/accounts/login"))


def test_after_a_refusal_only_the_password_is_to_be_entered_again(alice: User) -> None:
    refused = Client().post("/accounts/login", {"login": "alice", "password": "wrong"})
    assert focused(refused) == ["password"]
    assert focused(Client().post("/accounts/login", {"password": "wrong"})) == ["login"]


def test_the_owner_reads_who_made_the_link_not_who_used_it(
    as_dana: Client, alice: User, private: Instance
) -> None:
    choose(Client(), reset(as_dana, alice))
    lines = list(private.activity.values_list("action", "by__username", "via"))
    assert lines == [("password_reset", None, "link"), ("password_link", "dana", "screen")]


def test_a_reset_is_told_at_the_next_sign_in_and_leaves_the_second_factor(
    as_dana: Client, alice: User, instance: Instance
) -> None:
    Authenticator.objects.create(user=alice, type="totp", data={"secret": "sealed"})
    assert "second factor" in page(as_dana.get("/server/people"))
    choose(Client(), reset(as_dana, alice))
    alice.refresh_from_db()
    assert "A superadmin had your password reset" in page(signed_in(alice).get("/instances"))
    assert Authenticator.objects.filter(user=alice).exists()


def test_nobody_makes_a_link_for_themselves(as_dana: Client, dana: User) -> None:
    assert as_dana.post(f"/server/people/{dana.pk}/link").status_code == 404


def test_no_screen_takes_a_password_for_somebody_else(as_dana: Client, alice: User) -> None:
    for url in ("/server/people", "/server/people/invite", f"/server/people/{alice.pk}"):
        assert 'type="password"' not in page(as_dana.get(url))


# Who may sign in.


def change(client: Client, person: User, what: str) -> Any:
    return client.post(f"/server/people/{person.pk}/{what}", follow=True)


def test_who_is_deactivated_is_out_at_once(
    as_dana: Client, as_alice: Client, alice: User, instance: Instance
) -> None:
    link = reset(as_dana, alice)
    change(as_dana, alice, "deactivate")
    assert as_alice.get("/memory?instance=desk").status_code == 302
    assert Client().get(link).status_code == 404
    assert not can_sign_in("alice", "alice-password")
    change(as_dana, alice, "reactivate")
    assert can_sign_in("alice", "alice-password")
    # Neither the session nor the link from before comes back.
    assert as_alice.get("/memory?instance=desk").status_code == 302
    assert Client().get(link).status_code == 404


def test_a_superadmin_is_made_and_unmade(as_dana: Client, alice: User, instance: Instance) -> None:
    change(as_dana, alice, "appoint")
    assert signed_in(alice).get("/server/people").status_code == 200
    change(as_dana, alice, "dismiss")
    assert signed_in(alice).get("/server/people").status_code == 404


def test_somebody_always_stays_superadmin(as_dana: Client, dana: User) -> None:
    # One who was invited and has no password yet cannot sign in, and does not count.
    invite(as_dana)
    eve = User.objects.get(username="eve")
    change(as_dana, eve, "appoint")
    refused = change(as_dana, dana, "dismiss")
    assert "Nothing was changed" in page(refused)
    change(as_dana, dana, "deactivate")
    dana.refresh_from_db()
    assert dana.is_superuser
    assert dana.is_active


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("act", [accounts.dismiss, accounts.deactivate, accounts.delete])
def test_of_two_superadmins_who_go_at_once_one_stays(act: Callable[..., None]) -> None:
    superadmins = [User.objects.create_superuser(name, password=PASSWORD) for name in ("a", "b")]
    start = threading.Barrier(2)
    refused = []

    def go(person: User) -> None:
        start.wait()
        try:
            act(person, by=person)
        except accounts.LastSuperadmin:
            refused.append(person)
        finally:
            connection.close()

    threads = [threading.Thread(target=go, args=(person,)) for person in superadmins]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(refused) == 1
    assert User.objects.filter(is_superuser=True, is_active=True).count() == 1


def test_an_invitation_outlives_who_is_deleted_and_is_for_nobody(
    as_dana: Client, as_alice: Client, alice: User, instance: Instance, charlie: User
) -> None:
    invitation = instance.invitations.create(username="charlie", user=charlie)
    wrong = as_dana.post(f"/server/people/{charlie.pk}/delete", {"username": "charley"})
    assert wrong.status_code == 422
    as_dana.post(f"/server/people/{charlie.pk}/delete", {"username": "charlie"})
    assert not User.objects.filter(username="charlie").exists()
    # The manager does not learn that the username existed, as it would if the invitation went.
    assert "invited, not accepted yet" in page(as_alice.get("/instances/desk/settings"))
    # Another person of that name is not offered it.
    later = signed_in(User.objects.create_user("charlie"))
    assert later.post(f"/invitations/{invitation.pk}/accept").status_code == 404


def test_superadmins_add_people_without_asking(
    as_dana: Client, instance: Instance, charlie: User
) -> None:
    instance.invitations.create(username="charlie")
    url = f"/server/people/{charlie.pk}/instances"
    for role in ("viewer", "manager"):
        as_dana.post(url, {"instance": instance.pk, "role": role})
        assert Membership.objects.get(user=charlie).role == role
    assert not instance.invitations.exists()


# The list.


def test_the_list_finds_people_by_their_names(as_dana: Client, alice: User, bob: User) -> None:
    User.objects.filter(pk=bob.pk).update(first_name="Robert")
    for q, found in (("ALI", {"alice"}), ("robert", {"bob"}), ("%", set())):
        listed = as_dana.get("/server/people", {"q": q}).context["page"]
        assert {person.username for person in listed} == found
    assert "No people found" in page(as_dana.get("/server/people?q=%00zz"))


def test_the_list_comes_in_pages(as_dana: Client) -> None:
    User.objects.bulk_create(User(username=f"person-{n:02}") for n in range(45))
    assert len(as_dana.get("/server/people").context["page"]) == 20
    assert len(as_dana.get("/server/people?page=3").context["page"]) == 6
    assert "person-44" in page(as_dana.get("/server/people?page=3"))


def test_the_list_takes_no_query_for_each_person(
    as_dana: Client, dana: User, instance: Instance, django_assert_max_num_queries: Any
) -> None:
    people = User.objects.bulk_create(
        User(username=f"person-{n:02}", password="!", first_name="Pat") for n in range(18)
    )
    Membership.objects.bulk_create(Membership(instance=instance, user=each) for each in people)
    PasswordLink.objects.bulk_create(
        PasswordLink(user=each, digest=str(each.pk), made_by=dana, expires_at=timezone.now())
        for each in people
    )
    with django_assert_max_num_queries(6):
        shown = page(as_dana.get("/server/people"))
    assert shown.count("link expired") == 18
    assert shown.count("1 membership<") == 19


def test_the_old_address_of_the_people_is_gone(as_dana: Client) -> None:
    assert as_dana.get("/admin/").status_code == 404
