"""The forms of the screen for outgoing connections."""

from typing import ClassVar

from django import forms

from instances.models import AllowedAddress, OutgoingConnections, OutgoingMode

#: What each mode means, in a line.
HELP = {
    OutgoingMode.PUBLIC: "People can connect any provider on the internet. This machine and "
    "private networks are called only where they are listed below.",
    OutgoingMode.LISTED: "Nothing is called that is not listed below, not even a provider on the "
    "internet.",
    OutgoingMode.EVERYTHING: "Anyone who may create an instance can have Keepsake call this "
    "machine and every server that it reaches. Only where you trust all of them.",
}


class OutgoingModeForm(forms.ModelForm[OutgoingConnections]):
    """What may be called beside the list."""

    class Meta:
        model = OutgoingConnections
        fields = ("mode",)

    @property
    def choices(self) -> list[tuple[str, str, str, bool]]:
        """Each mode's value, label and help, and whether it is chosen."""
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
