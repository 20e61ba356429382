"""The form for a new API key."""

from typing import ClassVar

from django import forms

from instances.models import ApiKey, Permission


class ApiKeyForm(forms.ModelForm[ApiKey]):
    """A new API key."""

    scopes = forms.MultipleChoiceField(
        choices=Permission.choices,
        initial=[Permission.READ, Permission.WRITE],
        label="May",
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Tick what the key may do."},
    )

    class Meta:
        model = ApiKey
        fields = ("name", "scopes")
        labels: ClassVar = {"name": "What it is for"}
