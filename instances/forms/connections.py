"""The forms of the screen for outgoing connections."""

from typing import ClassVar

from django import forms

from instances.models import AllowedAddress, OutgoingConnections, OutgoingMode

#: What each mode means, in one line.
HELP = {
    OutgoingMode.PUBLIC: "People can connect any provider on the internet. Addresses on this "
    "machine and in private networks must be listed below.",
    OutgoingMode.LISTED: "Only the addresses below are called, even on the internet.",
    OutgoingMode.EVERYTHING: "Anyone who can create an instance can make Keepsake call this "
    "machine and every server it reaches. Choose this only if you trust them all.",
}


class OutgoingModeForm(forms.ModelForm[OutgoingConnections]):
    """What may be called besides the listed addresses."""

    class Meta:
        model = OutgoingConnections
        fields = ("mode",)

    @property
    def choices(self) -> list[tuple[str, str, str, bool]]:
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
