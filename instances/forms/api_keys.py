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
        label="May",
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Tick what the key may do."},
    )

    trust = forms.TypedChoiceField(
        label="What comes with it counts as",
        coerce=int,
        required=False,
        initial=Tier.USER,
        choices=[
            (Tier.USER, "What the user says"),
            (Tier.ASSISTANT, "What an assistant says"),
            (Tier.TOOL, "The result of a tool"),
            (Tier.DOCUMENT, "Text of a document or web page"),
        ],
        help_text="At most: an assistant’s message, a tool’s result, and a memory that a model "
        "saves by itself count for less. What counts for less than the user never changes what the "
        "user has said.",
    )

    class Meta:
        model = ApiKey
        fields = ("name", "trust", "scopes")
        labels: ClassVar = {"name": "What it is for"}
