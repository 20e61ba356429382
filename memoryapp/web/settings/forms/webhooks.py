"""The forms for webhooks."""

from typing import ClassVar
from urllib.parse import urlsplit

from django import forms
from django.utils.translation import gettext_lazy as _

from instances.models import Webhook, WebhookEvent
from instances.outgoing.current_policy import refusal_of
from instances.provider_urls import server_of
from instances.translatable import translated

#: Webhooks of one instance.
MAX_WEBHOOKS = 20


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
        # Each change of a memory makes an event for each of them.
        if self.instance._state.adding and self.instance.instance.webhooks.count() >= MAX_WEBHOOKS:
            raise forms.ValidationError(
                _("An instance has at most %(number)s webhooks. Remove one first.")
                % {"number": MAX_WEBHOOKS}
            )
        url: str = self.cleaned_data["url"].strip()
        if any(c.isspace() or not c.isprintable() for c in url):
            raise forms.ValidationError(_("The address contains a space or a line break."))
        try:
            parts = urlsplit(url)
            _host, _port = parts.hostname, parts.port
        except ValueError:
            raise forms.ValidationError(_("The address is not a valid URL.")) from None
        if parts.scheme not in ("http", "https") or not parts.hostname or not server_of(url):
            raise forms.ValidationError(
                _("The address must begin with http:// or https://, then a host name.")
            )
        if parts.username is not None or parts.password is not None or parts.fragment:
            raise forms.ValidationError(_("The address must not contain a login or #."))
        # Checked again at each request: the host may have another address then.
        if refusal := refusal_of(url):
            raise forms.ValidationError(translated(refusal.text))
        return url


class WebhookDetailsForm(WebhookForm):
    """The settings of a webhook."""

    class Meta(WebhookForm.Meta):
        fields: ClassVar = ["url", "events", "enabled"]
        help_texts: ClassVar = {
            "enabled": _("While this is off, what happens is not recorded for it.")
        }
