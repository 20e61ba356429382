"""The forms for webhooks."""

from typing import ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _

from instances.models import Webhook, WebhookEvent
from instances.translatable import translated
from memoryapp.webhooks.registration import WebhookRefused, check_room, checked_address


class WebhookForm(forms.ModelForm[Webhook]):
    """A new webhook."""

    url = forms.CharField(
        label=_("Address"),
        max_length=Webhook.MAX_URL_CHARACTERS,
        widget=forms.URLInput(
            attrs={
                "placeholder": "https://example.org/keepsake",
                "autocomplete": "off",
                "spellcheck": "false",
            }
        ),
        help_text=_("Events are posted there as JSON. Use https, except within your own network."),
    )
    events = forms.MultipleChoiceField(
        choices=WebhookEvent.choices,
        initial=WebhookEvent.values,
        label=_("Tell it when"),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one event.")},
    )

    class Meta:
        model = Webhook
        fields: ClassVar = ["url", "events"]

    def clean_url(self) -> str:
        try:
            if self.instance._state.adding:
                check_room(self.instance.instance)
            return checked_address(self.cleaned_data["url"])
        except WebhookRefused as refused:
            raise forms.ValidationError(translated(str(refused))) from None


class WebhookDetailsForm(WebhookForm):
    """The settings of a webhook."""

    class Meta(WebhookForm.Meta):
        fields: ClassVar = ["url", "events", "enabled"]
        help_texts: ClassVar = {
            "enabled": _("While this is off, what happens is not recorded for it.")
        }
