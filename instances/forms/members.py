"""The form that invites a member."""

from django import forms
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.utils import timezone

from instances.models import MembershipInvitation, User

#: What a manager reads after each invitation, whether the username exists or not.
INVITED = "Invited {username}. If this username exists, its owner is shown the invitation."


class InvitationForm(forms.ModelForm[MembershipInvitation]):
    """A username and a role. Another invitation of the same username replaces the first."""

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
