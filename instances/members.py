"""The members of an instance: invited by name, and theirs to accept; their roles; their leaving."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.views.decorators.http import require_POST

from instances.access import Request, managed_instance, signed_in
from instances.models import Instance, InstanceRole, Membership, MembershipInvitation, User

#: What a manager reads after each invitation, whether the username exists or not.
INVITED = (
    "Invited {username}. If somebody here has this name, they find the invitation when they sign "
    "in."
)


class InvitationForm(forms.ModelForm[MembershipInvitation]):
    """A username and a role. A second invitation of the same username replaces the first."""

    username = forms.CharField(
        max_length=150, label="Username", validators=[UnicodeUsernameValidator()]
    )

    class Meta:
        model = MembershipInvitation
        fields = ("username", "role")

    def clean_username(self) -> str:
        username: str = User.normalize_username(self.cleaned_data["username"])
        if self.instance.instance.membership_set.filter(user__username=username).exists():
            raise forms.ValidationError(f"{username} is a member already.")
        return username

    def _get_validation_exclusions(self) -> set[str]:
        # A pending invitation is replaced. Django has the method, its stubs do not.
        excluded: set[str] = super()._get_validation_exclusions()  # type: ignore[misc]
        return excluded | {"instance"}

    def save(self, commit: bool = True) -> MembershipInvitation:
        invitation, _ = MembershipInvitation.objects.update_or_create(
            instance=self.instance.instance,
            username=self.cleaned_data["username"],
            defaults={
                "role": self.cleaned_data["role"],
                "invited_by": self.instance.invited_by,
                "created_at": timezone.now(),
            },
        )
        return invitation


@require_POST
def change_role(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Give a member another role."""
    request = signed_in(request)
    instance = managed_instance(request, slug)
    membership = _membership(instance, pk)
    role = request.POST.get("role", "")
    if role not in InstanceRole.values:
        raise Http404
    with transaction.atomic():
        # A conditional update: whoever removes the member at this moment is not undone.
        if not Membership.objects.filter(pk=membership.pk).update(role=role):
            raise Http404
        _note(instance, request, "role_changed", membership.user)
    messages.success(request, f"{membership.user} is a {InstanceRole(role).label.lower()} now.")
    return _back(request, instance)


@require_POST
def remove(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Take a member out of the instance."""
    request = signed_in(request)
    instance = managed_instance(request, slug)
    membership = _membership(instance, pk)
    with transaction.atomic():
        membership.delete()
        _note(instance, request, "left", membership.user)
    messages.success(request, f"{membership.user} is no longer a member.")
    return _back(request, instance)


@require_POST
def withdraw_invitation(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Take an invitation back."""
    request = signed_in(request)
    instance = managed_instance(request, slug)
    invitation = get_object_or_404(MembershipInvitation, pk=pk, instance=instance)
    with transaction.atomic():
        invitation.delete()
        _note(instance, request, "uninvited", invitation.username)
    messages.success(request, f"The invitation of {invitation.username} is withdrawn.")
    return _back(request, instance)


@require_POST
@transaction.atomic
def accept(request: HttpRequest, pk: int) -> HttpResponse:
    """Become a member, as a manager has offered."""
    request = signed_in(request)
    # The row lock decides between accepting and withdrawing at the same moment.
    open_ones = MembershipInvitation.objects.open_for(request.user).select_for_update(of=["self"])
    invitation = get_object_or_404(open_ones.select_related("instance"), pk=pk)
    instance = invitation.instance
    Membership.objects.get_or_create(
        instance=instance, user=request.user, defaults={"role": invitation.role}
    )
    invitation.delete()
    _note(instance, request, "joined", request.user)
    messages.success(request, f"You are a {invitation.get_role_display().lower()} of {instance}.")
    return redirect("instances")


@require_POST
def decline(request: HttpRequest, pk: int) -> HttpResponse:
    """Decline an invitation. The manager is not told."""
    request = signed_in(request)
    open_ones = MembershipInvitation.objects.open_for(request.user)
    if not open_ones.filter(pk=pk).update(declined_at=timezone.now()):
        raise Http404
    messages.success(request, "Declined.")
    return redirect("instances")


def _membership(instance: Instance, pk: int) -> Membership:
    rows = Membership.objects.select_related("user")
    return get_object_or_404(rows, pk=pk, instance=instance)


def _note(instance: Instance, request: Request, action: str, about: Any) -> None:
    instance.activity.create(action=action, by=request.user, via="screen", about=str(about))


def _back(request: Request, instance: Instance) -> HttpResponse:
    """Back to the members, unless the person has just given up managing them."""
    if not Instance.objects.managed_by(request.user).filter(pk=instance.pk).exists():
        return redirect("instances")
    return redirect(f"{instance.get_absolute_url()}#members")
