"""The superadmins' screens for accounts: activation, roles, deletion, and the list."""

import re
import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from instances import accounts
from instances.models import Instance, Membership, PasswordLink, User
from tests.instances.people import PASSWORD, can_sign_in, invite, page, reset, signed_in


def change(client: Client, person: User, action: str) -> Any:
    return client.post(f"/server/people/{person.pk}/{action}", follow=True)


def test_deactivation_ends_sessions_at_once(
    as_dana: Client, as_alice: Client, alice: User, instance: Instance
) -> None:
    link = reset(as_dana, alice)
    change(as_dana, alice, "deactivate")
    assert as_alice.get("/memory?instance=desk").status_code == 302
    assert Client().get(link).status_code == 404
    assert not can_sign_in("alice", "alice-password")
    change(as_dana, alice, "reactivate")
    assert can_sign_in("alice", "alice-password")
    # Reactivation restores neither the session nor the earlier link.
    assert as_alice.get("/memory?instance=desk").status_code == 302
    assert Client().get(link).status_code == 404


def test_superadmin_role_is_granted_and_revoked(
    as_dana: Client, alice: User, instance: Instance
) -> None:
    change(as_dana, alice, "appoint")
    assert signed_in(alice).get("/server/people").status_code == 200
    change(as_dana, alice, "dismiss")
    assert signed_in(alice).get("/server/people").status_code == 404


def test_last_superadmin_cannot_be_removed(as_dana: Client, dana: User) -> None:
    # An invited superadmin without a password cannot sign in and does not count.
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
def test_concurrent_removal_keeps_one_superadmin(act: Callable[..., None]) -> None:
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


def test_invitation_of_a_deleted_user_is_offered_to_nobody(
    as_dana: Client, as_alice: Client, alice: User, instance: Instance, charlie: User
) -> None:
    invitation = instance.invitations.create(username="charlie", user=charlie)
    wrong = as_dana.post(f"/server/people/{charlie.pk}/delete", {"username": "charley"})
    assert wrong.status_code == 422
    as_dana.post(f"/server/people/{charlie.pk}/delete", {"username": "charlie"})
    assert not User.objects.filter(username="charlie").exists()
    # A vanished invitation would tell the manager that the username existed.
    assert "invited, not accepted yet" in page(as_alice.get("/instances/desk/settings/members"))
    # A new account with that name does not get the invitation.
    later = signed_in(User.objects.create_user("charlie"))
    assert later.post(f"/invitations/{invitation.pk}/accept").status_code == 404


def test_superadmins_add_members_without_an_invitation(
    as_dana: Client, instance: Instance, charlie: User
) -> None:
    instance.invitations.create(username="charlie")
    url = f"/server/people/{charlie.pk}/instances"
    for role in ("viewer", "manager"):
        as_dana.post(url, {"instance": instance.pk, "role": role})
        assert Membership.objects.get(user=charlie).role == role
    assert not instance.invitations.exists()


# The list


def test_list_is_searchable_by_name(as_dana: Client, alice: User, bob: User) -> None:
    User.objects.filter(pk=bob.pk).update(first_name="Robert")
    for q, expected in (("ALI", {"alice"}), ("robert", {"bob"}), ("%", set())):
        listed = as_dana.get("/server/people", {"q": q}).context["page"]
        assert {person.username for person in listed} == expected
    assert "No people found" in page(as_dana.get("/server/people?q=%00zz"))


def test_list_is_paginated(as_dana: Client) -> None:
    User.objects.bulk_create(User(username=f"person-{n:02}") for n in range(45))
    assert len(as_dana.get("/server/people").context["page"]) == 20
    assert len(as_dana.get("/server/people?page=3").context["page"]) == 6
    assert "person-44" in page(as_dana.get("/server/people?page=3"))


def test_list_has_a_constant_number_of_queries(
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
        content = page(as_dana.get("/server/people"))
    assert content.count("link expired") == 18
    assert len(re.findall(r"\b1 membership\s*<", content)) == 19
