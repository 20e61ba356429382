"""Members: invitations, acceptance and roles."""

import html
from typing import Any

import pytest
from django.test import Client

from instances import accounts
from instances.models import Instance, InstanceRole, Membership, MembershipInvitation, User
from memoryapp.models import Activity

ROLES = list(InstanceRole)


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def invite(client: Client, username: str, role: str = "member") -> Any:
    fields = {"member-username": username, "member-role": role}
    return client.post("/instances/desk/settings/members", fields, follow=True)


def page_of(client: Client, url: str) -> str:
    """Return the main part of the page, because the rail names instances, too."""
    return client.get(url).content.decode().split("<main")[1]


def test_accepted_invitation_becomes_a_membership(
    as_alice: Client, instance: Instance, charlie: User
) -> None:
    invite(as_alice, "charlie", "viewer")
    guest = signed_in(charlie)
    assert guest.get("/memory?instance=desk").status_code == 404
    page = page_of(guest, "/instances")
    assert "Support desk" in page
    assert "alice" in page
    (invitation,) = MembershipInvitation.objects.all()
    guest.post(f"/invitations/{invitation.pk}/accept")
    assert Membership.objects.get(user=charlie).role == "viewer"
    assert guest.get("/memory?instance=desk").status_code == 200
    assert not MembershipInvitation.objects.exists()
    assert list(Activity.objects.values_list("action", "by__username")) == [
        ("joined", "charlie"),
        ("invited", "alice"),
    ]


def test_invitation_does_not_reveal_whether_the_username_exists(
    as_alice: Client, instance: Instance, charlie: User
) -> None:
    known = invite(as_alice, "charlie")
    unknown = invite(as_alice, "charlotte")
    notices = [[str(m) for m in answer.context["messages"]] for answer in (known, unknown)]
    assert notices[0] == [text.replace("charlotte", "charlie") for text in notices[1]]
    assert "If someone has this username" in notices[0][0]
    assert not Membership.objects.filter(user=charlie).exists()
    listed = page_of(as_alice, "/instances/desk/settings/members")
    assert listed.count("invited, not accepted yet") == 2


def consequence(client: Client, username: str) -> str:
    """Sentence of the page while *username* is being entered."""
    answer = client.get(
        "/instances/desk/members/named", {"member-username": username, "member-role": "viewer"}
    )
    return html.unescape(answer.content.decode())


def test_superadmin_makes_the_account_of_a_new_member_in_one_step(
    instance: Instance, dana: User
) -> None:
    as_dana = signed_in(dana)
    said = consequence(as_dana, "nobody+1")
    assert said.startswith("nobody+1 has no account yet.")
    assert "a link for you to hand over" in said

    shown = invite(as_dana, "nobody+1", "viewer")
    person = User.objects.get(username="nobody+1")
    assert Membership.objects.get(user=person).role == "viewer"
    assert not MembershipInvitation.objects.exists()
    assert shown.redirect_chain == [(f"/server/people/{person.pk}", 302)]
    assert shown.context["link"] in html.unescape(shown.content.decode())
    assert Client().get(shown.context["link"], follow=True).status_code == 200
    # With a script, the page changes as well.
    fields = {"member-username": "nobody+2", "member-role": "member"}
    answer = as_dana.post(
        "/instances/desk/settings/members", fields, headers={"HX-Request": "true"}
    )
    second = User.objects.get(username="nobody+2")
    assert answer.headers["HX-Redirect"] == f"/server/people/{second.pk}"


def test_who_invites_is_told_only_what_they_may_know(
    as_alice: Client, instance: Instance, dana: User, charlie: User
) -> None:
    as_dana = signed_in(dana)
    assert consequence(as_dana, "charlie") == consequence(as_dana, "no/body") == ""
    assert "nothing is mailed" in consequence(as_dana, "vera@example.org")
    # A manager is not told who has an account, and makes none.
    assert consequence(as_alice, "charlie") == consequence(as_alice, "nobody") == ""
    address = consequence(as_alice, "vera@example.org")
    assert address.startswith("Nothing is mailed")
    User.objects.create_user("vera@example.org")
    assert consequence(as_alice, "vera@example.org") == address
    invite(as_alice, "nobody")
    assert not User.objects.filter(username="nobody").exists()


def test_no_account_is_made_beside_one_with_other_capitals(
    instance: Instance, dana: User, charlie: User
) -> None:
    refused = invite(signed_in(dana), "Charlie")
    assert refused.status_code == 422
    assert "Someone has this username with other capitals." in refused.content.decode()
    assert not MembershipInvitation.objects.exists()


