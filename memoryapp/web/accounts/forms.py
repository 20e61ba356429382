"""The forms of the people screens."""

from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _

from instances.models import Instance, InstanceRole, User

NO_ROLE = [("", _("Not a member"))]


class InviteForm(forms.ModelForm[User]):
    """A new person: username, name, and a role in each shared instance."""

    name = forms.CharField(max_length=150, required=False, label=_("Name"))

    class Meta:
        model = User
        fields = ("username",)
        help_texts: ClassVar = {"username": _("What they sign in with. It cannot be changed.")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.shared = list(Instance.objects.filter(private_to=None))
        for instance in self.shared:
            self.fields[f"role-{instance.pk}"] = forms.ChoiceField(
                choices=NO_ROLE + InstanceRole.choices,
                required=False,
                label=instance.name,
                widget=forms.Select(attrs={"class": "btn"}),
            )

    def clean_username(self) -> str:
        username: str = User.normalize_username(self.cleaned_data["username"])
        if User.objects.filter(username__iexact=username).exists():
            raise forms.ValidationError(_("This username is taken. Choose another one."))
        return username

    @property
    def roles(self) -> list[forms.BoundField]:
        """The choice of a role in each shared instance."""
        return [self[f"role-{instance.pk}"] for instance in self.shared]

    @property
    def memberships(self) -> dict[Instance, str]:
        """The roles that were chosen."""
        chosen = {each: self.cleaned_data[f"role-{each.pk}"] for each in self.shared}
        return {instance: role for instance, role in chosen.items() if role}


class MemberForm(forms.Form):
    """A shared instance, and a role in it."""

    instance = forms.ModelChoiceField(
        Instance.objects.filter(private_to=None), empty_label=None, label=_("Instance")
    )
    role = forms.ChoiceField(
        choices=InstanceRole.choices, initial=InstanceRole.MEMBER, label=_("Role")
    )
