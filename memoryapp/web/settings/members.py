"""The members of an instance: invitations, roles and removal."""

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.html import escape
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from instances.access import Request, managed_instance, signed_in
from instances.activity import InstanceAction, record
from instances.actor import Actor
from instances.models import Instance, InstanceRole, Membership, MembershipInvitation, User
from memoryapp.web.settings.forms.members import InvitationForm
from memoryapp.web.settings.pages import card_url


@require_GET
def named(request: HttpRequest, slug: str) -> HttpResponse:
    """Say what the invitation of the username that is being entered will do."""
    request = signed_in(request)
    instance = managed_instance(request, slug)
    invitation = MembershipInvitation(instance=instance, invited_by=request.user)
    form = InvitationForm(request.GET, instance=invitation, prefix="member")
    form.is_valid()
    return HttpResponse(escape(form.consequence))


@require_POST
@transaction.atomic
def change_role(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Give a member another role."""
    request = signed_in(request)
    membership = _membership(request, slug, pk)
    role = request.POST.get("role", "")
    if role not in InstanceRole.values:
        raise Http404
    # The conditional update decides between this and a removal at the same moment.
    if not Membership.objects.filter(pk=membership.pk).update(role=role):
        raise Http404
    message = _("%(person)s now has the role %(role)s.") % {
        "person": membership.user,
        "role": InstanceRole(role).label,
    }
    return _done(
        request, membership.instance, InstanceAction.ROLE_CHANGED, membership.user, message
    )


@require_POST
@transaction.atomic
def remove(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Remove a member from the instance."""
    request = signed_in(request)
    membership = _membership(request, slug, pk)
    membership.delete()
    message = _("%(person)s is no longer a member.") % {"person": membership.user}
    return _done(request, membership.instance, InstanceAction.LEFT, membership.user, message)


@require_POST
@transaction.atomic
def withdraw_invitation(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Withdraw an invitation."""
    request = signed_in(request)
    instance = managed_instance(request, slug)
    invitation = get_object_or_404(instance.invitations, pk=pk)
    invitation.delete()
    message = _("The invitation of %(person)s is withdrawn.") % {"person": invitation.username}
    return _done(request, instance, InstanceAction.UNINVITED, invitation.username, message)


@require_POST
@transaction.atomic
def accept(request: HttpRequest, pk: int) -> HttpResponse:
    """Accept an invitation and become a member."""
    request = signed_in(request)
    # The row lock decides between accepting and withdrawing at the same moment.
    invitations = MembershipInvitation.objects.open_for(request.user).select_related("instance")
    invitation = get_object_or_404(invitations.select_for_update(of=["self"]), pk=pk)
    instance = invitation.instance
    Membership.objects.get_or_create(
        instance=instance, user=request.user, defaults={"role": invitation.role}
    )
    invitation.delete()
    record(instance, Actor(request.user), InstanceAction.JOINED, about=request.user)
    messages.success(
        request,
        _("You now have access to %(instance)s. Your role: %(role)s.")
        % {"instance": instance, "role": invitation.get_role_display()},
    )
    return redirect("instances")


@require_POST
def decline(request: HttpRequest, pk: int) -> HttpResponse:
    """Decline an invitation. The manager does not learn of it."""
    request = signed_in(request)
    invitations = MembershipInvitation.objects.open_for(request.user)
    if not invitations.filter(pk=pk).update(declined_at=timezone.now()):
        raise Http404
    messages.success(request, _("Declined."))
    return redirect("instances")


def _membership(request: Request, slug: str, pk: int) -> Membership:
    """Return a membership of an instance that the person manages, else raise `Http404`."""
    members = managed_instance(request, slug).membership_set.select_related("user")
    return get_object_or_404(members, pk=pk)


def _done(
    request: Request, instance: Instance, action: InstanceAction, about: User | str, message: str
) -> HttpResponse:
    """Record what a manager has done, and go back to the members, or to the list of instances if
    they have just given up managing this one.
    """
    record(instance, Actor(request.user), action, about=about)
    messages.success(request, message)
    if not Instance.objects.managed_by(request.user).filter(pk=instance.pk).exists():
        return redirect("instances")
    return redirect(card_url(instance.slug, "members"))