def test_username_that_is_taken_meanwhile_is_invited(
    instance: Instance, dana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    make = accounts.invite

    def late(username: str, *args: Any, **kwargs: Any) -> Any:
        User.objects.create_user(username)
        return make(username, *args, **kwargs)

    monkeypatch.setattr(accounts, "invite", late)
    invite(signed_in(dana), "late")
    assert MembershipInvitation.objects.get().username == "late"


def test_invitation_is_for_the_account_that_has_the_username_now(
    as_alice: Client, instance: Instance, charlie: User
) -> None:
    """A later account may have chosen the username to get the invitation."""
    invite(as_alice, "charlotte")
    charlotte = User.objects.create_user("charlotte")
    invitation = MembershipInvitation.objects.get()
    late = signed_in(charlotte)
    assert "Support desk" not in page_of(late, "/instances")
    assert "1 invitation" not in late.get("/instances").content.decode()
    assert late.post(f"/invitations/{invitation.pk}/accept").status_code == 404
    # To invite the new account, the manager has to repeat the invitation.
    invite(as_alice, "charlotte")
    assert late.post(f"/invitations/{invitation.pk}/accept").status_code == 302
    assert Membership.objects.filter(user=charlotte).exists()


def test_manager_does_not_see_a_declined_invitation(
    as_alice: Client, instance: Instance, charlie: User
) -> None:
    invite(as_alice, "charlie")
    invitation = MembershipInvitation.objects.get()
    guest = signed_in(charlie)
    assert guest.post(f"/invitations/{invitation.pk}/decline").status_code == 302
    assert "Support desk" not in page_of(guest, "/instances")
    assert guest.post(f"/invitations/{invitation.pk}/accept").status_code == 404
    assert "invited, not accepted yet" in page_of(as_alice, "/instances/desk/settings/members")
    assert list(Activity.objects.values_list("action", flat=True)) == ["invited"]


@pytest.mark.parametrize("withdrawn", [False, True])
def test_repeated_invitation_is_offered_again(
    withdrawn: bool, as_alice: Client, instance: Instance, charlie: User
) -> None:
    invite(as_alice, "charlie")
    guest = signed_in(charlie)
    guest.post(f"/invitations/{MembershipInvitation.objects.get().pk}/decline")
    if withdrawn:
        pk = MembershipInvitation.objects.get().pk
        as_alice.post(f"/instances/desk/invitations/{pk}/withdraw")
    assert "Support desk" not in page_of(guest, "/instances")
    invite(as_alice, "charlie", "manager")
    assert "Support desk" in page_of(guest, "/instances")
    guest.post(f"/invitations/{MembershipInvitation.objects.get().pk}/accept")
    assert Membership.objects.get(user=charlie).role == "manager"


def test_invitation_can_be_withdrawn(as_alice: Client, instance: Instance, charlie: User) -> None:
    invite(as_alice, "charlie")
    invitation = MembershipInvitation.objects.get()
    as_alice.post(f"/instances/desk/invitations/{invitation.pk}/withdraw")
    assert signed_in(charlie).post(f"/invitations/{invitation.pk}/accept").status_code == 404
    assert not Membership.objects.filter(user=charlie).exists()


def test_only_the_invited_user_can_respond(
    as_alice: Client, instance: Instance, charlie: User, dana: User
) -> None:
    invite(as_alice, "charlie")
    invitation = MembershipInvitation.objects.get()
    for answer in ("accept", "decline"):
        for user in (dana, User.objects.get(username="alice")):
            url = f"/invitations/{invitation.pk}/{answer}"
            assert signed_in(user).post(url).status_code == 404


def test_private_instance_has_no_invitations(
    as_alice: Client, private: Instance, charlie: User
) -> None:
    fields = {"member-username": "charlie", "member-role": "member"}
    assert as_alice.post("/instances/diary/settings/members", fields).status_code == 404
    # An invitation from before the instance became private is not shown.
    MembershipInvitation.objects.create(instance=private, username="charlie", user=charlie)
    guest = signed_in(charlie)
    assert "Diary" not in guest.get("/instances").content.decode()
    invitation = MembershipInvitation.objects.get()
    assert guest.post(f"/invitations/{invitation.pk}/accept").status_code == 404


def test_pending_invitation_is_shown_on_every_screen(
    as_alice: Client, instance: Instance, vera: User
) -> None:
    other = Instance.objects.create(slug="other", name="Other")
    other.invitations.create(username="vera", user=vera)
    assert "1 invitation" in signed_in(vera).get("/memory?instance=desk").content.decode()
    assert "1 invitation" not in as_alice.get("/memory?instance=desk").content.decode()


def test_manager_changes_roles(as_alice: Client, instance: Instance, bob: User) -> None:
    membership = Membership.objects.get(user=bob)
    url = f"/instances/desk/members/{membership.pk}/role"
    for role in ("viewer", "manager"):
        as_alice.post(url, {"role": role})
        membership.refresh_from_db()
        assert membership.role == role
    assert as_alice.post(url, {"role": "owner"}).status_code == 404
    assert signed_in(bob).get("/instances/desk/settings/members").status_code == 200


def test_settings_describe_the_permissions_of_each_role(
    as_alice: Client, instance: Instance
) -> None:
    page = as_alice.get("/instances/desk/settings/members").content.decode()
    for role in ROLES:
        assert str(role.help) in page


@pytest.mark.parametrize("role", [*ROLES, None])
@pytest.mark.parametrize("superadmin", [False, True])
@pytest.mark.parametrize("owner", ["nobody", "this person", "another person"])
def test_single_and_bulk_permission_checks_agree(
    role: InstanceRole | None, superadmin: bool, owner: str, instance: Instance, alice: User
) -> None:
    user = User.objects.create(username="eve", is_superuser=superadmin)
    instance.private_to = {"nobody": None, "this person": user, "another person": alice}[owner]
    instance.save()
    if role:
        Membership.objects.create(instance=instance, user=user, role=role)
    actual = instance.role_of(user)
    instances = Instance.objects
    assert instances.visible_to(user).exists() == (actual is not None)
    assert instances.edited_by(user).exists() == (actual in InstanceRole.MEMBER.and_above)
    assert instances.managed_by(user).exists() == (actual == InstanceRole.MANAGER)
    if owner == "nobody" and not superadmin:
        assert actual == role
    if owner == "another person":
        assert actual is None
