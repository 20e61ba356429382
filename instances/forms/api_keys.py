"""The form for a new API key."""

from typing import ClassVar

from django import forms

from instances.models import ApiKey, Permission
from instances.tiers import Tier


class ApiKeyForm(forms.ModelForm[ApiKey]):
    """A new API key."""

    scopes = forms.MultipleChoiceField(
        choices=Permission.choices,
        initial=[Permission.READ, Permission.WRITE],
        label="Permissions",
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one permission."},
    )

    trust = forms.TypedChoiceField(
        label="Trust its content as",
        coerce=int,
        required=False,
        initial=Tier.USER,
        choices=[
            (Tier.USER, "Said by the user"),
            (Tier.ASSISTANT, "Said by an assistant"),
            (Tier.TOOL, "Returned by a tool"),
            (Tier.DOCUMENT, "Text of a document or web page"),
        ],
        help_text="At most. Assistant messages, tool results and memories that a model saves by "
        "itself are trusted less, and content that is trusted less than the user never changes "
        "what the user has said.",
    )

    class Meta:
        model = ApiKey
        fields = ("name", "trust", "scopes")
        labels: ClassVar = {"name": "Name"}
        help_texts: ClassVar = {"name": "What uses this key, such as “Claude on my laptop”."}
