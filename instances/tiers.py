"""How far a statement is believed, by where it comes from."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Tier(models.IntegerChoices):
    """Where a statement comes from, the least trusted source first.

    The authenticated door and the role of the message decide, never a field of a request or the
    confidence of a model. What is derived has the lowest tier of what it was derived from.
    """

    #: Quoted, attached or pasted text, and files.
    DOCUMENT = 1, _("document")
    #: The result of a tool.
    TOOL = 2, _("tool")
    ASSISTANT = 3, _("assistant")
    #: The user's own words.
    USER = 4, _("user")
    #: Typed on a screen.
    PERSON = 5, _("person")

    @classmethod
    def of_role(cls, role: str) -> "Tier":
        """The tier of a message with this role."""
        return _BY_ROLE.get(role, cls.DOCUMENT)

    @classmethod
    def named(cls, name: str) -> "Tier | None":
        """The tier of that name; None if there is none."""
        return next((tier for tier in cls if tier.api_name == name), None)

    @property
    def api_name(self) -> str:
        """Name of the tier in the API and in files."""
        return self.name.lower()

    @property
    def in_words(self) -> str:
        """Description of a statement of this tier, for a model and for people."""
        return _WORDS[self]


_BY_ROLE = {"user": Tier.USER, "assistant": Tier.ASSISTANT, "tool": Tier.TOOL}
_WORDS = {
    Tier.DOCUMENT: "from a web page or document, unverified",
    Tier.TOOL: "from a tool, unverified",
    Tier.ASSISTANT: "said by the assistant, unverified",
    Tier.USER: "said by the user",
    Tier.PERSON: "entered by a person",
}
#: The tiers that a manager can give an API key.
KEY_TIERS = (Tier.USER, Tier.ASSISTANT, Tier.TOOL, Tier.DOCUMENT)


class TierHandling(models.TextChoices):
    """Handling of statements of a tier below the user's."""

    KEEP = "keep", _("Hold suspicious ones")
    HOLD = "hold", _("Hold all for review")
    IGNORE = "ignore", _("Ignore")
