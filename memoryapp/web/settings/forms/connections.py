"""The forms of the screen for outgoing connections."""

from typing import TYPE_CHECKING, ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _

from instances.models import AllowedAddress, OutgoingConnections, OutgoingMode

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

#: What each mode means, in one line.
HELP = {
    OutgoingMode.PUBLIC: _("Any provider on the internet. Private addresses must be listed below."),
    OutgoingMode.LISTED: _("On the internet, too."),
    OutgoingMode.EVERYTHING: _(
        "Anyone with an instance can have every server called that this machine "
        "reaches. Only if you trust them all."
    ),
}


class OutgoingModeForm(forms.ModelForm[OutgoingConnections]):
    """Form for what may be called besides the listed addresses."""

    class Meta:
        model = OutgoingConnections
        fields = ("mode",)
        labels: ClassVar = {"mode": _("What may be called")}

    @property
    def choices(self) -> "list[tuple[str, StrOrPromise, StrOrPromise, bool]]":
        """The value, label and help of each mode, and whether it is chosen."""
        chosen = self["mode"].value()
        return [(mode.value, mode.label, HELP[mode], mode.value == chosen) for mode in OutgoingMode]


class AllowedAddressForm(forms.ModelForm[AllowedAddress]):
    """An address for the list."""

    class Meta:
        model = AllowedAddress
        fields = ("address", "note")
        widgets: ClassVar = {
            "address": forms.TextInput(
                attrs={"placeholder": "ollama:11434", "autocomplete": "off", "spellcheck": "false"}
            )
        }
