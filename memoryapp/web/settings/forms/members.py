"""The form that invites a member, or makes an account for one."""

from typing import Any, ClassVar

from django import forms
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from instances.models import MembershipInvitation, User

#: What a manager reads after each invitation, whether the username exists or not.
INVITED = _("Invited %(username)s. If someone has this username, they will see the invitation.")
#: Sentence for a superadmin who enters a username without an account.
NO_ACCOUNT = _(
    "%(username)s has no account yet. “Invite” makes one, with a link for you to hand over."
)
NO_ACCOUNT_WITH_ADDRESS = _(
    "No account is called %(username)s yet. “Invite” makes one, with a link for you to hand over: "
    "nothing is mailed."
)
#: Sentence for others, who may not learn which usernames exist.
NOT_MAILED = _("Nothing is mailed: whoever has this as their username sees the invitation.")


class InvitationForm(forms.ModelForm[MembershipInvitation]):
    """A username and a role. Another invitation of the same username replaces the first."""

    username = forms.CharField(
        max_length=150, label=_("Username"), validators=[UnicodeUsernameValidator()]
    )

    class Meta:
        model = MembershipInvitation
        fields = ("username", "role")
        labels: ClassVar = {"role": _("Role")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].widget.attrs |= {
            "hx-get": reverse("member_named", args=[self.instance.instance.slug]),
            "hx-trigger": "input changed delay:200ms",
            "hx-target": "#named",
            "hx-sync": "this:replace",
        }

    def clean_username(self) -> str:
        username: str = User.normalize_username(self.cleaned_data["username"])
        if self.instance.instance.membership_set.filter(user__username=username).exists():
            raise forms.ValidationError(
                _("%(username)s is already a member."), params={"username": username}
            )
        if self.makes_account and User.objects.filter(username__iexact=username).exists():
            raise forms.ValidationError(
                _("Someone has this username with other capitals. Write it as they do.")
            )
        return username

    @property
    def makes_account(self) -> bool:
        """True if nobody has the username, and who invites may create accounts. Only superadmins
        may, and may learn which usernames exist.
        """
        username = self.cleaned_data.get("username")
        inviter = self.instance.invited_by
        return bool(
            username
            and inviter
            and inviter.is_superuser
            and not User.objects.filter(username=username).exists()
        )

    @property
    def consequence(self) -> str:
        """Effect of inviting the username, where it needs to be said."""
        username = self.cleaned_data.get("username", "")
        is_address = "@" in username
        if self.makes_account:
            text = NO_ACCOUNT_WITH_ADDRESS if is_address else NO_ACCOUNT
            return text % {"username": username}
        return str(NOT_MAILED) if is_address else ""

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
