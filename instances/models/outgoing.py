"""Which addresses this server may call: the mode, and the list of what is allowed beside it."""

from typing import ClassVar, Self

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils import timezone

from instances.models.people import User
from instances.outgoing.policy import Entry, Mode


class OutgoingMode(models.TextChoices):
    """What may be called beside the listed addresses."""

    PUBLIC = Mode.PUBLIC.value, "Public addresses"
    LISTED = Mode.LISTED.value, "Listed addresses only"
    EVERYTHING = Mode.EVERYTHING.value, "Everything"


class OutgoingConnections(models.Model):
    """The mode of the whole server, in its one row; without a row it is the default."""

    mode = models.CharField(max_length=20, choices=OutgoingMode, default=OutgoingMode.PUBLIC)
    changed_by = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    changed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(id=1), name="outgoing_connections_once"),
            models.CheckConstraint(
                condition=Q(mode__in=OutgoingMode.values), name="outgoing_connections_mode"
            ),
        ]

    def __str__(self) -> str:
        return self.get_mode_display()

    @classmethod
    def current(cls) -> Self:
        """Return what is set, or the default."""
        return cls.objects.select_related("changed_by").first() or cls(id=1)


def validate_entry(text: str) -> None:
    """Refuse what is neither a host name nor an address nor a network."""
    try:
        Entry.parse(text)
    except ValueError as error:
        raise ValidationError(str(error)) from None


class AllowedAddress(models.Model):
    """A host or network that may be called although the mode does not allow it."""

    address = models.CharField(
        "Address",
        max_length=300,
        unique=True,
        validators=[validate_entry],
        help_text="A host name, an IP address or a network such as 10.0.0.0/8; a port may follow: "
        "ollama:11434.",
        error_messages={"unique": "This address is on the list already."},
    )
    note = models.CharField("Note", max_length=200, blank=True, help_text="What it is, and why.")
    added_by = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar = ["address"]

    def __str__(self) -> str:
        return self.address
