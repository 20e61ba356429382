"""The form that invites a member."""

from typing import ClassVar

from django import forms
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy as _

from instances.models import MembershipInvitation, User

#: What a manager reads after each invitation, whether the username exists or not.
INVITED = _("Invited %(username)s. If someone has this username, they will see the invitation.")
#: The code of the error for superadmins, who may create the account.
UNKNOWN = "unknown"


class InvitationForm(forms.ModelForm[MembershipInvitation]):
    """A username and a role. Another invitation of the same username replaces the first."""

    username = forms.CharField(
        max_length=150, label=_("Username"), validators=[UnicodeUsernameValidator()]
    )

    class Meta:
        model = MembershipInvitation
        fields = ("username", "role")
        labels: ClassVar = {"role": _("Role")}

    def clean_username(self) -> str:
        username: str = User.normalize_username(self.cleaned_data["username"])
        if self.instance.instance.membership_set.filter(user__username=username).exists():
            raise forms.ValidationError(
                _("%(username)s is already a member."), params={"username": username}
            )
        inviter = self.instance.invited_by
        # Only superadmins may learn which usernames exist.
        if inviter and inviter.is_superuser and not User.objects.filter(username=username).exists():
            raise forms.ValidationError(
                _("No account has the username %(username)s yet."),
                code=UNKNOWN,
                params={"username": username},
            )
        return username

    @property
    def unknown_username(self) -> str:
        """The entered username if a superadmin may create an account with it; else empty."""
        return str(self["username"].value()) if self.has_error("username", UNKNOWN) else ""

    @property
    def person_query(self) -> str:
        """Query with what was entered, for the form that creates the account."""
        role = self.data.get(self.add_prefix("role"), "")
        return urlencode({"username": self.unknown_username, "role": role})

    def _get_validation_exclusions(self) -> set[str]:
        # A pending invitation is replaced.
        excluded: set[str] = super()._get_validation_exclusions()  # type: ignore[misc]  # Not in the stubs.
        return excluded | {"instance"}

    def save(self, commit: bool = True) -> MembershipInvitation:
        username = self.cleaned_data["username"]
        invitation, _ = MembershipInvitation.objects.update_or_create(
            instance=self.instance.instance,
            username=username,
            defaults={
                "user": User.objects.filter(username=username).first(),
                "role": self.cleaned_data["role"],
                "invited_by": self.instance.invited_by,
                "created_at": timezone.now(),
                "declined_at": None,
            },
        )
        return invitation
