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
        label=_("Trust its content as"),
        coerce=int,
        required=False,
        initial=Tier.USER,
        choices=[
            (Tier.USER, _("Said by the user")),
            (Tier.ASSISTANT, _("Said by an assistant")),
            (Tier.TOOL, _("Returned by a tool")),
            (Tier.DOCUMENT, _("Text of a document or web page")),
        ],
        help_text=_(
            "At most. Assistant messages, tool results and memories that a model saves by "
            "itself are trusted less, and content that is trusted less than the user never changes "
            "what the user has said."
        ),
    )

    end_user = forms.CharField(
        label=_("Person"),
        required=False,
        max_length=200,
        help_text=_(
            "For programs of one person or household: the key sees and stores only what is about "
            "this id. Empty: its requests say whom they are about."
        ),
    )

    class Meta:
        model = ApiKey
        fields = ("name", "trust", "end_user", "scopes")
        labels: ClassVar = {"name": _("Name")}
        help_texts: ClassVar = {"name": _("What uses this key, such as “Claude on my laptop”.")}
