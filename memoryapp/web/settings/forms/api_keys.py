"""The form for a new API key."""

from typing import ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _

from instances.models import ApiKey, Permission
from instances.tiers import Tier


class ApiKeyForm(forms.ModelForm[ApiKey]):
    """A new API key."""

    scopes = forms.MultipleChoiceField(
        choices=Permission.choices,
        initial=[Permission.READ, Permission.WRITE],
        label=_("Permissions"),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one permission.")},
    )

    trust = forms.TypedChoiceField(
        label=_("Highest trust"),
        coerce=int,
        required=False,
        initial=Tier.USER,
        choices=[
            (Tier.USER, _("Said by the user")),
            (Tier.ASSISTANT, _("Said by an assistant")),
            (Tier.TOOL, _("Returned by a tool")),
            (Tier.DOCUMENT, _("Text of a document or web page")),
        ],
        help_text=_("Lower-trust content never overrides what the user said."),
    )

    end_user = forms.CharField(
        label=_("Person"),
        required=False,
        max_length=200,
        help_text=_("Leave empty if requests name the person."),
    )

    class Meta:
        model = ApiKey
        fields = ("name", "trust", "end_user", "scopes")
        labels: ClassVar = {"name": _("Name")}
        help_texts: ClassVar = {"name": _("What uses this key, such as “Claude on my laptop”.")}
