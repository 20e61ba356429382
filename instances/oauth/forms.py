"""Form for the decision about a client that asks to be connected."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from oauth2_provider.forms import AllowForm

from instances.models import ApiKey, Instance, Permission, Reach, User
from instances.models.groups import group_names
from instances.models.instance import MAX_END_USER
from instances.models.keys import KEY_REACHES
from instances.oauth.connections import last_connected
from instances.oauth.tokens import OFFERED, allowed_to


class LimitForm(forms.Form):
    """Choice of the person or group whose memories a connection is told."""

    end_user = forms.CharField(
        label=gettext_lazy("Person or group"),
        help_text=gettext_lazy("Leave empty to tell it everything in the instance."),
        max_length=MAX_END_USER,
        required=False,
    )
    reach = forms.TypedChoiceField(
        label=gettext_lazy("Is told"),
        choices=KEY_REACHES,
        coerce=Reach,
        empty_value=Reach.ALL,
        required=False,
    )

    @staticmethod
    def limits_of(key: ApiKey) -> dict[str, str]:
        """The values of these fields for *key*, with the name of a group in place of its id."""
        names = group_names(key.instance) if key.end_user else {}
        return {"end_user": names.get(key.end_user, key.end_user), "reach": key.reach}


def person_or_group(instance: Instance, text: str) -> str:
    """The stored id of the group of that id or name; else, of the person."""
    id_ = instance.canonical_end_user(text.strip())
    names = {name.casefold(): shared for shared, name in group_names(instance).items()}
    return id_ if id_ in names.values() else names.get(id_.casefold(), id_)


class ConsentForm(LimitForm, AllowForm):
    """The instance that a client may use, and what it may do there. The hidden fields are those of
    its request.
    """

    instance = forms.ModelChoiceField(
        Instance.objects.none(),
        label=gettext_lazy("Instance"),
        to_field_name="slug",
        empty_label=None,
        required=False,
    )
    permissions = forms.MultipleChoiceField(
        label=gettext_lazy("What it may do"), widget=forms.CheckboxSelectMultiple, required=False
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        instances: Any = self.fields["instance"]
        instances.queryset = Instance.objects.visible_to(user)
        # An app that asks for more goes on where it is. Otherwise the person chooses: an app in the
        # wrong memory would not be noticed.
        last = last_connected(str(self["client_id"].value() or ""), user)
        instances.initial = last.instance if last else None
        if last is not None:
            self.initial.update(LimitForm.limits_of(last))
        if instances.initial is None and instances.queryset[1:2].exists():
            instances.empty_label = gettext_lazy("Choose an instance")
        # No more than the client asks for, which is what it is prepared for.
        asked = str(self["scope"].value() or "").split()
        offered = [each for each in OFFERED if each in asked]
        permissions: Any = self.fields["permissions"]
        permissions.choices = [(each.value, described(each)) for each in offered]
        permissions.initial = [each.value for each in offered]

    def clean(self) -> dict[str, Any]:
        """Check the decision to allow; a refusal needs neither instance nor permissions."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if not cleaned.get("allow") or self.errors:
            return cleaned
        instance, wanted = cleaned["instance"], cleaned["permissions"]
        if instance is None:
            self.add_error("instance", _("Choose the instance that it may use."))
        elif not wanted:
            self.add_error("permissions", _("Choose at least one permission, or cancel."))
        elif not set(wanted) <= set(allowed_to(self.user, instance)):
            text = _("You can only read in %(instance)s, so an app can only read there, too.")
            self.add_error("permissions", text % {"instance": instance.name})
        else:
            cleaned["end_user"] = person_or_group(instance, cleaned["end_user"])
        return cleaned


def described(permission: Permission) -> str:
    """Say what a client can do with *permission*."""
    return {
        Permission.READ: _("Search and read memories and conversations"),
        Permission.WRITE: _("Add and correct memories, and store conversations"),
        Permission.DELETE: _("Move memories to the bin, where people can restore them for 30 days"),
    }[permission]
